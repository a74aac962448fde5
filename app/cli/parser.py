"""The commands and their options, declared once."""

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

from app.cli import ask, bench, chat, doctor, fit, hardware, inspect_file, packs, remote
from app.cli.words import UsageMistake
from engine.types.plans import KvType

_MOST_CONTEXT = 1 << 24
_MOST_UBATCH = 4096


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageMistake(f"{message}\n{self.format_usage().strip()}")


def _number(kind: type[int] | type[float], low: float, high: float, text: str) -> float:
    try:
        value = kind(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"{text} is not between {low} and {high}")
    return value


def _count(high: int, low: int = 1) -> Callable[[str], float]:
    return partial(_number, int, low, high)


def _model_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--model",
        type=Path,
        metavar="FILE",
        help="a GGUF file, or a folder for ONNX Runtime; else the starter",
    )
    command.add_argument(
        "--context", type=_count(_MOST_CONTEXT), metavar="N", help="tokens the model can hold"
    )
    command.add_argument(
        "--anyway", action="store_true", help="load it although it may not fit into memory"
    )


def _ask(commands: "argparse._SubParsersAction[_Parser]") -> None:
    command = commands.add_parser("ask", help="ask one question")
    command.add_argument("text", help="the question; - reads it from standard input")
    _model_options(command)
    command.add_argument("--max-tokens", type=_count(1 << 20), default=ask.MAX_TOKENS, metavar="N")
    command.add_argument("--temperature", type=partial(_number, float, 0.0, 5.0), metavar="T")
    command.add_argument("--seed", type=_count((1 << 32) - 1, 0), metavar="S")
    command.add_argument("--system", metavar="TEXT", help="how the model should behave")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=ask.run)


def _others(commands: "argparse._SubParsersAction[_Parser]") -> None:
    command = commands.add_parser("chat", help="talk in the terminal")
    _model_options(command)
    command.set_defaults(run=chat.run)
    command = commands.add_parser("inspect", help="what is in a model file")
    command.add_argument("file", type=Path, help="or a folder for ONNX Runtime")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=inspect_file.run)
    command = commands.add_parser("doctor", help="is everything in place")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=doctor.run)
    command = commands.add_parser("bench", help="our speed against bare llama.cpp")
    _model_options(command)
    command.add_argument("--rounds", type=_count(100), default=15, metavar="N")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=bench.run)


def _fitting(commands: "argparse._SubParsersAction[_Parser]") -> None:
    command = commands.add_parser("hardware", help="what this computer has for a model")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=hardware.run)
    command = commands.add_parser("fit", help="does a model fit this computer, and how")
    command.add_argument("file", type=Path, help="or a folder for ONNX Runtime")
    command.add_argument("--context", type=_count(_MOST_CONTEXT), metavar="N")
    command.add_argument("--kv", choices=[kind.value for kind in KvType])
    command.add_argument("--ubatch", type=_count(_MOST_UBATCH, 16), metavar="N")
    command.add_argument("--hardware", type=Path, metavar="MACHINE.json", help="another machine")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=fit.run)


def _packs(commands: "argparse._SubParsersAction[_Parser]") -> None:
    command = commands.add_parser("packs", help="parts of the engine that came later")
    actions = command.add_subparsers(required=True, metavar="ACTION", dest="action")
    actions.add_parser("list", help="what is installed")
    action = actions.add_parser("import", help="install a pack from a file")
    action.add_argument("file", type=Path)
    for name, text in (
        ("remove", "delete a pack"),
        ("restore", "go back to the pack before"),
        ("check", "read the files of a pack again, or of all"),
    ):
        action = actions.add_parser(name, help=text)
        action.add_argument("id", nargs="?" if name == "check" else None)
    for action in actions.choices.values():
        action.add_argument("--json", action="store_true")
        action.set_defaults(run=packs.run)


