"""What a child process can be asked to do, by name. Named by dotted path, so that this room
imports no runtime and a child loads only what its role needs.

A role is a function from a JSON-able dict to a JSON-able dict; it may raise an `EngineError`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

HOST = "host"
"""The one role that is no function: it serves a `ChildHost` until told to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """`target` is "module:function"; `stage` is what an `EngineCrashed` calls its death."""

    target: str
    stage: str


ROLES = {
    "probe": Role(target="engine.runtimes.llamacpp.devices:probe", stage="probe"),
    "selftest": Role(target="engine.runtimes.llamacpp.selftest:selftest_role", stage="probe"),
    "processor": Role(target="engine.runtimes.llamacpp.processor:processor_role", stage="probe"),
    "variants": Role(target="engine.runtimes.llamacpp.processor:variants_role", stage="probe"),
    "speed": Role(target="engine.runtimes.llamacpp.kernels:speed_role", stage="probe"),
    "measure": Role(target="engine.runtimes.rehearsing:measure_role", stage="rehearsal"),
    "rehearse": Role(target="engine.runtimes.rehearsing:rehearse_role", stage="rehearsal"),
    # Scripted deaths, for tests and for trying the window by hand.
    "fake_probe": Role(target="engine.runtimes.fake:probe_role", stage="probe"),
    "fake_rehearse": Role(target="engine.runtimes.fake:rehearse_role", stage="rehearsal"),
}

_RUNTIMES = {
    "local": "engine.runtimes.local:LocalRuntime",
    "fake": "engine.runtimes.fake:runtime_from",
}


def resolve(target: str) -> Callable[..., Any]:
    """The function that a dotted path of the tables above names."""
    module, _, name = target.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found


def stage_of(name: str) -> str:
    """Raises `KeyError` for a role that does not exist."""
    return "load" if name == HOST else ROLES[name].stage


def make_runtime(argument: dict[str, Any]) -> Any:
    """The runtime that a host's argument names; what else the argument holds is for it."""
    name = argument["runtime"]
    others = {key: value for key, value in argument.items() if key != "runtime"}
    return resolve(_RUNTIMES[name])(**others)
