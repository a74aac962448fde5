"""What left this computer: one record for every request, for the person to read."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Purpose(StrEnum):
    """Why a connection was made."""

    LIST_MODELS = "list_models"
    CHECK_MODEL = "check_model"
    """Before the first answer: does the server have the model?"""
    ANSWER = "answer"
    SEARCH = "search"
    """A person looked for models."""
    LOOK_AT_MODEL = "look_at_model"
    """What files a repository has, and how the model would fit: the first megabytes of a file."""
    DOWNLOAD = "download"
    LOOK_FOR_UPDATE = "look_for_update"


BEGUN = "begun"
"""The outcome of what has not ended: it goes on, or the program was killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """One request. `at` is UTC; bytes are those of the bodies. `outcome` is "done", "cancelled",
    `BEGUN` or the code of an error. What is written at its begin and at its end has the same `id`.
    Neither what was said nor a key is ever in here."""

    at: datetime
    purpose: Purpose
    scheme: str
    host: str
    port: int
    bytes_sent: int
    bytes_received: int
    outcome: str
    duration_s: float
    id: str = ""
