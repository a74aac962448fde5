"""A real server of the OpenAI protocol: llama-cpp-python's own, with a real model, on loopback.

It runs in a process of its own. Which runtime it is compared with is up to the test.
"""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from socket import create_server
from tempfile import TemporaryDirectory

from app.paths import shared_models
from app.starter import read_manifest

MODEL = "snug-test"
_START_S = 120.0
_END_S = 10.0


@contextmanager
def real_server(
    model: Path | None = None, *, context_length: int = 512, key: str | None = None
) -> Iterator[str]:
    """Yields the server's address; the model is called `MODEL` there. None is the starter."""
    model = model or shared_models() / read_manifest().file
    port = _free_port()
    argv = [sys.executable, "-m", "llama_cpp.server", "--model", str(model)]
    argv += ["--model_alias", MODEL, "--host", "127.0.0.1", "--port", str(port)]
    argv += ["--n_ctx", str(context_length), "--n_gpu_layers", "0"]
    argv += ["--n_threads", "1", "--n_threads_batch", "1"]  # two would spin where others work too
    if key is not None:
        argv += ["--api_key", key]
    folder = TemporaryDirectory()
    process = subprocess.Popen(
        argv,
        cwd=_plugins(Path(folder.name)),
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}/v1"
    try:
        _wait_for(process, address)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        folder.cleanup()


def _plugins(folder: Path) -> Path:
    """The stock package looks for plug-ins of the engine where it was started, and only there. It
    gets one for the processor: that which answers on this machine (see conftest)."""
    spec = find_spec("llama_cpp")
    assert spec is not None
    assert spec.origin is not None
    variant = os.environ.get("SNUG_CPU_VARIANT", "")
    for path in (Path(spec.origin).parent / "lib").iterdir():
        others = variant and path.name.startswith("libggml-cpu-") and variant not in path.name
        if path.is_file() and not others:
            (folder / path.name).symlink_to(path)
    return folder


def _free_port() -> int:
    with create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _wait_for(process: subprocess.Popen[bytes], address: str) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline:
        assert process.poll() is None, "the server ended while it started"
        try:
            with opener.open(f"{address}/models", timeout=5):
                return
        except urllib.error.HTTPError:
            return  # it wants a key: it is there
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server did not start in time")
