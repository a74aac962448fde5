"""What a person has written and not sent yet, per conversation. Pure values; no Qt.

A very long text is held beside the field as a whole: a field with megabytes in it would lay all
of it out again at every key.
"""

from dataclasses import dataclass, field, replace

FIELD_LIMIT = 20_000
"""Characters that the field itself takes in; more than that is held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """`typed` is in the field, `held` are long texts beside it, in order."""

    typed: str = ""
    held: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of it, as it is sent."""
        parts = (self.typed.strip(), *self.held)
        return "\n\n".join(part for part in parts if part)

    @property
    def empty(self) -> bool:
        return not self.text.strip()

    def with_text(self, text: str) -> "Draft":
        """`text` after what is there already."""
        if len(text) > FIELD_LIMIT:
            return replace(self, held=(*self.held, text))
        both = f"{self.typed.rstrip()}\n\n{text}" if self.typed.strip() else text
        return replace(self, typed=both)

    def without_sent(self, text: str) -> "Draft":
        """What is left when `text` has been sent: whatever was added to it meanwhile."""
        if not self.text.startswith(text):
            return self
        return Draft(typed=self.text.removeprefix(text).lstrip())

    def without_held(self, number: int) -> "Draft":
        return replace(self, held=self.held[:number] + self.held[number + 1 :])


@dataclass(slots=True)
class Drafts:
    """Drafts by conversation; None is the empty chat."""

    _kept: dict[str | None, Draft] = field(default_factory=dict)

    def get(self, conversation_id: str | None) -> Draft:
        return self._kept.get(conversation_id, Draft())

    def put(self, conversation_id: str | None, draft: Draft) -> None:
        if draft.empty:
            self._kept.pop(conversation_id, None)
        else:
            self._kept[conversation_id] = draft
