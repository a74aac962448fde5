"""The stamp in `.venv`: written last, removed first, so a setup that was killed has none.

Reading it is all that a second `dev.py run` pays for, so this stays in the milliseconds.
"""

import hashlib
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from devenv import machine
from devenv.places import LOCKS, ROOT, VENV, program

STAMP = VENV / "snug-setup.json"
LEVELS = ("run", "test")  # each includes the ones before it


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """What a finished setup was made from."""

    environment: str
    project: str
    level: str
    models: dict[str, int]  # path -> size in bytes

    def covers(self, level: str) -> bool:
        return LEVELS.index(self.level) >= LEVELS.index(level)

    def models_in_place(self) -> bool:
        return all(_size(Path(path)) == size for path, size in self.models.items())


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else -1


def environment_key() -> str:
    """Changes when the packages, the Python, the system or the checkout's place change."""
    digest = hashlib.sha256()
    for lock in sorted(LOCKS.glob("*.lock")):
        digest.update(lock.read_bytes())
    facts = (*sys.version_info[:2], machine.platform_name(), str(ROOT))
    digest.update(repr(facts).encode())
    return digest.hexdigest()


def project_key() -> str:
    """Changes when the project's own entry points may have changed."""
    return hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()


def read() -> Stamp | None:
    """The stamp, or None when setup never ended or its Python is gone."""
    if not program("python").exists():
        return None
    try:
        return Stamp(**json.loads(STAMP.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def is_fresh(level: str) -> bool:
    """Nothing has to be done before a program of this level starts."""
    found = read()
    return (
        found is not None
        and found.covers(level)
        and found.environment == environment_key()
        and found.project == project_key()
        and found.models_in_place()
        and program("snug").exists()
    )


def remove() -> None:
    STAMP.unlink(missing_ok=True)


def write(stamp: Stamp) -> None:
    partial = STAMP.with_suffix(".part")
    partial.write_text(json.dumps(asdict(stamp), indent=1), encoding="utf-8")
    partial.replace(STAMP)
