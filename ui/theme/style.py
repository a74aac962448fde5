"""Palette and style sheet: what Qt paints itself (fields, menus, scroll bars, tooltips).

Everything else is painted by its own widget. Colours come from the token table only.
"""

from PySide6.QtGui import QColor, QPalette

from ui.theme.colours import Colours
from ui.theme.fonts import Role
from ui.theme.theme import Theme

_ROLES: dict[QPalette.ColorRole, str] = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "window",
    QPalette.ColorRole.AlternateBase: "sunken",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.PlaceholderText: "text3",
    QPalette.ColorRole.Button: "raised",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "bad",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "on_accent",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.ToolTipBase: "toast",
    QPalette.ColorRole.ToolTipText: "window",
    QPalette.ColorRole.Accent: "accent",
}
_OFF = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
)


def palette(c: Colours) -> QPalette:
    """Every role that a standard widget may ask for."""
    made = QPalette()
    for role, token in _ROLES.items():
        made.setColor(role, getattr(c, token))
    for role in _OFF:
        made.setColor(QPalette.ColorGroup.Disabled, role, c.disabled)
    return made


def sheet(theme: Theme) -> str:
    """The style sheet of a window, its menus and its dialogs."""
    c = theme.colours
    frame = 2 if theme.high_contrast else 1
    chosen_ink = c.on_accent if theme.high_contrast else c.text
    chosen = c.selected if theme.high_contrast else c.hover_up
    picked = c.selected if theme.high_contrast else c.accent_soft
    picked_ink = c.on_accent if theme.high_contrast else c.accent_soft_text
    caption = theme.font(Role.CAPTION)
    control = theme.font(Role.CONTROL)
    return f"""
QToolTip {{ background: {_(c.toast)}; color: {_(c.window)}; border: 0; padding: 4px 8px;
    font-size: {caption.pixelSize()}px; }}
QMenu {{ background: {_(c.raised)}; color: {_(c.text)}; border: {frame}px solid {_(c.border)};
    border-radius: 12px; padding: 6px; font-size: {control.pixelSize()}px; }}
QMenu::item {{ padding: 8px 24px 8px 10px; border-radius: 8px; margin: 0; }}
QMenu::item:selected {{ background: {_(chosen)}; color: {_(chosen_ink)}; }}
QMenu::item:disabled {{ color: {_(c.disabled)}; }}
QMenu::icon {{ padding-left: 10px; }}
QMenu::separator {{ height: 1px; background: {_(c.border)}; margin: 6px 4px; }}
QLineEdit {{ background: {_(c.raised)}; color: {_(c.text)}; border: 1px solid {_(c.line)};
    border-radius: 6px; padding: 3px 7px; placeholder-text-color: {_(c.text3)};
    selection-background-color: {_(c.accent)}; selection-color: {_(c.on_accent)}; }}
QLineEdit:focus {{ border: 2px solid {_(c.focus)}; padding: 2px 6px; }}
QLineEdit:disabled {{ color: {_(c.disabled)}; border-color: {_(c.border)}; }}
QDialog QLineEdit {{ border-radius: 9px; }}
QListWidget {{ background: {_(c.raised)}; color: {_(c.text)}; border: 1px solid {_(c.line)};
    border-radius: 9px; padding: 4px; outline: 0; }}
QListWidget:focus {{ border: 2px solid {_(c.focus)}; padding: 3px; }}
QListWidget::item {{ padding: 5px 8px; border-radius: 6px; }}
QListWidget::item:hover {{ background: {_(c.hover_up)}; }}
QListWidget::item:selected {{ background: {_(picked)}; color: {_(picked_ink)}; }}
QLineEdit#searchChats {{ border-radius: 8px; border-color: transparent; background: transparent;
    padding: 3px 60px 3px 39px; }}
QLineEdit#searchChats:hover {{ background: {_(c.hover)}; }}
QLineEdit#searchChats:focus {{ background: {_(c.raised)}; border-color: {_(c.focus)};
    padding: 2px 59px 2px 38px; }}
QPlainTextEdit[readOnly="true"] {{ background: {_(c.sunken)}; color: {_(c.text)};
    border: 1px solid {_(c.border)}; border-radius: 9px; padding: 6px; }}
QPlainTextEdit[readOnly="true"]:focus {{ border-color: {_(c.focus)}; }}
QScrollBar:vertical {{ width: 10px; background: transparent; margin: 0; border: 0; }}
QScrollBar:horizontal {{ height: 10px; background: transparent; margin: 0; border: 0; }}
QScrollBar::handle {{ background: {_(c.control)}; border-radius: 5px; }}
QScrollBar::handle:vertical {{ min-height: 32px; }}
QScrollBar::handle:horizontal {{ min-width: 32px; }}
QScrollBar::handle:hover {{ background: {_(c.line)}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QDialog {{ background: {_(c.raised)}; border: {frame}px solid {_(c.border)}; }}
"""


def _(colour: QColor) -> str:
    return colour.name(QColor.NameFormat.HexArgb)
