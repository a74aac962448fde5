; A stick: models and packs that lie beside the installer are handed to the window. As folders, since
; a command line has a limit and names of models are long.
Var handed

!macro hand_over folder files ; people have folders of these names for other things too
  ${If} ${FileExists} "$EXEDIR\${folder}\${files}"
    StrCpy $handed '$handed "$EXEDIR\${folder}"' ; never ends in a backslash, which would hide the quote
  ${EndIf}
!macroend

Function open
  StrCpy $handed ""
  !insertmacro hand_over "models" "*.gguf"
  !insertmacro hand_over "packs" "*.pack"
  ${If} $handed != ""
    StrCpy $handed " --open$handed"
  ${EndIf}
  SetOutPath "$INSTDIR" ; where it works: never on the stick
  Exec '"$INSTDIR\snug.exe"$handed'
FunctionEnd
