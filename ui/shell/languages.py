"""The language of the window: the person's choice, else the system's. Set once, before widgets."""

from pathlib import Path

import PySide6
from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from app.paths import RESOURCES

CHINESE = "zh_CN"
_TRADITIONAL = {"Hant", "TW", "HK", "MO"}


def sources() -> tuple[tuple[str, str], ...]:
    """Name and folder of each translation. Qt's own is looked for first where it lies: Qt does not
    find it by itself below a folder with a comma in its name."""
    beside = Path(PySide6.__file__).parent / "Qt" / "translations"
    told = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    qt = str(beside) if beside.is_dir() else told
    return (("qtbase", qt), ("snug", str(RESOURCES / "translations")))


def resolved(choice: str, system: list[str]) -> str:
    """`choice`, or the first of the `system`'s languages (as BCP 47) that Snug speaks."""
    if choice != "system":
        return choice
    for language in system:
        if language.startswith("zh") and not _TRADITIONAL & set(language.split("-")):
            return CHINESE
        if language.startswith("en"):
            return "en"
    return "en"


def install(app: QCoreApplication, choice: str) -> bool:
    """Translate everything that is made from now on. True for Chinese, which has its own fonts."""
    language = resolved(choice, QLocale.system().uiLanguages())
    if language != CHINESE:
        return False
    for name, folder in sources():
        translator = QTranslator(app)
        if translator.load(f"{name}_{language}", folder):
            app.installTranslator(translator)
    QLocale.setDefault(QLocale(language))
    return True
