"""How a model is placed on a machine, and why. Bytes throughout; words are others' matter."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from engine.types.remote import RemoteModel

READING_TOKENS_PER_S = 5.0
"""About how fast a person reads: 240 words a minute are 4 words, or 5 tokens, a second."""
TOKENS_A_PAGE = 400
"""A printed page of about 300 English words, each about 1.3 tokens."""


class KvType(StrEnum):
    """How the KV cache is stored. K and V always have the same type."""

    F16 = "f16"
    Q8_0 = "q8_0"


class LoadMode(StrEnum):
    MMAP = "mmap"
    NONE = "none"
    """Read into memory of our own."""
    DIRECT_IO = "direct_io"


class FlashAttention(StrEnum):
    AUTO = "auto"
    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One way to run a model: what the estimate weighs and the runtime does.

    `backends` names the backend of each device in use and `device_layers` how many blocks it
    holds, in the order of the blocks; blocks that are on no device are the first ones and stay in
    main memory, with the processor. `output_on_device` puts the output head on the last device.
    `expert_layers_in_ram`: the routed experts of that many of the first offloaded blocks stay in
    main memory.
    """

    context_length: int
    kv_type: KvType = KvType.F16
    ubatch: int = 256
    threads: int = 1
    flash_attention: FlashAttention = FlashAttention.AUTO
    load_mode: LoadMode = LoadMode.MMAP
    repack: bool = True
    """Let the processor keep a second copy of weights in an order it likes better."""
    backends: tuple[str, ...] = ()
    device_layers: tuple[int, ...] = ()
    output_on_device: bool = False
    expert_layers_in_ram: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """What a layout takes in one place. `kv_bytes` counts recurrent state too, `compute_bytes`
    the graph's buffer alone, `overhead_bytes` everything else that appears with a model
    (output row, vocabulary, repacked copies, work buffers, the backend's own context)."""

    weights_bytes: int = 0
    kv_bytes: int = 0
    compute_bytes: int = 0
    overhead_bytes: int = 0

    @property
    def total_bytes(self) -> int:
        return self.weights_bytes + self.kv_bytes + self.compute_bytes + self.overhead_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolUse:
    """What a plan takes of one memory pool, "ram" or a device's name, and what it may take."""

    pool: str
    use: Use
    budget_bytes: int


class Verdict(StrEnum):
    FITS = "fits"
    FITS_SLOWLY = "fits-slowly"
    TOO_BIG = "too-big"
    UNKNOWN = "unknown"
    """The header says too little for a number."""


