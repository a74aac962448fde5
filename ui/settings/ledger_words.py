"""The words of the ledger: why a connection was made, how much came and went, how it ended.

Safe on any thread: a copy for a person's own file is written on another one.
"""

from datetime import date, timedelta
from typing import assert_never

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from engine.types.connections import BEGUN, Connection, Purpose
from ui.error_words import QT_TRANSLATE_NOOP
from ui.settings.ledger_rows import Record

translate = QCoreApplication.translate

DONE, CANCELLED, OFFLINE = "done", "cancelled", "offline_only"

ENDED = {
    DONE: QT_TRANSLATE_NOOP("Ledger", "Done"),
    CANCELLED: QT_TRANSLATE_NOOP("Ledger", "Stopped"),
    BEGUN: QT_TRANSLATE_NOOP("Ledger", "Still open, or cut off"),
    OFFLINE: QT_TRANSLATE_NOOP("Ledger", "Not made: Snug was set to stay offline"),
    "address_unusable": QT_TRANSLATE_NOOP("Ledger", "The address could not be used"),
    "server_unreachable": QT_TRANSLATE_NOOP("Ledger", "Could not be reached"),
    "server_untrusted": QT_TRANSLATE_NOOP("Ledger", "Could not prove who it is"),
    "server_silent": QT_TRANSLATE_NOOP("Ledger", "Stopped answering"),
    "server_busy": QT_TRANSLATE_NOOP("Ledger", "Was busy"),
    "server_failed": QT_TRANSLATE_NOOP("Ledger", "Did not work there"),
    "server_incomprehensible": QT_TRANSLATE_NOOP("Ledger", "Answered something else"),
    "key_refused": QT_TRANSLATE_NOOP("Ledger", "Did not accept the key"),
    "token_refused": QT_TRANSLATE_NOOP("Ledger", "Did not accept the key"),
    "token_missing": QT_TRANSLATE_NOOP("Ledger", "Wanted a key"),
    "licence_not_accepted": QT_TRANSLATE_NOOP("Ledger", "Wanted its licence accepted"),
    "remote_model_missing": QT_TRANSLATE_NOOP("Ledger", "Did not have this model"),
    "not_on_hub": QT_TRANSLATE_NOOP("Ledger", "Did not have this model"),
    "file_changed": QT_TRANSLATE_NOOP("Ledger", "Had another file than before"),
    "proxy_refused": QT_TRANSLATE_NOOP("Ledger", "Was refused on the way there"),
}
"""By `outcome` of a record."""


def ended_words(outcome: str, *, begun: bool = False) -> str:
    """Words for every outcome; a newer Snug may have written one that this one does not know.
    `begun`: something was sent or received before."""
    if outcome == OFFLINE and begun:
        return translate("Ledger", "Stopped: Snug was set to stay offline")
    if outcome in ENDED:
        return translate("Ledger", ENDED[outcome])
    return translate("Ledger", "Did not work")


def purpose_words(purpose: Purpose) -> str:  # noqa: PLR0911 - one line a purpose
    match purpose:
        case Purpose.LIST_MODELS:
            return translate("Ledger", "Asked which models are there")
        case Purpose.CHECK_MODEL:
            return translate("Ledger", "Asked whether the model is there")
        case Purpose.ANSWER:
            return translate("Ledger", "Had a question answered there")
        case Purpose.SEARCH:
            return translate("Ledger", "Searched for models")
        case Purpose.LOOK_AT_MODEL:
            return translate("Ledger", "Looked at a model")
        case Purpose.DOWNLOAD:
            return translate("Ledger", "Downloaded a model")
        case Purpose.LOOK_FOR_UPDATE:
            return translate("Ledger", "Looked for a newer version of a model")
        case _:
            assert_never(purpose)


def amount(size_bytes: int) -> str:
    """ "0 KB", "3 KB", "1.5 MB", "2.1 GB"; what is less than one KB counts as one."""
    if size_bytes < 1_000_000:
        return f"{-(-size_bytes // 1000)} KB"
    unit, name = (10**9, "GB") if size_bytes >= 10**9 else (10**6, "MB")
    return f"{size_bytes / unit:.1f} {name}"


def amounts_words(connection: Connection) -> str:
    if not connection.bytes_received and not connection.bytes_sent:
        return translate("Ledger", "nothing sent or received")
    received, sent = amount(connection.bytes_received), amount(connection.bytes_sent)
    if not connection.bytes_sent:
        return translate("Ledger", "{a} received").format(a=received)
    if not connection.bytes_received:
        return translate("Ledger", "{b} sent").format(b=sent)
    return translate("Ledger", "{a} received, {b} sent").format(a=received, b=sent)


def end_words(connection: Connection) -> str:
    begun = bool(connection.bytes_received or connection.bytes_sent)
    return ended_words(connection.outcome, begun=begun)


def host_words(connection: Connection) -> str:
    """With the port where it is not the usual one."""
    usual = {"http": 80, "https": 443}.get(connection.scheme)
    return connection.host if connection.port == usual else f"{connection.host}:{connection.port}"


def time_words(record: Record) -> str:
    return f"{record.at:%H:%M}"


def day_words(day: date, today: date) -> str:
    if day == today:
        return translate("Ledger", "Today")
    if day == today - timedelta(days=1):
        return translate("Ledger", "Yesterday")
    shown = QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.LongFormat)
    return str(shown)


def record_words(record: Record) -> str:
    """A whole row, as a screen reader reads it."""
    connection = record.connection
    return translate("Ledger", "{time}, {why}, {host}, {amounts}, {end}").format(
        time=time_words(record),
        why=purpose_words(connection.purpose),
        host=host_words(connection),
        amounts=amounts_words(connection),
        end=end_words(connection),
    )


def file_head() -> tuple[str, ...]:
    """The first line of the file that a person saves."""
    return (
        translate("Ledger", "When"),
        translate("Ledger", "Where to"),
        translate("Ledger", "Why"),
        translate("Ledger", "Bytes received"),
        translate("Ledger", "Bytes sent"),
        translate("Ledger", "How it ended"),
        translate("Ledger", "Code"),
    )


def file_line(connection: Connection) -> tuple[str, ...]:
    """One connection, in local time; the code is for whoever looks into a fault."""
    return (
        connection.at.astimezone().isoformat(sep=" ", timespec="seconds"),
        f"{connection.scheme}://{host_words(connection)}",
        purpose_words(connection.purpose),
        str(connection.bytes_received),
        str(connection.bytes_sent),
        end_words(connection),
        connection.outcome,
    )
