"""Snug's own entry in the list of installed packages, written by hand: an editable install would
bring the place of this checkout along."""

import shutil
import tomllib
from pathlib import Path

from devenv.places import ROOT
from freeze.places import METADATA


def project() -> dict[str, str]:
    """Name, version, licence and description, as pyproject.toml says."""
    facts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {key: str(facts[key]) for key in ("name", "version", "description", "license")}


def write(target: Path = METADATA) -> Path:
    """Alone in `target`: an entry of the version before would go into the program too."""
    shutil.rmtree(target, ignore_errors=True)
    facts = project()
    folder = target / f"{facts['name']}-{facts['version']}.dist-info"
    folder.mkdir(parents=True)
    lines = (
        "Metadata-Version: 2.4",
        f"Name: {facts['name']}",
        f"Version: {facts['version']}",
        f"Summary: {facts['description']}",
        f"License-Expression: {facts['license']}",
    )
    (folder / "METADATA").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder
