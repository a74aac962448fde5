"""The actions of `snug models` that look into a hub, fetch from it, or keep its token.

A token comes from standard input or is typed unseen; on a command line others could read it.
"""

import argparse
from collections.abc import Callable, Sequence

from app.cli.following import follow
from app.cli.key_entry import read_key
from app.cli.model_words import (
    choice_as_json,
    choice_row,
    download_as_json,
    download_rows,
    hit_as_json,
    hit_row,
    judged_as_json,
    judged_row,
    table,
)
from app.cli.models_desk import Desk
from app.cli.waiting import wait_for
from app.cli.words import NOT_ALLOWED, UsageMistake, note
from app.shop import Choice
from engine.errors import DoesNotFit, TokenRefused
from engine.types.cancel import CancelToken
from engine.types.library import InstalledModel
from engine.types.models import ModelFormat
from engine.types.plans import Verdict


def _catalogue(desk: Desk, _arguments: argparse.Namespace) -> int:
    judged = wait_for(desk.supply.shop.judged)
    body = {
        "hub": desk.supply.hub.hub().address,
        "models": [judged_as_json(one) for one in judged],
    }
    return desk.answer(body, lambda: table([judged_row(one) for one in judged]))


def _search(desk: Desk, arguments: argparse.Namespace) -> int:
    library = ModelFormat.ONNX if arguments.onnx else ModelFormat.GGUF
    text = arguments.text
    hits = wait_for(lambda cancel: desk.supply.shop.search(text, cancel, library=library))
    body = {"hub": desk.supply.hub.hub().address, "repos": [hit_as_json(hit) for hit in hits]}
    nothing = "The hub has nothing of that name."
    return desk.answer(body, lambda: table([hit_row(hit) for hit in hits]) if hits else nothing)


def _look(desk: Desk, arguments: argparse.Namespace) -> int:
    shop = desk.supply.shop
    repo = shop.repo_named(arguments.repo)
    choices = wait_for(lambda cancel: shop.look(repo, cancel))
    body = {
        "repo": repo,
        "page": shop.page_of(repo),
        "choices": [choice_as_json(choice) for choice in choices],
    }
    nothing = "There is no model in it that Snug can use."
    return desk.answer(
        body, lambda: table([choice_row(choice) for choice in choices]) if choices else nothing
    )


# --- fetching -------------------------------------------------------------------------------------


def _add(desk: Desk, arguments: argparse.Namespace) -> int:
    """Choose, look whether it fits, and fetch it."""
    choice = wait_for(lambda cancel: _chosen(desk, arguments, cancel))
    if choice.refusal is not None:
        raise choice.refusal
    plan = choice.plan
    if plan is not None and plan.verdict is Verdict.TOO_BIG and not arguments.anyway:
        raise DoesNotFit(desk.library.folder / choice.offering.files[0].path, plan)
    wanted = desk.supply.shop.wanted(choice, with_projector=not arguments.no_projector)
    downloads = desk.supply.downloads
    downloads.begin()
    if desk.supply.shop.metered():
        note("This connection may cost money. Ctrl+C pauses the download.")
    follow(desk, {wanted.id}, lambda: downloads.start(wanted))
    added = [m for m in desk.library.models(refresh=True) if m.path.is_relative_to(wanted.folder)]
    body = {"added": desk.as_values(added) if desk.as_json else [], "folder": str(wanted.folder)}
    return desk.answer(body, lambda: "\n".join(f"{m.name} is here: {m.id}" for m in added))


def _chosen(desk: Desk, arguments: argparse.Namespace, cancel: CancelToken) -> Choice:
    shop, name = desk.supply.shop, arguments.model
    if any(entry.id == name for entry in shop.catalogue()):
        return shop.look_entry(name, cancel)
    repo, _, quantization = shop.repo_named(name).partition(":")
    if "/" not in repo:
        raise UsageMistake(f"{name!r} is neither of the catalogue nor a repository (owner/name)")
    choices = shop.look(repo, cancel)
    found = [choice for choice in choices if _is_meant(choice, quantization, arguments.file)]
    if not found:
        there = ", ".join(choice.offering.quantization for choice in choices) or "nothing"
        raise UsageMistake(f"{repo} has no such model that Snug can use; it has: {there}")
    return found[0] if found[0].exact else shop.exactly(found[0], cancel)


