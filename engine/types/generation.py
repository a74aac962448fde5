"""What is asked of a model and what it gives back, piece by piece."""

from dataclasses import dataclass, field
from enum import StrEnum

from engine.types.chat import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """Settings of llama.cpp's sampler chain. `temperature` 0 is greedy; `seed` None is random."""

    temperature: float = 0.7
    top_k: int = 40
    top_p: float = 0.95
    min_p: float = 0.05
    repeat_penalty: float = 1.1
    repeat_window_tokens: int = 64
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationRequest:
    """A conversation to answer. The last message is the one that wants a reply."""

    messages: tuple[Message, ...]
    sampling: Sampling = field(default_factory=Sampling)
    max_tokens: int = 2048
    stop: tuple[str, ...] = ()


_LEAST_TOKENS_TO_TIME = 16


class FinishReason(StrEnum):
    """Why a reply ended."""

    STOP = "stop"
    """The model ended it, or a stop sequence did."""
    LENGTH = "length"
    """`max_tokens` was reached."""
    CONTEXT = "context"
    """The context is full."""
    CANCELLED = "cancelled"
    """The person stopped it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationStats:
    """Counts and times of one reply.

    `prompt_tokens` counts the whole prompt, `cached_tokens` the part of it that did not have
    to be evaluated again; their difference is what `prompt_ms` was spent on.
    """

    prompt_tokens: int
    cached_tokens: int
    generated_tokens: int
    prompt_ms: float
    generation_ms: float

    @property
    def tokens_per_s(self) -> float | None:
        """Of writing; None where the reply was too short to tell."""
        if self.generated_tokens < _LEAST_TOKENS_TO_TIME or self.generation_ms <= 0:
            return None
        return self.generated_tokens / self.generation_ms * 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptProgress:
    done_tokens: int
    total_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextTrimmed:
    """The oldest `dropped_messages` did not fit and were left out of the prompt."""

    dropped_messages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    """More of the reply: whole characters only, never a part of a stop sequence."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningDelta:
    """More of what a model thinks before it answers, where that is told apart from the reply. It
    is not part of the reply and may be left out."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The last delta of every reply that did not fail."""

    reason: FinishReason
    stats: GenerationStats


Delta = PromptProgress | ContextTrimmed | TextDelta | ReasoningDelta | Finished
