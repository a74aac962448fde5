"""`snug packs`: parts of the engine that came later, in signed files; see them, add, go back."""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from app import logs
from app.cli.pack_words import STATES, WORDS
from app.cli.plan_words import size
from app.cli.words import FILE, note, report, say
from engine.errors import PackRefused
from engine.types.packs import InstalledPack, PackProblem, PackState

if TYPE_CHECKING:
    from engine.packs.changes import Checked

_NOTHING = "No packs are installed. Snug runs without any; one adds support for a graphics card."

_FINDINGS = {
    "damaged": "{name} is damaged, so the pack is not used. Import it again.",
    "unreadable": "{name} can not be read now. Nothing was changed; try again.",
    "different": "its own files are as they should be, but {name} was added or changed, or is open"
    " to other people, so the pack is not used. Remove what was added, or import the pack again.",
}
_GOOD = {PackState.IN_USE, PackState.PREVIOUS, PackState.OTHER_BUILD}


def run(arguments: argparse.Namespace) -> int:
    logs.start(arguments.paths)
    try:
        return int(_ACTIONS[arguments.action](arguments))
    except PackRefused as error:
        words = WORDS[PackProblem(error.problem)]
        return report(error, as_json=arguments.json, words=words)


def _list(arguments: argparse.Namespace) -> int:
    from app.packs import shelf  # noqa: PLC0415 - not for `snug --help`
    from engine.packs.store import listed  # noqa: PLC0415

    there = shelf(arguments.paths)
    packs = listed(there)
    body = {"build_id": there.build_id, "packs": [as_json(pack) for pack in packs]}
    return _show(arguments, body, page(packs))


def _import(arguments: argparse.Namespace) -> int:
    from app.packs import import_pack  # noqa: PLC0415 - not for `snug --help`

    pack = import_pack(arguments.paths, arguments.file, _Progress())
    return _show(arguments, {"imported": as_json(pack)}, f"{pack.pack_id} is installed and works.")


def _remove(arguments: argparse.Namespace) -> int:
    from app.packs import shelf  # noqa: PLC0415 - not for `snug --help`
    from engine.packs.changes import remove  # noqa: PLC0415

    packs = remove(shelf(arguments.paths), arguments.id)
    body = {"removed": [as_json(pack) for pack in packs]}
    return _show(arguments, body, f"{arguments.id} is removed.")


def _restore(arguments: argparse.Namespace) -> int:
    from app.packs import shelf  # noqa: PLC0415 - not for `snug --help`
    from engine.packs.changes import restore  # noqa: PLC0415

    pack = restore(shelf(arguments.paths), arguments.id)
    return _show(arguments, {"restored": as_json(pack)}, f"{_name(pack)} is used again.")


def _check(arguments: argparse.Namespace) -> int:
    """Every file is read and compared: a minute for a large pack on a slow disk."""
    from app.packs import shelf  # noqa: PLC0415 - not for `snug --help`
    from engine.packs.changes import check  # noqa: PLC0415
    from engine.packs.store import listed  # noqa: PLC0415

    there = shelf(arguments.paths)
    known = dict.fromkeys(pack.pack_id for pack in listed(there))
    asked = [arguments.id] if arguments.id else [*known]
    found = [checked for pack_id in asked for checked in check(there, pack_id)]
    lines = [_verdict(one) for one in found] or [_NOTHING]
    body = {"checked": [_checked_as_json(one) for one in found]}
    _show(arguments, body, "\n".join(lines))
    return FILE if any(one.name for one in found) else 0


_ACTIONS = {
    "list": _list,
    "import": _import,
    "remove": _remove,
    "check": _check,
    "restore": _restore,
}


def _show(arguments: argparse.Namespace, body: Mapping[str, object], text: str) -> int:
    say(json.dumps(body, ensure_ascii=False) if arguments.json else text)
    return 0


def as_json(pack: InstalledPack) -> dict[str, object]:
    """The stable form for scripts."""
    said = pack.manifest
    return {
        "pack_id": pack.pack_id,
        "state": pack.state.value,
        "build_id": pack.build_id,
        "folder": str(pack.folder),
        "backend": said.backend if said else None,
        "created": said.created if said else None,
        "licence": said.licence if said else None,
        "size_bytes": said.size_bytes if said else None,
    }


def page(packs: Sequence[InstalledPack]) -> str:
    """For people."""
    return "\n".join(_lines(packs)) or _NOTHING


def _lines(packs: Iterable[InstalledPack]) -> Iterable[str]:
    for pack in packs:
        yield f"{_name(pack)}: {STATES[pack.state]}"
        if pack.manifest is not None and pack.state is PackState.IN_USE:
            yield f"  {size(pack.manifest.size_bytes)}, licence: {pack.manifest.licence}"


def _name(pack: InstalledPack) -> str:
    made = f" of {pack.manifest.created[:10]}" if pack.manifest else ""
    return f"{pack.pack_id}{made}"


def _checked_as_json(checked: "Checked") -> dict[str, object]:
    """`wrong_file` is what was found, "" for nothing."""
    finding = checked.finding.value
    return {**as_json(checked.pack), "finding": finding, "wrong_file": checked.name}


def _verdict(checked: "Checked") -> str:
    words = _FINDINGS.get(checked.finding.value)
    if words is not None:
        said = words.format(name=checked.name)
    elif checked.pack.state in _GOOD:
        said = "every file is as it should be"
    else:
        said = STATES[checked.pack.state]
    return f"{_name(checked.pack)}: {said}"


class _Progress:
    """Says on a terminal how far an import is, once for every tenth."""

    def __init__(self) -> None:
        self._tenths = 0
        self._shown = sys.stderr is not None and sys.stderr.isatty()

    def __call__(self, done_bytes: int, total_bytes: int) -> None:
        tenths = 10 * done_bytes // max(total_bytes, 1)
        if self._shown and tenths > self._tenths:
            self._tenths = tenths
            note(f"{10 * tenths} %")
