"""One sequence of ONNX Runtime GenAI: evaluates tokens and remembers them.

One generator lives as long as the model: making another takes a second cache's memory, and with
DirectML it is not always given back (onnxruntime-genai 1620). Used by one thread, but for `abort`.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event

from engine.errors import EngineError
from engine.prompting.seams import Decoded
from engine.runtimes.onnx.failures import answering
from engine.runtimes.onnx.native import NativeError
from engine.runtimes.onnx.objects import Generator, Logits

_APPENDING = frozenset({"CPU", "CUDA", "WEBGPU"})
"""Where tokens may be appended to what was evaluated before (`Generator::AppendTokens` in
src/generators.cpp); elsewhere every prompt is read from its beginning, in one piece."""


class Context:
    """See `Context` of `prompting.seams`. `make` gives a fresh generator for `length` tokens."""

    def __init__(
        self, make: Callable[[], Generator], device: str, *, length: int, ubatch: int
    ) -> None:
        self._make = make
        self._generator = make()
        self._appending = device.upper() in _APPENDING
        self._aborted = Event()
        self._reading = False
        self._vocabulary = 0
        self.length = length
        self.ubatch = min(ubatch, length) if self._appending else length
        self.tokens: list[int] = []

    def logits(self) -> Logits:
        """Raises `NativeError`."""
        logits = self._generator.logits()
        self._vocabulary = len(logits)
        return logits

    def abort(self) -> None:
        """End a `decode` of a prompt within milliseconds, where the library can. A single token
        is not interrupted: it ends soon, and the cache stays sound."""
        self._aborted.set()
        if self._reading:
            self._terminate(really=True)

    def allow(self) -> None:
        if self._aborted.is_set():
            self._aborted.clear()
            self._terminate(really=False)

    def _terminate(self, *, really: bool) -> None:
        if self._generator.can_terminate:
            with suppress(NativeError):
                self._generator.terminate(really=really)

    def decode(self, tokens: Sequence[int]) -> Decoded:
        """Evaluate `tokens`, all of them or none. Raises `EngineStopped` or `OutOfMemory`."""
        if len(self.tokens) + len(tokens) > self.length:
            return Decoded.FULL
        self._reading = True
        try:
            return self._appended(tokens)
        finally:
            self._reading = False

    def _appended(self, tokens: Sequence[int]) -> Decoded:
        if self._aborted.is_set():  # asked after `_reading` was set: no abort is missed
            return Decoded.ABORTED
        try:
            self._evaluate(tokens)
        except EngineError:
            if self._aborted.is_set():
                return Decoded.ABORTED
            raise
        return Decoded.DONE

    def decode_one(self, token: int) -> Decoded:
        if len(self.tokens) >= self.length:
            return Decoded.FULL
        self._evaluate((token,))
        return Decoded.DONE

    def _evaluate(self, tokens: Sequence[int]) -> None:
        try:
            with answering():
                if self._appending or not self.tokens:
                    self._generator.append(tokens)
                else:
                    self._generator.force(tokens[0], self._vocabulary)
        except EngineError:
            self._start_anew()
            raise
        self.tokens.extend(tokens)

    def keep(self, count: int) -> int:
        """Forget all but the first `count` tokens; returns how many could be kept.

        A recurrent or windowed cache may not go back: then everything is forgotten.
        """
        count = count if self._appending else 0
        if count == len(self.tokens):
            return count
        try:
            self._generator.rewind(count)
        except NativeError:
            self._start_anew()
            return 0
        del self.tokens[count:]
        return count

    def _start_anew(self) -> None:
        """After a failed or stopped evaluation nobody knows what the cache holds."""
        self.tokens.clear()
        self._terminate(really=False)
        try:
            self._generator.rewind(0)
        except NativeError:
            self._generator.close()
            with answering():
                self._generator = self._make()

    def close(self) -> None:
        self._generator.close()
