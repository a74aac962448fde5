"""Chat templates: from messages to the text of a prompt.

A model's own template comes with its file and may be missing, broken or hostile; then a format
of ours takes its place and the person gets a notice. Used by one thread at a time.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime

from engine.errors import TemplateFailed
from engine.prompting.formats import FORMATS, Format, fitting_format
from engine.prompting.sandbox import TemplateSandbox
from engine.types.chat import Message, Role
from engine.types.models import Notice

_log = logging.getLogger(__name__)

_MAX_SOURCE_CHARS = 256 * 1024
"""Compiling takes some 15 microseconds a character; templates in the wild have up to 40,000."""
_END_MARKS = ("<|im_end|>", "<|eot_id|>", "<end_of_turn>", "<|end|>", "<|end_of_text|>", "</s>")

_SYSTEM = Message(role=Role.SYSTEM, content="Rule11")
_USER = Message(role=Role.USER, content="Question22")
_AGAIN = Message(role=Role.USER, content="Question33")
_REPLY = Message(role=Role.ASSISTANT, content="Answer44")
_MORE = Message(role=Role.ASSISTANT, content="Answer55")


def _local_now() -> datetime:
    return datetime.now().astimezone()


class ChatTemplate:
    """A compiled template and what trying it has shown.

    `supports_system`: it takes a system message and shows it. `needs_alternation`: it wants
    user and assistant in turns, the user first. `stop`: texts that end a reply.
    """

    __slots__ = (
        "_as_parts",
        "_sandbox",
        "_template",
        "_values",
        "needs_alternation",
        "stop",
        "supports_system",
    )

    def __init__(
        self,
        source: str,
        *,
        bos: str = "",
        eos: str = "",
        stop: tuple[str, ...] = (),
        now: Callable[[], datetime] = _local_now,
    ) -> None:
        """`bos`, `eos`: texts of the tokens, empty where a model has none.

        Raises `TemplateFailed` for a template that can not render a plain conversation.
        """
        self._sandbox = TemplateSandbox(now)
        self._values = {
            "bos_token": bos,
            "eos_token": eos,
            "tools": None,
            "documents": None,
            "add_generation_prompt": True,
        }
        self._compile(source)
        self.stop = stop
        self._as_parts = False
        self._find_form_of_content()
        self.supports_system = self._shows(_SYSTEM, _USER)
        self.needs_alternation = not (
            self._shows(_USER, _AGAIN)
            and self._shows(_REPLY, _USER)
            and self._shows(_USER, _REPLY, _MORE, _AGAIN)
        )

    def render(self, messages: Sequence[Message]) -> str:
        """The prompt up to where the reply begins. Raises `TemplateFailed`."""
        turns = [
            {"role": message.role.value, "content": self._content(message.content)}
            for message in messages
        ]
        try:
            return self._sandbox.render(self._template, turns, self._values)
        except Exception as error:
            raise TemplateFailed(_reason(error)) from error

    def _compile(self, source: str) -> None:
        if len(source) > _MAX_SOURCE_CHARS:
            raise TemplateFailed(f"{len(source)} characters")
        try:
            self._template = self._sandbox.from_string(source)
        except Exception as error:
            raise TemplateFailed(_reason(error)) from error

    def _content(self, text: str) -> object:
        return [{"type": "text", "text": text}] if self._as_parts else text

    def _find_form_of_content(self) -> None:
        """Templates of models that see pictures may want a list of parts instead of a text."""
        for self._as_parts in (False, True):
            if self._shows(_USER) and self._shows(_USER, _REPLY, _AGAIN):
                return
        self._as_parts = False
        raise TemplateFailed(self._reason_against(_USER, _REPLY, _AGAIN))

    def _shows(self, *messages: Message) -> bool:
        try:
            text = self.render(messages)
        except TemplateFailed:
            return False
        return all(message.content in text for message in messages)

    def _reason_against(self, *messages: Message) -> str:
        try:
            self.render(messages)
        except TemplateFailed as error:
            return error.detail
        return "it leaves out what was said"


def choose_template(
    source: str | None, architecture: str, has_token: Callable[[str], bool], bos: str, eos: str
) -> tuple[ChatTemplate, tuple[Notice, ...]]:
    """The template of a model's file, or a format of ours with a notice.

    `source` is what the file says: a template, the name of one of our formats, or nothing.
    `has_token` tells whether a text is one token of the vocabulary.
    """
    written = (source or "").strip()
    if source is None or not written or written in FORMATS:
        known = FORMATS.get(written) or fitting_format(
            architecture, has_token, learned_to_chat=False
        )
        return _built_in(known, bos, eos), (Notice.TEMPLATE_MISSING,)
    try:
        stop = tuple(mark for mark in _END_MARKS if mark in source and not has_token(mark))
        return ChatTemplate(source, bos=bos, eos=eos, stop=stop), ()
    except TemplateFailed as error:
        _log.info("the chat template of the model is not usable: %s", error.detail)
    known = fitting_format(architecture, has_token, learned_to_chat=True)
    return _built_in(known, bos, eos), (Notice.TEMPLATE_BROKEN,)


def _built_in(known: Format, bos: str, eos: str) -> ChatTemplate:
    return ChatTemplate(known.source, bos=bos, eos=eos, stop=known.stop)


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:500]
