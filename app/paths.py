"""Where things lie: the person's data, the log, the starter model, and our own resources.

`SNUG_HOME` moves all data to one folder. Nothing here creates a folder but `ensure`.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

RESOURCES = Path(__file__).resolve().parent.parent / "resources"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    data: Path
    log: Path

    @property
    def database(self) -> Path:
        return self.data / "snug.sqlite3"

    @property
    def settings(self) -> Path:
        return self.data / "settings.json"

    @property
    def log_file(self) -> Path:
        return self.log / "snug.log"

    @property
    def models(self) -> Path:
        return self.data / "models"

    @property
    def packs(self) -> Path:
        """Backends that came later than the program, in signed packs."""
        return self.data / "backends"

    @property
    def lessons(self) -> Path:
        """What was learned of models on this machine; may be deleted at any time."""
        return self.data / "lessons.json"

    @property
    def ledger(self) -> Path:
        """What left this computer."""
        return self.data / "connections.jsonl"

    @property
    def downloads(self) -> Path:
        """The queue of downloads, and what is known of each."""
        return self.data / "downloads.json"

    @property
    def usage(self) -> Path:
        """When each model answered last."""
        return self.data / "usage.json"

    @property
    def scans(self) -> Path:
        """What model files were found to be; may be deleted at any time."""
        return self.data / "library-cache.json"

    @property
    def remote_headers(self) -> Path:
        """What was read of models that may be downloaded; may be deleted at any time."""
        return self.data / "remote-headers"

    @property
    def running(self) -> Path:
        """Notes of the risky work that is going on."""
        return self.data / "running"

    def ensure(self) -> None:
        self.data.mkdir(parents=True, exist_ok=True)
        self.log.mkdir(parents=True, exist_ok=True)


def find() -> Paths:
    """The folders of this person on this system, or those below `SNUG_HOME`."""
    if home := os.environ.get("SNUG_HOME"):
        base = Path(home).expanduser().absolute()
        return Paths(data=base, log=base / "log")
    return Paths(
        data=platformdirs.user_data_path("Snug", appauthor=False),
        log=platformdirs.user_log_path("Snug", appauthor=False),
    )


def shared_models() -> Path:
    """Where models that belong to the program, not to a person's chats, are kept: inside an
    installed program, else with the data of the person who set it up."""
    if getattr(sys, "frozen", False):
        return RESOURCES.parent / "models"
    return platformdirs.user_data_path("Snug", appauthor=False) / "models"
