"""What is said: roles and messages."""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn as a model sees it. `content` is plain text; control tokens in it are text too."""

    role: Role
    content: str
