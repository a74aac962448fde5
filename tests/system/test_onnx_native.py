"""ONNX Runtime beside the answers: other threads, children, memory, the program, and no network."""

import gc
import json
import shutil
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from engine.child.host import ChildHost
from engine.child.spawn import run_role
from engine.child.wire import decode, encode
from engine.errors import BackendUnusable, EngineStopped, LoadFailed
from engine.hardware.resident import read_resident
from engine.prompting.seams import Decoded
from engine.runtimes.onnx import native
from engine.runtimes.onnx.context import Context
from engine.runtimes.onnx.objects import Config, Generator, Model, Tokenizer
from engine.runtimes.onnx.runtime import OnnxRuntime
from engine.types.cancel import CancelToken
from engine.types.generation import (
    Finished,
    GenerationRequest,
    TextDelta,
)
from engine.types.models import Loaded, LoadSpec
from engine.types.plans import Layout, Rehearsal
from tests.onnx_model import TINY_ONNX
from tests.system import child_talk
from tests.system.onnx_talk import GREEDY, ask, load, spec_for, user

if not native.is_installed():
    pytest.skip("the optional extra onnx is not installed", allow_module_level=True)

MIB = 1 << 20


def test_native_work_is_ended_from_another_thread_and_the_cache_is_sound_after_it() -> None:
    """One batch as long as the whole prompt: only the library itself can end that early."""
    with_all = Layout(context_length=4096, threads=1, ubatch=4096)
    spec = LoadSpec(path=TINY_ONNX, layout=with_all)
    big = OnnxRuntime().load(spec, lambda _: None, CancelToken())
    try:
        context = big._session._context
        tokens = [40] * 3900
        started = time.perf_counter()
        assert context.decode(tokens) is Decoded.DONE
        whole_s = time.perf_counter() - started
        context.keep(0)
        assert any(_ended_early(context, tokens, whole_s / 10) for _ in range(5))
        assert context.tokens == []
        expected, _ = ask(big, user("hello"))
        other = load()
        try:
            assert ask(other, user("hello"))[0] == expected
        finally:
            other.close()
    finally:
        big.close()


def _ended_early(context: Context, tokens: list[int], after_s: float) -> bool:
    context.keep(0)
    timer = threading.Timer(after_s, context.abort)
    timer.start()
    ended = context.decode(tokens)
    timer.join()
    context.allow()
    return ended is Decoded.ABORTED


def test_other_threads_go_on_while_the_library_computes() -> None:
    """Its own Python module would hold the interpreter's lock for all that time."""
    spec = LoadSpec(path=TINY_ONNX, layout=Layout(context_length=4096, threads=1, ubatch=4096))
    big = OnnxRuntime().load(spec, lambda _: None, CancelToken())
    over = threading.Event()
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        while not over.wait(0.002):
            ticks += 1

    thread = threading.Thread(target=tick)
    try:
        context = big._session._context
        thread.start()
        before, started = ticks, time.perf_counter()
        context.decode([40] * 3900)
        took_s, seen = time.perf_counter() - started, ticks - before
    finally:
        over.set()
        thread.join()
        big.close()
    assert seen >= 3 or took_s < 0.05


def test_where_nothing_can_be_appended_the_answer_is_the_same() -> None:
    """As DirectML: every prompt in one piece from its beginning, tokens forced one by one."""
    library = native.library()
    config = Config(library, str(TINY_ONNX).encode())
    config.only_provider(None)
    native_model = Model(library, config)
    tokenizer = Tokenizer(library, native_model)
    make = partial(Generator, library, native_model, 512)
    contexts = [Context(make, device, length=512, ubatch=16) for device in ("CPU", "DML")]
    try:
        written: list[list[int]] = []
        for context in contexts:
            for text in ("The wind", "A café near the pier"):
                prompt = tokenizer.encode(text)
                kept = context.keep(0)
                for start in range(kept, len(prompt), context.ubatch):
                    assert context.decode(prompt[start : start + context.ubatch]) is Decoded.DONE
                tokens = []
                for _ in range(20):
                    tokens.append(int(context.logits().argmax()))
                    assert context.decode_one(tokens[-1]) is Decoded.DONE
                written.append(tokens)
                assert context.tokens == prompt + tokens
        assert written[:2] == written[2:]
        assert contexts[1].keep(5) == 0
    finally:
        for made in (*contexts, tokenizer, native_model, config):
            made.close()


def test_a_backend_that_is_not_installed_is_named() -> None:
    layout = Layout(context_length=512, threads=1, backends=("directml",))
    with pytest.raises(BackendUnusable) as caught:
        OnnxRuntime().load(LoadSpec(path=TINY_ONNX, layout=layout), lambda _: None, CancelToken())
    assert caught.value.backend == "directml"


def test_what_the_library_refuses_carries_its_words(tmp_path: Path) -> None:
    folder = tmp_path / "cut"
    shutil.copytree(TINY_ONNX, folder)
    (folder / "model.onnx").write_bytes((folder / "model.onnx").read_bytes()[:500])
    with pytest.raises(LoadFailed) as caught:
        OnnxRuntime().load(spec_for(path=folder), lambda _: None, CancelToken())
    assert caught.value.detail


def test_a_folder_for_a_graphics_card_still_runs_on_the_processor(tmp_path: Path) -> None:
    """Its own providers are not followed: the plan says what it runs on."""
    folder = tmp_path / "ünïcode ordner"
    shutil.copytree(TINY_ONNX, folder)
    file = folder / "genai_config.json"
    options = '"provider_options": [{"dml": {}}]'
    text = file.read_text()
    assert '"provider_options": []' in text
    file.write_text(text.replace('"provider_options": []', options))
    loaded = OnnxRuntime().load(spec_for(path=folder), lambda _: None, CancelToken())
    try:
        assert ask(loaded, user("hello"))[0]
    finally:
        loaded.close()


