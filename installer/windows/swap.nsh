; How a version takes the place of the one before: it is unpacked completely into a folder beside,
; while the one before stays where it is and works; then the parts change places by a few renames.
; snug.exe leaves its place first and comes to it last. So a snug.exe that lies aside while none is in
; place means that the change was cut off, and everything is put back.
!define NEW "$INSTDIR\snug.new"
!define OLD "$INSTDIR\snug.old"
!define LIST "${OLD}\_internal\installed.txt" ; every version brings the list of its own files

!macro part_aside name
  ${If} ${FileExists} "$INSTDIR\${name}"
    Push "$INSTDIR\${name}"
    Push "${OLD}\${name}"
    Call ${un}move
    IfErrors failed
  ${EndIf}
!macroend

!macro part_placed name
  Push "${NEW}\${name}"
  Push "$INSTDIR\${name}"
  Call move
  IfErrors failed
!macroend

!macro part_back name ; either fails, and does nothing, where there is nothing to bring back
  Push "$INSTDIR\${name}"
  Push "${NEW}\${name}"
  Call ${un}move
  Push "${OLD}\${name}"
  Push "$INSTDIR\${name}"
  Call ${un}move
!macroend

!macro swapping un
; Sets the error flag. Virus scanners look into what was just written and hold it for a moment: what is
; there and has room is tried for 10 s.
Function ${un}move ; from where to where: both on the stack
  Exch $1
  Exch
  Exch $0
  Push $2
  StrCpy $2 0
  again:
  ClearErrors
  Rename "$0" "$1"
  IfErrors 0 moved
  IntOp $2 $2 + 1
  ${If} $2 < 50
  ${AndIf} ${FileExists} "$0"
  ${AndIfNot} ${FileExists} "$1"
    Sleep 200
    Goto again
  ${EndIf}
  SetErrors
  moved:
  Pop $2
  Pop $0
  Pop $1
FunctionEnd

; While a program runs its file can not be written: that is how we know.
Function ${un}wait_until_closed
  again:
  ${IfNot} ${FileExists} "$INSTDIR\snug.exe"
    Return
  ${EndIf}
  SetFileAttributes "$INSTDIR\snug.exe" NORMAL ; one that nobody may write looks the same
  ClearErrors
  FileOpen $0 "$INSTDIR\snug.exe" a
  ${IfNot} ${Errors}
    FileClose $0
    Return
  ${EndIf}
  MessageBox MB_RETRYCANCEL|MB_ICONINFORMATION "$(RUNNING)" /SD IDCANCEL IDRETRY again
  SetErrorLevel ${IN_USE}
  Quit
FunctionEnd

; Sets the error flag, and leaves everything in its place, when something is in use.
Function ${un}set_aside
  ClearErrors
  CreateDirectory "${OLD}"
  IfErrors failed
  !insertmacro part_aside "snug.exe"
  !insertmacro part_aside "_internal"
  !insertmacro part_aside "licences"
  !insertmacro part_aside "uninstall.exe"
  Return
  failed:
  Call ${un}put_back
  SetErrors
FunctionEnd

Function ${un}put_back
  !insertmacro part_back "uninstall.exe"
  !insertmacro part_back "licences"
  !insertmacro part_back "_internal"
  !insertmacro part_back "snug.exe"
  RMDir "${OLD}"
FunctionEnd

; At the start of every run: what an earlier one could not finish.
Function ${un}recover
  ${IfNot} ${FileExists} "$INSTDIR\snug.exe"
  ${AndIf} ${FileExists} "${OLD}\snug.exe"
    Call ${un}put_back
  ${EndIf}
  Call ${un}forget_new
  Call ${un}forget_before
FunctionEnd

Function ${un}forget_new ; nobody but a setup writes there
  SetOutPath "$TEMP" ; a folder that somebody works in can not go
  Push "${NEW}"
  Call ${un}erase
  RMDir "$INSTDIR" ; where there was no Snug before
FunctionEnd

; The files on its list are deleted. What a person has put between them is kept.
Function ${un}forget_before
  ${IfNot} ${FileExists} "${OLD}\*.*"
    Return
  ${EndIf}
  ClearErrors
  FileOpen $0 "${LIST}" r
  ${IfNot} ${Errors}
    Call ${un}delete_listed
    FileClose $0
    Delete "${LIST}"
  ${EndIf}
  Delete "${OLD}\uninstall.exe"
  RMDir "${OLD}\_internal"
  RMDir "${OLD}\licences"
  RMDir "${OLD}"
  ${If} ${FileExists} "${OLD}\*.*"
    Call ${un}keep_rest
  ${EndIf}
FunctionEnd

Function ${un}delete_listed ; $0 is the open list: files, then folders with a backslash at the end
  ${Do}
    ClearErrors
    FileReadUTF16LE $0 $1
    ${If} ${Errors}
      ${ExitDo}
    ${EndIf}
    StrCpy $1 $1 -2 ; without the line's end
    StrCpy $2 $1 1 -1
    ${If} $2 == "\"
      StrCpy $1 $1 -1
      RMDir "${OLD}\$1"
    ${Else}
      Delete "${OLD}\$1"
    ${EndIf}
  ${Loop}
FunctionEnd

Function ${un}keep_rest
  StrCpy $1 ""
  StrCpy $2 1
  ${DoWhile} ${FileExists} "$INSTDIR\Not from Snug$1"
    IntOp $2 $2 + 1
    StrCpy $1 " $2"
  ${Loop}
  Rename "${OLD}" "$INSTDIR\Not from Snug$1"
FunctionEnd
!macroend
!insertmacro swapping ""
!insertmacro swapping "un."

Function swap ; sets the error flag like set_aside
  Call set_aside
  IfErrors stopped
  !insertmacro part_placed "_internal"
  !insertmacro part_placed "licences"
  !insertmacro part_placed "uninstall.exe"
  !insertmacro part_placed "snug.exe"
  Return
  failed:
  Call put_back
  stopped:
  SetErrors
FunctionEnd

Function swap_until_done
  again:
  Call swap
  ${IfNot} ${Errors}
    Return
  ${EndIf}
  MessageBox MB_RETRYCANCEL|MB_ICONINFORMATION "$(BUSY)" /SD IDCANCEL IDRETRY again
  Call forget_new
  SetErrorLevel ${IN_USE}
  Quit
FunctionEnd

Function un.aside_until_done
  again:
  Call un.set_aside
  ${IfNot} ${Errors}
    Return
  ${EndIf}
  MessageBox MB_RETRYCANCEL|MB_ICONINFORMATION "$(BUSY)" /SD IDCANCEL IDRETRY again
  SetErrorLevel ${IN_USE}
  Quit
FunctionEnd
