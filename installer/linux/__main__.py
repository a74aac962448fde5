"""`python -m linux deb|rpm|appdir|flatpak|appimage [--frozen FOLDER] [--into FOLDER] …`.

An AppImage needs `--runtime FILE`, and `--sha256` where that is another one than is pinned.
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from devenv import commands
from devenv.errors import SetupError
from freeze import metadata, places, times
from linux import appdir, appimage, deb, flatpak_tree, rpm
from linux.tree import Release

Build = Callable[[Path, Path, Path, Release], Path]

KINDS: Mapping[str, Build] = {
    "deb": deb.build,
    "rpm": rpm.build,
    "appdir": appdir.build,
    "flatpak": flatpak_tree.build,
}
_APPIMAGE = "appimage"


def main() -> int:
    arguments = _parser().parse_args()
    release = Release(version=arguments.version, made_s=times.of_sources())
    builds: Mapping[str, Build] = {**KINDS, _APPIMAGE: partial(_appimage, arguments)}
    try:
        for kind in arguments.kinds:
            made = builds[kind](arguments.frozen, arguments.work, arguments.into, release)
            commands.say(f"{made.name}: {made.stat().st_size / 1e6:.1f} MB")
    except SetupError as error:
        print(f"snug: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m linux", description=__doc__)
    parser.add_argument("kinds", nargs="+", choices=(*KINDS, _APPIMAGE))
    parser.add_argument("--frozen", type=Path, default=places.FROZEN)
    parser.add_argument("--work", type=Path, default=places.WORK)
    parser.add_argument("--into", type=Path, default=places.INSTALLERS)
    parser.add_argument("--version", default=metadata.project()["version"])
    parser.add_argument("--runtime", type=Path, help="what stands in front of an AppImage")
    parser.add_argument("--sha256", default=appimage.PINNED[appdir.ARCHITECTURE])
    return parser


def _appimage(
    arguments: argparse.Namespace, frozen: Path, work: Path, into: Path, release: Release
) -> Path:
    if arguments.runtime is None:
        wanted = f"runtime-{appdir.ARCHITECTURE} of {appdir.RUNTIME_RELEASE}"
        msg = f"an AppImage needs --runtime: {wanted} (github.com/AppImage/type2-runtime)"
        raise SetupError(msg)
    runtime = appimage.Runtime(path=arguments.runtime, sha256=arguments.sha256)
    return appimage.build(frozen, work, into, release, runtime)


if __name__ == "__main__":
    sys.exit(main())
