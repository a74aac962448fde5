; Snug's installer: for one person, without an administrator. `nsis.py` compiles it and passes:
;   VERSION, FOUR_VERSION (a.b.c.d), PAYLOAD (the frozen folder), LISTS (generated lists of files),
;   OUTPUT, SIZE_KB, ICON, and AMD64 where only stubs for that exist.
; It never removes what it did not install. Models and chats lie elsewhere (%LOCALAPPDATA%\Snug).
Unicode true
!ifdef AMD64
  Target amd64-unicode
!endif
ManifestDPIAware true
ManifestSupportedOS Win10
RequestExecutionLevel user
SetCompressor lzma ; not /SOLID: that unpacks everything twice
AllowSkipFiles off
ShowInstDetails nevershow
ShowUninstDetails nevershow

!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "LogicLib.nsh"
!include "Sections.nsh"

Name "Snug"
BrandingText "Snug ${VERSION}"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\Snug"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Snug"
!define CLASSES "Software\Classes"
!define PROG_ID "Snug.gguf"
!define DATA "$LOCALAPPDATA\Snug"
!define LOCKED 3 ; exit code: Snug is running
!define UNDONE 4 ; exit code: something failed, and the version before is in place again

VIProductVersion "${FOUR_VERSION}"
VIAddVersionKey "ProductName" "Snug"
VIAddVersionKey "FileDescription" "Snug, a private assistant"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "The Snug authors, Apache-2.0"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN
!define MUI_FINISHPAGE_RUN_FUNCTION open
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_COMPONENTS
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

LangString RUNNING ${LANG_ENGLISH} "Snug is open. Please close it, then try again."
LangString RUNNING ${LANG_SIMPCHINESE} "Snug 正在运行。请先关闭它，然后重试。"
LangString FAILED ${LANG_ENGLISH} "Snug could not be installed. What was there before is in place again."
LangString FAILED ${LANG_SIMPCHINESE} "无法安装 Snug。原来的版本已恢复。"
LangString DESKTOP ${LANG_ENGLISH} "Icon on the desktop"
LangString DESKTOP ${LANG_SIMPCHINESE} "桌面图标"
LangString ERASE ${LANG_ENGLISH} "Also delete my chats, settings and models"
LangString ERASE ${LANG_SIMPCHINESE} "同时删除我的聊天、设置和模型"

Var handed ; what is to be opened with Snug: models that lie beside the installer

; --- while a program runs its file can not be written: that is how we know -------------------------
!macro wait_until_closed un
Function ${un}wait_until_closed
  again:
  ${IfNot} ${FileExists} "$INSTDIR\snug.exe"
    Return
  ${EndIf}
  ClearErrors
  FileOpen $0 "$INSTDIR\snug.exe" a
  ${IfNot} ${Errors}
    FileClose $0
    Return
  ${EndIf}
  MessageBox MB_RETRYCANCEL|MB_ICONINFORMATION "$(RUNNING)" /SD IDCANCEL IDRETRY again
  SetErrorLevel ${LOCKED}
  Quit
FunctionEnd
!macroend
!insertmacro wait_until_closed ""
!insertmacro wait_until_closed "un."

; --- upgrades: the version before stays aside until the new one is complete -------------------------
!macro folder_aside name
  RMDir /r "$INSTDIR\${name}.old" ; our own, of an upgrade that was cut off
  ${If} ${FileExists} "$INSTDIR\${name}\*.*"
    Rename "$INSTDIR\${name}" "$INSTDIR\${name}.old"
  ${EndIf}
!macroend

!macro folder_back name
  ${If} ${FileExists} "$INSTDIR\${name}.old\*.*"
    RMDir /r "$INSTDIR\${name}" ; what has just been written
    Rename "$INSTDIR\${name}.old" "$INSTDIR\${name}"
  ${EndIf}
!macroend

Function set_aside
  Delete "$INSTDIR\snug.exe.old"
  ClearErrors
  ${If} ${FileExists} "$INSTDIR\snug.exe"
    Rename "$INSTDIR\snug.exe" "$INSTDIR\snug.exe.old"
  ${EndIf}
  !insertmacro folder_aside "_internal"
  !insertmacro folder_aside "licences"
  ${If} ${Errors}
    Call bring_back
  ${EndIf}
