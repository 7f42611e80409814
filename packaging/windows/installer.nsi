; The installer for Windows, for one user and without an administrator.
;
; makensis -DVERSION=X.Y.Z -DNUMBERS=X.Y.Z -DTITLE=... -DSUMMARY=... -DPUBLISHER=... -DICON=FILE.ico -DBUNDLE=FOLDER -DOUT=FILE.exe installer.nsi
;
; BUNDLE holds recorder-editor.exe (console), recorder-editor-window.exe (window) and _internal. packaging/windows/installer.py
; calls this with the facts. /S installs and removes without questions, /D=FOLDER (last) names another folder.
Unicode true
SetCompressor /SOLID lzma
!include MUI2.nsh
!include FileFunc.nsh
!include LogicLib.nsh

!define PROGRAM "recorder-editor-window.exe"
!define CONSOLE "recorder-editor.exe"
!define PROGID "RecorderEditor.Recording"
!define CAPABILITIES "Software\RecorderEditor\Capabilities"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\RecorderEditor"

Name "${TITLE}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\${TITLE}"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
RequestExecutionLevel user
ManifestDPIAware true
BrandingText "${TITLE} ${VERSION}"

VIProductVersion "${NUMBERS}.0"
VIFileVersion "${NUMBERS}.0"
VIAddVersionKey "ProductName" "${TITLE}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "${SUMMARY}"
VIAddVersionKey "CompanyName" "${PUBLISHER}"
VIAddVersionKey "LegalCopyright" "${PUBLISHER}, MIT licence"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\${PROGRAM}"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
; Windows chooses by the language of its user, and the first one for all others.
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"
LangString RUNS ${LANG_ENGLISH} "${TITLE} is running. Close it, then start this again. Nothing was changed."
LangString RUNS ${LANG_SIMPCHINESE} "${TITLE} 正在运行。请先关闭它，再重新启动本程序。没有做任何改动。"
LangString RECORDING ${LANG_ENGLISH} "CARLA recording"
LangString RECORDING ${LANG_SIMPCHINESE} "CARLA 记录文件"

; A program that runs holds its file: nothing is changed then.
!macro RefuseIfRuns FILE
  ${If} ${FileExists} "$INSTDIR\${FILE}"
    ClearErrors
    FileOpen $0 "$INSTDIR\${FILE}" a
    ${If} ${Errors}
      MessageBox MB_OK|MB_ICONSTOP "$(RUNS)" /SD IDOK
      SetErrorLevel 2
      Quit
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

; An ending is offered to the program, never taken from the one that has it: .log is that of many.
!macro Offer ENDING
  WriteRegStr HKCU "Software\Classes\.${ENDING}\OpenWithProgids" "${PROGID}" ""
  WriteRegStr HKCU "${CAPABILITIES}\FileAssociations" ".${ENDING}" "${PROGID}"
!macroend

!macro Withdraw ENDING
  DeleteRegValue HKCU "Software\Classes\.${ENDING}\OpenWithProgids" "${PROGID}"
  DeleteRegKey /ifempty HKCU "Software\Classes\.${ENDING}\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "Software\Classes\.${ENDING}"
!macroend

; SHChangeNotify(SHCNE_ASSOCCHANGED, SHCNF_IDLIST, 0, 0)
!macro TellTheShell
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

Section "Program"
  !insertmacro RefuseIfRuns "${PROGRAM}"
  !insertmacro RefuseIfRuns "${CONSOLE}"
  ; Files of an older version must not be loaded by this one.
  RMDir /r "$INSTDIR\_internal"
  SetOutPath "$INSTDIR"
  File /r "${BUNDLE}\*"
  WriteUninstaller "$INSTDIR\Uninstall.exe"
  CreateShortcut "$SMPROGRAMS\${TITLE}.lnk" "$INSTDIR\${PROGRAM}"

  WriteRegStr HKCU "Software\Classes\${PROGID}" "" "$(RECORDING)"
  WriteRegStr HKCU "Software\Classes\${PROGID}\DefaultIcon" "" "$INSTDIR\${PROGRAM},0"
  WriteRegStr HKCU "Software\Classes\${PROGID}\shell\open\command" "" '"$INSTDIR\${PROGRAM}" open --show-errors "%1"'
  WriteRegStr HKCU "${CAPABILITIES}" "ApplicationName" "${TITLE}"
  WriteRegStr HKCU "${CAPABILITIES}" "ApplicationDescription" "${SUMMARY}"
  WriteRegStr HKCU "Software\RegisteredApplications" "${TITLE}" "${CAPABILITIES}"
  !insertmacro Offer "log"
  !insertmacro Offer "rec"
  !insertmacro TellTheShell

  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "${TITLE}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\${PROGRAM},0"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "${PUBLISHER}"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\Uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\Uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
SectionEnd

; Only what was installed: the folder stays where a person keeps other files in it.
Section "Uninstall"
  !insertmacro RefuseIfRuns "${PROGRAM}"
  !insertmacro RefuseIfRuns "${CONSOLE}"
  Delete "$SMPROGRAMS\${TITLE}.lnk"
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\${PROGRAM}"
  Delete "$INSTDIR\${CONSOLE}"
  Delete "$INSTDIR\Uninstall.exe"
  RMDir "$INSTDIR"
  !insertmacro Withdraw "log"
  !insertmacro Withdraw "rec"
  DeleteRegKey HKCU "Software\Classes\${PROGID}"
  DeleteRegKey HKCU "Software\RecorderEditor"
  DeleteRegValue HKCU "Software\RegisteredApplications" "${TITLE}"
  DeleteRegKey HKCU "${UNINSTALL}"
  !insertmacro TellTheShell
SectionEnd
