"""Lets the processor's own part of the engine prove itself. A processor, or the hypervisor before
it, may announce instructions that then end the process (seen: AMX, SIGILL). Roles for children.
"""

import math
import os
from collections.abc import Mapping
from functools import partial

from engine.backends import plugins
from engine.errors import EngineStopped
from engine.runtimes.llamacpp import native, registry, selftest
from engine.types.models import LoadSpec


def processor_role(argument: Mapping[str, object]) -> dict[str, object]:
    """{"variant": "icelake"}, "" for the best, to the one that was used. It may die."""
    plugins.use_variant(str(argument.get("variant", "")))
    with selftest.tiny_file() as file:
        spec = LoadSpec(path=file, layout=selftest.PROCESSOR)
        walks = selftest.walks(spec, opened=partial(selftest.remove, file))  # a crash: no litter
    if not all(math.isfinite(value) for walk in walks for row in walk.rows for value in row):
        raise EngineStopped("the logits are not numbers")
    return {"variant": native.processor_variant()}


def variants_role(_argument: Mapping[str, object]) -> dict[str, object]:
    """The names of those that say they run here, the best first. Nothing of them is run."""
    folder = plugins.library_folder()
    found = plugins.processor_variants(folder) if folder else ()
    forced = os.environ.get(registry.FORCED_VARIANT, "")
    usable = registry.usable_variants(found, registry.score, forced)
    return {"variants": [name for name, _ in usable]}
