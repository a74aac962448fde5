"""What the trials install: three small versions of Snug, or two of a real frozen folder.

Every version is described by the files that have to lie in the program's folder afterwards.
"""

import random
import shutil
from dataclasses import dataclass
from pathlib import Path

from devenv import commands
from linux.tree import Release
from windows import nsis
from windows.numbers import four_numbers
from windows.wine import sha256

_RECORDER = Path(__file__).resolve().parent / "recorder.nsi"
_MADE_S = 1_767_225_600
_LARGE = 3_000_000  # bytes: more than fits where a trial lets a disk become full


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """`files`: what it installs, with sha256, folders with "". Those that it makes itself, the
    uninstaller and the list, are not among them."""

    version: str
    path: Path
    files: dict[str, str]


MADE_BY_IT = {"uninstall.exe", nsis.LIST}


def small(work: Path, version: str) -> Setup:
    """Its program writes down what it was called with (`recorder.nsi`)."""
    frozen = work / f"frozen {version}"
    noise = random.Random(version).randbytes(_LARGE)  # noqa: S311 - not a secret
    payload = {
        "_internal/python311.dll": version.encode() * 1000,
        "_internal/llama_cpp/lib/ggml $cpu.dll": b"plug-in",
        "_internal/models/starter.gguf": b"GGUF" * 1000,
        "_internal/resources/\u6a21\u578b.json": b"{}",
        f"_internal/only in {version}/deep/er/%PATH%.txt": noise,
        f"licences/only in {version}.txt": b"text",
    }
    for name, data in payload.items():
        path = frozen / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    _record(frozen / "snug", version)
    return _built(frozen, work, version)


def real(frozen: Path, work: Path) -> tuple[Setup, Setup]:
    """The folder as it is, and a later version in which files vanish, appear and change."""
    later = work / "frozen later"
    shutil.copytree(frozen, later, symlinks=True)
    licences = sorted(path for path in (later / "licences").rglob("*") if path.is_file())
    for path in licences[::3]:
        path.unlink()
    (later / "_internal" / "new in it").mkdir()
    (later / "_internal" / "new in it" / "\u65b0.txt").write_text("new")
    licences[1].write_text("changed")
    return _built(frozen, work, "0.1.0"), _built(later, work, "0.1.1")


def _built(frozen: Path, work: Path, version: str) -> Setup:
    release = Release(version=version, made_s=_MADE_S)
    path = nsis.build(frozen, work / "building", work / "made", release)
    return Setup(version=version, path=path, files=_described(frozen))


def _described(frozen: Path) -> dict[str, str]:
    files: dict[str, str] = {}
    for path in frozen.rglob("*"):
        if path.is_file():
            name = path.relative_to(frozen)
            files |= {folder.as_posix(): "" for folder in name.parents if folder.parts}
            files["snug.exe" if name == Path("snug") else name.as_posix()] = sha256(path)
    return files


def _record(target: Path, version: str) -> None:
    argv = ["makensis", "-V2", "-WX", f"-DOUTPUT={target}"]
    argv += [f"-DFOUR_VERSION={four_numbers(version)}", str(_RECORDER)]
    commands.run(argv, "compiling what is started in trials")
