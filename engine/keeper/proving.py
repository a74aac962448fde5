"""Rehearsals: a configuration is first tried where it can do no harm, in a child process."""

from typing import Protocol

from engine.child.spawn import run_role
from engine.child.wire import decode, encode
from engine.types.cancel import CancelToken
from engine.types.models import LoadSpec
from engine.types.plans import Measured, Rehearsal

_MEASURE_TIMEOUT_S = 60.0
_REHEARSE_TIMEOUT_S = 600.0
"""A large model on a slow disk takes minutes to read; a person can cancel at any time."""


class Prover(Protocol):
    """Both raise `EngineCrashed`, `OutOfMemory`, `Cancelled` or what the load raised."""

    def measure(self, spec: LoadSpec, cancel: CancelToken) -> Measured:
        """The buffers llama.cpp would allocate, without allocating them."""

    def rehearse(self, spec: LoadSpec, cancel: CancelToken) -> Rehearsal:
        """Load for real, read one full batch, write a few tokens."""


class ChildProver:
    """See `Prover`: each in a child process of its own."""

    def measure(self, spec: LoadSpec, cancel: CancelToken) -> Measured:
        argument = {"spec": encode(spec)}
        answer = run_role("measure", argument, timeout_s=_MEASURE_TIMEOUT_S, cancel=cancel)
        return decode(Measured, answer["measured"])

    def rehearse(self, spec: LoadSpec, cancel: CancelToken) -> Rehearsal:
        argument = {"spec": encode(spec)}
        answer = run_role("rehearse", argument, timeout_s=_REHEARSE_TIMEOUT_S, cancel=cancel)
        return decode(Rehearsal, answer["rehearsal"])