FunctionEnd

Function put_back
  !insertmacro folder_back "_internal"
  !insertmacro folder_back "licences"
  ${If} ${FileExists} "$INSTDIR\snug.exe.old"
    Delete "$INSTDIR\snug.exe"
    Rename "$INSTDIR\snug.exe.old" "$INSTDIR\snug.exe"
  ${EndIf}
FunctionEnd

Function bring_back
  Call put_back
  SetErrorLevel ${UNDONE}
  MessageBox MB_OK|MB_ICONSTOP "$(FAILED)" /SD IDOK
  Quit
FunctionEnd

Function .onInstFailed ; a file could not be written, or the person stopped it
  Call put_back
  SetErrorLevel ${UNDONE}
FunctionEnd

Function forget_before
  RMDir /r "$INSTDIR\_internal.old"
  RMDir /r "$INSTDIR\licences.old"
  Delete "$INSTDIR\snug.exe.old"
FunctionEnd

; --- what is installed -------------------------------------------------------------------------------
Section "-Snug" program
  Call wait_until_closed
  SetOutPath "$INSTDIR"
  Call set_aside
  ClearErrors
  SetOverwrite on
  !include "${LISTS}\install.nsh"
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  ${If} ${Errors}
    Call bring_back
  ${EndIf}
  Call forget_before
  Call register
SectionEnd

Section /o "$(DESKTOP)" desktop
  CreateShortcut "$DESKTOP\Snug.lnk" "$INSTDIR\snug.exe"
SectionEnd

Function register
  CreateShortcut "$SMPROGRAMS\Snug.lnk" "$INSTDIR\snug.exe"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Snug"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\snug.exe"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Snug project"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${SIZE_KB}
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ; Under "Open with"; whoever opens .gguf today goes on doing so.
  WriteRegStr HKCU "${CLASSES}\${PROG_ID}" "" "Language model"
  WriteRegStr HKCU "${CLASSES}\${PROG_ID}\DefaultIcon" "" "$INSTDIR\snug.exe,0"
  WriteRegStr HKCU "${CLASSES}\${PROG_ID}\shell\open\command" "" '"$INSTDIR\snug.exe" --open "%1"'
  WriteRegNone HKCU "${CLASSES}\.gguf\OpenWithProgids" "${PROG_ID}"
  WriteRegStr HKCU "${CLASSES}\Applications\snug.exe\shell\open\command" "" '"$INSTDIR\snug.exe" --open "%1"'
  WriteRegStr HKCU "${CLASSES}\Applications\snug.exe\SupportedTypes" ".gguf" ""
FunctionEnd

; --- a stick: models and packs beside the installer are offered to the window --------------------------
Function open
  StrCpy $handed ""
  Push "$EXEDIR\models\*.gguf"
  Call hand_over
  Push "$EXEDIR\packs\*.pack"
  Call hand_over
  ${If} $handed == ""
    Exec '"$INSTDIR\snug.exe"'
  ${Else}
    Exec '"$INSTDIR\snug.exe" --open$handed'
  ${EndIf}
FunctionEnd

Function hand_over
  Pop $0
  ${GetParent} "$0" $3
  FindFirst $1 $2 "$0"
  ${DoWhile} $2 != ""
    StrCpy $handed '$handed "$3\$2"'
    FindNext $1 $2
  ${Loop}
  FindClose $1
FunctionEnd

; --- removal: file by file, as they were installed ------------------------------------------------------
Section "un.-Snug"
  Call un.wait_until_closed
  !include "${LISTS}\uninstall.nsh"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR" ; stays if anything else lies there
  Delete "$SMPROGRAMS\Snug.lnk"
  Delete "$DESKTOP\Snug.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "${CLASSES}\${PROG_ID}"
  DeleteRegValue HKCU "${CLASSES}\.gguf\OpenWithProgids" "${PROG_ID}"
  DeleteRegKey /ifempty HKCU "${CLASSES}\.gguf\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "${CLASSES}\.gguf"
  DeleteRegKey HKCU "${CLASSES}\Applications\snug.exe"
SectionEnd

Section /o "un.$(ERASE)" erase ; never unless ticked, so never with /S
  RMDir /r "${DATA}"
SectionEnd
