"""Loading and unloading for hours leaves nothing behind, whatever fails in between.

Counted in a child process, where memory, files and threads are those of the engine alone.
"""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from engine.errors import EngineError
from engine.hardware.resident import read_resident
from engine.runtimes.llamacpp.runtime import LlamaRuntime
from engine.types.cancel import CancelToken
from engine.types.models import LoadSpec
from engine.types.plans import FlashAttention, KvType, Layout
from tests.system.talk import ask, user

pytestmark = [pytest.mark.model, pytest.mark.serial]

ROOT = Path(__file__).parents[2]
CYCLES = 50
WARM_UP = 10
MIB = 1024 * 1024
LAYOUT = Layout(context_length=512, ubatch=128, threads=2)


def descriptors() -> int:
    process = psutil.Process()
    return process.num_handles() if psutil.WINDOWS else process.num_fds()


def cycle(good: LoadSpec, bad: LoadSpec, *, talk: bool) -> None:
    model = LlamaRuntime().load(good, lambda _: None, CancelToken())
    if talk:
        assert ask(model, user("Hi"), max_tokens=1)[1].stats.prompt_tokens > 0
    model.close()
    with pytest.raises(EngineError):
        LlamaRuntime().load(bad, lambda _: None, CancelToken())


def failing(starter: Path, folder: Path) -> list[LoadSpec]:
    """A cut header, no model, a path that can not be, a file only the native loader refuses, and
    a model whose context can not be made."""
    whole = starter.read_bytes()
    cut, other, renamed = (folder / f"{name}.gguf" for name in ("cut", "other", "renamed"))
    cut.write_bytes(whole[:4000])
    other.write_bytes(b"no model at all " * 1000)
    renamed.write_bytes(whole.replace(b"blk.0.attn_norm.weight", b"blk.0.attn_xxxx.weight", 1))
    paths = (cut, other, Path("a\0b.gguf"), renamed)
    refused = replace(LAYOUT, kv_type=KvType.Q8_0, flash_attention=FlashAttention.OFF)
    specs = [LoadSpec(path=path, layout=LAYOUT) for path in paths]
    return [*specs, LoadSpec(path=starter, layout=refused)]


def child(starter: str, folder: str) -> None:
    """Print what this process holds after each cycle: resident bytes, files, threads."""
    bad = failing(Path(starter), Path(folder))
    good = LoadSpec(path=Path(starter), layout=LAYOUT)
    seen: list[tuple[int, int, int]] = []
    for number in range(CYCLES):
        cycle(good, bad[number % len(bad)], talk=number % 7 == 0)
        threads = psutil.Process().num_threads()
        seen.append((read_resident().total_bytes, descriptors(), threads))
    print(json.dumps(seen))


def test_fifty_loads_and_failures_leave_memory_files_and_threads_as_they_were(
    starter_model: Path, tmp_path: Path
) -> None:
    program = "from tests.system.test_load_cycles import child; import sys; child(*sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", program, str(starter_model), str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    seen = json.loads(done.stdout.splitlines()[-1])
    assert len(seen) == CYCLES
    resident, files, threads = (list(column) for column in zip(*seen[WARM_UP:], strict=True))
    print(f"\nresident {min(resident) / MIB:.1f} to {max(resident) / MIB:.1f} MiB")
    assert max(resident) - resident[0] < 20 * MIB  # malloc gives some back now and then
    assert max(files) == min(files)
    assert max(threads) == min(threads)


def test_a_load_that_is_cancelled_leaves_nothing(starter_model: Path) -> None:
    good = LoadSpec(path=starter_model, layout=LAYOUT)
    load_cancelled(good)
    before, files = read_resident().total_bytes, descriptors()
    for _ in range(10):
        load_cancelled(good)
    assert read_resident().total_bytes - before < 20 * MIB
    assert descriptors() == files


def load_cancelled(spec: LoadSpec) -> None:
    cancel = CancelToken()

    def stop_at_once(_fraction: float) -> None:
        cancel.cancel()

    with pytest.raises(EngineError):
        LlamaRuntime().load(spec, stop_at_once, cancel)
