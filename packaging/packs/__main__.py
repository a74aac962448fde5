"""`python -m packs build|sign|key`, with the repository and `packaging` on the path. README.md of
`packaging` has the whole way."""

import argparse
import os
import sys
import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from devenv.lockfiles import engine_requirement
from devenv.places import ROOT
from engine.errors import PackRefused
from engine.hardware.system import this_system
from engine.packs.keys import TRUSTED
from native.flags import build_id, this_target
from packs import sign
from packs.build import Facts, PackMistake, build


def main(arguments: Sequence[str]) -> int:
    chosen = _parser().parse_args(arguments)
    try:
        print(chosen.run(chosen))
    except (PackMistake, PackRefused, FileExistsError) as error:
        print(f"packs: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="packs")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("build", help="an unsigned pack out of a folder")
    command.add_argument("folder", type=Path)
    command.add_argument("--into", type=Path, default=Path())
    for name in ("pack-id", "backend", "licence"):
        command.add_argument(f"--{name}", required=True)
    command.add_argument("--min-driver", default="")
    command.add_argument("--first", action="append", default=[], help="a library, in load order")
    command.set_defaults(run=_build)
    command = commands.add_parser("sign", help=f"with the key in {sign.KEY}")
    command.add_argument("pack", type=Path)
    command.add_argument("--any-key", action="store_true", help="one that Snug does not know")
    command.set_defaults(run=_sign)
    command = commands.add_parser("key", help="a new pair of keys; prints the public half")
    command.add_argument("file", type=Path)
    command.set_defaults(run=_key)
    return parser


def _build(chosen: argparse.Namespace) -> str:
    """For the system that this runs on, with the build id of this checkout's engine."""
    engine, _ = engine_requirement()
    facts = Facts(
        version=_version(),
        pack_id=chosen.pack_id,
        backend=chosen.backend,
        build_id=build_id(engine, this_target()),
        system=this_system().value,
        architecture=this_target().architecture,
        licence=chosen.licence,
        created=_now(),
        min_driver=chosen.min_driver,
        first=tuple(chosen.first),
    )
    return str(build(chosen.folder, facts, chosen.into))


def _version() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])


def _now() -> str:
    """SOURCE_DATE_EPOCH where a build is to be repeated."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


def _sign(chosen: argparse.Namespace) -> str:
    key = sign.read_key(os.environ.get(sign.KEY, ""))
    if sign.key_id(key) not in TRUSTED and not chosen.any_key:
        msg = f"engine/packs/keys.py does not hold {sign.key_id(key)}: Snug would not trust it"
        raise PackMistake(msg)
    return str(sign.sign(chosen.pack, key))


def _key(chosen: argparse.Namespace) -> str:
    key = sign.new_key(chosen.file)
    return f"{sign.key_id(key)} {sign.public_bytes(key).hex()}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