class Reason(StrEnum):
    """Why a plan is as it is. Codes; `ui/` and `app/cli` have the sentences."""

    ALL_ON_DEVICE = "all_on_device"
    PARTLY_ON_DEVICE = "partly_on_device"
    EXPERTS_IN_RAM = "experts_in_ram"
    SEVERAL_DEVICES = "several_devices"
    NO_DEVICE = "no_device"
    """There is no graphics device."""
    DEVICE_TOO_SMALL = "device_too_small"
    DEVICE_DENIED = "device_denied"
    """Known to be wrong, slow or not shipped for this machine."""
    DEVICE_FAILED = "device_failed"
    """It crashed, hung or lied when it was asked."""
    DEVICE_SLOWER = "device_slower"
    """The processor is faster than this graphics device."""
    SOFTWARE_RENDERER = "software_renderer"
    SHARED_MEMORY = "shared_memory"
    CONTEXT_CHOSEN_FOR_MEMORY = "context_chosen_for_memory"
    """Shorter than it could be, so that it fits."""
    CONTEXT_AS_TRAINED = "context_as_trained"
    CONTEXT_BEYOND_TRAINING = "context_beyond_training"
    """A longer one was stated than the model was trained for: answers may go wrong there."""
    KV_QUANTIZED = "kv_quantized"
    SMALL_BATCH = "small_batch"
    NOT_REPACKED = "not_repacked"
    MEMORY_LOW_NOW = "memory_low_now"
    """It fits this machine, but not while other programs hold so much."""
    MEMORY_LIMITED = "memory_limited"
    """A limit set from outside (cgroup, ulimit) is what counts."""
    SLOWER_THAN_READING = "slower_than_reading"
    UNSURE = "unsure"
    """This architecture's memory is not fully known: larger reserves, and a rehearsal decides."""
    DEMOTED = "demoted"
    """A step more careful, since it failed before."""
    LOAD_ANYWAY = "load_anyway"
    NOT_ESTIMATED = "not_estimated"
    TOO_BIG = "too_big"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What would work instead. `context_length`: this model, with a shorter memory. `model`: the
    best known one that fits, `path` None for the starter, and `verdict` how it fits if known.
    `file_bytes`: about how large a model file may be; 0 if none may."""

    context_length: int | None = None
    model: str = ""
    path: Path | None = None
    verdict: Verdict | None = None
    file_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Buffers that llama.cpp reported for a layout, per pool ("ram" or a device's name)."""

    kv_bytes: tuple[tuple[str, int], ...] = ()
    compute_bytes: tuple[tuple[str, int], ...] = ()
    weights_bytes: tuple[tuple[str, int], ...] = ()
    output_bytes: tuple[tuple[str, int], ...] = ()
    overhead_bytes: tuple[tuple[str, int], ...] = ()
    """What resident memory grew by beyond these buffers, where that could be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """What a true load with one full batch and a few tokens has shown.

    Memory is the process's, in bytes: `peak_bytes` its highest resident memory,
    `resident_bytes` that at the end, of which `anonymous_bytes` can not be given back and
    `file_bytes` are mapped files; `grown_bytes` is what the load added. `tokens` are the ids
    that were chosen greedily after a prompt of `prompt_tokens`, evaluated in batches;
    `alone_tokens` those after `alone_prompt_tokens`, the last of which were evaluated one at a
    time. Margins say by how much logit each was ahead of the second best.
    """

    measured: Measured
    tokens: tuple[int, ...]
    prompt_tokens: int
    prompt_tokens_per_s: float
    tokens_per_s: float
    load_ms: float
    peak_bytes: int
    resident_bytes: int
    anonymous_bytes: int
    file_bytes: int
    grown_bytes: int
    margins: tuple[float, ...] = ()
    alone_prompt_tokens: int = 0
    alone_tokens: tuple[int, ...] = ()
    alone_margins: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a rehearsal taught about one layout: it replaces the estimate for an equal layout."""

    layout: Layout
    measured: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What a person, a setting or an earlier failure asks of a plan.

    A stated `context_length`, `kv_type` or `ubatch` is kept exactly: when it can not be, the
    verdict is TOO_BIG and the offer says what can. `denied` names backends that failed here.
    `caution` 0 to 3: how many steps more careful (smaller ubatch, next backend, processor only).
    `freed` is what will be given back before this is loaded, per pool.
    """

    context_length: int | None = None
    kv_type: KvType | None = None
    ubatch: int | None = None
    load_anyway: bool = False
    denied: frozenset[str] = frozenset()
    caution: int = 0
    freed: tuple[tuple[str, int], ...] = ()
    corrections: tuple[Correction, ...] = ()
    tokens_per_s: float | None = None
    """What this model really did here, if known."""
    projector_bytes: int = 0
    """Size of the file that lets the model see, 0 without one. It runs on the processor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A decision. `layers` counts the output head as one, as llama.cpp does: `gpu_layers` of
    `layers` are on devices. With TOO_BIG or UNKNOWN `memory` shows what it would have taken."""

    verdict: Verdict
    backend: str
    """cpu, or that of the devices."""
    devices: tuple[str, ...]
    layout: Layout
    gpu_layers: int
    layers: int
    memory: tuple[PoolUse, ...]
    predicted_tokens_per_s: float | None
    reasons: tuple[Reason, ...]
    offer: Offer | None = None
    needed_bytes: int = 0
    """Of the pool that does not suffice, else in all; for "needs 6.3 GB"."""
    free_bytes: int = 0
    """What that pool may give; for "5.1 GB is free"."""
    drivers: tuple[str, ...] = ()
    """Each device with its address and driver: what a proof holds for."""
    trained_length: int | None = None
    """Tokens of context that the model was trained for, where its file says so."""

    @property
    def only_too_slow(self) -> bool:
        """Memory would suffice; nobody would wait for the words."""
        return self.verdict is Verdict.TOO_BIG and self.needed_bytes <= self.free_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadRequest:
    """A model that someone wants to have in memory.

    `by_person`: asked for by hand just now, not by the program itself, so that a model that
    crashed once or twice may be tried again, in a child.
    """

    path: Path
    wishes: Wishes = field(default_factory=Wishes)
    remote: RemoteModel | None = None
    """The model is elsewhere; `path` is empty."""
    by_person: bool = False
    retry: bool = False
    """Asked for expressly after crashes: they count no more, but it runs in a child."""
    extra_safe: bool = False
    """Run it in a child process for good."""
