"""A person's settings: one table declares them, one JSON file keeps them.

A file from a newer Snug keeps what this one does not know; a file that is no JSON is kept under
another name. Several programs may share the file: each changes only what it sets. Any thread may
read at any time; `set` waits for the disk, so not the GUI's thread.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

from app.db import utc_now
from app.errors import SettingRejected, StorageError, from_os_error
from engine.guard.lock import held
from engine.guard.whole import replace_file

T = TypeVar("T", str, int, bool)
_LIMIT_BYTES = 1 << 20
_LOCK_S = 2.0
"""Another program holds the file for a moment only; after that it is written all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(Generic[T]):
    """One setting. `text_code` finds its words in the ui; empty `choices` accept any value up to
    `limit` characters."""

    key: str
    default: T
    text_code: str
    choices: tuple[T, ...] = ()
    limit: int = 10_000

    def accepts(self, value: object) -> bool:
        if type(value) is not type(self.default):  # True is no number here
            return False
        if self.choices:
            return value in self.choices
        return not isinstance(value, str) or len(value) <= self.limit


THEME = Setting(
    key="theme",
    default="system",
    text_code="setting_theme",
    choices=("system", "light", "dark", "contrast"),
)
LANGUAGE = Setting(
    key="language",
    default="system",
    text_code="setting_language",
    choices=("system", "en", "zh_CN"),
)
TEXT_SCALE_PERCENT = Setting(
    key="text_scale_percent",
    default=100,
    text_code="setting_text_scale",
    choices=(85, 93, 100, 115, 130, 150, 200),
)
SIDEBAR_OPEN = Setting(key="sidebar_open", default=True, text_code="setting_sidebar_open")
LAST_CONVERSATION = Setting(
    key="last_conversation", default="", text_code="setting_last_conversation"
)
UNSENT_TEXT = Setting(key="unsent_text", default="", text_code="setting_unsent_text", limit=100_000)
"""What was typed in the chat on the page and not sent when Snug was closed."""
WINDOW_GEOMETRY = Setting(key="window_geometry", default="", text_code="setting_window_geometry")
"""Qt's `saveGeometry`, in base64."""

EXTRA_SAFE = Setting(key="extra_safe", default=False, text_code="setting_extra_safe")
"""Run every model in a process of its own, for good."""

REMOTE_ON = Setting(key="remote_on", default=False, text_code="setting_remote_on")
"""Answer with `REMOTE_MODEL` behind `REMOTE_ADDRESS` instead of a model of this computer."""
REMOTE_ADDRESS = Setting(
    key="remote_address", default="", text_code="setting_remote_address", limit=2200
)
REMOTE_MODEL = Setting(key="remote_model", default="", text_code="setting_remote_model", limit=500)
OFFLINE = Setting(key="offline", default=False, text_code="setting_offline")
"""Nothing leaves this computer, whatever else is set."""

CHOSEN_MODEL = Setting(key="chosen_model", default="", text_code="setting_chosen_model", limit=4000)
"""Path of the model that answers; "" is the starter."""
LIBRARY_FOLDER = Setting(
    key="library_folder", default="", text_code="setting_library_folder", limit=4000
)
"""Where models are kept; "" is the usual place."""
USED_IN_PLACE = Setting(
    key="used_in_place", default="", text_code="setting_used_in_place", limit=500_000
)
"""Paths of models that stay where the person keeps them, one a line."""
OTHER_PROGRAMS = Setting(key="other_programs", default=True, text_code="setting_other_programs")
"""Use models that other programs have on this computer."""
HUB = Setting(key="hub", default="", text_code="setting_hub", limit=2200)
"""Address of the place that models come from; "" is Hugging Face, "modelscope" is ModelScope, else
that of a mirror of Hugging Face."""
PROXY = Setting(key="proxy", default="", text_code="setting_proxy", limit=2200)
"""Empty: as the system says. "none": straight on. Else an address without name and password, which
are kept as a secret."""
AUTHORITIES = Setting(key="authorities", default="", text_code="setting_authorities", limit=4000)
"""Path of a PEM file with further certificate authorities."""
DOWNLOAD_LIMIT_KB = Setting(
    key="download_limit_kb",
    default=0,
    text_code="setting_download_limit",
    choices=(0, 250, 500, 1000, 2000, 5000, 10_000),
)
"""Kilobytes a second, 0 without limit."""

SETTINGS: tuple[Setting[str] | Setting[int] | Setting[bool], ...] = (
    THEME,
    LANGUAGE,
    TEXT_SCALE_PERCENT,
    SIDEBAR_OPEN,
    LAST_CONVERSATION,
    UNSENT_TEXT,
    WINDOW_GEOMETRY,
    EXTRA_SAFE,
    REMOTE_ON,
    REMOTE_ADDRESS,
    REMOTE_MODEL,
    OFFLINE,
    CHOSEN_MODEL,
    LIBRARY_FOLDER,
    USED_IN_PLACE,
    OTHER_PROGRAMS,
    HUB,
    PROXY,
    AUTHORITIES,
    DOWNLOAD_LIMIT_KB,
)

