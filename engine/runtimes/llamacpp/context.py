"""One llama.cpp context: evaluates tokens and remembers them. Used by one thread at a time."""

import ctypes
from collections.abc import Sequence
from typing import Any

from engine.prompting.seams import Decoded
from engine.runtimes.llamacpp.abort import AbortFlag
from engine.runtimes.llamacpp.failures import decode_error, load_error
from engine.runtimes.llamacpp.native import log_tail
from engine.runtimes.llamacpp.parameters import context_parameters
from engine.types.models import LoadSpec


class Context:
    """`tokens` mirrors what the native memory holds, position by position."""

    def __init__(self, api: Any, model: int, spec: LoadSpec) -> None:
        """Raises `OutOfMemory` or, if the model can not run this layout, `LoadFailed`."""
        self._api = api
        self._abort = AbortFlag(api.ggml_abort_callback)
        parameters = context_parameters(api, spec.layout, self._abort)
        self._pointer = api.llama_init_from_model(model, parameters)
        if not self._pointer:
            raise load_error(spec, log_tail.take() or "no context")
        self._memory = api.llama_get_memory(self._pointer)
        self._window = int(api.llama_model_n_swa(model))
        self._one = (ctypes.c_int32 * 1)()
        self._one_batch = api.llama_batch_get_one(self._one, 1)
        self.length = int(api.llama_n_ctx(self._pointer))
        self.ubatch = int(api.llama_n_ubatch(self._pointer))
        self.tokens: list[int] = []

    @property
    def pointer(self) -> Any:
        return self._pointer

    def abort(self) -> None:
        """End a running `decode` within milliseconds. Callable from any thread."""
        self._abort.set()

    def allow(self) -> None:
        """Take `abort` back before new work."""
        self._abort.clear()

    def decode(self, tokens: Sequence[int]) -> Decoded:
        """Evaluate up to `ubatch` tokens after those in memory.

        On ABORTED and FULL nothing of them stays in memory. Raises `EngineStopped` or
        `OutOfMemory`.
        """
        buffer = (ctypes.c_int32 * len(tokens))(*tokens)  # must outlive the call below
        return self._decode(self._api.llama_batch_get_one(buffer, len(tokens)), tokens)

    def decode_one(self, token: int) -> Decoded:
        """`decode` of a single token, without building a batch."""
        self._one[0] = token
        return self._decode(self._one_batch, (token,))

    def _decode(self, batch: Any, tokens: Sequence[int]) -> Decoded:
        result = self._api.llama_decode(self._pointer, batch)
        if result == 0:
            self.tokens.extend(tokens)
            return Decoded.DONE
        self.keep(len(self.tokens))
        if result in (Decoded.FULL.value, Decoded.ABORTED.value):
            return Decoded(result)
        raise decode_error(result, log_tail.take())

    def keep(self, count: int) -> int:
        """Forget all but the first `count` tokens; returns how many could be kept.

        Recurrent memories can not go back, and a sliding window only as far as it reaches:
        then everything is forgotten and 0 returned.
        """
        if not self._within_window(count) or not self._api.llama_memory_seq_rm(
            self._memory, 0, count, -1
        ):
            self._api.llama_memory_clear(self._memory, False)
            count = 0
        del self.tokens[count:]
        return count

    def _within_window(self, count: int) -> bool:
        if not self._window or count == 0:
            return True
        first_kept = int(self._api.llama_memory_seq_pos_min(self._memory, 0))
        return first_kept <= max(0, count - self._window)

    def close(self) -> None:
        if self._pointer:
            self._api.llama_free(self._pointer)
            self._pointer = None
