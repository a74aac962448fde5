"""A model in memory, as the keeper knows it."""

from dataclasses import dataclass

from engine.types.models import LoadedInfo
from engine.types.plans import LoadRequest, Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A model in memory. `key` names its file's version."""

    request: LoadRequest
    key: str
    info: LoadedInfo
    plan: Plan

    @property
    def in_child(self) -> bool:
        return self.info.in_child

    def answers(self, request: LoadRequest) -> bool:
        """Whether `request` asks for what is here already."""
        mine = self.request
        return (mine.path, mine.wishes, mine.extra_safe) == (
            request.path,
            request.wishes,
            request.extra_safe,
        )
