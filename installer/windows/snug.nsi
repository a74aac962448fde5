; Snug's installer: for one person, without an administrator. `nsis.py` compiles it and passes:
;   VERSION, FOUR_VERSION (a.b.c.d), OUTPUT, SIZE_KB, LONGEST (letters of the longest path), AMD64
;   where only stubs for that exist, SIGN (a command) where there is a certificate, and LISTS: the
;   folder with install.nsh, installed.txt and the pictures.
; It never removes what it did not install. Models and chats lie elsewhere (%LOCALAPPDATA%\Snug).
; Exit codes: 0 done, 1 the person said no, 3 Snug or its files are in use or it is being installed
; already, 4 could not be finished and what was there before is in place, 5 this computer or folder
; will not do, 6 with /S: a newer version is installed. With /S: /OLDER installs over a newer version
; too, /OPEN starts Snug at the end; the uninstaller's /ERASE deletes chats, settings and models too.
Unicode true
!ifdef AMD64
  Target amd64-unicode
!endif
ManifestSupportedOS Win10
ManifestLongPathAware true
ManifestDPIAware true ; of the system: NSIS does not listen when a window changes screens
RequestExecutionLevel user
SetCompressor lzma ; not /SOLID: that unpacks everything twice
AllowSkipFiles off
ShowInstDetails nevershow
ShowUninstDetails nevershow

!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "LogicLib.nsh"
!include "WinVer.nsh"
!include "WordFunc.nsh"
!include "x64.nsh"

!define UNINSTALLS "Software\Microsoft\Windows\CurrentVersion\Uninstall"
!define UNINSTALL "${UNINSTALLS}\Snug"
Name "Snug"
Caption "Snug"
UninstallCaption "Snug"
BrandingText "Snug ${VERSION}"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\Snug"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
!ifdef SIGN
  !finalize '${SIGN} "%1"' = 0
  !uninstfinalize '${SIGN} "%1"' = 0
!endif

!define DATA "$LOCALAPPDATA\Snug"
!define ERROR_ALREADY_EXISTS 183
!define IN_USE 3
!define UNDONE 4
!define UNFIT 5
!define NEWER 6

!include "wizard.nsh"
!include "words.nsh"
!include "erase.nsh"
!include "measure.nsh"
!include "swap.nsh"
!include "shell.nsh"
!include "stick.nsh"

; --- before the first page ----------------------------------------------------------------------------
!macro being_alone un
Function ${un}be_alone ; people who wait click once more: two at work would spoil each other's files
  System::Call 'kernel32::CreateMutexW(p 0, i 0, w "Snug setup") p .r1 ?e'
  Pop $1
  ${If} $1 = ${ERROR_ALREADY_EXISTS}
    FindWindow $1 "#32770" "Snug" ; the first one
    System::Call 'user32::SetForegroundWindow(p r1)'
    SetErrorLevel ${IN_USE}
    Quit
  ${EndIf}
FunctionEnd
!macroend
!insertmacro being_alone ""
!insertmacro being_alone "un."

Function .onInit
  Call be_alone
  ${IfNot} ${AtLeastWin10}
  ${OrIfNot} ${RunningX64}
    StrCpy $0 "$(TOO_OLD)"
    Call refuse
  ${EndIf}
  StrLen $1 "$INSTDIR"
  IntOp $1 $1 + ${LONGEST}
  ${If} $1 > 258
    StrCpy $0 "$(TOO_LONG)"
    Call refuse
  ${EndIf}
  Call find_before
  ${GetParameters} $1
  ClearErrors
  ${GetOptions} $1 "/OLDER" $2
  ${If} ${Errors}
  ${AndIf} ${Silent}
  ${AndIf} $compared == ${BEFORE_IS_NEWER}
    SetErrorLevel ${NEWER}
    Quit
  ${EndIf}
FunctionEnd

Function refuse ; $0 says why
  MessageBox MB_OK|MB_ICONSTOP "$0" /SD IDOK
  SetErrorLevel ${UNFIT}
  Quit
FunctionEnd

Function enough_space ; while the new version lies beside the one before
  ${GetRoot} "$INSTDIR" $1
  ClearErrors
  ${DriveSpace} "$1\" "/D=F /S=K" $2
  ${IfNot} ${Errors}
  ${AndIf} $2 L< ${SIZE_KB}
    StrCpy $0 "$(NO_SPACE)"
    Call refuse
  ${EndIf}
FunctionEnd

; --- what is installed --------------------------------------------------------------------------------
Section "Snug"
  SetDetailsPrint textonly
  DetailPrint "$(COPYING)"
  SetDetailsPrint none
  Call wait_until_closed
  Call recover
  Call enough_space
  ClearErrors
  SetOverwrite on
  !include "${LISTS}\install.nsh"
  SetOutPath "$TEMP" ; a folder that somebody works in can not be moved
  WriteUninstaller "${NEW}\uninstall.exe"
  ${If} ${Errors}
    Call give_up
  ${EndIf}
  Call swap_until_done
  Call register
  Call forget_new
  Call forget_before
  ${GetParameters} $1
  ClearErrors
  ${GetOptions} $1 "/OPEN" $2
  ${IfNot} ${Errors}
  ${AndIf} ${Silent}
    Call open
  ${EndIf}
SectionEnd

Function un.onInit
  Call un.be_alone
  ${GetParameters} $1
  ClearErrors
  ${GetOptions} $1 "/ERASE" $2
  ${IfNot} ${Errors}
    StrCpy $erase 1
  ${EndIf}
FunctionEnd

Function .onInstFailed ; a file could not be written, or the person stopped it
  Call forget_new
  SetErrorLevel ${UNDONE}
FunctionEnd

Function give_up
  Call forget_new
  SetErrorLevel ${UNDONE}
  MessageBox MB_OK|MB_ICONSTOP "$(FAILED)" /SD IDOK
  Quit
FunctionEnd

; --- removal: file by file, as they were installed ------------------------------------------------------
Section "un.Snug"
  SetDetailsPrint textonly
  DetailPrint "$(REMOVING)"
  SetDetailsPrint none
  Call un.wait_until_closed
  Call un.recover
  SetOutPath "$INSTDIR\_internal"
  File "${LISTS}\installed.txt" ; whatever has happened to the one there
  SetOutPath "$TEMP"
  Call un.aside_until_done
  Call un.forget_before
  RMDir "$INSTDIR" ; stays if anything else lies there
  Call un.unregister
  ${If} $erase == 1 ; never unless ticked or asked for with /ERASE
    Push "${DATA}"
    Call un.erase
  ${EndIf}
  ${If} $erase == 1
  ${AndIf} ${FileExists} "${DATA}\*.*"
    MessageBox MB_OK|MB_ICONINFORMATION "$(SOME_LEFT)" /SD IDOK
  ${EndIf}
SectionEnd
