"""The steps of a release, each by itself: `python -m release VERB --help`.

With `PYTHONPATH=.:packaging:installer`. packaging/README.md has them in order.
"""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from devenv import commands
from devenv.errors import SetupError
from freeze import places, times
from release import fetch, installed, keychain, names, papers, sums, version, windows_sign

_Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""What `add_subparsers` gives; only type checkers know it as generic."""


def _bump(chosen: argparse.Namespace) -> None:
    version.bump(chosen.version, datetime.now(UTC).date())
    commands.say(f"pyproject.toml and CHANGELOG.md say {chosen.version} now; look at both")


def _version(chosen: argparse.Namespace) -> None:
    changelog = version.CHANGELOG.read_text(encoding="utf-8")
    version.check(chosen.tag, changelog, version.current())
    print(version.current())


def _notes(chosen: argparse.Namespace) -> None:
    changelog = version.CHANGELOG.read_text(encoding="utf-8")
    print(version.notes(changelog, chosen.version), end="")


def _papers(chosen: argparse.Namespace) -> None:
    made_s = times.of_sources()
    for path in papers.write(chosen.frozen, chosen.into, chosen.version, chosen.system, made_s):
        commands.say(path.name)


def _sums(chosen: argparse.Namespace) -> None:
    (chosen.folder / sums.NAME).unlink(missing_ok=True)  # of a release that was incomplete
    _refuse(names.problems(chosen.folder, chosen.version))
    sums.write(chosen.folder)


def _verify(chosen: argparse.Namespace) -> None:
    attestations = names.attestations() if chosen.attested else ()
    _refuse(names.problems(chosen.folder, chosen.version, (sums.NAME, *attestations)))
    _refuse(sums.problems(chosen.folder, may_be_unlisted=attestations))
    commands.say(f"release {chosen.version} is complete and whole")


def _names(chosen: argparse.Namespace) -> None:
    print("\n".join(names.listed(chosen.version)))


def _refuse(found: Sequence[str]) -> None:
    if found:
        raise SetupError("this is no release:\n" + "\n".join(f"    {line}" for line in found))


def _fetch(chosen: argparse.Namespace) -> None:
    print(fetch.fetch(fetch.PINNED[chosen.what], chosen.into))


def _windows_sign(chosen: argparse.Namespace) -> None:
    windows_sign.sign(chosen.paths)


def _windows_installer(_: argparse.Namespace) -> None:
    from linux.tree import Release  # noqa: PLC0415 - draws with Qt, which the other steps lack
    from windows import nsis  # noqa: PLC0415 - as above

    release = Release(version=version.current(), made_s=times.of_sources())
    print(nsis.build(places.FROZEN, places.WORK, places.INSTALLERS, release))


def _keychain(chosen: argparse.Namespace) -> None:
    keychain.make(chosen.keychain)


def _try_in(chosen: argparse.Namespace) -> None:
    installed.in_container(chosen.image, chosen.package)


def _try_windows(chosen: argparse.Namespace) -> None:
    installed.on_windows(chosen.setup.resolve())


def _try_mac(chosen: argparse.Namespace) -> None:
    installed.on_mac(chosen.image.resolve())


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m release", description=__doc__)
    verbs = made.add_subparsers(required=True, metavar="VERB")
    _words(verbs)
    _files(verbs)
    _signing(verbs)
    _trying(verbs)
    return made


def _words(verbs: _Verbs) -> None:
    verb = verbs.add_parser("bump", help="a new version, in pyproject.toml and CHANGELOG.md")
    verb.add_argument("version")
    verb.set_defaults(run=_bump)
    verb = verbs.add_parser("version", help="whether tag, project and changelog agree")
    verb.add_argument("--tag", required=True)
    verb.set_defaults(run=_version)
    verb = verbs.add_parser("notes", help="what the changelog says of this version")
    verb.add_argument("--version", default=version.current())
    verb.set_defaults(run=_notes)


def _files(verbs: _Verbs) -> None:
    verb = verbs.add_parser("papers", help="bill of materials and licences of a frozen program")
    verb.add_argument("frozen", type=Path, nargs="?", default=places.FROZEN)
    verb.add_argument("--system", choices=names.SYSTEMS, required=True)
    verb.add_argument("--into", type=Path, default=places.INSTALLERS)
    verb.add_argument("--version", default=version.current())
    verb.set_defaults(run=_papers)
    verb = verbs.add_parser("names", help="the files that a release has")
    verb.add_argument("--version", default=version.current())
    verb.set_defaults(run=_names)
    for name, run in (("sums", _sums), ("verify", _verify)):
        verb = verbs.add_parser(name, help="SHA256SUMS of a folder that holds a whole release")
        verb.add_argument("folder", type=Path)
        verb.add_argument("--version", default=version.current())
        verb.set_defaults(run=run)
    verb.add_argument("--attested", action="store_true", help="with its attestations")
    verb = verbs.add_parser("fetch", help="a file that is pinned in release/fetch.py")
    verb.add_argument("what", choices=fetch.PINNED)
    verb.add_argument("--into", type=Path, required=True)
    verb.set_defaults(run=_fetch)


def _signing(verbs: _Verbs) -> None:
    verb = verbs.add_parser("windows-sign", help="what Windows would run and nobody has signed")
    verb.add_argument("paths", type=Path, nargs="+", metavar="FILE_OR_FOLDER")
    verb.set_defaults(run=_windows_sign)
    verb = verbs.add_parser("windows-installer", help="out of a folder that is frozen and signed")
    verb.set_defaults(run=_windows_installer)
    verb = verbs.add_parser("keychain", help="of a runner that signs on a Mac")
    verb.add_argument("keychain", type=Path)
    verb.set_defaults(run=_keychain)


def _trying(verbs: _Verbs) -> None:
    verb = verbs.add_parser("try-in", help="install in a container and use it there (docker)")
    verb.add_argument("image")
    verb.add_argument("package", type=Path)
    verb.set_defaults(run=_try_in)
    verb = verbs.add_parser("try-windows", help="install, upgrade, use and remove, on this Windows")
    verb.add_argument("setup", type=Path)
    verb.set_defaults(run=_try_windows)
    verb = verbs.add_parser("try-mac", help="take out of the disk image and use, on this Mac")
    verb.add_argument("image", type=Path)
    verb.set_defaults(run=_try_mac)


def main(arguments: Sequence[str]) -> int:
    chosen = parser().parse_args(arguments)
    try:
        chosen.run(chosen)
    except (SetupError, sums.SumsMistake) as error:
        print(f"snug: {error}", file=sys.stderr)
    except OSError as error:
        print(f"snug: {error.filename or 'the disk'}: {error.strerror or error}", file=sys.stderr)
    else:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
