"""The gate: what would make the program fail on somebody else's computer ends the build here.

`python -m freeze check FOLDER`. Each check is a function from the folder to sentences.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from devenv.places import ROOT, SYSTEM, cache
from freeze import bundle, elf
from freeze.places import VENV, executable, is_bundle

_NEWEST = {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13)}
"""Of Debian 12, Ubuntu 22.04 and RHEL 9: the oldest systems that Snug runs on."""

FROM_SYSTEM = re.compile(
    r"(ld-linux-x86-64|ld-linux-aarch64|libc|libm|libdl|libpthread|librt|libutil|libstdc\+\+"
    r"|libgcc_s|libGL|libEGL|libX11|libX11-xcb|libXau|libXdmcp|libxcb|libfontconfig|libfreetype"
    r"|libexpat|libz|libwayland-(client|cursor|egl)|libvulkan)\.so(\.\d+)*"
)
"""What every desktop has; packages depend on it (installer/linux)."""

_OPENMP = re.compile(r"(lib)?(gomp|iomp5|omp|vcomp)[\w.-]*\.(so(\.\d+)*|dll|dylib)")
_MODEL = "*.gguf"
_BUDGET_BYTES = 200_000_000
"""Without the model, as it lies on the disk."""
_CHUNK_BYTES = 1 << 20

Check = Callable[[Path], Iterator[str]]


def problems(folder: Path) -> list[str]:
    """Sentences; none of them is right to ship with."""
    checks: list[Check] = [size, openmp, build_paths, dangling]
    if is_bundle(folder):
        checks += [bundle.shape, bundle.libraries, bundle.lists]
    elif SYSTEM == "linux":
        checks += [libraries]
    return [sentence for check in checks for sentence in check(folder)]


def libraries(folder: Path) -> Iterator[str]:
    """Missing ones, ones that are too new, and places that only the build's machine has."""
    files = [path for path in sorted(folder.rglob("*")) if elf.is_elf(path)]
    here = {path.name for path in folder.rglob("*")}
    for path in files:
        found = elf.needs_of(path)
        where = path.relative_to(folder)
        for name in found.libraries:
            if name not in here and not FROM_SYSTEM.fullmatch(name):
                yield f"{where} needs {name}, which is nowhere"
        for kind, version in found.versions:
            if kind in _NEWEST and version > _NEWEST[kind]:
                yield f"{where} needs {kind} {'.'.join(map(str, version))}"
        for place in found.paths:
            if not place.startswith("$ORIGIN"):
                yield f"{where} looks for libraries in {place}"


def openmp(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if _OPENMP.fullmatch(path.name):
            yield f"{path.relative_to(folder)} is a run-time library of OpenMP"


def dangling(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() and not path.exists():
            yield f"{path.relative_to(folder)} is a link to nowhere"


def size(folder: Path, budget_bytes: int = _BUDGET_BYTES) -> Iterator[str]:
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    taken = sum(path.stat().st_size for path in files if not path.match(_MODEL))
    if taken > budget_bytes:
        yield f"{taken / 1e6:.0f} MB without the model are more than {budget_bytes / 1e6:.0f} MB"


def build_paths(folder: Path) -> Iterator[str]:
    """Places of this checkout or its caches. (Python says where it was itself installed.)"""
    needles = [str(place).encode() for place in (ROOT, VENV, cache())]
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.is_symlink() or path.match(_MODEL):
            continue
        if found := _first_in(_pieces(path), needles):
            yield f"{path.relative_to(folder)} names {found.decode()}"
    program = executable(folder)
    if program.exists():
        for name, code in _modules(program):
            if found := _first_in([code], needles):
                yield f"the module {name} names {found.decode()}"


def _first_in(pieces: Iterable[bytes], needles: list[bytes]) -> bytes | None:
    return next((needle for piece in pieces for needle in needles if needle in piece), None)


def _pieces(path: Path) -> Iterator[bytes]:
    """The file's bytes; pieces overlap, so that nothing is cut in two."""
    kept = b""
    with path.open("rb") as file:
        while piece := file.read(_CHUNK_BYTES):
            yield kept + piece
            kept = piece[-1024:]


def _modules(program: Path) -> Iterator[tuple[str, bytes]]:
    """The code that PyInstaller packed into the program, unpacked."""
    from PyInstaller.archive.readers import CArchiveReader  # noqa: PLC0415 - only in a build

    archive = CArchiveReader(str(program))
    for name in archive.toc:
        if name.endswith(".pyz"):
            modules = archive.open_embedded_archive(name)
            for module in modules.toc:
                yield module, modules.extract(module, raw=True) or b""
