"""What the tokenizer's files in a model folder say: the chat template and the control tokens.

Files are read up to a limit and may be missing or make no sense: then there is nothing to say.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.errors import ModelFileError
from engine.models.strangers import Record, read_bytes, read_record, record

_SETTINGS, _TOKENS, _TEMPLATE = "tokenizer_config.json", "tokenizer.json", "chat_template.jinja"
_TOKENIZERS = (_TOKENS, "tokenizer.model", "vocab.json")
_SETTINGS_LIMIT_BYTES = 16 << 20
_TEMPLATE_LIMIT_BYTES = 1 << 20
_TOKENS_HEAD_BYTES = 4 << 20
"""In tokenizer.json the added tokens come first, before a vocabulary of many megabytes."""
_ADDED = re.compile(r'"added_tokens"\s*:\s*')
_MOST_TOKENS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenizerSettings:
    """`template` is None where there is none; `control` are the texts of control tokens."""

    template: str | None
    bos: str
    eos: str
    control: frozenset[str]


def has_tokenizer(folder: Path) -> bool:
    return any((folder / name).is_file() for name in _TOKENIZERS)


def has_template(folder: Path) -> bool:
    return bool((_template(folder, _settings(folder)) or "").strip())


def read_settings(folder: Path) -> TokenizerSettings:
    settings = _settings(folder)
    return TokenizerSettings(
        template=_template(folder, settings),
        bos=_text(settings.get("bos_token")),
        eos=_text(settings.get("eos_token")),
        control=frozenset(text for text in _control(folder, settings) if text),
    )


def _settings(folder: Path) -> Record:
    try:
        return read_record(folder / _SETTINGS, _SETTINGS_LIMIT_BYTES)
    except ModelFileError:
        return {}


def _template(folder: Path, settings: Record) -> str | None:
    """A file of its own, or in the settings: one text, or several of which one is the default."""
    try:
        return read_bytes(folder / _TEMPLATE, _TEMPLATE_LIMIT_BYTES).decode("utf-8", "replace")
    except ModelFileError:
        stated = settings.get("chat_template")
    if isinstance(stated, list):
        named = {_text(record(item).get("name")): record(item).get("template") for item in stated}
        stated = named.get("default")
    return stated if isinstance(stated, str) else None


def _control(folder: Path, settings: Record) -> Iterator[str]:
    """Tokens that both files call special."""
    known = record(settings.get("added_tokens_decoder"))
    listed = _added_tokens(folder)
    for token in (*list(known.values())[:_MOST_TOKENS], *listed):
        if record(token).get("special") is True:
            yield _text(record(token).get("content"))
    for name in ("bos_token", "eos_token", "pad_token", "unk_token"):
        yield _text(settings.get(name))


def _added_tokens(folder: Path) -> list[object]:
    """The list in tokenizer.json, without reading what comes behind it."""
    try:
        with (folder / _TOKENS).open("rb") as file:
            head = file.read(_TOKENS_HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return []
    found = _ADDED.search(head)
    if found is None:
        return []
    try:
        tokens, _ = json.JSONDecoder().raw_decode(head, found.end())
    except (ValueError, RecursionError):
        return []
    return tokens[:_MOST_TOKENS] if isinstance(tokens, list) else []


def _text(value: object) -> str:
    """Tokens are written as a text, or as an object that has it."""
    content = record(value).get("content", value)
    return content if isinstance(content, str) else ""
