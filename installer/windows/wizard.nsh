; What a person sees: one page that says what will happen, one that works, one that says it is done.
; The uninstaller asks one question. No captions like "Installation Options".
!define BEFORE_IS_NEWER 2 ; as VersionCompare says it
!define BEFORE_IS_SAME 0
Var before ; the version that is installed, or nothing
Var compared
Var welcome
Var erase ; 1: chats, settings and models too
Var erase_box
Var erase_warning

SubCaption 0 " "
SubCaption 1 " "
SubCaption 2 " "
SubCaption 3 " "
SubCaption 4 " "
UninstallSubCaption 0 " "
UninstallSubCaption 1 " "
UninstallSubCaption 2 " "

!define MUI_ICON "${LISTS}\snug.ico"
!define MUI_UNICON "${LISTS}\snug.ico"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${LISTS}\side.bmp"
!define MUI_HEADERIMAGE
!define MUI_HEADERIMAGE_RIGHT
!define MUI_HEADERIMAGE_BITMAP "${LISTS}\head.bmp"
!define MUI_HEADERIMAGE_UNBITMAP "${LISTS}\head.bmp"
!define MUI_ABORTWARNING
!define MUI_ABORTWARNING_TEXT "$(STOP)"

!define MUI_WELCOMEPAGE_TITLE "$(WELCOME)"
!define MUI_WELCOMEPAGE_TEXT "$welcome"
!define MUI_PAGE_CUSTOMFUNCTION_PRE say_what_happens
!insertmacro MUI_PAGE_WELCOME

!define MUI_PAGE_HEADER_TEXT "$(INSTALLING)"
!define MUI_PAGE_HEADER_SUBTEXT " "
!define MUI_INSTFILESPAGE_FINISHHEADER_TEXT "$(READY)"
!define MUI_INSTFILESPAGE_FINISHHEADER_SUBTEXT " "
!define MUI_INSTFILESPAGE_ABORTHEADER_TEXT "$(NOT_INSTALLED)"
!define MUI_INSTFILESPAGE_ABORTHEADER_SUBTEXT " "
!insertmacro MUI_PAGE_INSTFILES

!define MUI_FINISHPAGE_TITLE "$(READY)"
!define MUI_FINISHPAGE_TEXT "$(WHERE)"
!define MUI_FINISHPAGE_RUN
!define MUI_FINISHPAGE_RUN_TEXT "$(OPEN)"
!define MUI_FINISHPAGE_RUN_FUNCTION open
!define MUI_FINISHPAGE_SHOWREADME ""
!define MUI_FINISHPAGE_SHOWREADME_TEXT "$(DESKTOP_ICON)"
!define MUI_FINISHPAGE_SHOWREADME_NOTCHECKED
!define MUI_FINISHPAGE_SHOWREADME_FUNCTION desktop_icon
!define MUI_FINISHPAGE_NOREBOOTSUPPORT
!insertmacro MUI_PAGE_FINISH

!insertmacro MUI_UNSET MUI_INSTFILESPAGE_ABORTHEADER_TEXT ; MUI forgets to
!insertmacro MUI_UNSET MUI_INSTFILESPAGE_ABORTHEADER_SUBTEXT
UninstPage custom un.ask un.answered " "
!define MUI_PAGE_HEADER_TEXT "$(REMOVING)"
!define MUI_PAGE_HEADER_SUBTEXT " "
!define MUI_INSTFILESPAGE_FINISHHEADER_TEXT "$(REMOVED)"
!define MUI_INSTFILESPAGE_FINISHHEADER_SUBTEXT " "
!define MUI_INSTFILESPAGE_ABORTHEADER_TEXT "$(NOT_REMOVED)"
!define MUI_INSTFILESPAGE_ABORTHEADER_SUBTEXT " "
!insertmacro MUI_UNPAGE_INSTFILES

; The system's language, without a question; English where we have no other.
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"
SetFont /LANG=${LANG_ENGLISH} "Segoe UI" 9
SetFont /LANG=${LANG_SIMPCHINESE} "Microsoft YaHei UI" 9

Function find_before
  ReadRegStr $before HKCU "${UNINSTALL}" "DisplayVersion"
  StrCpy $compared ""
  ${If} $before != ""
    ${VersionCompare} "${VERSION}" "$before" $compared
  ${EndIf}
FunctionEnd

Function say_what_happens
  ${If} $before == ""
    StrCpy $welcome "$(FRESH)"
  ${ElseIf} $compared == ${BEFORE_IS_SAME}
    StrCpy $welcome "$(AGAIN)"
  ${ElseIf} $compared == ${BEFORE_IS_NEWER}
    StrCpy $welcome "$(BACK)"
  ${Else}
    StrCpy $welcome "$(UPDATE)"
  ${EndIf}
FunctionEnd

; --- the one question of the uninstaller ------------------------------------------------------------------
Function un.ask
  !insertmacro MUI_HEADER_TEXT "$(REMOVE)" " "
  Call un.measured
  nsDialogs::Create 1018
  Pop $0
  ${NSD_CreateLabel} 0 4u 100% 24u "$(STAYS)"
  Pop $0
  ${NSD_CreateCheckbox} 0 36u 100% 12u "$(ERASE) $1"
  Pop $erase_box
  ${NSD_OnClick} $erase_box un.ticked
  ${NSD_CreateLabel} 12u 52u -12u 40u "$(FOR_GOOD)"
  Pop $erase_warning
  ShowWindow $erase_warning ${SW_HIDE}
  GetDlgItem $0 $HWNDPARENT 1
  SendMessage $0 ${WM_SETTEXT} 0 "STR:$(REMOVE_BUTTON)"
  nsDialogs::Show
FunctionEnd

Function un.ticked
  Pop $0
  ${NSD_GetState} $erase_box $0
  ${If} $0 == ${BST_CHECKED}
    ShowWindow $erase_warning ${SW_SHOW}
  ${Else}
    ShowWindow $erase_warning ${SW_HIDE}
  ${EndIf}
FunctionEnd

Function un.answered
  ${NSD_GetState} $erase_box $erase
FunctionEnd
