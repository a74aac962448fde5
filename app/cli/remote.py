"""`snug remote`: answers from another computer, its key, the offline switch, and what went out.

A key comes from standard input or is typed unseen; on a command line others could read it.
"""

import argparse
import json
from collections.abc import Callable

from app import logs
from app.cli.key_entry import read_key
from app.cli.plan_words import size
from app.cli.words import NOT_ALLOWED, UsageMistake, note, say
from app.ledger import Ledger, to_json
from app.remote import RemoteService, remote_service
from app.settings import REMOTE_ADDRESS, REMOTE_MODEL, Settings
from engine.net.address import parse_address
from engine.types.cancel import CancelToken
from engine.types.connections import Connection, Purpose
from engine.types.remote import RemoteModel

_WHY = {
    Purpose.LIST_MODELS: "list of models",
    Purpose.CHECK_MODEL: "is the model there",
    Purpose.ANSWER: "an answer",
    Purpose.SEARCH: "search for models",
    Purpose.LOOK_AT_MODEL: "look at a model",
    Purpose.DOWNLOAD: "download",
    Purpose.LOOK_FOR_UPDATE: "is there a newer model",
}


def run(arguments: argparse.Namespace) -> int:
    logs.start(arguments.paths)
    settings = Settings(arguments.paths.settings)
    ledger = Ledger(arguments.paths.ledger)
    remote = remote_service(settings, ledger)
    if arguments.action == "log":
        return _log(ledger, as_json=arguments.json)
    actions: dict[str, Callable[[], int]] = {
        "status": lambda: _status(remote, settings, as_json=arguments.json),
        "use": lambda: _use(remote, arguments),
        "models": lambda: _models(remote, _address(arguments, settings), as_json=arguments.json),
        "key": lambda: _key(remote, _address(arguments, settings), arguments),
        "off": lambda: _off(remote),
        "offline": lambda: _offline(remote, offline=True),
        "online": lambda: _offline(remote, offline=False),
    }
    return actions[arguments.action or "status"]()


def answers_from(address: str) -> str:
    """What is said before the first answer of another computer."""
    return f"Answers come from {address}"


def _address(arguments: argparse.Namespace, settings: Settings) -> str:
    address = arguments.address or settings.get(REMOTE_ADDRESS)
    if not address:
        raise UsageMistake("no server is known yet: name its address")
    return parse_address(address)


def _status(remote: RemoteService, settings: Settings, *, as_json: bool) -> int:
    address, model = settings.get(REMOTE_ADDRESS), settings.get(REMOTE_MODEL)
    current = remote.current()
    has_key = bool(address) and remote.has_key(address)
    if as_json:
        body = {
            "on": current is not None,
            "address": address,
            "model": model,
            "has_key": has_key,
            "offline": remote.offline,
        }
        say(json.dumps(body, ensure_ascii=False))
        return 0
    if current is not None:
        say(f"{answers_from(current.address)} ({current.model}).")
    else:
        say("Answers come from this computer.")
        if address:
            say(f"The server used before: {address} ({model}).")
    if address:
        say("A key is kept for it." if has_key else "No key is kept for it.")
    if remote.offline:
        say("Snug is set to stay offline: no server is asked.")
    return 0


def _use(remote: RemoteService, arguments: argparse.Namespace) -> int:
    if not REMOTE_MODEL.accepts(arguments.model) or not arguments.model:
        raise UsageMistake("this can not be the name of a model")
    remote.use(RemoteModel(address=arguments.address, model=arguments.model))
    current = remote.current()
    if current is not None:
        say(f"{answers_from(current.address)} ({current.model}) from now on.")
    if remote.offline:
        note("Snug is set to stay offline: with 'snug remote online' it may ask.")
    return 0


def _models(remote: RemoteService, address: str, *, as_json: bool) -> int:
    names = remote.models(address, None, CancelToken())
    if as_json:
        say(json.dumps({"address": address, "models": names}, ensure_ascii=False))
        return 0
    for name in names:
        say(name)
    if not names:
        note("The server does not tell which models it has.")
    return 0


def _key(remote: RemoteService, address: str, arguments: argparse.Namespace) -> int:
    if arguments.forget:
        if remote.keep_key(address, ""):
            say(f"The key for {address} is forgotten.")
            return 0
        note("The store for secrets did not forget the key: remove it there.")
        return NOT_ALLOWED
    key = read_key(f"Key for {address}: ", "key", from_stdin=arguments.stdin)
    if remote.keep_key(address, key):
        say(f"The key for {address} is kept.")
        return 0
    note("This computer has no store for secrets that works, so the key can not be kept.")
    if remote.keeps_another_key(address):
        note("The key that was kept before is still there, and still used.")
    return NOT_ALLOWED


def _off(remote: RemoteService) -> int:
    remote.stop()
    say("Answers come from this computer from now on.")
    return 0


def _offline(remote: RemoteService, *, offline: bool) -> int:
    remote.set_offline(offline)
    say("Nothing leaves this computer from now on." if offline else "Servers may be asked again.")
    return 0


def _log(ledger: Ledger, *, as_json: bool) -> int:
    records = ledger.read()
    if as_json:
        say(json.dumps({"connections": [to_json(record) for record in records]}))
        return 0
    for record in records:
        say(_line(record))
    if not records:
        say("Nothing has left this computer.")
    return 0


def _line(record: Connection) -> str:
    when = record.at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    where = f"{record.scheme}://{record.host}:{record.port}"
    sent, received = _amount(record.bytes_sent), _amount(record.bytes_received)
    ended = record.outcome.replace("_", " ")
    return f"{when}  {where}  {_WHY[record.purpose]}: {sent} out, {received} in, {ended}"


def _amount(count: int) -> str:
    if count < 1024:
        return f"{count} bytes"
    return f"{count / 1024:.1f} KB" if count < 1 << 20 else size(count)
