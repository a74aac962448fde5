"""What a hub answers, before it is believed: how much of it is read, and what values may be.

Pure, any thread. Whatever is not what it should be is as if it was missing.
"""

import re

from engine.errors import ServerIncomprehensible
from engine.hub.names import one_line

LIMIT_BYTES = 8 << 20
"""Of one answer: the list of about 35,000 files."""
FIRST_WORD_S = 30.0
WHOLE_S = 120.0
"""Until an answer begins, and until all of it is there: somebody waits for it."""
_MOST_CONTAINERS = 150_000
_MOST = 1 << 50
"""Of bytes, downloads and likes: more would not fit where it is counted on and shown."""
_LONGEST_LABEL = 100
_SHA256 = re.compile(r"[0-9a-f]{64}")


def refuse_flood(body: bytes, address: str) -> None:
    """Raise `ServerIncomprehensible` for JSON that would fill the memory: nothing else in the
    process runs while it is parsed, and each list and object takes thirty times what it is
    written in."""
    if body.count(b"[") + body.count(b"{") > _MOST_CONTAINERS:
        raise ServerIncomprehensible(address, "more than any list of files")


def text(value: object) -> str:
    return value if isinstance(value, str) else ""


def label(value: object) -> str:
    """A few words for people, such as a licence."""
    return one_line(text(value))[:_LONGEST_LABEL].strip()


def count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < _MOST else None


def sha256(value: object) -> str:
    """In lower case; "" for anything that is none: nothing could ever match it."""
    found = text(value).lower()
    return found if _SHA256.fullmatch(found) else ""
