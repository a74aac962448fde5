"""Every way the application itself can fail, apart from the engine's own tree.

    AppError
     ├── StorageError              a file of the person's data; `path`, `detail`
     │    ├── DatabaseTooNew       written by a newer Snug; left as it is
     │    ├── DatabaseDamaged      SQLite can not read it
     │    ├── DatabaseSetAside     was damaged; kept under another name, a new one is in its place
     │    ├── DatabaseBusy         another program holds it for too long
     │    ├── DiskFull
     │    └── NotWritable          read-only folder, no permission, file too large for the system
     ├── ConversationMissing       deleted meanwhile
     ├── ReplyRunning              the conversation is already being answered
     ├── NothingToAnswer           no question in the conversation
     └── SettingRejected           not a value that this setting can have

Each class has a stable `code`; sentences for people live in `ui/messages.py` and the command line.
"""

import errno
from pathlib import Path
from typing import ClassVar


class AppError(Exception):
    code: ClassVar[str] = "app"


class StorageError(AppError):
    """Something is wrong with a file we keep. `detail` is for the Details fold and the log."""

    code = "storage"

    def __init__(self, path: Path, detail: str = "") -> None:
        super().__init__(f"{path}: {detail}" if detail else str(path))
        self.path = path
        self.detail = detail


class DatabaseTooNew(StorageError):
    code = "database_too_new"

    def __init__(self, path: Path, found_version: int, known_version: int) -> None:
        super().__init__(path, f"version {found_version}, {known_version} known")
        self.found_version = found_version
        self.known_version = known_version


class DatabaseDamaged(StorageError):
    code = "database_damaged"


class DatabaseSetAside(StorageError):
    """Told once after a start; `path` is where the damaged file is kept."""

    code = "database_set_aside"


class DatabaseBusy(StorageError):
    code = "database_busy"


class DiskFull(StorageError):
    code = "disk_full"


class NotWritable(StorageError):
    code = "not_writable"


class ConversationMissing(AppError):
    code = "conversation_missing"

    def __init__(self, conversation_id: str) -> None:
        super().__init__(conversation_id)
        self.conversation_id = conversation_id


class ReplyRunning(AppError):
    code = "reply_running"

    def __init__(self, conversation_id: str) -> None:
        super().__init__(conversation_id)
        self.conversation_id = conversation_id


class NothingToAnswer(AppError):
    code = "nothing_to_answer"


class SettingRejected(AppError):
    code = "setting_rejected"

    def __init__(self, key: str, value: object) -> None:
        super().__init__(f"{key}: {value!r}")
        self.key = key
        self.value = value


def from_os_error(path: Path, error: OSError) -> StorageError:
    """What an `OSError` while writing `path` means in our tree."""
    full = error.errno in {errno.ENOSPC, getattr(errno, "EDQUOT", None)}
    return (DiskFull if full else NotWritable)(path, str(error))
