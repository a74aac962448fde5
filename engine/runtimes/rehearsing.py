"""The roles of children that try a layout, for models in any format. See `child.roles`.

Each runtime is imported when it is needed: they are heavy, and one is optional.
"""

from collections.abc import Mapping

from engine.child.wire import decode, encode
from engine.models.inspect import format_of
from engine.types.models import LoadSpec, ModelFormat
from engine.types.plans import Measured


def measure_role(argument: Mapping[str, object]) -> dict[str, object]:
    """`spec` to `measured`, both as JSON. Of what only llama.cpp tells, others tell nothing."""
    if _format(argument) is ModelFormat.ONNX:
        return {"measured": encode(Measured())}
    from engine.runtimes.llamacpp import rehearse  # noqa: PLC0415

    return rehearse.measure_role(argument)


def rehearse_role(argument: Mapping[str, object]) -> dict[str, object]:
    """`spec` to `rehearsal`, both as JSON. `prompt_tokens` may be given too."""
    if _format(argument) is not ModelFormat.ONNX:
        from engine.runtimes.llamacpp import rehearse as llamacpp  # noqa: PLC0415

        return llamacpp.rehearse_role(argument)
    from engine.runtimes.onnx.rehearse import rehearse  # noqa: PLC0415

    spec = decode(LoadSpec, argument["spec"])
    prompt_tokens = decode(int | None, argument.get("prompt_tokens"))
    return {"rehearsal": encode(rehearse(spec, prompt_tokens))}


def _format(argument: Mapping[str, object]) -> ModelFormat:
    return format_of(decode(LoadSpec, argument["spec"]).path)
