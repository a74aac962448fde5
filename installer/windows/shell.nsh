; What Windows is told: the list of programs, the Start menu, "Open with". Never who opens a file by
; default: that stays as the person has it.
!define CLASSES "Software\Classes"
!define APPLICATION "${CLASSES}\Applications\snug.exe"
!define APP_PATHS "Software\Microsoft\Windows\CurrentVersion\App Paths"
!define APP_PATH "${APP_PATHS}\snug.exe"
!define SHCNE_ASSOCCHANGED 0x08000000

!macro tell_the_shell
  System::Call 'shell32::SHChangeNotify(i ${SHCNE_ASSOCCHANGED}, i 0, p 0, p 0)'
!macroend

!macro opens extension prog_id words
  WriteRegStr HKCU "${CLASSES}\${prog_id}" "" "${words}"
  WriteRegStr HKCU "${CLASSES}\${prog_id}" "FriendlyTypeName" "${words}"
  WriteRegStr HKCU "${CLASSES}\${prog_id}\DefaultIcon" "" "$INSTDIR\snug.exe,0"
  WriteRegStr HKCU "${CLASSES}\${prog_id}\shell\open\command" "" '"$INSTDIR\snug.exe" --open "%1"'
  WriteRegNone HKCU "${CLASSES}\${extension}\OpenWithProgids" "${prog_id}"
  WriteRegStr HKCU "${APPLICATION}\SupportedTypes" "${extension}" ""
!macroend

!macro opens_no_more extension prog_id
  DeleteRegKey HKCU "${CLASSES}\${prog_id}"
  DeleteRegValue HKCU "${CLASSES}\${extension}\OpenWithProgids" "${prog_id}"
  DeleteRegKey /ifempty HKCU "${CLASSES}\${extension}\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "${CLASSES}\${extension}"
!macroend

Function register
  SetOutPath "$INSTDIR" ; shortcuts take it as the folder to work in
  CreateShortcut "$SMPROGRAMS\Snug.lnk" "$INSTDIR\snug.exe" "" "" "" "" "" "$(ABOUT)"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Snug"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\snug.exe,0"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Snug project"
  WriteRegStr HKCU "${UNINSTALL}" "Comments" "$(ABOUT)"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  ${GetTime} "" "L" $0 $1 $2 $3 $4 $5 $6
  WriteRegStr HKCU "${UNINSTALL}" "InstallDate" "$2$1$0"
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${SIZE_KB}
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  WriteRegStr HKCU "${APP_PATH}" "" "$INSTDIR\snug.exe"
  WriteRegStr HKCU "${APPLICATION}" "FriendlyAppName" "Snug"
  WriteRegStr HKCU "${APPLICATION}\DefaultIcon" "" "$INSTDIR\snug.exe,0"
  WriteRegStr HKCU "${APPLICATION}\shell\open\command" "" '"$INSTDIR\snug.exe" --open "%1"'
  !insertmacro opens ".gguf" "Snug.gguf" "$(MODEL)"
  !insertmacro opens ".pack" "Snug.pack" "$(PACK)"
  !insertmacro tell_the_shell
FunctionEnd

Function un.unregister
  Delete "$SMPROGRAMS\Snug.lnk"
  Delete "$DESKTOP\Snug.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "${APP_PATH}"
  DeleteRegKey HKCU "${APPLICATION}"
  DeleteRegKey /ifempty HKCU "${CLASSES}\Applications"
  DeleteRegKey /ifempty HKCU "${APP_PATHS}"
  DeleteRegKey /ifempty HKCU "${UNINSTALLS}"
  !insertmacro opens_no_more ".gguf" "Snug.gguf"
  !insertmacro opens_no_more ".pack" "Snug.pack"
  !insertmacro tell_the_shell
FunctionEnd

Function desktop_icon
  SetOutPath "$INSTDIR"
  CreateShortcut "$DESKTOP\Snug.lnk" "$INSTDIR\snug.exe" "" "" "" "" "" "$(ABOUT)"
FunctionEnd