def _is_meant(choice: Choice, quantization: str, file: str | None) -> bool:
    paths = [it.path for it in choice.offering.files]
    if file is not None and not any(path == file or path.endswith(f"/{file}") for path in paths):
        return False
    return not quantization or choice.offering.quantization == quantization.upper()


def _download(desk: Desk, arguments: argparse.Namespace) -> int:
    """Go on with what is not done, or show it."""
    downloads = desk.supply.downloads
    downloads.begin()
    known = downloads.statuses()
    meant = [it for it in known if arguments.id is None or it.id.startswith(arguments.id)]
    if arguments.id is not None and not meant:
        raise UsageMistake(f"there is no download {arguments.id!r}")
    if arguments.discard:
        _give_up(desk, [it.id for it in meant])
    elif meant and not arguments.list:
        _go_on(desk, [it.id for it in meant])
    now = downloads.statuses()
    nothing = "Nothing is on its way."
    return desk.answer(
        {"downloads": [download_as_json(status) for status in now]},
        lambda: table(download_rows(now)) if now else nothing,
    )


def _give_up(desk: Desk, ids: Sequence[str]) -> None:
    """Raises why the first one could not be given up."""
    downloads = desk.supply.downloads
    for download_id in ids:
        downloads.cancel(download_id)
    for status in downloads.statuses():
        if status.id in ids and status.error is not None:
            raise status.error


def _go_on(desk: Desk, ids: Sequence[str]) -> None:
    def begin() -> None:
        for download_id in ids:
            desk.supply.downloads.resume(download_id)

    follow(desk, ids, begin)


def _updates(desk: Desk, arguments: argparse.Namespace) -> int:
    models = desk.library.models() if arguments.id is None else (desk.model(arguments.id),)
    asked = [model for model in models if model.manifest is not None and model.manifest.origin]
    found = [(model, _is_updated(desk, model)) for model in asked]
    body = [{"id": model.id, "name": model.name, "update": newer} for model, newer in found]
    words = {True: "there is a newer one", False: "the newest", None: "nobody can tell"}
    rows = [(model.name, words[newer], model.id) for model, newer in found]
    nothing = "No model here came from a hub."
    return desk.answer({"updates": body}, lambda: table(rows) if rows else nothing)


def _is_updated(desk: Desk, model: InstalledModel) -> bool | None:
    return wait_for(lambda cancel: desk.library.check_update(model.id, cancel))


# --- the token ------------------------------------------------------------------------------------


def _token(desk: Desk, arguments: argparse.Namespace) -> int:
    shop, hub = desk.supply.shop, desk.supply.hub.hub().address
    if arguments.forget:
        kept = shop.keep_token("")
        if not kept:
            why = "The store for secrets did not forget the token: remove it there."
            return _store_failed(desk, why, kept=True)
        return desk.answer({"kept": False}, lambda: f"The token for {hub} is forgotten.")
    text = read_key(f"Token for {hub}: ", "token", from_stdin=arguments.stdin)
    try:
        kept = shop.keep_token(text)
    except TokenRefused as error:  # by us: no hub was asked
        raise UsageMistake("a token has letters, digits and signs only") from error
    if not kept:
        why = (
            "This computer has no store for secrets that works, so the token can not be kept. "
            "Snug's window can use one until it is closed."
        )
        return _store_failed(desk, why, kept=False)
    return desk.answer({"kept": True}, lambda: f"The token for {hub} is kept.")


def _store_failed(desk: Desk, why: str, *, kept: bool) -> int:
    note(why)
    desk.answer({"kept": kept}, lambda: "")
    return NOT_ALLOWED


ACTIONS: dict[str, Callable[[Desk, argparse.Namespace], int]] = {
    "catalogue": _catalogue,
    "search": _search,
    "look": _look,
    "add": _add,
    "download": _download,
    "updates": _updates,
    "token": _token,
}
