"""Makes the stick, and reads all of it again. With `PYTHONPATH=.:packaging:installer`:

    python -m kit build --installers DIR --packs DIR --models DIR --into DIR [--zip]
    python -m kit verify DIR

Several folders may follow each name, or the name may be given several times.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from devenv import commands
from freeze import metadata, times
from kit.build import build
from kit.contents import Asked, collect
from kit.names import KitMistake
from release import sums


def main(arguments: Sequence[str]) -> int:
    chosen = _parser().parse_args(arguments)
    try:
        return int(chosen.run(chosen))
    except (KitMistake, sums.SumsMistake) as error:
        print(f"kit: {error}", file=sys.stderr)
    except OSError as error:
        print(f"kit: {error.filename or 'the disk'}: {error.strerror or error}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m kit", description=__doc__)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("build", help="everything on one stick")
    for name in ("installers", "packs", "models"):
        _add_folders(verb, name, required=name == "installers")
    verb.add_argument("--into", type=Path, required=True, metavar="DIR")
    verb.add_argument("--version", default=metadata.project()["version"])
    verb.add_argument("--zip", action="store_true", help="one file instead of a folder")
    verb.add_argument("--exfat", action="store_true", help="the stick holds files above 4 GB")
    verb.set_defaults(run=_build)
    verb = verbs.add_parser("verify", help="whether everything is still as it was made")
    verb.add_argument("folder", type=Path, metavar="DIR")
    verb.set_defaults(run=_verify)
    return parser


def _add_folders(verb: argparse.ArgumentParser, name: str, *, required: bool) -> None:
    verb.add_argument(
        f"--{name}",
        type=Path,
        nargs="+",
        action="extend",
        default=[],
        required=required,
        metavar="DIR",
    )


def _build(chosen: argparse.Namespace) -> int:
    asked = Asked(
        version=chosen.version,
        installers=tuple(chosen.installers),
        packs=tuple(chosen.packs),
        models=tuple(chosen.models),
        exfat=chosen.exfat,
    )
    contents = collect(asked)
    for file in (*contents.installers, *contents.packs, *contents.model_files):
        commands.say(f"{file.name}, {file.size_bytes / 1e6:.0f} MB")
    print(build(contents, chosen.into, times.of_sources(), zipped=chosen.zip))
    return 0


def _verify(chosen: argparse.Namespace) -> int:
    found = sums.problems(chosen.folder)
    print("\n".join(found) or f"all {len(sums.read(chosen.folder))} files are as they were made")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
