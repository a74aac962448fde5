"""The real keeper over hours, and when memory really runs out."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.system import limits

pytestmark = [pytest.mark.model, pytest.mark.serial]

ROOT = Path(__file__).resolve().parents[2]
MB = 1_000_000


def run(*arguments: object, before: Any = None) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "tests.system.lasting", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
        preexec_fn=before,
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(("where", "count"), [("here", 50), ("child", 12)])
def test_loads_unloads_and_failures_leave_nothing_behind(
    starter_model: Path, snug_home: Path, where: str, count: int
) -> None:
    bad = snug_home / "bad.gguf"
    bad.write_bytes(starter_model.read_bytes()[:5000])
    seen = run("cycles", snug_home, starter_model, bad, count, where)
    warm, last = seen[count // 5], seen[-1]
    assert last[0] - warm[0] < 20 * MB
    assert last[1] <= warm[1] + 1
    assert last[2:] == [warm[2], 0]  # threads; children


def test_when_memory_runs_out_the_model_is_let_go_before_anything_is_killed(
    starter_model: Path, snug_home: Path
) -> None:
    with limits.memory_group(500 * MB) as enter:
        if enter is None:
            pytest.skip("no memory cgroup can be made here")
        seen = run("hog_until_let_go", snug_home, before=enter)
    assert seen == {"told": ["ModelReady", "MemoryRanLow", "ModelUnloaded"], "closed": True}
