; Deletes a folder with all that is in it, but never what a link in it leads to: NSIS's `RMDir /r`
; walks through junctions, and a person may have moved models to another disk behind one.
!define FOLDER_OR_LINK 0x410 ; FILE_ATTRIBUTE_DIRECTORY, FILE_ATTRIBUTE_REPARSE_POINT
!define FOLDER 0x10
!define LINKED_FOLDER 0x410

!macro erasing un
Function ${un}erase ; the path is on the stack
  Exch $0
  Push $1
  System::Call 'kernel32::GetFileAttributesW(w r0) i .r1'
  ${If} $1 <> -1
    IntOp $1 $1 & ${FOLDER_OR_LINK}
    ${If} $1 = ${FOLDER}
      Push $0
      Call ${un}erase_inside
      RMDir "$0"
    ${ElseIf} $1 = ${LINKED_FOLDER}
      RMDir "$0" ; the link alone
    ${Else}
      Delete "$0"
    ${EndIf}
  ${EndIf}
  Pop $1
  Pop $0
FunctionEnd

Function ${un}erase_inside ; the folder is on the stack
  Exch $0
  Push $1
  Push $2
  FindFirst $1 $2 "$0\*.*"
  ${DoWhile} $2 != ""
    ${If} $2 != "."
    ${AndIf} $2 != ".."
      Push "$0\$2"
      Call ${un}erase
    ${EndIf}
    FindNext $1 $2
  ${Loop}
  FindClose $1
  Pop $2
  Pop $1
  Pop $0
FunctionEnd
!macroend
!insertmacro erasing ""
!insertmacro erasing "un."
