"""A model on another computer, behind a server that speaks the OpenAI protocol."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteModel:
    """`address` is the server's base, with its path ("http://nas:8080/v1"), without a user name or
    key. `model` is the server's name for it. `context_length` in tokens, None where unknown."""

    address: str
    model: str
    context_length: int | None = None
