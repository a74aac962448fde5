"""What a pack's plug-in has to show before it is put to use: a device, found by a child process."""

from collections.abc import Callable, Mapping

from engine.errors import (
    BackendUnusable,
    Cancelled,
    EngineError,
    EngineTimedOut,
    ProgramReplaced,
)
from engine.hardware.claims import Opinion, Rubbish, parse_answer
from engine.types.backends import Plugin
from engine.types.packs import Manifest, PackProblem

Probe = Callable[[Plugin], Mapping[str, object]]
"""The answer of the role "probe" with this plug-in approved. Raises `EngineError`."""


def try_plugin(plugin: Plugin, manifest: Manifest, probe: Probe) -> tuple[PackProblem, str] | None:
    """Why it can not be used, with a detail; None: it can. Raises `Cancelled` and `ProgramReplaced`
    like the probe: neither is the plug-in's fault."""
    try:
        claims, opinions = parse_answer(probe(plugin))
    except EngineTimedOut as error:
        return PackProblem.TIMED_OUT, str(error)
    except BackendUnusable as error:
        return PackProblem.NOT_LOADABLE, error.detail
    except (Cancelled, ProgramReplaced):
        raise
    except (EngineError, Rubbish, OSError, RuntimeError) as error:  # no thread, no process
        return PackProblem.CRASHED, str(error)
    if any(claim.problem is None for claim in claims):
        return None
    return _without_device(manifest, opinions)


def _without_device(manifest: Manifest, opinions: list[Opinion]) -> tuple[PackProblem, str]:
    drivers = [opinion.driver for opinion in opinions if version(opinion.driver)]
    if manifest.min_driver and drivers:
        newest = max(drivers, key=version)
        if version(newest) < version(manifest.min_driver):
            return PackProblem.DRIVER_TOO_OLD, f"{newest}, needed is {manifest.min_driver}"
    return PackProblem.NO_DEVICE, ""


def version(text: str) -> tuple[int, ...]:
    """ "570.86.15" as numbers; () for what is no version."""
    parts = text.strip().split(".")
    return tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else ()
