"""How fast a download with hashing, journal and syncs is, against curl -o from the same server.

`pytest tests/bench/bench_download.py -s` prints it. It never fails on time.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import median

import pytest

from engine.types.cancel import CancelToken
from tests.servers.plain_file import bytes_of, hash_of

ROOT = Path(__file__).resolve().parents[2]
SIZE = 1 << 30
ROUNDS = 5
pytestmark = pytest.mark.skipif(os.name != "posix", reason="fork, sendfile")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("bench")
    path = folder / "source"
    step = 16 << 20
    with path.open("wb") as file:
        for at in range(0, SIZE, step):
            file.write(bytes_of(at, at + step))
    yield path
    shutil.rmtree(folder)


@pytest.fixture
def address(source: Path) -> Iterator[str]:
    """A server in a process of its own, which copies nothing: sendfile, a fork a connection."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.bench_download", str(source)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as server:
        assert server.stdout
        yield f"http://127.0.0.1:{int(server.stdout.readline())}"
        server.kill()


def took_s(argv: list[str], after: Callable[[], None] = lambda: None) -> tuple[float, float]:
    """Seconds by the clock, and of a processor."""
    before, began_s = os.times(), time.perf_counter()
    subprocess.run(argv, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    after()
    ended = os.times()
    used_s = ended.children_user + ended.children_system
    used_s -= before.children_user + before.children_system
    return time.perf_counter() - began_s, used_s


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl")
def test_against_curl(address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The medians of some rounds of each. Ours leaves the file synced: curl's is measured both
    ways. The start of Python and of its HTTP library is not counted, for a window downloads more
    than once. On a busy computer ours loses more: its work is that of two cores."""
    sha256 = hash_of(SIZE)
    theirs, synced, ours = [], [], []
    for _ in range(ROUNDS):
        plain = tmp_path / "theirs"
        curl = ["curl", "-s", "-o", str(plain), f"{address}/model.gguf"]
        theirs.append(took_s(curl))
        plain.unlink()
        synced.append(took_s(curl, partial(sync, plain)))
        plain.unlink()
        folder = tmp_path / "ours"
        argv = [sys.executable, "-m", "tests.bench.bench_download", address, str(folder), sha256]
        told = subprocess.run(argv, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        ours.append((float(told.split()[0]), float(told.split()[1])))
        shutil.rmtree(folder)
    with capsys.disabled():
        print()
        for name, times in (("curl", theirs), ("curl, synced", synced), ("Snug", ours)):
            wall_s, used_s = map(median, zip(*times, strict=True))
            print(f"{name:13} {SIZE / wall_s / 1e6:6.0f} MB/s, {used_s:.2f} s of a processor")
        wall_s = median(wall_s for wall_s, _ in ours)
        ratios = [median(other_s for other_s, _ in times) / wall_s for times in (theirs, synced)]
        print(
            f"Snug is {ratios[0]:.2f} x as fast as curl, {ratios[1]:.2f} x as curl, synced", end=""
        )


def sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def serve(path: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(listening.getsockname()[1], flush=True)
        while True:
            connection, _ = listening.accept()
            if os.fork() == 0:
                with suppress(OSError):
                    answer(connection, path)
                os._exit(0)
            connection.close()
            with suppress(ChildProcessError):
                os.waitpid(-1, os.WNOHANG)


def answer(connection: socket.socket, path: str) -> None:
    head = connection.recv(65536).decode("latin-1").lower()
    asked = head.partition("range: bytes=")[2].partition("\r\n")[0]
    first, _, last = (asked or "0-").partition("-")
    at, end = int(first), int(last) + 1 if last else SIZE
    status = "206 Part" if asked else "200 All"
    stated = f"Content-Range: bytes {at}-{end - 1}/{SIZE}\r\n" if asked else ""
    connection.sendall(f"HTTP/1.1 {status}\r\nContent-Length: {end - at}\r\n{stated}\r\n".encode())
    with Path(path).open("rb") as file:
        while at < end:
            at += os.sendfile(connection.fileno(), file.fileno(), at, end - at)


def fetch(address: str, folder: str, sha256: str) -> None:
    """Seconds by the clock, and of a processor."""
    from engine.net import transport  # noqa: F401 - loads the HTTP library
    from tests.system.fetching import download_of, wanted_from

    download = download_of(wanted_from(address, Path(folder), SIZE, sha256), lambda _: None)
    before, began_s = time.process_time(), time.perf_counter()
    download.run(CancelToken())
    print(time.perf_counter() - began_s, time.process_time() - before)


if __name__ == "__main__":
    (serve if len(sys.argv) == 2 else fetch)(*sys.argv[1:])
