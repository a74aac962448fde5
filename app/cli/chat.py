"""`snug chat`: the assistant in a terminal. What is said is kept with the window's chats.

Reads lines until the end of input or /quit; Ctrl+C stops a reply.
"""

import argparse
import sys
from queue import SimpleQueue

from app import container, logs
from app.cli.ask import tell_fallback, tell_loaded
from app.cli.ending import undisturbed
from app.cli.remote import answers_from
from app.cli.words import note, report, say
from app.errors import DatabaseSetAside
from app.events import Event, HistoryTrimmed, ModelReady, ReplyEnded, ReplyGrew
from app.instance import only_instance
from app.models import ModelService

_CLOSE_S = 5.0
_HELP = "Ctrl+C stops an answer, /new starts over, /quit ends."


def run(arguments: argparse.Namespace) -> int:
    logs.start(arguments.paths)
    services = container.build(
        arguments.paths, model_file=arguments.model, context_length=arguments.context
    )
    try:
        with only_instance(arguments.paths.data) as alone:
            if alone:  # only for a moment: the window may be opened meanwhile
                services.conversations.tidy()
        if arguments.anyway:
            services.models.load_anyway()
        return _Talk(services, arguments.context).run()
    finally:
        with undisturbed():
            services.close(_CLOSE_S)


class _Talk:
    """One conversation in the terminal."""

    def __init__(self, services: container.Container, wanted_context: int | None) -> None:
        self._services = services
        self._wanted_context = wanted_context
        self._conversation: str | None = None
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._exit_code = 0
        services.events.subscribe(self._events.put)

    def run(self) -> int:
        self._services.chat.prepare(by_person=True)
        if (aside := self._services.database.moved_aside) is not None:
            report(DatabaseSetAside(aside), as_json=False)
        note(f"{_place(self._services.models)} {_HELP}")
        while (line := self._read()) is not None:
            if line == "/quit":
                break
            if line == "/new":
                self._conversation = None
            elif line:
                self._say(line)
        return self._exit_code

    def _read(self) -> str | None:
        if sys.stdin is None:
            return None
        if sys.stdin.isatty():
            say("› ", end="")
        try:
            line = sys.stdin.buffer.readline()
        except KeyboardInterrupt:
            return None
        return line.decode("utf-8", "replace").strip() if line else None

    def _say(self, text: str) -> None:
        self._conversation = self._services.chat.send(self._conversation, text)
        while not isinstance(event := self._next(), ReplyEnded):
            self._show(event)
        say("")
        if event.error is not None:
            self._exit_code = report(event.error, as_json=False)

    def _next(self) -> Event:
        while True:
            try:
                return self._events.get()
            except KeyboardInterrupt:
                if self._conversation is not None:
                    self._services.chat.stop(self._conversation)

    def _show(self, event: Event) -> None:
        match event:
            case ReplyGrew(text=text):
                say(text, end="")
            case ModelReady(info=info) if info.spec.remote is None:  # that was said at once
                tell_fallback(self._services.models)
                tell_loaded(info, self._wanted_context)
            case HistoryTrimmed(dropped_turns=dropped):
                note(f"(The oldest {dropped} messages no longer fit and were left out.)")


def _place(models: ModelService) -> str:
    """Where answers come from, in words for the first line."""
    remote = models.remote
    return "Private – on this computer." if remote is None else f"{answers_from(remote.address)}."
