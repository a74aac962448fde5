; How much would be deleted with the person's data. NSIS's own GetSize counts to 4 GB and follows links.
Var megabytes

Function un.measured ; $1 becomes the size in brackets, or nothing while that is small
  StrCpy $megabytes 0
  Push "${DATA}"
  Call un.measure
  StrCpy $1 ""
  ${If} $megabytes > 999
    IntOp $2 $megabytes / 1000
    IntOp $3 $megabytes % 1000
    IntOp $3 $3 / 100
    StrCpy $1 "($2.$3 GB)"
  ${ElseIf} $megabytes > 0
    StrCpy $1 "($megabytes MB)"
  ${EndIf}
FunctionEnd

Function un.measure ; adds what lies under the path on the stack; a link is nothing
  Exch $0
  Push $1
  Push $2
  Push $3
  System::Call '*(&i36) p .r1' ; WIN32_FILE_ATTRIBUTE_DATA
  System::Call 'kernel32::GetFileAttributesExW(w r0, i 0, p r1) i .r2'
  ${If} $2 <> 0
    System::Call '*$1(i .r2, &i24, i .r3, i .s)' ; attributes, three times, size high and low
    IntOp $2 $2 & ${FOLDER_OR_LINK}
    ${If} $2 = 0
      IntOp $3 $3 << 12
      Pop $2
      IntOp $2 $2 >>> 20 ; whole mebibytes
      IntOp $megabytes $megabytes + $2
      IntOp $megabytes $megabytes + $3
    ${Else}
      Pop $3
      ${If} $2 = ${FOLDER}
        Push $0
        Call un.measure_inside
      ${EndIf}
    ${EndIf}
  ${EndIf}
  System::Free $1
  Pop $3
  Pop $2
  Pop $1
  Pop $0
FunctionEnd

Function un.measure_inside ; the folder is on the stack
  Exch $0
  Push $1
  Push $2
  FindFirst $1 $2 "$0\*.*"
  ${DoWhile} $2 != ""
    ${If} $2 != "."
    ${AndIf} $2 != ".."
      Push "$0\$2"
      Call un.measure
    ${EndIf}
    FindNext $1 $2
  ${Loop}
  FindClose $1
  Pop $2
  Pop $1
  Pop $0
FunctionEnd
