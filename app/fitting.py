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


def llama_runtime() -> Runtime:
    """The runtime for GGUF files, imported when the first model is loaded."""
    from engine.runtimes.llamacpp.runtime import LlamaRuntime  # noqa: PLC0415 - heavy, and rare

    return LlamaRuntime()


def make_host(in_child: bool) -> Host:
    """A host of either kind for GGUF files."""
    if in_child:
        from engine.child.host import ChildHost  # noqa: PLC0415 - rare

        return ChildHost("llamacpp")
    from engine.host import InProcessHost  # noqa: PLC0415 - its thread starts at once

    return InProcessHost(llama_runtime)


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
