"""Signs the bundle from the inside out, as Apple wants it: whatever holds other code is signed
after that (developer.apple.com: "Creating distribution-signed code for macOS").

Never with `codesign --deep`: it gives the program's rights to every library, and misses some.
"""

from itertools import groupby
from pathlib import Path

from devenv import commands
from freeze import macho
from freeze.macho import Role
from macos import given, info

NOBODY = "-"
"""Signs without a certificate, for this Mac alone. Apple's processors start nothing unsigned."""
RIGHTS = Path(__file__).resolve().parent / "entitlements.plist"
_IMAGE = f"{info.IDENTIFIER}.disk-image"


def sign(app: Path, identity: str) -> None:
    """`app` is the bundle; see `NOBODY` for `identity`. Raises `SetupError`."""
    given.tool("codesign")
    app = app.resolve()
    for argv in signing(app, identity):
        commands.run(argv, "signing the program")
    commands.run(checking(app), "checking the signature")


def sign_image(image: Path, identity: str) -> None:
    """The disk image itself: an unsigned one makes a Mac run the program from a hidden copy."""
    given.tool("codesign")
    argv = [*_codesign(identity, hardened=False), "--identifier", _IMAGE, str(image.resolve())]
    commands.run(argv, "signing the disk image")
    commands.run(["codesign", "--verify", "--strict", image.resolve()], "checking its signature")


def units(app: Path) -> list[Path]:
    """What gets a signature of its own, inside out: libraries, frameworks (by the folder of their
    version), the bundle last. A framework's own library is signed with it."""
    frameworks = {
        path.parent: path.parent.parent.parent.stem
        for path in app.rglob("*.framework/Versions/*/*")
        if not path.parent.is_symlink()
    }
    main = {folder / name for folder, name in frameworks.items()} | set(_programs(app))
    files = {path for path in app.rglob("*") if macho.is_macho(path)} - main
    inside = sorted(files | frameworks.keys(), key=lambda path: (-len(path.parts), path))
    return [*inside, app]


def signing(app: Path, identity: str) -> list[list[str]]:
    """The commands, in their order. Neighbours that are signed alike share one."""
    found = []
    for is_program, paths in groupby(units(app), key=lambda path: _has_rights(app, path)):
        rights = ["--entitlements", str(RIGHTS)] if is_program and identity != NOBODY else []
        found.append([*_codesign(identity, hardened=True), *rights, *map(str, paths)])
    return found


def checking(app: Path) -> list[str]:
    return ["codesign", "--verify", "--deep", "--strict", "--verbose=2", str(app)]


def judging(path: Path) -> list[str]:
    """Asks what a stranger's Mac would say to it; only after Apple's check it says yes."""
    if path.suffix == ".dmg":
        kind = ["--type", "open", "--context", "context:primary-signature"]
    else:
        kind = ["--type", "execute"]
    return ["spctl", "--assess", *kind, "--verbose=4", str(path)]


def _codesign(identity: str, *, hardened: bool) -> list[str]:
    argv = ["codesign", "--force", "--sign", identity]
    if identity != NOBODY:
        argv += ["--timestamp", *(("--options", "runtime") if hardened else ())]
    return argv


def _programs(app: Path) -> list[Path]:
    return list((app / "Contents" / "MacOS").iterdir())


def _has_rights(app: Path, path: Path) -> bool:
    """Rights are a program's; libraries have those of the program that loads them."""
    if path == app:
        return True
    return path.is_file() and any(part.role is Role.PROGRAM for part in macho.slices(path))
