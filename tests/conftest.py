"""What every test gets: an isolated home, no network, no leftover threads; and the real models.

Models are placed by `python3 dev.py test`, never fetched from here.
"""

import ipaddress
import itertools
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from app.paths import shared_models
from app.starter import read_manifest
from devenv.places import GEMMA_MANIFEST, STARTER_MANIFEST, models_for_tests
from engine.backends import plugins
from engine.guard.record import Record
from engine.keeper.processor import prove_processor
from engine.types.cancel import CancelToken

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before Qt reads it

_THREADS_END_WITHIN_S = 5.0
_PRIVATE = (  # a developer's own settings and keys must neither help nor leak
    "HF_TOKEN",
    "HUGGING_FACE_HUB_TOKEN",
    "HF_HOME",
    "HF_ENDPOINT",
    "OPENAI_API_KEY",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
)
_PROVED = "SNUG_TESTS_PROVED_PROCESSOR"
_MODELS = models_for_tests()
"""Found before the home is another one."""
_home_numbers = itertools.count()
_refused: list[str] = []


class NetworkRefusedError(OSError):
    """A test tried to leave this machine."""


def refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook: Python asks it before every connection, whoever makes it."""
    if event not in ("socket.connect", "socket.sendto", "socket.getaddrinfo"):
        return
    target = arguments[0] if event == "socket.getaddrinfo" else arguments[1]
    host = target[0] if isinstance(target, tuple) else target
    if not is_of_this_machine(host, named=isinstance(target, tuple) or event.endswith("addrinfo")):
        _refused.append(f"{event} {target!r}")
        msg = f"tests have no network: {event} {target!r}"
        raise NetworkRefusedError(msg)


def is_of_this_machine(host: object, *, named: bool) -> bool:
    """True for loopback, for no host at all, and for an unnamed (file system) socket."""
    if not named or host in (None, "", b""):
        return True
    text = host.decode() if isinstance(host, bytes) else str(host)
    try:
        return ipaddress.ip_address(text.partition("%")[0]).is_loopback
    except ValueError:
        return text == "localhost"


def pytest_configure() -> None:
    sys.addaudithook(refuse_network)
    _choose_processor_part()


def _choose_processor_part() -> None:
    """Tests run the engine in their own process, which a part that this machine only seems to be
    able to run would end (seen: AMX behind a hypervisor). The workers inherit the choice."""
    if _PROVED in os.environ:
        return
    with TemporaryDirectory() as folder:
        prove_processor(Record(Path(folder) / "lessons.json", "tests"), CancelToken())
    os.environ[_PROVED] = "1"
    if plugins.chosen_variant():
        os.environ.setdefault("SNUG_CPU_VARIANT", plugins.chosen_variant())


@pytest.fixture(autouse=True)
def _nothing_leaves() -> Iterator[None]:
    """An attempt fails the test even where the code under test swallowed the error."""
    _refused.clear()
    yield
    tried = list(_refused)
    _refused.clear()
    assert not tried, f"the test reached for the network: {tried}"


@pytest.fixture(autouse=True)
def _no_thread_left_behind() -> Iterator[None]:
    """A thread that is not a daemon keeps the program from ending."""
    before = set(threading.enumerate())
    yield
    left = [t for t in threading.enumerate() if t not in before and not t.daemon]
    deadline = time.monotonic() + _THREADS_END_WITHIN_S
    for thread in left:
        thread.join(max(0.0, deadline - time.monotonic()))
    alive = [thread.name for thread in left if thread.is_alive()]
    assert not alive, f"threads still run after the test: {alive}"


@pytest.fixture(autouse=True)
def _no_plugin_stays_approved() -> Iterator[None]:
    """The list is the process's: what one test approves, the next would load."""
    approved, variant = plugins.approved(), plugins.chosen_variant()
    yield
    plugins.approve(approved)
    plugins.use_variant(variant)


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def _own_world(monkeypatch: pytest.MonkeyPatch, _homes: Path) -> None:
    """No test sees the developer's data, keys or keychain. The home exists when it is used."""
    for name in _PRIVATE:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SNUG_HOME", str(_homes / f"home-{next(_home_numbers)}"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.setattr(Path, "home", lambda: _homes)  # models of a developer's other programs


@pytest.fixture
def snug_home(_own_world: None) -> Path:
    """This test's own data folder, which `SNUG_HOME` names."""
    home = Path(os.environ["SNUG_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    return home


def _model(path: Path, size_bytes: int) -> Path:
    if path.is_file() and path.stat().st_size == size_bytes:
        return path
    missing = f"{path.name} is not in place: run `python3 dev.py setup test`"
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture(scope="session")
def starter_model() -> Path:
    """SmolLM2-135M-Instruct: small, with a chat template."""
    starter = read_manifest(STARTER_MANIFEST)
    return _model(shared_models() / starter.file, starter.size_bytes)


@pytest.fixture(scope="session")
def gemma_model() -> Path:
    """gemma-3-270m: no chat template, 262k vocabulary, sliding-window attention."""
    gemma = read_manifest(GEMMA_MANIFEST)
    return _model(_MODELS / gemma.file, gemma.size_bytes)
