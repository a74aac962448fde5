"""The library's objects as Python ones. Each is closed by who made it; twice is safe.

They hold native memory, so that none waits for a collector. One thread at a time, but for
`Generator.terminate`. Any method may raise `NativeError`.
"""

import ctypes
from collections.abc import Sequence

from engine.runtimes.onnx.arrays import NDArray, np
from engine.runtimes.onnx.native import Library, NativeError

_FLOAT32 = 1
"""`OgaElementType_float32`."""
_TERMINATE = b"terminate_session"

Logits = NDArray[np.float32]


class _Object:
    """`destroy` names the function that frees it."""

    destroy = ""

    def __init__(self, library: Library, pointer: ctypes.c_void_p) -> None:
        self._library = library
        self._pointer = pointer

    @property
    def pointer(self) -> ctypes.c_void_p:
        """Never that of something freed: the library would follow it."""
        if not self._pointer:
            raise NativeError(f"{type(self).__name__} is closed")
        return self._pointer

    def close(self) -> None:
        if self._pointer:
            self._library.drop(self.destroy, self._pointer)
            self._pointer = ctypes.c_void_p()


def _int32s(tokens: Sequence[int]) -> "ctypes.Array[ctypes.c_int32]":
    return (ctypes.c_int32 * len(tokens))(*tokens)


class Config(_Object):
    """A folder's genai_config.json, to be changed before a model is made of it."""

    destroy = "OgaDestroyConfig"

    def __init__(self, library: Library, folder: bytes) -> None:
        super().__init__(library, library.make("OgaCreateConfig", folder))

    def only_provider(self, name: str | None) -> None:
        """Run on this provider; None is the processor."""
        self._library.call("OgaConfigClearProviders", self.pointer)
        if name is not None:
            self._library.call("OgaConfigAppendProvider", self.pointer, name.encode())

    def overlay(self, json: str) -> None:
        self._library.call("OgaConfigOverlay", self.pointer, json.encode())


class Model(_Object):
    destroy = "OgaDestroyModel"

    def __init__(self, library: Library, config: Config) -> None:
        super().__init__(library, library.make("OgaCreateModelFromConfig", config.pointer))

    @property
    def device(self) -> str:
        """What it really runs on, as the library calls it: CPU, CUDA, DML …"""
        text = self._library.make("OgaModelGetDeviceType", self.pointer)
        try:
            return (ctypes.cast(text, ctypes.c_char_p).value or b"").decode("utf-8", "replace")
        finally:
            self._library.drop("OgaDestroyString", text)


class Tokenizer(_Object):
    destroy = "OgaDestroyTokenizer"

    def __init__(self, library: Library, model: Model) -> None:
        super().__init__(library, library.make("OgaCreateTokenizer", model.pointer))

    def encode(self, text: str) -> list[int]:
        """Control tokens written in `text` become themselves; a text ends at its first NUL."""
        data = text.replace("\0", "\ufffd").encode("utf-8", "replace")
        sequences = self._library.make("OgaCreateSequences")
        first = ctypes.c_size_t(0)
        try:
            self._library.call("OgaTokenizerEncode", self.pointer, data, sequences)
            count = self._library.size("OgaSequencesGetSequenceCount", sequences, first)
            address = self._library.address("OgaSequencesGetSequenceData", sequences, first)
            return (ctypes.c_int32 * count).from_address(address)[:] if count and address else []
        finally:
            self._library.drop("OgaDestroySequences", sequences)

    def stream(self) -> "TokenStream":
        return TokenStream(self._library, self)


class TokenStream(_Object):
    """Tokens to the bytes of their text, one after another; control tokens have none."""

    destroy = "OgaDestroyTokenizerStream"

    def __init__(self, library: Library, tokenizer: Tokenizer) -> None:
        super().__init__(library, library.make("OgaCreateTokenizerStream", tokenizer.pointer))

    def push(self, token: int) -> bytes:
        text = self._library.make("OgaTokenizerStreamDecode", self.pointer, ctypes.c_int32(token))
        return ctypes.cast(text, ctypes.c_char_p).value or b""


