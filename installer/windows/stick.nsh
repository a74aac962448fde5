; A stick: models and packs that lie beside the installer are handed to the window. As folders, since
; a command line has a limit and names of models are long.
Var handed

!macro hand_over folder
  FindFirst $1 $2 "$EXEDIR\${folder}\*.*"
  ${Do}
    ${If} $2 != "." ; an empty folder has these two
    ${AndIf} $2 != ".."
      ${ExitDo}
    ${EndIf}
    FindNext $1 $2
  ${Loop}
  FindClose $1
  ${If} $2 != ""
    StrCpy $handed '$handed "$EXEDIR\${folder}"' ; never ends in a backslash, which would hide the quote
  ${EndIf}
!macroend

Function open
  StrCpy $handed ""
  !insertmacro hand_over "models"
  !insertmacro hand_over "packs"
  ${If} $handed != ""
    StrCpy $handed " --open$handed"
  ${EndIf}
  SetOutPath "$INSTDIR" ; where it works: never on the stick
  Exec '"$INSTDIR\snug.exe"$handed'
FunctionEnd
