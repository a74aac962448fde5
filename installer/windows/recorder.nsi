; Stands in for snug.exe in trials under Wine: writes what it was called with into the file that
; SNUG_RECORD names, one argument a line. With "hold" it just runs for a while.
Unicode true
Target amd64-unicode
RequestExecutionLevel user
SilentInstall silent
OutFile "${OUTPUT}"
VIProductVersion "${FOUR_VERSION}"
!include "LogicLib.nsh"

Section
  System::Call 'kernel32::GetCommandLineW() p .r0'
  System::Call 'shell32::CommandLineToArgvW(p r0, *i .r1) p .r2'
  ReadEnvStr $5 "SNUG_RECORD"
  ${If} $5 != ""
    FileOpen $6 "$5" w
  ${EndIf}
  ${For} $7 1 $1
    System::Call '*$2(p .r3)'
    System::Call 'kernel32::lstrcpynW(w .r4, p r3, i ${NSIS_MAX_STRLEN})'
    ${If} $4 == "hold"
      Sleep 60000
    ${EndIf}
    ${If} $5 != ""
      FileWriteUTF16LE $6 "$4$\n"
    ${EndIf}
    IntPtrOp $2 $2 + ${NSIS_PTR_SIZE}
  ${Next}
  ${If} $5 != ""
    FileClose $6
  ${EndIf}
SectionEnd
