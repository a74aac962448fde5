"""Freezes this checkout, step by step. Runs with the build's own Python (`environment.py`)."""

import os
import shutil
import sys
import time
from pathlib import Path

from devenv import commands
from devenv.errors import SetupError
from devenv.places import ON_WINDOWS, ROOT, SYSTEM
from freeze import check, components, finishing, licences, metadata, places, provenance, sbom
from freeze.selftest import run_selftest

SBOM = "sbom.cdx.json"


def build(model: Path | None, made_s: int) -> Path:
    """The folder with the program; `model` lies inside unless it is None. Raises `SetupError`."""
    started = time.monotonic()
    _freeze(made_s)
    folder = places.FROZEN
    finishing.libraries(folder)
    if model is not None:
        finishing.model(folder, model)
    _say_what_is_inside(folder, made_s, with_model=model is not None)
    finishing.seal(folder)
    finishing.modes_and_times(folder, made_s)
    _gate(folder)
    commands.say(f"frozen into {folder} after {time.monotonic() - started:.0f} s")
    run_selftest(places.executable(folder), with_model=model is not None)
    return folder


def _freeze(made_s: int) -> None:
    commands.say("freezing (a minute)")
    shutil.rmtree(places.FROZEN, ignore_errors=True)
    metadata.write()
    _for_windows()
    _for_macs()
    argv: list[str | Path] = [
        *(sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean"),
        *("--distpath", places.FROZEN.parent, "--workpath", places.WORK / "work"),
        places.HERE / "snug.spec",
    ]
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "packaging", ROOT / "installer")))
    fixed = {"PYTHONPATH": paths, "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(made_s)}
    commands.run(argv, "freezing", env=os.environ | fixed)
    if places.is_bundle(places.FROZEN):
        shutil.rmtree(places.FROZEN.with_name("snug"))  # what the bundle was made from


def _for_windows() -> None:
    """What the spec wants there besides."""
    if ON_WINDOWS:
        from windows import resource  # noqa: PLC0415 - draws with Qt

        resource.icon(places.WORK / "icons" / "snug.ico")
        text = resource.version_resource(metadata.project()["version"])
        (places.WORK / "version.txt").write_text(text, encoding="utf-8")


def _for_macs() -> None:
    if SYSTEM == "darwin":
        from macos import pictures  # noqa: PLC0415 - draws with Qt

        pictures.icon(places.WORK / "icons" / "snug.icns")


def _say_what_is_inside(folder: Path, made_s: int, *, with_model: bool) -> None:
    collected = provenance.read(places.COLLECTED)
    parts, program = components.all_of(collected, with_model=with_model), components.itself()
    texts = places.licences(folder)
    without = licences.write(texts, (program, *parts))
    if without:
        msg = f"no licence was found of: {', '.join(without)}"
        raise SetupError(msg)
    text = sbom.document(program, parts, made_s)
    (texts / SBOM).write_text(text, encoding="utf-8")
    commands.say(f"{len(parts)} parts, each with its licence")


def _gate(folder: Path) -> None:
    if found := check.problems(folder):
        raise SetupError("this must not be shipped:\n" + "\n".join(f"    {line}" for line in found))
