"""The AppImage: the squashfs of the AppDir behind a small program that mounts it and starts AppRun.

That program, the runtime, is not made here: release runners fetch the file and hand it over, and
it is used only when it is exactly the one that is pinned below. It is static: the person's
system needs no libfuse2, which newer ones have dropped (github.com/AppImage/type2-runtime).
"""

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from struct import Struct

from devenv.errors import SetupError
from linux import appdir
from linux.tree import Release

_HEADER = Struct("<4sBB2x3s5x2H")
"""The beginning of an ELF file: mark, class, byte order, place of AppImage's mark, type, machine.
Source: elf(5); "AI" and the type at offset 8 are AppImage's own (AppImageSpec, draft.md)."""
_64_BITS, _LITTLE_ENDIAN = 2, 1
_MARK = b"AI\x02"
_MACHINES = {"x86_64": 62}
_SQUASHFS = b"hsqs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """A runtime's file and the sha256, in hexadecimal, that it must have."""

    path: Path
    sha256: str


PINNED = {
    "x86_64": "2fca8b443c92510f1483a883f60061ad09b46b978b2631c807cd873a47ec260d",
}
"""sha256 of `runtime-<architecture>` in the release that `appdir` names."""


def build(frozen: Path, work: Path, into: Path, release: Release, runtime: Runtime) -> Path:
    """Raises `SetupError` when the runtime is not the one that was asked for."""
    content = checked(runtime)
    return join(content, appdir.build(frozen, work, into, release), release)


def join(runtime: bytes, squashfs: Path, release: Release) -> Path:
    """Beside the squashfs, ready to be double-clicked."""
    with squashfs.open("rb") as file:
        if file.read(len(_SQUASHFS)) != _SQUASHFS:
            raise SetupError(f"{squashfs} is no squashfs")
    target = squashfs.with_name(f"Snug-{release.version}-{appdir.ARCHITECTURE}.AppImage")
    with target.open("wb") as out, squashfs.open("rb") as file:
        out.write(runtime)
        shutil.copyfileobj(file, out, 1 << 20)
    target.chmod(0o755)
    return target


def checked(runtime: Runtime) -> bytes:
    """The runtime's bytes. Raises `SetupError`."""
    try:
        content = runtime.path.read_bytes()
    except OSError as error:
        raise SetupError(f"no runtime: {error}") from error
    if (found := hashlib.sha256(content).hexdigest()) != runtime.sha256.lower():
        raise SetupError(f"{runtime.path} has the sha256 {found}, not {runtime.sha256}")
    if fault := wrong_with(content, appdir.ARCHITECTURE):
        raise SetupError(f"{runtime.path} is no runtime of an AppImage: {fault}")
    return content


def wrong_with(content: bytes, architecture: str) -> str:
    """Why a file can not stand in front of a squashfs; empty when it can."""
    if len(content) < _HEADER.size:
        return "it is too short"
    elf, width, order, mark, _, machine = _HEADER.unpack_from(content)
    if elf != b"\x7fELF":
        return "it is no program"
    if (width, order, machine) != (_64_BITS, _LITTLE_ENDIAN, _MACHINES[architecture]):
        return f"it is not for {architecture}"
    return "" if mark == _MARK else "AppImage's mark is missing"