def _remote(commands: "argparse._SubParsersAction[_Parser]") -> None:
    command = commands.add_parser("remote", help="answers from another computer")
    command.set_defaults(run=remote.run, json=False)
    actions = command.add_subparsers(metavar="ACTION", dest="action")
    for name, text in (
        ("status", "where answers come from (what you get without an action)"),
        ("models", "what a server has"),
        ("log", "what left this computer"),
    ):
        actions.add_parser(name, help=text).add_argument("--json", action="store_true")
    use = actions.add_parser("use", help="answer with a model of a server")
    use.add_argument("address", help="such as http://nas:8080/v1")
    use.add_argument("--model", required=True, metavar="NAME", help="as the server calls it")
    key = actions.add_parser("key", help="keep a server's key; typed, or from standard input")
    key.add_argument("--stdin", action="store_true", help="read it from standard input")
    key.add_argument("--forget", action="store_true", help="delete it")
    for action in (actions.choices["models"], key):
        action.add_argument("address", nargs="?", help="the server; else the one in use")
    actions.add_parser("off", help="answer on this computer again")
    actions.add_parser("offline", help="let nothing leave this computer")
    actions.add_parser("online", help="allow servers to be asked again")


def _models(commands: "argparse._SubParsersAction[_Parser]") -> None:
    command = commands.add_parser("models", help="models: here, to be had, and on their way")
    actions = command.add_subparsers(required=True, metavar="ACTION", dest="action")
    actions.add_parser("list", help="what is on this computer")
    actions.add_parser("catalogue", help="models worth having, and how each would run here")
    search = actions.add_parser("search", help="look for models at the hub")
    search.add_argument("text")
    search.add_argument("--onnx", action="store_true", help="folders for ONNX Runtime")
    look = actions.add_parser("look", help="the models of a repository at the hub")
    look.add_argument("repo", help="owner/name")
    _fetching(actions)
    _keeping(actions)
    for action in actions.choices.values():
        action.add_argument("--json", action="store_true")
        action.set_defaults(run=_run_models)


def _run_models(arguments: argparse.Namespace) -> int:
    from app.cli import models  # noqa: PLC0415 - `snug --help` must stay instant

    return models.run(arguments)


def _fetching(actions: "argparse._SubParsersAction[_Parser]") -> None:
    add = actions.add_parser("add", help="fetch a model: of the catalogue, or of a repository")
    add.add_argument("model", help="its id in the catalogue, or owner/name, or owner/name:Q4_K_M")
    add.add_argument("--file", metavar="NAME", help="the file of the repository that is meant")
    add.add_argument("--no-projector", action="store_true", help="without what lets it see")
    add.add_argument("--anyway", action="store_true", help="although it does not fit")
    download = actions.add_parser("download", help="go on with what is not done")
    download.add_argument("id", nargs="?", help="this one only")
    download.add_argument("--list", action="store_true", help="only show what there is")
    download.add_argument("--discard", action="store_true", help="give it up, and delete its parts")
    updates = actions.add_parser("updates", help="ask the hub whether there are newer ones")
    updates.add_argument("id", nargs="?", help="this one only")
    token = actions.add_parser("token", help="keep the hub's token; typed, or from standard input")
    token.add_argument("--stdin", action="store_true", help="read it from standard input")
    token.add_argument("--forget", action="store_true", help="delete it")


def _keeping(actions: "argparse._SubParsersAction[_Parser]") -> None:
    use = actions.add_parser("use", help="the model that answers from now on")
    use.add_argument("id", help="as in the list, or: starter")
    verify = actions.add_parser("verify", help="read every byte and compare")
    verify.add_argument("id", nargs="?", help="this one only")
    remove = actions.add_parser("remove", help="put a model into the bin")
    remove.add_argument("id")
    remove.add_argument("--for-good", action="store_true", help="delete it at once")
    bring = actions.add_parser("import", help="take in models from files, folders, a stick")
    bring.add_argument("paths_to_add", nargs="+", type=Path, metavar="PATH")
    bring.add_argument("--in-place", action="store_true", help="use them where they are")
    export = actions.add_parser("export", help="a folder to take along")
    export.add_argument("id")
    export.add_argument("folder", type=Path, help="on a stick, say")
    move = actions.add_parser("move", help="keep all models in another folder")
    move.add_argument("folder", type=Path)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The chosen command's arguments with its function as `run`. Raises `UsageMistake`."""
    parser = _Parser(prog="snug", description="A private assistant that fits your computer.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    _ask(commands)
    _others(commands)
    _fitting(commands)
    _models(commands)
    _packs(commands)
    _remote(commands)
    return parser.parse_args(argv)
