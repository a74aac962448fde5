"""A model's tokens: text to ids and back. Look-ups are cached, since each reply asks for them.

Token ids are ints; an absent special token is None, never llama.cpp's -1, which crashes look-ups.
"""

import ctypes
from collections.abc import Sequence
from typing import Any

from engine.prompting.stream import PieceStream

_PIECE_BYTES = 64


class Vocabulary:
    """The vocabulary of one loaded model; valid as long as the model is."""

    def __init__(self, api: Any, model: int) -> None:
        self._api = api
        self._pointer = api.llama_model_get_vocab(model)
        self.size = int(api.llama_vocab_n_tokens(self._pointer))
        self.bos = self._special(api.llama_vocab_bos)
        self.eos = self._special(api.llama_vocab_eos)
        self.wants_bos = bool(api.llama_vocab_get_add_bos(self._pointer)) and self.bos is not None
        self._pieces: dict[int, bytes] = {}
        self._ends: dict[int, bool] = {}

    def _special(self, look_up: Any) -> int | None:
        token = int(look_up(self._pointer))
        return token if 0 <= token < self.size else None

    def tokenize(self, text: str, *, special: bool) -> list[int]:
        """Token ids of `text`. With `special`, control tokens written in it become themselves."""
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        buffer = (ctypes.c_int32 * room)()
        count = self._api.llama_tokenize(
            self._pointer, data, len(data), buffer, room, False, special
        )
        if count < 0:
            room = -count
            buffer = (ctypes.c_int32 * room)()
            count = self._api.llama_tokenize(
                self._pointer, data, len(data), buffer, room, False, special
            )
        return buffer[: max(count, 0)]

    def piece(self, token: int) -> bytes:
        """The bytes of one token as shown to a person: nothing for control tokens."""
        known = self._pieces.get(token)
        if known is None:
            known = self._pieces[token] = self._read_piece(token, special=False)
        return known

    def pieces(self, tokens: Sequence[int]) -> list[bytes]:
        return [self.piece(token) for token in tokens]

    def reading(self, _begun: Sequence[int]) -> PieceStream:
        """A piece does not depend on those before it."""
        return PieceStream(self.piece)

    def is_end(self, token: int) -> bool:
        """Whether the token ends a reply: any of the model's end-of-generation tokens."""
        known = self._ends.get(token)
        if known is None:
            known = bool(self._api.llama_vocab_is_eog(self._pointer, token))
            self._ends[token] = known
        return known

    def text_of(self, token: int | None) -> str:
        """How a special token is written, "" for an absent one."""
        if token is None:
            return ""
        return self._read_piece(token, special=True).decode("utf-8", "replace")

    def has(self, text: str) -> bool:
        """Whether `text` is one control token of this vocabulary."""
        tokens = self.tokenize(text, special=True)
        return len(tokens) == 1 and self._is_control(tokens[0])

    def control_texts(self, text: str) -> set[str]:
        """The control tokens that are written out in `text`, as they are written there."""
        with_special = self.tokenize(text, special=True)
        if with_special == self.tokenize(text, special=False):
            return set()
        return {self.text_of(token) for token in with_special if self._is_control(token)} - {""}

    def _is_control(self, token: int) -> bool:
        attributes = self._api.llama_vocab_get_attr(self._pointer, token)
        control = self._api.LLAMA_TOKEN_ATTR_CONTROL | self._api.LLAMA_TOKEN_ATTR_UNKNOWN
        return bool(attributes & control)

    def _read_piece(self, token: int, *, special: bool) -> bytes:
        buffer = ctypes.create_string_buffer(_PIECE_BYTES)
        size = self._api.llama_token_to_piece(
            self._pointer, token, buffer, _PIECE_BYTES, 0, special
        )
        if size < 0:
            buffer = ctypes.create_string_buffer(-size)
            size = self._api.llama_token_to_piece(self._pointer, token, buffer, -size, 0, special)
        return buffer.raw[: max(size, 0)]