Subscriber = Callable[[str], None]
"""Gets the key of a setting that has a new value, on the thread that set it."""


class Settings:
    """The values in `path`. `moved_aside` names the unreadable file that was there, if any.

    A value that is not allowed reads as the default and stays in the file until it is set.
    """

    def __init__(self, path: Path, now: Callable[[], datetime] = utc_now) -> None:
        self._path = path
        self._lock = Lock()
        self._subscribers: tuple[Subscriber, ...] = ()
        self._now = now
        self._unsaved: dict[str, Any] = {}
        """What could not be written holds until it can."""
        self._seen = _mark_of(path)
        self._values, self.moved_aside = _load(path, now)

    def get(self, setting: Setting[T]) -> T:
        return _value_in(self._values, setting)

    def now(self, *settings: Setting[Any]) -> tuple[Any, ...]:
        """Their values of one moment, those that another program has set included. Quick: a look
        at the file's date."""
        if _mark_of(self._path) not in (self._seen, None) and self._lock.acquire(blocking=False):
            try:
                self._seen, self._values = self._read()
            finally:
                self._lock.release()
        values = self._values
        return tuple(_value_in(values, setting) for setting in settings)

    def set(self, setting: Setting[T], value: T) -> None:
        """As `change`."""
        self.change((setting, value))

    def change(self, *changes: tuple[Setting[Any], Any]) -> None:
        """Keep all of it in one step, and tell the subscribers. Raises `SettingRejected` and
        changes nothing, or `DiskFull` or `NotWritable`; the values then hold until the program
        ends."""
        for setting, value in changes:
            if not setting.accepts(value):
                raise SettingRejected(setting.key, value)
        with self._lock:
            before = self._values
            failure = self._keep(changes)
            new = self._values
        for key in new:
            if key not in before or before[key] != new[key]:
                self._tell(key)
        if failure is not None:
            raise failure

    def _keep(self, changes: tuple[tuple[Setting[Any], Any], ...]) -> StorageError | None:
        """Into the file as it is now, whoever wrote it."""
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
        lock = self._path.with_name(f"{self._path.name}.lock")
        with held(lock, _LOCK_S, delete=True):
            self._seen, values = self._read(for_writing=True)
            wanted = {setting.key: value for setting, value in changes}
            self._values = {**values, **wanted}
            if not self._unsaved and all(_is_kept(values, *change) for change in changes):
                return None
            failure = _write(self._path, self._values)
            self._seen = _mark_of(self._path)
        self._unsaved = {} if failure is None else {**self._unsaved, **wanted}
        return failure

    def _read(self, *, for_writing: bool = False) -> tuple["_Mark", dict[str, Any]]:
        """What the file holds now; what is known already where that makes no sense."""
        mark = _mark_of(self._path)
        try:
            return mark, {**_parse(self._path), **self._unsaved}
        except OSError:
            return mark, self._values
        except (ValueError, RecursionError):
            if for_writing:
                _move_aside(self._path, self._now())
            return mark, self._values

    def _tell(self, key: str) -> None:
        for subscriber in self._subscribers:
            subscriber(key)

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Returns a function that ends the subscription."""
        with self._lock:
            self._subscribers += (subscriber,)

        def unsubscribe() -> None:
            with self._lock:
                self._subscribers = tuple(s for s in self._subscribers if s is not subscriber)

        return unsubscribe


_Mark = tuple[int, int, int] | None


def _mark_of(path: Path) -> _Mark:
    """Another one when the file is another one; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _value_in(values: dict[str, Any], setting: Setting[T]) -> T:
    value = values.get(setting.key, setting.default)
    return value if setting.accepts(value) else setting.default


def _is_kept(values: dict[str, Any], setting: Setting[T], value: T) -> bool:
    old = values.get(setting.key)
    return setting.accepts(old) and old == value


def _load(path: Path, now: Callable[[], datetime]) -> tuple[dict[str, Any], Path | None]:
    try:
        return _parse(path), None
    except OSError:  # missing, or not readable now: leave it
        return {}, None
    except (ValueError, RecursionError):
        return {}, _move_aside(path, now())


def _parse(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        content = file.read(_LIMIT_BYTES + 1)
    if len(content) > _LIMIT_BYTES:
        raise ValueError(path)
    values = json.loads(content)
    if not isinstance(values, dict):
        raise ValueError(path)  # noqa: TRY004 (the file is wrong, not the program)
    return values


def _move_aside(path: Path, now: datetime) -> Path | None:
    target = path.with_name(f"{path.stem}.damaged-{now:%Y%m%dT%H%M%S%f}{path.suffix}")
    with suppress(OSError):
        path.rename(target)
        return target
    return None


def _write(path: Path, values: dict[str, Any]) -> StorageError | None:
    """After a power cut the old file or the new one is there, whole."""
    text = json.dumps(values, indent=2, sort_keys=True) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, text.encode("utf-8"), lasting=True)
    except OSError as error:
        return from_os_error(path, error)
    return None
