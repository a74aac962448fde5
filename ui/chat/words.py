"""Every sentence and name of the reading column, through Qt's translation. GUI thread."""

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate
_NAME_CHARS = 300
"""Accessible names are cut here; a screen reader reads the text itself block by block."""


def conversation() -> str:
    return translate("ConversationView", "Conversation")


def you(text: str) -> str:
    return translate("ConversationView", "You: {text}").format(text=shortened(text))


def snug(text: str) -> str:
    return translate("ConversationView", "Snug: {text}").format(text=shortened(text))


def writing() -> str:
    return translate("ConversationView", "Snug is writing")


def was_stopped() -> str:
    return translate("ConversationView", "You stopped this answer.")


def was_cut() -> str:
    return translate("ConversationView", "This answer reached its length limit.")


def not_finished() -> str:
    return translate("ConversationView", "This answer is not finished.")


def no_answer() -> str:
    return translate("ConversationView", "There is no answer to this yet.")


def continue_answer() -> str:
    return translate("ConversationView", "Continue")


def copy_answer() -> str:
    return translate("ConversationView", "Copy answer")


def copy_message() -> str:
    return translate("ConversationView", "Copy message")


def edit_message() -> str:
    return translate("ConversationView", "Edit message")


def try_again() -> str:
    return translate("ConversationView", "Try again")


def copy() -> str:
    return translate("ConversationView", "Copy")


def copied() -> str:
    return translate("ConversationView", "Copied")


def copy_code() -> str:
    return translate("ConversationView", "Copy code")


def code(label: str) -> str:
    return translate("ConversationView", "Code, {label}").format(label=label)


def code_label() -> str:
    """Label of code that names no language."""
    return translate("ConversationView", "Code")


def message_label() -> str:
    return translate("ConversationView", "Message")


def table(rows: int, columns: int) -> str:
    text = translate("ConversationView", "Table, {rows} rows, {columns} columns")
    return text.format(rows=rows, columns=columns)


def newest() -> str:
    return translate("ConversationView", "Go to the newest")


def select_all() -> str:
    return translate("ConversationView", "Select the message")


def shortened(text: str) -> str:
    """`text` for an accessible name: one line, at most a few sentences."""
    cut = " ".join(text[: _NAME_CHARS * 2].split())
    return cut if len(cut) <= _NAME_CHARS else cut[: _NAME_CHARS - 1].rstrip() + "…"
