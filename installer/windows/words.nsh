; Every sentence of the installer, and what Windows says about it, in the languages that it speaks.
!macro say name english chinese
  LangString ${name} ${LANG_ENGLISH} "${english}"
  LangString ${name} ${LANG_SIMPCHINESE} "${chinese}"
!macroend
!define GAP "$\r$\n$\r$\n"

!insertmacro say ABOUT "A private assistant on this computer" "在这台电脑上运行的私人助手"
!insertmacro say MODEL "Language model" "语言模型"
!insertmacro say PACK "Add-on for Snug" "Snug 附加组件"

!insertmacro say WELCOME "Install Snug" "安装 Snug"
!insertmacro say FRESH \
  "Snug is a private assistant that works on this computer, without the internet.${GAP}It takes ${SIZE_MB} MB and is installed for you alone. No administrator is needed.${GAP}Click Install to begin." \
  "Snug 是一个私人助手，在这台电脑上运行，不需要互联网。${GAP}它占用 ${SIZE_MB} MB 空间，只为您一个人安装，不需要管理员。${GAP}点击“安装”开始。"
!insertmacro say UPDATE \
  "Snug $before is on this computer. It will be updated to Snug ${VERSION}.${GAP}Your chats, settings and models stay.${GAP}Click Install to begin." \
  "这台电脑上已有 Snug $before，将更新为 Snug ${VERSION}。${GAP}您的聊天、设置和模型都会保留。${GAP}点击“安装”开始。"
!insertmacro say AGAIN \
  "Snug ${VERSION} is already on this computer. If it does not work well, you can install it again.${GAP}Your chats, settings and models stay.${GAP}Click Install to begin." \
  "这台电脑上已有 Snug ${VERSION}。如果它无法正常使用，您可以重新安装。${GAP}您的聊天、设置和模型都会保留。${GAP}点击“安装”开始。"
!insertmacro say BACK \
  "A newer version, Snug $before, is on this computer. This installs the older Snug ${VERSION}, which may not be able to open your chats.${GAP}Nothing of yours is deleted.${GAP}Click Install to go on all the same." \
  "这台电脑上已有较新的 Snug $before。这里安装的是较旧的 Snug ${VERSION}，它可能无法打开您的聊天。${GAP}您的任何内容都不会被删除。${GAP}如果仍要继续，请点击“安装”。"
!insertmacro say INSTALLING "Installing Snug" "正在安装 Snug"
!insertmacro say COPYING "This takes a minute or two." "需要一两分钟。"
!insertmacro say READY "Snug is ready" "Snug 已安装好"
!insertmacro say WHERE "You will find it in the Start menu." "您可以在“开始”菜单中找到它。"
!insertmacro say OPEN "Open Snug now" "现在打开 Snug"
!insertmacro say DESKTOP_ICON "Put an icon on the desktop" "在桌面上放置图标"
!insertmacro say STOP "Stop installing Snug?" "要停止安装 Snug 吗？"
!insertmacro say NOT_INSTALLED "Snug was not installed" "Snug 未安装"

!insertmacro say RUNNING "Snug is open. Please close it, then try again." "Snug 正在运行。请先关闭它，然后重试。"
!insertmacro say BUSY \
  "Another program is using Snug's files. Please close Snug everywhere, wait a moment, then try again." \
  "其他程序正在使用 Snug 的文件。请关闭所有 Snug 窗口，稍等片刻，然后重试。"
!insertmacro say FAILED \
  "Snug could not be installed. Nothing was changed on this computer." \
  "无法安装 Snug。这台电脑没有任何改变。"
!insertmacro say TOO_OLD "Snug needs a 64-bit Windows, version 10 or newer." "Snug 需要 64 位的 Windows 10 或更高版本。"
!insertmacro say TOO_LONG \
  "The name of this folder is too long for Windows: $INSTDIR" \
  "此文件夹的名称对 Windows 来说太长：$INSTDIR"
!insertmacro say NO_SPACE \
  "There is not enough space on disk $1. Snug needs ${SIZE_MB} MB. Please make room there, then start this installer again." \
  "磁盘 $1 的空间不足。Snug 需要 ${SIZE_MB} MB。请清理出空间，然后重新启动此安装程序。"

!insertmacro say REMOVE "Remove Snug" "卸载 Snug"
!insertmacro say REMOVE_BUTTON "Remove" "卸载"
!insertmacro say REMOVING "Removing Snug" "正在卸载 Snug"
!insertmacro say REMOVED "Snug was removed" "Snug 已卸载"
!insertmacro say NOT_REMOVED "Snug was not removed" "Snug 未卸载"
!insertmacro say STAYS \
  "Snug will be removed from this computer. Your chats, settings and models stay, in case you install it again." \
  "将从这台电脑上卸载 Snug。您的聊天、设置和模型会保留，以便您重新安装时使用。"
!insertmacro say ERASE "Also delete my chats, settings and models" "同时删除我的聊天、设置和模型"
!insertmacro say FOR_GOOD \
  "They can not be brought back. Models that you keep in other folders stay." \
  "删除后无法恢复。您保存在其他文件夹中的模型会保留。"
!insertmacro say SOME_LEFT \
  "Snug was removed. Some of your chats, settings and models could not be deleted and are still in ${DATA}" \
  "Snug 已卸载。您的部分聊天、设置或模型无法删除，仍保留在 ${DATA}"

; What Explorer shows of the installer itself.
VIProductVersion "${FOUR_VERSION}"
!macro version_words language description
  VIAddVersionKey /LANG=${language} "ProductName" "Snug"
  VIAddVersionKey /LANG=${language} "CompanyName" "The Snug project"
  VIAddVersionKey /LANG=${language} "FileDescription" "${description}"
  VIAddVersionKey /LANG=${language} "FileVersion" "${VERSION}"
  VIAddVersionKey /LANG=${language} "ProductVersion" "${VERSION}"
  VIAddVersionKey /LANG=${language} "LegalCopyright" "The Snug authors, Apache-2.0"
!macroend
!insertmacro version_words ${LANG_ENGLISH} "Installs Snug, a private assistant"
!insertmacro version_words ${LANG_SIMPCHINESE} "安装 Snug 私人助手"
