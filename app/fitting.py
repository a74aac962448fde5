"""Builds the keeper that fits models to this computer, and the runtimes it uses.

What it learns lies beside the person's data; heavy packages are imported when they are needed.
"""

import platform
from importlib.metadata import version
from typing import TYPE_CHECKING

from app.paths import Paths
from engine.ports import Host, Runtime

if TYPE_CHECKING:
    from app.models import ModelService
    from engine.guard.record import Record
    from engine.keeper.keeper import ModelKeeper


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


def approve_backends() -> tuple[str, ...]:
    """Approve the engine's plug-ins; the names of their backends. Reads files of many megabytes."""
    from engine.backends import plugins  # noqa: PLC0415 - not for `snug --help`
    from engine.types.backends import Origin  # noqa: PLC0415

    folder = plugins.library_folder()
    plugins.approve(plugins.find(folder, Origin.BUILT_IN) if folder else ())
    return tuple(plugin.backend for plugin in plugins.approved())


def record(paths: Paths) -> "Record":
    """What was learned on this machine with this build."""
    from engine.guard.record import Record  # noqa: PLC0415 - not for `snug --help`

    epoch = f"{version('snug')} {version('llama-cpp-python')} {platform.machine()}"
    return Record(paths.lessons, epoch)


def fitting_keeper(paths: Paths, models: "ModelService") -> "ModelKeeper":
    """The keeper of a real program."""
    from engine.guard.marker import CrashMarker  # noqa: PLC0415 - not for `snug --help`
    from engine.hardware.memory import read_memory  # noqa: PLC0415
    from engine.keeper.keeper import KeeperParts, ModelKeeper  # noqa: PLC0415
    from engine.keeper.machine import Machine  # noqa: PLC0415
    from engine.keeper.planning import Planning  # noqa: PLC0415
    from engine.keeper.proving import ChildProver  # noqa: PLC0415

    learned = record(paths)
    machine = Machine(learned)
    return ModelKeeper(
        KeeperParts(
            planning=Planning(read_report=machine.report, alternatives=models.alternatives),
            prover=ChildProver(),
            record=learned,
            marker=CrashMarker(paths.running),
            make_host=make_host,
            read_memory=read_memory,
        )
    )