class Generator(_Object):
    """One sequence of tokens with its cache, `max_length` of them at most."""

    destroy = "OgaDestroyGenerator"

    def __init__(self, library: Library, model: Model, max_length: int) -> None:
        parameters = library.make("OgaCreateGeneratorParams", model.pointer)
        numbers = {"max_length": max_length, "min_length": 0, "batch_size": 1, "num_beams": 1}
        numbers |= {"num_return_sequences": 1, "repetition_penalty": 1}
        try:
            for name, value in numbers.items():
                number = ctypes.c_double(value)
                library.call("OgaGeneratorParamsSetSearchNumber", parameters, name.encode(), number)
            off = ctypes.c_bool(False)
            library.call("OgaGeneratorParamsSetSearchBool", parameters, b"do_sample", off)
            made = library.make("OgaCreateGenerator", model.pointer, parameters)
        finally:
            library.drop("OgaDestroyGeneratorParams", parameters)
        super().__init__(library, made)

    def append(self, tokens: Sequence[int]) -> None:
        """Evaluate `tokens` after those that are there."""
        values, count = _int32s(tokens), ctypes.c_size_t(len(tokens))
        self._library.call("OgaGenerator_AppendTokens", self.pointer, values, count)

    def force(self, token: int, vocabulary: int) -> None:
        """Let the library itself choose `token`: where nothing can be appended. It is evaluated
        when the next logits are asked for."""
        only = np.full((1, 1, vocabulary), -1e9, dtype=np.float32)
        only[0, 0, token] = 0
        shape = (ctypes.c_int64 * 3)(*only.shape)
        data = only.ctypes.data_as(ctypes.c_void_p)
        kind, rank = ctypes.c_int(_FLOAT32), ctypes.c_size_t(3)
        tensor = self._library.make("OgaCreateTensorFromBuffer", data, shape, rank, kind)
        try:
            self._library.call("OgaGenerator_SetLogits", self.pointer, tensor)
            self._library.call("OgaGenerator_GenerateNextToken", self.pointer)
        finally:
            self._library.drop("OgaDestroyTensor", tensor)

    def logits(self) -> Logits:
        """One number for every token of the vocabulary, after the last evaluated one."""
        tensor = self._library.make("OgaGenerator_GetLogits", self.pointer)
        try:
            return self._values(tensor)
        finally:
            self._library.drop("OgaDestroyTensor", tensor)

    def _values(self, tensor: ctypes.c_void_p) -> Logits:
        kind, rank = ctypes.c_int(), ctypes.c_size_t()
        self._library.call("OgaTensorGetType", tensor, ctypes.byref(kind))
        if kind.value != _FLOAT32:
            raise NativeError(f"logits of type {kind.value}")
        self._library.call("OgaTensorGetShapeRank", tensor, ctypes.byref(rank))
        shape = (ctypes.c_int64 * rank.value)()
        self._library.call("OgaTensorGetShape", tensor, shape, rank)
        count = shape[rank.value - 1] if rank.value else 0
        address = self._library.make("OgaTensorGetData", tensor)
        if count <= 0 or not address.value:
            raise NativeError("no logits")
        return np.array((ctypes.c_float * count).from_address(address.value), dtype=np.float32)

    def rewind(self, count: int) -> None:
        """Forget all but the first `count` tokens."""
        self._library.call("OgaGenerator_RewindTo", self.pointer, ctypes.c_size_t(count))

    @property
    def can_terminate(self) -> bool:
        return self._library.has("OgaGenerator_SetRuntimeOption")

    def terminate(self, *, really: bool) -> None:
        """End a running `append` soon, and all later ones until this is taken back. Callable from
        any thread."""
        value = b"1" if really else b"0"
        self._library.call("OgaGenerator_SetRuntimeOption", self.pointer, _TERMINATE, value)
