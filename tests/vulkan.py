"""The one graphics device that any Linux machine can have: Mesa's software Vulkan.

It is a processor that calls itself a device: slow, but with memory, buffers and graphs like a true
one. ggml passes it over unless it is named, which our plug-ins' settings do. The driver is only
ever started in children: once started, its threads stay in a process.

`ask` opens one file in many layouts with `no_alloc`; `python -m tests.vulkan` is its child.
"""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from engine.backends import plugins
from engine.child.spawn import run_role
from engine.child.wire import decode, encode
from engine.errors import EngineError
from engine.hardware.claims import parse_answer
from engine.hardware.probe import read_report
from engine.models.gguf import read_header
from engine.types.backends import Origin, Plugin
from engine.types.hardware import DeviceKind, HardwareReport
from engine.types.models import LoadSpec
from engine.types.plans import Layout, Measured

ROOT = Path(__file__).parents[1]
BACKEND = "vulkan"
DEVICE = "Vulkan0"
SETTINGS = (("GGML_VK_VISIBLE_DEVICES", "0"),)
"""The first device whatever its kind; without it ggml passes over processors."""
_TIMEOUT_S = 240
_PROBE_TIMEOUT_S = 30
_LAYER = re.compile(r"load_tensors: layer +(\d+) assigned to device (\S+),")
_STAYS = re.compile(r"tensor (\S+) \(.* buffer type overridden to (?:CPU|\S+_Host)")
_MOVED = re.compile(r"tensor '(\S+)' \(.*\) \(and (\d+) others\) cannot be used with preferred")
_TABLE = "token_embd.weight"
_BLOCK = re.compile(r"blk\.(\d+)\.")


@contextmanager
def approved() -> Iterator[Plugin]:
    """The plug-in may be used meanwhile, here and in children. Skips where there is none, or no
    device that it works with."""
    before = plugins.approved()
    plugin = _plugin()
    plugins.approve((plugin,))
    try:
        _require_device()
        yield plugin
    finally:
        plugins.approve(before)


def _plugin() -> Plugin:
    folder = plugins.library_folder()
    found = plugins.find(folder, Origin.BUILT_IN) if folder else ()
    for plugin in found:
        if plugin.backend == BACKEND:
            return replace(plugin, settings=SETTINGS)
    pytest.skip("this engine was built without the Vulkan plug-in")


def _require_device() -> None:
    try:
        answer = run_role("probe", {"backend": BACKEND}, timeout_s=_PROBE_TIMEOUT_S)
    except EngineError as error:
        pytest.skip(f"Vulkan does not work here: {error}")
    if not parse_answer(answer)[0]:
        pytest.skip("Vulkan has no device here, not even Mesa's")


def card_here() -> HardwareReport:
    """This machine as it is, with the software device passed off as a card: the rules that keep
    plans off it are not what is tested with it. Needs `approved`."""
    report = read_report(("cpu", BACKEND))
    cards = tuple(
        replace(device, description="Radeon RX 6400", problem=None)
        for device in report.devices
        if device.name == DEVICE
    )
    assert cards[0].kind is DeviceKind.GPU
    return replace(report, devices=cards)


def by_pool(measured: Measured, pool: str) -> tuple[int, int, int]:
    """Weights, cache and compute buffer there, in bytes."""
    weights, kv, compute = (
        dict(pairs).get(pool, 0)
        for pairs in (measured.weights_bytes, measured.kv_bytes, measured.compute_bytes)
    )
    return weights, kv, compute


@dataclass(frozen=True, slots=True, kw_only=True)
class Native:
    """What llama.cpp says of one layout, per pool. `weights` are those of the file's tensors that
    it assigned there; its log names layers and overridden tensors, not their sizes. Of
    `unsupported` ones it only tells how many: the device could not compute with them."""

    measured: Measured
    weights: tuple[tuple[str, int], ...]
    unsupported: int
    lines: tuple[str, ...]


def ask(
    path: Path, layouts: Sequence[Layout], settings: Sequence[tuple[str, str]] = ()
) -> list[Native]:
    """Needs `approved`. `settings` are more of the plug-in's."""
    plugin = plugins.approved_for(BACKEND)
    assert plugin is not None
    plugin = replace(plugin, settings=(*plugin.settings, *settings))
    specs = tuple(LoadSpec(path=path, layout=layout, devices=(DEVICE,)) for layout in layouts)
    done = subprocess.run(
        [sys.executable, "-m", "tests.vulkan"],
        input=json.dumps({"plugin": encode(plugin), "specs": encode(specs)}),
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, f"{path.name}: {done.returncode} {done.stderr[-2000:]}"
    return [_understood(answer) for answer in json.loads(done.stdout.splitlines()[-1])]


def _understood(answer: dict[str, Any]) -> Native:
    return Native(
        measured=decode(Measured, answer["measured"]),
        weights=tuple(answer["weights"].items()),
        unsupported=answer["unsupported"],
        lines=tuple(answer["lines"]),
    )


# --- in the child -----------------------------------------------------------------------------


def main() -> None:
    question = json.load(sys.stdin)
    plugins.approve((decode(Plugin, question["plugin"]),))
    specs = decode(tuple[LoadSpec, ...], question["specs"])
    sys.stdout.write(json.dumps([_native(spec) for spec in specs]) + "\n")
    sys.stdout.flush()
    os._exit(0)  # without the driver's farewell


def _native(spec: LoadSpec) -> dict[str, object]:
    from engine.models.inspect import inspect
    from engine.runtimes.llamacpp.buffers import measured_from
    from engine.runtimes.llamacpp.opening import open_into

    with ExitStack() as memory:
        lines = open_into(memory, spec, inspect(spec.path), no_alloc=True).lines
        measured = measured_from(lines, spec.devices)
    weights = _weights(spec.path, lines)
    return {
        "measured": encode(measured),
        "weights": weights,
        "unsupported": _unsupported(lines),
        "lines": lines,
    }


def _unsupported(lines: Sequence[str]) -> int:
    """Of the tensors that were moved, those that nobody sent away. The token table counts as moved
    where it would rather have been pinned, and where a tied head is sent away."""
    moved = next((match for line in lines if (match := _MOVED.search(line))), None)
    sent = {match[1] for line in lines if (match := _STAYS.search(line))} - {_TABLE}
    if moved is None:
        return 0
    return int(moved[2]) + (moved[1] != _TABLE) - len(sent)


def _weights(path: Path, lines: Sequence[str]) -> dict[str, int]:
    """Tensors behind the last layer are where that "layer" is; the token table never is, but a
    head that it serves as, too."""
    places = {int(m[1]): m[2] for line in lines if (m := _LAYER.search(line))}
    stays = {m[1] for line in lines if (m := _STAYS.search(line))}
    head = places[max(places)]
    tensors = read_header(path).tensors
    sums: Counter[str] = Counter()
    for tensor in tensors:
        block = _BLOCK.match(tensor.name)
        place = places[int(block[1])] if block else head
        if tensor.name.startswith(("token_embd.", "per_layer_token_embd.")):
            place = "CPU"
        sums["ram" if place == "CPU" or tensor.name in stays else place] += tensor.size_bytes
    tied = not any(tensor.name == "output.weight" for tensor in tensors)
    if tied and head != "CPU" and _TABLE not in stays:
        sums[head] += next(tensor.size_bytes for tensor in tensors if tensor.name == _TABLE)
    return dict(sums)


if __name__ == "__main__":
    main()
