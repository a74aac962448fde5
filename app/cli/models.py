"""`snug models`: what is on this computer, what can be had, and what is on its way.

The ways to a hub are in `models_hub`; here is what needs no network.
"""

import argparse
from collections.abc import Callable

from app.cli import models_hub
from app.cli.hub_words import words_at_hub
from app.cli.model_words import OWNERS, TROUBLES, model_as_json, model_row, table, verified
from app.cli.models_desk import Desk, open_desk
from app.cli.plan_words import size
from app.cli.progress_line import ProgressLine
from app.cli.waiting import wait_for
from app.cli.words import FILE, UsageMistake, note, report
from engine.errors import RemoteError
from engine.types.cancel import CancelToken
from engine.types.library import Brought, InstalledModel, Owner, Soundness, Verification, Way

_STARTER = "starter"
_CHECKED = {Owner.SNUG, Owner.PROGRAM, Owner.PERSON}


def run(arguments: argparse.Namespace) -> int:
    try:
        with open_desk(arguments) as desk:
            return _ACTIONS[arguments.action](desk, arguments)
    except RemoteError as error:
        return report(error, as_json=arguments.json, words=words_at_hub(error))


def _list(desk: Desk, _arguments: argparse.Namespace) -> int:
    models = desk.library.models()
    judged = desk.judged(models)
    body = {
        "folder": str(desk.library.folder),
        "models": [model_as_json(one) for one in judged],
    }
    rows = [model_row(one) for one in judged]
    nothing = "There are no models on this computer."
    return desk.answer(body, lambda: table(rows) if rows else nothing)


def _verify(desk: Desk, arguments: argparse.Namespace) -> int:
    if arguments.id is None:
        models = [model for model in desk.library.models() if model.owner in _CHECKED]
    else:
        models = [desk.model(arguments.id)]
    found = [(model, _verified(desk, model)) for model in models]
    body = [
        {"id": model.id, "name": model.name, "soundness": it.soundness.value, "bad": list(it.bad)}
        for model, it in found
    ]
    desk.answer({"verified": body}, lambda: "\n".join(verified(model, it) for model, it in found))
    return FILE if any(it.soundness is Soundness.DAMAGED for _, it in found) else 0


def _verified(desk: Desk, model: InstalledModel) -> Verification:
    line = ProgressLine()
    try:
        progress = line.fraction(model.name)
        return wait_for(lambda cancel: desk.library.verify(model.id, progress, cancel))
    finally:
        line.clear()


def _remove(desk: Desk, arguments: argparse.Namespace) -> int:
    model = desk.model(arguments.id)
    freed_bytes = desk.library.remove(model.id, to_bin=not arguments.for_good)

    def text() -> str:
        if model.owner is Owner.PERSON:
            return f"{model.name} is no longer in the list; its file stays where it is."
        where = "deleted" if arguments.for_good else "in the bin"
        return f"{model.name} is {where}: {size(freed_bytes)}."

    return desk.answer({"removed": model.id, "freed_bytes": freed_bytes}, text)


def _import(desk: Desk, arguments: argparse.Namespace) -> int:
    brought = wait_for(lambda cancel: desk.library.look_at(arguments.paths_to_add, cancel))
    way = Way.IN_PLACE if arguments.in_place else Way.COPY
    if way is Way.IN_PLACE and brought.removable:
        raise UsageMistake("it lies on a disk that can be taken away, so it has to be copied")
    added = _added(desk, brought, way) if brought.models else ()
    refused = [{"path": str(path), "trouble": why.value} for path, why in brought.refused]
    for path, why in brought.refused:
        note(f"{path}: {TROUBLES[why]}")
    body = {"imported": desk.as_values(added) if desk.as_json else [], "refused": refused}
    desk.answer(body, lambda: "\n".join(_lies(model) for model in added))
    return 0 if added else FILE


def _added(desk: Desk, brought: Brought, way: Way) -> tuple[InstalledModel, ...]:
    line = ProgressLine()
    progress = line.fraction(f"copying {size(brought.size_bytes)}")
    try:
        return wait_for(lambda cancel: desk.library.add(brought, way, progress, cancel))
    finally:
        line.clear()


def _lies(model: InstalledModel) -> str:
    return f"{model.name} ({OWNERS[model.owner]}): {model.id}"


def _export(desk: Desk, arguments: argparse.Namespace) -> int:
    model, line = desk.model(arguments.id), ProgressLine()
    progress = line.fraction(f"copying {size(model.size_bytes)}")
    try:
        made = wait_for(
            lambda cancel: desk.library.export(model.id, arguments.folder, progress, cancel)
        )
    finally:
        line.clear()
    return desk.answer({"exported": model.id, "folder": str(made)}, lambda: str(made))


def _use(desk: Desk, arguments: argparse.Namespace) -> int:
    if arguments.id == _STARTER:
        desk.library.use_starter()
        return desk.answer({"chosen": None}, lambda: "The starter answers from now on.")
    model = desk.model(arguments.id)
    desk.library.use(model.id)
    return desk.answer({"chosen": model.id}, lambda: f"{model.name} answers from now on.")


def _move(desk: Desk, arguments: argparse.Namespace) -> int:
    target, line = arguments.folder.expanduser().absolute(), ProgressLine()
    progress = line.fraction("moving the models")

    def move(cancel: CancelToken) -> None:
        desk.supply.downloads.begin()  # what is half fetched moves too
        desk.library.move(target, progress, cancel)

    try:
        wait_for(move)
    finally:
        line.clear()
    folder = desk.library.folder  # one inside `target` where other things lie there
    return desk.answer({"folder": str(folder)}, lambda: f"The models are in {folder} now.")


_ACTIONS: dict[str, Callable[[Desk, argparse.Namespace], int]] = {
    "list": _list,
    "verify": _verify,
    "remove": _remove,
    "import": _import,
    "export": _export,
    "use": _use,
    "move": _move,
    **models_hub.ACTIONS,
}
