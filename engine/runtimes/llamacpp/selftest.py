"""Lets a device prove that it computes what the processor computes, on a tiny model.

Token by token and as one full batch: some drivers are wrong in only one of them (llama.cpp 28648).
It may die or hang: that is what it is for. A role for children.
"""

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import pstdev
from tempfile import mkstemp
from typing import Any

from engine.errors import EngineStopped
from engine.models.inspect import inspect
from engine.prompting.seams import Decoded
from engine.runtimes.llamacpp import native
from engine.runtimes.llamacpp.context import Context
from engine.runtimes.llamacpp.opening import memory_errors, open_into
from engine.runtimes.llamacpp.tiny_model import BLOCKS, VOCABULARY, tiny_model
from engine.types.models import LoadSpec
from engine.types.plans import FlashAttention, Layout, LoadMode

PROMPT_TOKENS = 64
NEW_TOKENS = 8
_PROMPT_SEED = 6329
"""Found by trying: with it no token that is written is in doubt."""
PROCESSOR = Layout(context_length=256, ubatch=PROMPT_TOKENS, threads=1, load_mode=LoadMode.NONE)
"""One thread: more would only wait for each other in a model this small."""

LARGEST_ERROR = 0.02
"""Of a row of logits: squares of the differences over squares of the values. Kernels that round
in different places reach 0.001, wrong ones 0.1 to 2."""
NEAR_TIE = 0.1
"""Of the spread of a row: with less between best and second, either may come first."""

Row = list[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The logits after each evaluation, and the tokens that were written after the prompt."""

    rows: tuple[Row, ...]
    written: tuple[int, ...]


def selftest_role(argument: Mapping[str, object]) -> dict[str, object]:
    """{"backend": "vulkan", "device": "Vulkan0", "flash_attention": "auto"} to {"passed": bool,
    "detail": text}. Raises what a load raises."""
    flash_attention = FlashAttention(str(argument.get("flash_attention", FlashAttention.AUTO)))
    backend, device = str(argument["backend"]), str(argument["device"])
    with tiny_file() as file, memory_errors():
        reference = walks(LoadSpec(path=file, layout=PROCESSOR))
        spec = device_spec(file, backend, device, flash_attention)
        seen = walks(spec, reference, opened=partial(remove, file))  # a crash leaves no litter
    return verdict(reference, seen)


@contextmanager
def tiny_file() -> Iterator[Path]:
    handle, name = mkstemp(prefix="snug-", suffix=".gguf")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(tiny_model())
        yield Path(name)
    finally:
        remove(Path(name))


def remove(file: Path) -> None:
    """On Windows whoever looks at a file keeps it: then later, or not at all."""
    with suppress(OSError):
        file.unlink(missing_ok=True)


def device_spec(
    file: Path, backend: str, device: str, flash_attention: FlashAttention = FlashAttention.AUTO
) -> LoadSpec:
    """Everything on the device."""
    layout = replace(
        PROCESSOR,
        flash_attention=flash_attention,
        backends=(backend,),
        device_layers=(BLOCKS,),
        output_on_device=True,
    )
    return LoadSpec(path=file, layout=layout, devices=(device,))


def _nothing() -> None:
    """Nobody needs to know."""


def walks(
    spec: LoadSpec, led_by: Sequence[Walk] = (), opened: Callable[[], None] = _nothing
) -> tuple[Walk, Walk]:
    """The prompt token by token, and at once. What is written is what `led_by` wrote, so that one
    token in doubt does not make all later ones differ. `opened`: the file is needed no more."""
    api = native.api()
    first, second = (walk.written for walk in led_by) if led_by else ((), ())
    with ExitStack() as memory:
        context = open_into(memory, spec, inspect(spec.path)).context
        opened()
        return _walk(api, context, 1, first), _walk(api, context, PROMPT_TOKENS, second)


def prompt() -> list[int]:
    random = Random(_PROMPT_SEED)  # noqa: S311 - repeatable is what it has to be
    return [random.randrange(VOCABULARY) for _ in range(PROMPT_TOKENS)]


def _walk(api: Any, context: Context, step: int, led_by: Sequence[int]) -> Walk:
    context.keep(0)
    tokens = prompt()
    rows = [_row(api, context, tokens[at : at + step]) for at in range(0, len(tokens), step)]
    written: list[int] = []
    for index in range(NEW_TOKENS):
        written.append(led_by[index] if led_by else _best(rows[-1]))
        rows.append(_row(api, context, written[-1:]))
    return Walk(rows=tuple(rows), written=tuple(written))


def _row(api: Any, context: Context, tokens: Sequence[int]) -> Row:
    decoded = context.decode(tokens)
    logits = api.llama_get_logits_ith(context.pointer, -1)
    if decoded is not Decoded.DONE or not logits:
        raise EngineStopped(f"the evaluation ended as {decoded.name}")
    return list(logits[:VOCABULARY])


# --- comparing, pure ----------------------------------------------------------------------------


def verdict(reference: Sequence[Walk], seen: Sequence[Walk]) -> dict[str, object]:
    """What the role answers; `detail` has the first fault, else the largest error."""
    named = list(zip(("one by one", "at once"), reference, seen, strict=True))
    for shape, right, walk in named:
        for step, rows in enumerate(zip(right.rows, walk.rows, strict=True)):
            if found := fault(*rows):
                return {"passed": False, "detail": f"tokens {shape}, step {step}: {found}"}
    pairs = [rows for _, right, walk in named for rows in zip(right.rows, walk.rows, strict=True)]
    return {"passed": True, "detail": f"largest error {max(error(*rows) for rows in pairs):.2g}"}


def fault(right: Row, row: Row) -> str:
    """What is wrong with `row`, where `right` is what it should be; "" if nothing is."""
    if not all(map(math.isfinite, row)):
        return "the logits are not numbers"
    if (amount := error(right, row)) > LARGEST_ERROR:
        return f"the logits differ by {amount:.2g}, {LARGEST_ERROR} are usual at most"
    if _best(row) != _best(right) and margin(right) > NEAR_TIE:
        return f"token {_best(row)} instead of {_best(right)}, margin {margin(right):.2g}"
    return ""


def error(right: Row, row: Row) -> float:
    """The mean squared error, normalised."""
    differences = sum((a - b) ** 2 for a, b in zip(right, row, strict=True))
    return differences / sum(value * value for value in right)


def margin(row: Row) -> float:
    """By how much the best leads, in units of the row's spread."""
    best, second = sorted(row)[-1:-3:-1]
    return (best - second) / (pstdev(row) or 1.0)


def _best(row: Row) -> int:
    return row.index(max(row))
