"""What has happened, for whoever shows it. Published from any thread, in order per conversation.

Frozen values with past-tense names. Subscribers run on the publishing thread and must be quick;
`ui/bridge.py` carries events over to the GUI thread.
"""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from app.conversations.values import Conversation, Turn
from engine.errors import EngineError
from engine.types.downloads import DownloadStatus
from engine.types.models import LoadedInfo, LoadStage, UnloadReason


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationSaved:
    """Created, renamed, pinned or restored."""

    conversation: Conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationDeleted:
    conversation_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAdded:
    turn: Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsRemoved:
    """The turns from position `first_position` on are gone (edit, try again)."""

    conversation_id: str
    first_position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyGrew:
    conversation_id: str
    turn_id: str
    text: str
    """Only what is new."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyEnded:
    """`turn` is as stored. `error` is set when it failed; what was written so far is kept.
    `tokens_per_s` is how fast it was written, where it was long enough to tell."""

    turn: Turn
    error: EngineError | None = None
    tokens_per_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryTrimmed:
    """The oldest turns did not fit into what the model can hold and were left out."""

    conversation_id: str
    dropped_turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptRead:
    """How much of what was said the model has read, before its first word."""

    conversation_id: str
    fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLoading:
    """`fraction` is of `stage` alone."""

    name: str
    fraction: float
    stage: LoadStage = LoadStage.LOADING


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReady:
    info: LoadedInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFailed:
    """`name` of the model for people, "" where that is not known."""

    error: EngineError
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLoadCancelled:
    """A person stopped a load. The next question starts it again."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUnloaded:
    """A model left memory by itself. After MEMORY a notice with a button brings it back; after
    IDLE and SUSPEND the next question does, and nobody need be told."""

    name: str
    reason: UnloadReason


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRanLow:
    """Memory is nearly full, because of this or other programs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecovered:
    """There is room again after `MemoryRanLow`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceGotSlower:
    """The graphics device under model `name` is much slower than it was on this computer."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageFailed:
    """A chat could not be written (disk full, folder read-only). `detail` is for Details."""

    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadChanged:
    """Progress at most four times a second; every change of state at once."""

    status: DownloadStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadRemoved:
    """It was cancelled, or is done and was put away."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryChanged:
    """Other models are on this computer than before, or other things are known of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChosen:
    """Another model answers from now on."""


Event = (
    ConversationSaved
    | ConversationDeleted
    | TurnAdded
    | TurnsRemoved
    | ReplyGrew
    | ReplyEnded
    | HistoryTrimmed
    | PromptRead
    | ModelLoading
    | ModelReady
    | ModelFailed
    | ModelLoadCancelled
    | ModelUnloaded
    | MemoryRanLow
    | MemoryRecovered
    | DeviceGotSlower
    | StorageFailed
    | DownloadChanged
    | DownloadRemoved
    | LibraryChanged
    | ModelChosen
)


class EventBus:
    """Delivers each event to every subscriber, on the publisher's thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._subscribers: tuple[Callable[[Event], None], ...] = ()

    def subscribe(self, subscriber: Callable[[Event], None]) -> Callable[[], None]:
        """Returns a function that ends the subscription."""
        with self._lock:
            self._subscribers += (subscriber,)

        def unsubscribe() -> None:
            with self._lock:
                self._subscribers = tuple(s for s in self._subscribers if s is not subscriber)

        return unsubscribe

    def publish(self, event: Event) -> None:
        for subscriber in self._subscribers:
            subscriber(event)
