"""Numbers of an architecture in a GGUF header: one for the model, or one for each layer.

Read as llama.cpp does (`get_key`, `get_key_or_arr`, `get_arr` in src/llama-model-loader.cpp);
what it would refuse or choke on is `NumbersMissing` here. Nothing a header says is believed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.models.gguf import GgufHeader

LAYERS_LIMIT = 512
"""`LLAMA_MAX_LAYERS`."""
EXPERTS_LIMIT = 1024
"""`LLAMA_MAX_EXPERTS`."""
WIDTH_LIMIT = 1 << 24
"""More than any head, embedding or feed-forward part has."""
TOKENS_LIMIT = (1 << 31) - 1


class NumbersMissing(Exception):
    """A number that memory depends on is absent or makes no sense."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """The header's values below the name of its architecture."""

    header: GgufHeader
    architecture: str

    def count(self, key: str, default: int | None = None, *, most: int = WIDTH_LIMIT) -> int:
        """A whole number from 0 to `most`; `default` where the header has none."""
        value = self._value(key)
        if value is None:
            if default is None:
                raise NumbersMissing(key)
            return default
        return _whole(key, value, most)

    def maybe(self, key: str, *, most: int = WIDTH_LIMIT) -> int | None:
        """The same, or None where the header has none."""
        value = self._value(key)
        return None if value is None else _whole(key, value, most)

    def positive(self, key: str, *, most: int = WIDTH_LIMIT) -> int:
        value = self.count(key, most=most)
        if not value:
            raise NumbersMissing(key)
        return value

    def per_layer(
        self, key: str, layers: int, default: Sequence[int], *, most: int = WIDTH_LIMIT
    ) -> tuple[int, ...]:
        """One number for all layers, or a list with exactly one for each."""
        value = self._value(key)
        if value is None:
            return tuple(default)
        if not isinstance(value, tuple):
            return (_whole(key, value, most),) * layers
        if len(value) != layers:
            raise NumbersMissing(key)
        return tuple(_whole(key, item, most) for item in value)

    def flags(self, key: str, layers: int) -> tuple[bool, ...] | None:
        """A list of yes and no, filled up with no; None where there is no list."""
        value = self._value(key)
        if not isinstance(value, tuple):
            return None
        if len(value) > LAYERS_LIMIT or not all(isinstance(item, int) for item in value):
            raise NumbersMissing(key)
        filled = (*value, *(0,) * layers)[:layers]
        return tuple(bool(item) for item in filled)

    def whole_list(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers of any sign; empty where the header has none."""
        value = self._value(key)
        if value is None:
            return ()
        if not isinstance(value, tuple) or len(value) > LAYERS_LIMIT:
            raise NumbersMissing(key)
        if not all(isinstance(item, int) and not isinstance(item, bool) for item in value):
            raise NumbersMissing(key)
        return value

    def _value(self, key: str) -> object:
        name = f"{self.architecture}.{key}"
        if name in self.header.skipped:
            raise NumbersMissing(key)
        return self.header.metadata.get(name)


def _whole(key: str, value: object, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise NumbersMissing(key)
    return value
