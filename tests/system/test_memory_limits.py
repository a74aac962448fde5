"""Under `ulimit -v` a load ends as an error of our tree or as an answer, never as a dead process.

Each test is one child process, which lowers and raises its own limit and says what happened.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.model,
    pytest.mark.serial,
    pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold RLIMIT_AS"),
]

ROOT = Path(__file__).parents[2]
FAILED, ANSWERED = "out_of_memory", "answered"

CHILD = """
import json, resource, sys
from pathlib import Path
from engine.errors import EngineError
from engine.runtimes.llamacpp import native
from engine.runtimes.llamacpp.runtime import LlamaRuntime
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.generation import GenerationRequest
from engine.types.models import LoadSpec
from engine.types.plans import Layout, LoadMode

def held():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmSize:")[1].split()[0]) * 1024

def limit(left):
    most = resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_AS, (most if left is None else held() + left, most))

def attempt(path, context, mode):
    layout = Layout(context_length=context, ubatch=128, threads=2, load_mode=LoadMode(mode))
    spec = LoadSpec(path=Path(path), layout=layout)
    request = GenerationRequest(
        messages=(Message(role=Role.USER, content="hi"),), max_tokens=1
    )
    try:
        model = LlamaRuntime().load(spec, lambda _: None, CancelToken())
    except EngineError as error:
        return error.code
    try:
        list(model.generate(request, CancelToken()))
    finally:
        model.close()
    return "answered"

native.api()
question = json.loads(sys.argv[1])
outcomes = []
for left_mib, context in question["attempts"]:
    limit(left_mib << 20)
    outcome = attempt(question["path"], context, question["mode"])
    limit(None)
    outcomes.append(outcome)
print(json.dumps(outcomes))
"""


def outcomes(path: Path, attempts: list[tuple[int, int]], mode: str = "mmap") -> list[str]:
    question = json.dumps({"path": str(path), "attempts": attempts, "mode": mode})
    done = subprocess.run(
        [sys.executable, "-c", CHILD, question],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    answer: list[str] = json.loads(done.stdout.splitlines()[-1])
    return answer


@pytest.mark.parametrize("mode", ["mmap", "none"])
def test_whatever_is_left_ends_well(starter_model: Path, mode: str) -> None:
    """256 MiB are taken: 92 of weights, 90 of cache, the graph, its threads."""
    left_mib = [0, 4, 17, 60, 110, 116, 150, *range(204, 300, 8), 340]
    told = outcomes(starter_model, [(left, 4096) for left in left_mib], mode)
    assert set(told) == {FAILED, ANSWERED}
    assert told[0] == FAILED
    assert told[-1] == ANSWERED


def test_a_context_that_is_too_long_leaves_the_shorter_ones_possible(starter_model: Path) -> None:
    contexts = [131_072, 16_384, 8192, 256, 131_072, 256]
    told = outcomes(starter_model, [(420, context) for context in contexts])
    assert told == [FAILED, FAILED, ANSWERED, ANSWERED, FAILED, ANSWERED]
