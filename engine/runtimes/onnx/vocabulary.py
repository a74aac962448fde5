"""A model's tokens in ONNX Runtime GenAI: text to ids and back.

The library turns every control token that is written in a text into itself, and may begin each
text with a BOS; both are undone here, so that what a person typed stays text.
"""

import re
from collections.abc import Collection, Sequence
from contextlib import closing

from engine.models.onnx_folder import OnnxFolder
from engine.prompting.stream import Utf8Stream
from engine.runtimes.onnx.failures import answering
from engine.runtimes.onnx.native import NativeError
from engine.runtimes.onnx.objects import Tokenizer, TokenStream


class Vocabulary:
    """See `Vocabulary` of `prompting.seams`; `control` are the texts of control tokens."""

    def __init__(self, tokenizer: Tokenizer, folder: OnnxFolder, control: Collection[str]) -> None:
        self._tokenizer = tokenizer
        self._ends = folder.end_tokens
        self._stream: TokenStream | None = None
        self._control = frozenset(control)
        longest_first = sorted(self._control, key=len, reverse=True)
        self._find = re.compile("|".join(map(re.escape, longest_first)) or "(?!)").finditer
        self.bos = folder.bos
        self.eos = folder.eos
        self._begun = tokenizer.encode("a")[:1] if self.bos is not None else []
        self.wants_bos = self._begun == [self.bos]

    def tokenize(self, text: str, *, special: bool) -> list[int]:
        """Token ids of `text`. With `special`, control tokens written in it become themselves."""
        if special:
            return self._encode(text)
        tokens: list[int] = []
        start = 0
        for found in self._find(text):  # cut behind its first letter, no control token is left
            tokens += self._encode(text[start : found.start() + 1])
            start = found.start() + 1
        return tokens + self._encode(text[start:])

    def _encode(self, text: str) -> list[int]:
        if not text:
            return []
        with answering():
            tokens = self._tokenizer.encode(text)
        return tokens[1:] if self.wants_bos and tokens[:1] == self._begun else tokens

    def control_texts(self, text: str) -> set[str]:
        """The control tokens that are written out in `text`."""
        return {found.group() for found in self._find(text)}

    def has(self, text: str) -> bool:
        """Whether `text` is one control token of this vocabulary."""
        return text in self._control

    def is_end(self, token: int) -> bool:
        return token in self._ends

    def pieces(self, tokens: Sequence[int]) -> list[bytes]:
        """Bytes of half a character come with its last token. Nothing once the model is closed: a
        reply that is given up only then need not be remembered."""
        try:
            with closing(self._tokenizer.stream()) as stream:
                return [stream.push(token) for token in tokens]
        except NativeError:
            return [b"" for _ in tokens]

    def reading(self, begun: Sequence[int], /) -> "Reading":
        self.close()
        with answering():
            self._stream = self._tokenizer.stream()
        return Reading(self._stream, begun)

    def close(self) -> None:
        """Free the stream of the last reply, before the tokenizer that it belongs to."""
        if self._stream is not None:
            self._stream.close()


class Reading:
    """See `TextStream`. The library holds half characters back, and drops them at the end."""

    def __init__(self, stream: TokenStream, begun: Sequence[int]) -> None:
        self._stream = stream
        self._utf8 = Utf8Stream()
        for token in begun:
            self.push(token)

    def push(self, token: int) -> str:
        with answering():
            return self._utf8.push(self._stream.push(token))

    def flush(self) -> str:
        return self._utf8.flush()
