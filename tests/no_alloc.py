"""What llama.cpp itself says that a model takes, without taking it: the reference for estimates.

A child process opens files with `no_alloc` and reports its log's numbers: a failed assertion in
llama.cpp ends the child, not the tests. Parameters are those of the real runtime.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.types.models import LoadSpec
from engine.types.plans import FlashAttention, KvType, Layout

ROOT = Path(__file__).parents[1]
_TIMEOUT_S = 240
_UNUSED = re.compile(r"unused tensor \S+ \(size = (\d+) bytes\)")
_CACHE = re.compile(r": size = +([\d.]+) MiB \(")
_COMPUTE = re.compile(r"\S+ compute buffer size = +([\d.]+) MiB")


@dataclass(frozen=True)
class Answer:
    """`loaded_bytes`: tensors of the file that are loaded. Per layout, in MiB: cache and compute
    buffer as logged, None where llama.cpp refuses the layout."""

    loaded_bytes: int
    cache_mib: tuple[float | None, ...]
    compute_mib: tuple[float | None, ...]
    log: str


def ask(path: Path, layouts: Sequence[Layout]) -> Answer:
    """Open one file in a child, and a context for each layout. Only main memory."""
    question = json.dumps({"path": str(path), "layouts": [_plain(layout) for layout in layouts]})
    done = subprocess.run(
        [sys.executable, "-m", "tests.no_alloc"],
        input=question,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, f"{path.name}: {done.returncode} {done.stderr[-2000:]}"
    answer = json.loads(done.stdout.splitlines()[-1])
    return Answer(
        loaded_bytes=answer["loaded_bytes"],
        cache_mib=tuple(answer["cache_mib"]),
        compute_mib=tuple(answer["compute_mib"]),
        log=answer["log"],
    )


def _plain(layout: Layout) -> dict[str, object]:
    return {
        "context_length": layout.context_length,
        "kv_type": layout.kv_type.value,
        "ubatch": layout.ubatch,
        "flash_attention": layout.flash_attention.value,
    }


def _layout(plain: dict[str, Any]) -> Layout:
    return Layout(
        context_length=plain["context_length"],
        kv_type=KvType(plain["kv_type"]),
        ubatch=plain["ubatch"],
        flash_attention=FlashAttention(plain["flash_attention"]),
    )


def _in_child() -> None:
    from engine.runtimes.llamacpp import native

    question = json.load(sys.stdin)
    api, lines = native.api(), []

    def keep(_level: int, text: bytes | None, _data: object) -> None:
        lines.append((text or b"").decode("utf-8", "replace"))

    callback = api.llama_log_callback(keep)
    api.llama_log_set(callback, None)
    layouts = [_layout(plain) for plain in question["layouts"]]
    print(json.dumps(_measured(api, Path(question["path"]), layouts, lines)), flush=True)
    os._exit(0)


def _measured(api: Any, path: Path, layouts: list[Layout], lines: list[str]) -> dict[str, object]:
    from engine.runtimes.llamacpp.parameters import model_parameters

    spec = LoadSpec(path=path, layout=layouts[0])
    held = model_parameters(api, spec, layers=1, no_alloc=True)
    model = api.llama_model_load_from_file(os.fsencode(path), held.struct)
    log = "".join(lines)
    if not model:
        sys.exit(f"not loaded: {log[-1500:]}")
    skipped = sum(int(size) for size in _UNUSED.findall(log))
    pairs = [_context(api, model, layout, lines) for layout in layouts]
    return {
        "loaded_bytes": api.llama_model_size(model) - skipped,
        "cache_mib": [cache for cache, _ in pairs],
        "compute_mib": [compute for _, compute in pairs],
        "log": "".join(lines)[-2000:],
    }


def _context(
    api: Any, model: int, layout: Layout, lines: list[str]
) -> tuple[float | None, float | None]:
    from engine.runtimes.llamacpp.abort import AbortFlag
    from engine.runtimes.llamacpp.parameters import context_parameters

    lines.clear()
    abort = AbortFlag(api.ggml_abort_callback)
    context = api.llama_init_from_model(model, context_parameters(api, layout, abort))
    if not context:
        return None, None
    api.llama_free(context)
    log = "".join(lines)
    return sum(map(float, _CACHE.findall(log))), sum(map(float, _COMPUTE.findall(log)))


if __name__ == "__main__":
    _in_child()
