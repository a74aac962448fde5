"""Builds the keeper that fits models to this computer, and the runtimes it uses.

What it learns lies beside the person's data; heavy packages are imported when they are needed.
"""

import os
import platform
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from app.paths import Paths
from engine.ports import Host, Runtime

if TYPE_CHECKING:
    from app.models import ModelService
    from engine.guard.record import Record
    from engine.keeper.keeper import ModelKeeper
    from engine.keeper.machine import Machine
    from engine.types.backends import Plugin

_CHOOSES_DEVICES = {"vulkan": "GGML_VK_VISIBLE_DEVICES"}
_SHELL = {name: os.environ[name] for name in _CHOOSES_DEVICES.values() if name in os.environ}
"""Read at once: the engine clears such variables when it starts in this process."""


def local_runtime() -> Runtime:
    """The runtime for models in files, imported when the first one is loaded."""
    from engine.runtimes.local import LocalRuntime  # noqa: PLC0415 - heavy, and rare

    return LocalRuntime()


def make_host(in_child: bool) -> Host:
    """A host of either kind for models in files."""
    if in_child:
        from engine.child.host import ChildHost  # noqa: PLC0415 - rare

        return ChildHost("local")
    from engine.host import InProcessHost  # noqa: PLC0415 - its thread starts at once

    return InProcessHost(local_runtime)


def approve_backends(paths: Paths) -> "tuple[Plugin, ...]":
    """Approve the plug-ins of the engine and of packs; all that are there, also those that were
    not approved. Reads files of many megabytes."""
    from engine.backends import plugins  # noqa: PLC0415 - not for `snug --help`
    from engine.types.backends import Origin  # noqa: PLC0415

    folder = plugins.library_folder()
    built_in = plugins.find(folder, Origin.BUILT_IN) if folder else ()
    found = tuple(_with_choice_of_devices(plugin) for plugin in (*_of_packs(paths), *built_in))
    plugins.approve(found)
    return found


def _of_packs(paths: Paths) -> "tuple[Plugin, ...]":
    if not paths.packs.is_dir():
        return ()
    from app.packs import approved_packs  # noqa: PLC0415 - heavy, and rare

    return approved_packs(paths)


def _with_choice_of_devices(plugin: "Plugin") -> "Plugin":
    """What a person's shell says of devices; nothing else of it reaches the engine."""
    name = _CHOOSES_DEVICES.get(plugin.backend, "")
    if name not in _SHELL:
        return plugin
    return replace(plugin, settings=(*plugin.settings, (name, _SHELL[name])))


def record(paths: Paths) -> "Record":
    """What was learned on this machine with this build."""
    from engine.backends.plugins import engine_build_id  # noqa: PLC0415 - not for `snug --help`
    from engine.guard.record import Record  # noqa: PLC0415

    build = engine_build_id() or version("llama-cpp-python")
    return Record(paths.lessons, f"{version('snug')} {build} {platform.machine()}")


def machine(paths: Paths, learned: "Record") -> "Machine":
    """This machine. Plug-ins are looked for when it is first asked."""
    from engine.keeper.devices import DeviceSearch  # noqa: PLC0415 - not for `snug --help`
    from engine.keeper.machine import Machine  # noqa: PLC0415
    from engine.keeper.processor import prove_processor  # noqa: PLC0415

    search = DeviceSearch(
        learned,
        find=lambda: approve_backends(paths),
        prove=lambda cancel: prove_processor(learned, cancel),
    )
    return Machine(learned, search)


def fitting_keeper(paths: Paths, models: "ModelService") -> "ModelKeeper":
    """The keeper of a real program."""
    from engine.guard.marker import CrashMarker  # noqa: PLC0415 - not for `snug --help`
    from engine.hardware.memory import read_memory  # noqa: PLC0415
    from engine.keeper.keeper import KeeperParts, ModelKeeper  # noqa: PLC0415
    from engine.keeper.planning import Planning  # noqa: PLC0415
    from engine.keeper.proving import ChildProver  # noqa: PLC0415

    learned = record(paths)
    ours = machine(paths, learned)
    return ModelKeeper(
        KeeperParts(
            planning=Planning(read_report=ours.report, alternatives=models.alternatives),
            prover=ChildProver(),
            record=learned,
            marker=CrashMarker(paths.running),
            make_host=make_host,
            read_memory=read_memory,
            recheck=ours.recheck,
        )
    )