def test_it_answers_stops_and_unloads_in_a_child() -> None:
    host = ChildHost("local")
    try:
        loaded = child_talk.load(host, spec_for())
        assert isinstance(loaded, Loaded)
        assert loaded.info.in_child
        request = GenerationRequest(messages=(user("The wind"),), sampling=GREEDY, max_tokens=200)
        text, ended = child_talk.ask(host, request)
        assert isinstance(ended, Finished)
        assert text.endswith(".")
        pid = host.pid
        assert pid is not None
        host.unload()
        child_talk.until(lambda: not child_talk.is_running(pid))
    finally:
        assert host.close(20)


def test_the_program_answers_with_a_folder(snug_home: Path) -> None:
    """Planned, rehearsed and loaded as any other model."""
    asked = ["ask", "hello", "--model", str(TINY_ONNX), "--json", "--temperature", "0"]
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from ui.main import main; sys.exit(main())", *asked],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["text"]
    assert (answer["backend"], answer["model"]) == ("cpu", "tiny-onnx")


def test_what_is_closed_is_an_error_and_never_a_crash() -> None:
    loaded = load(512)
    request = GenerationRequest(messages=(user("hello"),), sampling=GREEDY, max_tokens=50)
    begun = loaded.generate(request, CancelToken())
    while not isinstance(next(begun), TextDelta):
        pass
    loaded.close()
    with pytest.raises(EngineStopped):
        list(begun)
    with pytest.raises(EngineStopped):
        ask(loaded, user("hello"))


def test_a_reply_that_is_given_up_after_its_model_ends_quietly() -> None:
    loaded = load(512)
    request = GenerationRequest(messages=(user("hello"),), sampling=GREEDY, max_tokens=50)
    begun = loaded.generate(request, CancelToken())
    while not isinstance(next(begun), TextDelta):
        pass
    loaded.close()
    del begun
    gc.collect()


def test_unloading_gives_memory_back() -> None:
    load(4096).close()
    sizes = []
    for _ in range(8):
        loaded = load(4096)
        ask(loaded, user("hello"), max_tokens=4)
        loaded.close()
        sizes.append(read_resident().total_bytes)
    assert sizes[-1] - sizes[1] < 8 * MIB


def test_a_rehearsal_in_a_child_tells_speed_and_memory() -> None:
    answer = run_role("rehearse", {"spec": encode(spec_for())}, timeout_s=120)
    seen = decode(Rehearsal, answer["rehearsal"])
    assert len(seen.tokens) == len(seen.margins) == 4
    assert all(margin >= 0 for margin in seen.margins)
    assert seen.tokens_per_s > 0
    assert seen.prompt_tokens == 256
    assert 0 < seen.grown_bytes < 96 * MIB  # what the plan allows for beside the model
    measured = run_role("measure", {"spec": encode(spec_for())}, timeout_s=120)
    assert measured["measured"]


_REPLY = """
import socket, sys
if sys.argv[1:] == ["control"]:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()
    sys.exit()
from engine.runtimes.onnx.runtime import OnnxRuntime
from engine.types.cancel import CancelToken
from engine.types.chat import Message, Role
from engine.types.generation import GenerationRequest
from engine.types.models import LoadSpec
from engine.types.plans import Layout
from tests.onnx_model import TINY_ONNX
spec = LoadSpec(path=TINY_ONNX, layout=Layout(context_length=512, threads=1))
model = OnnxRuntime().load(spec, lambda _: None, CancelToken())
asked = GenerationRequest(messages=(Message(role=Role.USER, content="hi"),), max_tokens=8)
print(len(list(model.generate(asked, CancelToken()))))
model.close()
"""


def _network_calls(report: Path, *arguments: str) -> list[str]:
    """Lines of strace about internet sockets, of a process and all its threads and children."""
    command = ["strace", "-f", "-qq", "-e", "trace=network", "-o", str(report)]
    done = subprocess.run(
        [*command, sys.executable, "-c", _REPLY, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    if "ptrace" in done.stderr.lower():
        pytest.skip(f"strace may not trace here: {done.stderr[:200]}")
    assert done.returncode == 0, done.stderr
    return [line for line in report.read_text().splitlines() if "AF_INET" in line]


@pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace")
def test_a_load_and_a_reply_open_no_socket_to_anywhere(tmp_path: Path) -> None:
    assert _network_calls(tmp_path / "control", "control")  # it would be seen
    assert _network_calls(tmp_path / "reply") == []


def test_telemetry_is_off_before_the_library_is_loaded() -> None:
    """The library reads the variable when it starts: it is set in the process's own environment
    before anything of it is mapped."""
    code = (
        "import ctypes, os\n"
        "from engine.runtimes.onnx import native\n"
        "getenv = ctypes.CDLL(None).getenv\n"
        "getenv.restype = ctypes.c_char_p\n"
        "kept = native.preload\n"
        "seen = []\n"
        "def preload(engine):\n"
        "    seen.append((getenv(b'ORT_DISABLE_TELEMETRY'), 'onnxruntime' in open("
        "'/proc/self/maps').read()))\n"
        "    kept(engine)\n"
        "native.preload = preload\n"
        "native.library()\n"
        "print(seen)\n"
    )
    if sys.platform != "linux":
        pytest.skip("looks into /proc")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[(b'1', False)]"
    assert done.stderr == ""
