"""What the Details fold says of a model: its plan and the measured truth, exact, line by line.

Labels are translated; codes, names and numbers are what the engine says.
"""

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication

from engine.types.models import LoadedInfo
from engine.types.plans import TOKENS_A_PAGE, Layout, Measured, Plan, PoolUse
from engine.types.remote import RemoteModel
from ui.plan_words import pages

translate = QCoreApplication.translate

_MIB = 2**20
_BACKENDS = {
    "cpu": "CPU",
    "cuda": "CUDA",
    "directml": "DirectML",
    "dml": "DirectML",
    "hip": "ROCm",
    "metal": "Metal",
    "mtl": "Metal",
    "sycl": "SYCL",
    "vulkan": "Vulkan",
}
"""Their own names, which no language changes."""


def details(plan: Plan | None, info: LoadedInfo | None, tokens_per_s: float | None = None) -> str:
    """Everything that is known, to read or to copy. `tokens_per_s` was measured last."""
    remote = info.spec.remote if info else None
    if info is not None and remote is not None:
        rows = list(_of_remote(remote, info))
    else:
        rows = [*_of_info(info), *_of_plan(plan, info)]
    if tokens_per_s is not None:
        rows.append((translate("Details", "Measured speed"), _rate(tokens_per_s)))
    line = translate("Details", "{label}: {value}")
    return "\n".join(line.format(label=label, value=value) for label, value in rows)


def backend_name(backend: str) -> str:
    return _BACKENDS.get(backend.lower(), backend)


def layers_words(plan: Plan, info: LoadedInfo | None = None) -> str:
    """ "31 of 31 layers on the graphics card": as loaded, else as planned."""
    devices = info.spec.devices if info else plan.devices
    on_device = _loaded_on_device(info.spec.layout) if info else plan.gpu_layers
    if on_device == 0:
        return translate("Details", "all {n} layers on the processor").format(n=plan.layers)
    words = (
        translate("Details", "{k} of {n} layers on the graphics cards")
        if len(devices) > 1
        else translate("Details", "{k} of {n} layers on the graphics card")
    )
    return words.format(k=on_device, n=plan.layers)


def _loaded_on_device(layout: Layout) -> int:
    """The output head counts as one layer, as in a plan."""
    return sum(layout.device_layers) + layout.output_on_device


def _of_info(info: LoadedInfo | None) -> Iterator[tuple[str, str]]:
    if info is None:
        return
    yield translate("Details", "File"), info.spec.path.name
    place = (
        translate("Details", "a process of its own")
        if info.in_child
        else translate("Details", "inside Snug")
    )
    yield translate("Details", "Runs in"), place
    yield translate("Details", "Loaded in"), f"{info.load_ms / 1000:.1f} s"
    if info.resident_bytes:
        label = (
            translate("Details", "Memory of the model's process grew by")
            if info.in_child
            else translate("Details", "Memory of Snug grew by")
        )
        yield label, _mib(info.resident_bytes)


def _of_remote(remote: RemoteModel, info: LoadedInfo) -> Iterator[tuple[str, str]]:
    """Nothing is known of the memory there."""
    yield translate("Details", "Runs in"), translate("Details", "another computer")
    yield translate("Details", "Address"), remote.address
    yield translate("Details", "Model there"), remote.model
    if remote.context_length:
        yield _context(remote.context_length)
    yield translate("Details", "Ready in"), f"{info.load_ms / 1000:.1f} s"


def _of_plan(plan: Plan | None, info: LoadedInfo | None) -> Iterator[tuple[str, str]]:
    if plan is None:
        if info is not None:
            yield translate("Details", "Backend"), backend_name(info.backend)
            yield from _of_layout(info.spec.layout)
        return
    yield translate("Details", "Verdict"), plan.verdict.value
    yield from _of_layers(plan, info)
    backend = backend_name(info.backend if info else plan.backend)
    names = info.spec.devices if info else plan.devices
    devices = f" ({', '.join(names)})" if names else ""
    yield translate("Details", "Backend"), backend + devices
    yield from _of_layout(info.spec.layout if info else plan.layout)
    measured = info.measured if info else Measured()
    for pool in plan.memory:
        yield translate("Details", "Memory, {pool}").format(pool=pool.pool), _predicted(pool)
        seen = _seen(measured, pool.pool)
        if seen:
            yield translate("Details", "Measured, {pool}").format(pool=pool.pool), seen
    if plan.predicted_tokens_per_s is not None:
        yield translate("Details", "Predicted speed"), _rate(plan.predicted_tokens_per_s)
    if plan.reasons:
        reasons = ", ".join(reason.value for reason in plan.reasons)
        yield translate("Details", "Reasons"), reasons


def _rate(tokens_per_s: float) -> str:
    return translate("Details", "{n} tokens a second").format(n=f"{tokens_per_s:.1f}")


def _of_layers(plan: Plan, info: LoadedInfo | None) -> Iterator[tuple[str, str]]:
    if plan.layers:  # else nothing is known of it but its size
        yield translate("Details", "Layers"), layers_words(plan, info)


def _of_layout(layout: Layout) -> Iterator[tuple[str, str]]:
    if not layout.context_length:
        return
    yield _context(layout.context_length)
    yield translate("Details", "KV cache"), layout.kv_type.value
    yield translate("Details", "Batch"), str(layout.ubatch)
    yield translate("Details", "Threads"), str(layout.threads)
    yield translate("Details", "Flash attention"), layout.flash_attention.value
    yield translate("Details", "Load mode"), layout.load_mode.value
    if layout.expert_layers_in_ram:
        words = translate("Details", "of {n} layers").format(n=layout.expert_layers_in_ram)
        yield translate("Details", "Experts in main memory"), words


def _context(context_length: int) -> tuple[str, str]:
    words = translate("Details", "{n} tokens (about {p} pages of {t} tokens)")
    count = pages(context_length)
    said = words.format(n=context_length, p=count, t=TOKENS_A_PAGE)
    return translate("Details", "Context"), said


def _predicted(pool: PoolUse) -> str:
    words = translate("Details", "{a} of {b} (weights {w}, KV cache {k}, compute {c}, other {o})")
    use = pool.use
    return words.format(
        a=_mib(use.total_bytes),
        b=_mib(pool.budget_bytes),
        w=_mib(use.weights_bytes),
        k=_mib(use.kv_bytes),
        c=_mib(use.compute_bytes),
        o=_mib(use.overhead_bytes),
    )


def _seen(measured: Measured, pool: str) -> str:
    """What llama.cpp reported for `pool`, "" for nothing."""
    found = [
        (translate("Details", "weights"), measured.weights_bytes),
        (translate("Details", "KV cache"), measured.kv_bytes),
        (translate("Details", "compute"), measured.compute_bytes),
    ]
    parts = [
        f"{label} {_mib(dict(per_pool)[pool])}"
        for label, per_pool in found
        if pool in dict(per_pool)
    ]
    return ", ".join(parts)


def _mib(size_bytes: int) -> str:
    return f"{size_bytes / _MIB:,.1f} MiB"
