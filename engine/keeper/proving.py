"""Rehearsals: a configuration is first tried where it can do no harm, in a child process."""

from dataclasses import replace
from pathlib import Path
from typing import Protocol

from engine.child.spawn import run_role
from engine.child.wire import decode, encode
from engine.errors import ModelFileError
from engine.models.split import find_parts
from engine.planner.budgets import RAM
from engine.types.cancel import CancelToken
from engine.types.models import LoadSpec
from engine.types.plans import Measured, Plan, Rehearsal

_MEASURE_TIMEOUT_S = 60.0
_REHEARSE_TIMEOUT_S = 300.0
_SLOWEST_DISK_BYTES_PER_S = 20e6
"""A large model on a slow disk takes long to read; a person can cancel at any time."""


class Prover(Protocol):
    """Both raise `EngineCrashed`, `OutOfMemory`, `Cancelled` or what the load raised."""

    def measure(self, spec: LoadSpec, cancel: CancelToken) -> Measured:
        """The buffers llama.cpp would allocate, without allocating them."""

    def rehearse(
        self,
        spec: LoadSpec,
        cancel: CancelToken,
        *,
        prompt_tokens: int | None = None,
        timeout_s: float | None = None,
    ) -> Rehearsal:
        """Load for real, read `prompt_tokens` or one full batch, write a few tokens."""


def with_overhead(seen: Rehearsal, plan: Plan) -> Measured:
    """The measured buffers, and in main memory what grew beyond them. Only where everything is in
    main memory and all of it was resident; else the growth says nothing."""
    measured = seen.measured
    kinds = (measured.weights_bytes, measured.kv_bytes, measured.compute_bytes)
    buffers = sum(size for pools in kinds for _pool, size in pools)
    if plan.devices or not measured.weights_bytes or seen.grown_bytes < buffers:
        return measured
    return replace(measured, overhead_bytes=((RAM, seen.grown_bytes - buffers),))


def holds_weights(measured: Measured, devices: tuple[str, ...]) -> bool:
    """Whether `devices` hold a part of the model. True where that can not be told."""
    pools = [pool for pool, size in measured.weights_bytes if size]
    return not pools or any(pool in devices for pool in pools)


class ChildProver:
    """See `Prover`: each in a child process of its own."""

    def measure(self, spec: LoadSpec, cancel: CancelToken) -> Measured:
        argument = {"spec": encode(spec)}
        answer = run_role("measure", argument, timeout_s=_MEASURE_TIMEOUT_S, cancel=cancel)
        return decode(Measured, answer["measured"])

    def rehearse(
        self,
        spec: LoadSpec,
        cancel: CancelToken,
        *,
        prompt_tokens: int | None = None,
        timeout_s: float | None = None,
    ) -> Rehearsal:
        argument = {"spec": encode(spec), "prompt_tokens": prompt_tokens}
        if timeout_s is None:
            timeout_s = _REHEARSE_TIMEOUT_S + _size_bytes(spec.path) / _SLOWEST_DISK_BYTES_PER_S
        answer = run_role("rehearse", argument, timeout_s=timeout_s, cancel=cancel)
        return decode(Rehearsal, answer["rehearsal"])


def _size_bytes(path: Path) -> int:
    """Of all parts."""
    try:
        return sum(part.stat().st_size for part in find_parts(path)[0])
    except (OSError, ModelFileError):
        return 0
