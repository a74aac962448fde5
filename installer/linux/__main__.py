"""`python -m linux deb|rpm|appdir [--frozen FOLDER] [--into FOLDER] [--version V]`."""

import argparse
import sys
from pathlib import Path

from devenv import commands
from devenv.errors import SetupError
from freeze import metadata, places, times
from linux import appdir, deb, rpm
from linux.tree import Release

KINDS = {"deb": deb.build, "rpm": rpm.build, "appdir": appdir.build}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m linux", description=__doc__)
    parser.add_argument("kinds", nargs="+", choices=KINDS)
    parser.add_argument("--frozen", type=Path, default=places.FROZEN)
    parser.add_argument("--into", type=Path, default=places.INSTALLERS)
    parser.add_argument("--version", default=metadata.project()["version"])
    arguments = parser.parse_args()
    release = Release(version=arguments.version, made_s=times.of_sources())
    try:
        for kind in arguments.kinds:
            made = KINDS[kind](arguments.frozen, places.WORK, arguments.into, release)
            commands.say(f"{made.name}: {made.stat().st_size / 1e6:.1f} MB")
    except SetupError as error:
        print(f"snug: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
