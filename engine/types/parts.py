"""The names of a model in several files: `name-00001-of-00003.gguf` and on, as llama.cpp makes them
(`llama_split_path` in its src/llama.cpp), since it finds the others by name too."""

import re
from dataclasses import dataclass

NAMED_PARTS_LIMIT = 4_096
"""A name is a stranger's word, and every part that it promises is looked for."""

_NAME = re.compile(r"(?P<stem>.+)-(?P<part>\d{5})-of-(?P<parts>\d{5})\.gguf", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartName:
    """`part` counts from 1."""

    stem: str
    part: int
    parts: int

    def sibling(self, part: int) -> str:
        """The file name of another part."""
        return f"{self.stem}-{part:05d}-of-{self.parts:05d}.gguf"

    @property
    def all(self) -> tuple[str, ...]:
        return tuple(self.sibling(part) for part in range(1, self.parts + 1))


def part_name(name: str) -> PartName | None:
    """What the name of a file says of its place in a set; None for a file that stands alone."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    part, parts = int(found["part"]), int(found["parts"])
    if not 1 <= part <= parts <= NAMED_PARTS_LIMIT:
        return None
    return PartName(stem=found["stem"], part=part, parts=parts)
