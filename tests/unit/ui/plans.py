"""Plans and loads made by hand, for tests and pictures of the window."""

from pathlib import Path

from engine.errors import DoesNotFit
from engine.types.models import LoadedInfo, LoadSpec
from engine.types.plans import (
    Layout,
    Measured,
    Offer,
    Plan,
    PoolUse,
    Reason,
    Use,
    Verdict,
)
from engine.types.remote import RemoteModel

GB = 2**30
MB = 2**20
FILE = Path("models") / "gemma-3-4b.gguf"


def plan(
    verdict: Verdict = Verdict.FITS,
    *,
    reasons: tuple[Reason, ...] = (Reason.ALL_ON_DEVICE,),
    needed_gb: float = 4.0,
    free_gb: float = 9.0,
    speed: float | None = 24.0,
    offer: Offer | None = None,
    gpu_layers: int = 31,
    devices: tuple[str, ...] = ("CUDA0",),
) -> Plan:
    """A model of 31 layers; by default all of them on one graphics card."""
    weights = round(needed_gb * GB) - 700 * MB
    use = Use(
        weights_bytes=max(weights, 0),
        kv_bytes=400 * MB,
        compute_bytes=200 * MB,
        overhead_bytes=100 * MB,
    )
    pool = devices[0] if devices else "ram"
    return Plan(
        verdict=verdict,
        backend="cuda" if devices else "cpu",
        devices=devices,
        layout=Layout(
            context_length=8192,
            ubatch=512,
            threads=7,
            backends=("cuda",) * len(devices),
            device_layers=_spread(gpu_layers - 1, len(devices)),
            output_on_device=bool(devices) and gpu_layers > 0,
        ),
        gpu_layers=gpu_layers if devices else 0,
        layers=31,
        memory=(PoolUse(pool=pool, use=use, budget_bytes=round(free_gb * GB)),),
        predicted_tokens_per_s=speed,
        reasons=reasons,
        offer=offer,
        needed_bytes=round(needed_gb * GB),
        free_bytes=round(free_gb * GB),
    )


def _spread(layers: int, devices: int) -> tuple[int, ...]:
    """The blocks without the output head, nearly all on the first device."""
    return (layers - devices + 1, *([1] * (devices - 1))) if devices else ()


def too_big(offer: Offer | None = None) -> Plan:
    """Needs 6.3 GB where 5.1 are free."""
    return plan(
        Verdict.TOO_BIG,
        reasons=(Reason.TOO_BIG, Reason.MEMORY_LOW_NOW),
        needed_gb=6.3,
        free_gb=5.1,
        speed=None,
        offer=offer,
        devices=(),
    )


def other_model() -> Offer:
    return Offer(model="Gemma 3 4B", path=FILE, verdict=Verdict.FITS, file_bytes=4 * GB)


def does_not_fit(offer: Offer | None = None) -> DoesNotFit:
    return DoesNotFit(Path("models") / "qwen3-8b.gguf", too_big(offer))


def loaded(made: Plan | None = None, name: str = "Gemma 3 4B") -> LoadedInfo:
    """A model as it is once loaded, with what llama.cpp has reported."""
    layout = made.layout if made else Layout(context_length=4096, threads=2)
    pool = made.memory[0].pool if made else "ram"
    return LoadedInfo(
        spec=LoadSpec(path=FILE, layout=layout, devices=made.devices if made else ()),
        name=name,
        backend=made.backend if made else "cpu",
        load_ms=1840.0,
        notices=(),
        plan=made,
        measured=Measured(
            kv_bytes=((pool, 401 * MB),),
            compute_bytes=((pool, 188 * MB),),
            weights_bytes=((pool, 3390 * MB),),
        ),
        resident_bytes=412 * MB,
    )


def elsewhere(remote: RemoteModel) -> LoadedInfo:
    """A model on another computer: no plan, no memory of ours."""
    return LoadedInfo(
        spec=LoadSpec(
            path=Path(), layout=Layout(context_length=remote.context_length or 0), remote=remote
        ),
        name=remote.model,
        backend="remote",
        load_ms=120.0,
        notices=(),
    )
