"""`python -m macos sign|notarise|dmg`, with `--help`: the steps of a release on a Mac.

README.md beside this file has them in order.
"""

import argparse
import sys
from pathlib import Path

from devenv import commands
from devenv.errors import SetupError
from freeze import metadata, places, times
from linux.tree import Release
from macos import dmg, given, notarise, sign


def _sign(arguments: argparse.Namespace) -> None:
    sign.sign(_there(arguments.app), sign.NOBODY if arguments.ad_hoc else given.identity())


def _notarise(arguments: argparse.Namespace) -> None:
    for path in map(_there, arguments.paths):
        notarise.notarise(path, places.WORK / "notary")


def _dmg(arguments: argparse.Namespace) -> None:
    release = Release(version=metadata.project()["version"], made_s=times.of_sources())
    made = dmg.build(_there(arguments.app), places.WORK, arguments.into, release)
    commands.say(f"{made.name}: {made.stat().st_size / 1e6:.1f} MB")


def _there(path: Path) -> Path:
    if not path.exists():
        msg = f"{path} is not there; `python3 dev.py package freeze` makes the bundle"
        raise SetupError(msg)
    return path


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m macos", description=__doc__)
    verbs = made.add_subparsers(required=True)
    for name, run in (("sign", _sign), ("dmg", _dmg)):
        verb = verbs.add_parser(name)
        verb.add_argument("app", type=Path, nargs="?", default=places.FROZEN)
        verb.set_defaults(run=run)
        if run is _sign:
            verb.add_argument("--ad-hoc", action="store_true", help="for this Mac alone")
        if run is _dmg:
            verb.add_argument("--into", type=Path, default=places.INSTALLERS)
    verb = verbs.add_parser("notarise")
    verb.add_argument("paths", type=Path, nargs="+", metavar="APP_OR_DMG")
    verb.set_defaults(run=_notarise)
    return made


def main() -> int:
    arguments = parser().parse_args()
    try:
        arguments.run(arguments)
    except SetupError as error:
        print(f"snug: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
