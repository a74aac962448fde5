"""The bill of materials and the licences of a frozen program, as files of a release."""

import json
import shutil
import zipfile
from datetime import UTC, datetime
from pathlib import Path

from devenv.errors import SetupError
from freeze.places import licences
from release import names

SBOM = "sbom.cdx.json"
"""As freezing names it."""


def write(frozen: Path, into: Path, version: str, system: str, made_s: int) -> list[Path]:
    """Equal folders give equal files; `made_s` is their time, in seconds since 1970. Raises
    `SetupError` for a program that says nothing of itself."""
    folder = licences(frozen)
    inside = folder / SBOM
    if not inside.is_file():
        msg = f"{frozen} has no {SBOM}: it was not frozen by `dev.py package`"
        raise SetupError(msg)
    if json.loads(inside.read_bytes())["metadata"]["component"]["version"] != version:
        msg = f"{frozen} is not Snug {version}"
        raise SetupError(msg)
    into.mkdir(parents=True, exist_ok=True)
    listed = into / names.sbom(system)
    shutil.copyfile(inside, listed)
    return [listed, _zip(folder, into / names.licences(system), made_s)]


def _zip(folder: Path, target: Path, made_s: int) -> Path:
    when = datetime.fromtimestamp(made_s, UTC).timetuple()[:6]
    files = sorted((path.relative_to(folder).as_posix(), path) for path in folder.rglob("*"))
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files:
            if path.is_file():
                entry = zipfile.ZipInfo(f"licences/{name}", when)
                entry.create_system, entry.external_attr = 3, 0o100644 << 16
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return target
