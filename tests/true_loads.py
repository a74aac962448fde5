"""Loads a model for real in a fresh process and tells what it took: the reference for a plan.

`load` starts the child and asserts that it ended well; `python -m tests.true_loads` is the child.
"""

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from engine.hardware.cpu import read_cpu
from engine.hardware.memory import read_memory
from engine.hardware.resident import read_resident
from engine.hardware.system import this_system
from engine.models.inspect import inspect
from engine.models.shape import read_shape
from engine.planner.estimate.memory import estimate
from engine.planner.estimate.repacking import for_processor
from engine.planner.speed import TYPICAL_TOKENS, tokens_per_s
from engine.runtimes.llamacpp import native
from engine.runtimes.llamacpp.context import Context
from engine.runtimes.llamacpp.kernels import measure_speed
from engine.runtimes.llamacpp.opening import open_into
from engine.runtimes.llamacpp.runtime import LlamaRuntime
from engine.runtimes.llamacpp.sampling import Sampler
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.generation import GenerationRequest, Sampling
from engine.types.hardware import HardwareReport, Speed
from engine.types.models import LoadSpec
from engine.types.plans import KvType, Layout, Use
from engine.types.shapes import ModelShape

ROOT = Path(__file__).parents[1]
THREADS = min(2, os.cpu_count() or 1)
LAYOUTS = tuple(
    Layout(context_length=context, kv_type=kv_type, threads=THREADS)
    for context in (2048, 8192)
    for kv_type in KvType
)
_TIMEOUT_S = 280
_TOKENS_A_TURN = 20


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """`growth_bytes` of resident memory by a load, a full batch and some tokens. The rates are
    those of the best of `turns` turns, in which kernels and real tokens were measured one after
    the other; both 0 without turns."""

    growth_bytes: int
    real_tokens_per_s: float
    predicted_tokens_per_s: float


def load(path: Path, layout: Layout, *, turns: int = 0) -> Loaded:
    """One real load in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.true_loads"],
        input=json.dumps([str(path), layout.context_length, layout.kv_type, turns]),
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, f"{path.name}: {done.returncode} {done.stderr[-2000:]}"
    return Loaded(**json.loads(done.stdout.splitlines()[-1]))


def shape_here(path: Path) -> ModelShape:
    """As the planner sees it on this processor."""
    return for_processor(read_shape(path), read_cpu())


def predicted(path: Path, layout: Layout) -> Use:
    """What is estimated for main memory."""
    return estimate(shape_here(path), layout)[0]


# --- in the child -----------------------------------------------------------------------------


def _growth_bytes(spec: LoadSpec) -> int:
    """The library itself is there before: it is the program's, not the model's."""
    native.api()
    before = read_resident().total_bytes
    model = LlamaRuntime().load(spec, lambda _: None, CancelToken())
    question = Message(role=Role.USER, content="word " * (spec.layout.ubatch + 32))
    request = GenerationRequest(messages=(question,), max_tokens=8)
    for _ in model.generate(request, CancelToken()):
        pass
    growth = read_resident().total_bytes - before
    model.close()
    return growth


def _report(speed: Speed) -> HardwareReport:
    return HardwareReport(system=this_system(), cpu=read_cpu(), memory=read_memory(), speed=speed)


def _fill(context: Context, spec: LoadSpec) -> None:
    """As many tokens as a prediction assumes."""
    left = min(TYPICAL_TOKENS, spec.layout.context_length // 2) - 2 * _TOKENS_A_TURN
    while left > 0:
        count = min(left, spec.layout.ubatch)
        context.decode([1000 + index for index in range(count)])
        left -= count


def _real_tokens_per_s(context: Context, sampler: Sampler) -> float:
    """Of the median token of a turn."""
    times_s = []
    for _ in range(_TOKENS_A_TURN):
        started = time.perf_counter()
        context.decode_one(sampler.sample())
        times_s.append(time.perf_counter() - started)
    return 1 / median(times_s)


def _rates(spec: LoadSpec, turns: int) -> tuple[float, float]:
    """Real and predicted, in turns: the best are those that nothing else disturbed."""
    shape = shape_here(spec.path)
    api = native.api()
    with ExitStack() as memory:
        opened = open_into(memory, spec, inspect(spec.path))
        _fill(opened.context, spec)
        sampler = Sampler(api, shape.vocabulary, opened.context.pointer, Sampling())
        memory.callback(sampler.close)
        real, told = [], []
        for _ in range(turns):
            told.append(
                tokens_per_s(shape, spec.layout, _report(measure_speed(THREADS)), ()) or 0.0
            )
            real.append(_real_tokens_per_s(opened.context, sampler))
    return max(real), max(told)


def main() -> None:
    name, context_length, kv_type, turns = json.loads(sys.stdin.read())
    layout = Layout(context_length=context_length, kv_type=KvType(kv_type), threads=THREADS)
    spec = LoadSpec(path=Path(name), layout=layout)
    growth_bytes = _growth_bytes(spec)
    real, told = _rates(spec, turns) if turns else (0.0, 0.0)
    answer = {
        "growth_bytes": growth_bytes,
        "real_tokens_per_s": real,
        "predicted_tokens_per_s": told,
    }
    sys.stdout.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
