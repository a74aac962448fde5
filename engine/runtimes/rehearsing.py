"""The roles of children that try a layout, for models in any format. See `child.roles`.

Each runtime is imported when it is needed: they are heavy, and one is optional.
"""

from collections.abc import Mapping
from importlib import import_module

from engine.child.wire import decode, encode
from engine.models.inspect import format_of
from engine.types.models import LoadSpec, ModelFormat
from engine.types.plans import Measured

_REHEARSE = {
    ModelFormat.GGUF: "engine.runtimes.llamacpp.rehearse",
    ModelFormat.ONNX: "engine.runtimes.onnx.rehearse",
}


def measure_role(argument: Mapping[str, object]) -> dict[str, object]:
    """`spec` to `measured`, both as JSON. Of what only llama.cpp tells, others tell nothing."""
    spec = decode(LoadSpec, argument["spec"])
    if format_of(spec.path) is ModelFormat.ONNX:
        return {"measured": encode(Measured())}
    from engine.runtimes.llamacpp.measure import measure  # noqa: PLC0415

    return {"measured": encode(measure(spec))}


def rehearse_role(argument: Mapping[str, object]) -> dict[str, object]:
    """`spec` to `rehearsal`, both as JSON. `prompt_tokens` may be given too."""
    spec = decode(LoadSpec, argument["spec"])
    prompt_tokens = decode(int | None, argument.get("prompt_tokens"))
    module = import_module(_REHEARSE[format_of(spec.path)])
    return {"rehearsal": encode(module.rehearse(spec, prompt_tokens))}
