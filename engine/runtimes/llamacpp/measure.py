"""Asks llama.cpp what a layout would take, without taking it: no weights, no caches, no graph.

Costs 10 to 400 ms. Recurrent state is really allocated, and a device's driver is really started,
so a new device is measured in a child process first.
"""

from contextlib import ExitStack

from engine.models.inspect import inspect
from engine.runtimes.llamacpp import native
from engine.runtimes.llamacpp.buffers import RAM, measured_from
from engine.runtimes.llamacpp.opening import memory_errors, open_into
from engine.types.models import LoadSpec
from engine.types.plans import Measured


def measure(spec: LoadSpec) -> Measured:
    """The buffers of `spec`. Weights only where all are in main memory: there as the file has
    them, without repacked copies. Raises what a load raises."""
    api = native.api()
    with memory_errors(), ExitStack() as memory:
        model = open_into(memory, spec, inspect(spec.path), no_alloc=True)
        measured = measured_from(model.lines, spec.devices)
        if spec.devices:
            return measured
        weights_bytes = int(api.llama_model_size(model.model))
    return Measured(
        kv_bytes=measured.kv_bytes,
        compute_bytes=measured.compute_bytes,
        output_bytes=measured.output_bytes,
        weights_bytes=((RAM, weights_bytes),),
    )
