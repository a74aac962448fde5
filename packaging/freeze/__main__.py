"""`python -m freeze build [--no-model]`, `package [KINDS]`, `check FOLDER`, `selftest FOLDER`."""

import argparse
import sys
from pathlib import Path

from devenv.errors import SetupError
from freeze import times


def _build(arguments: argparse.Namespace) -> int:
    from freeze import build, environment  # noqa: PLC0415 - need PyInstaller's environment

    model = None if arguments.no_model else environment.starter()
    build.build(model, times.of_sources())
    return 0


def _package(arguments: argparse.Namespace) -> int:
    from freeze import packages  # noqa: PLC0415 - as above

    packages.make(arguments.kinds)
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from freeze import check  # noqa: PLC0415 - as above

    found = check.problems(arguments.folder)
    print("\n".join(found) or "nothing is wrong with it")
    return 1 if found else 0


def _selftest(arguments: argparse.Namespace) -> int:
    from freeze.places import executable  # noqa: PLC0415 - as above
    from freeze.selftest import run_selftest  # noqa: PLC0415 - as above

    run_selftest(executable(arguments.folder))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m freeze", description=__doc__)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("build")
    verb.add_argument("--no-model", action="store_true")
    verb.set_defaults(run=_build)
    verb = verbs.add_parser("package")
    verb.add_argument("kinds", nargs="*", metavar="freeze|deb|rpm|appdir|nsis|dmg")
    verb.set_defaults(run=_package)
    for name, run in (("check", _check), ("selftest", _selftest)):
        verb = verbs.add_parser(name)
        verb.add_argument("folder", type=Path)
        verb.set_defaults(run=run)
    arguments = parser.parse_args()
    try:
        return int(arguments.run(arguments))
    except SetupError as error:
        print(f"snug: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
