"""Packs as people meet them: the real program, plug-ins that are really loaded, kills, full disks.

The packs come from the real builder and signer; only the keys are the test's.
"""

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import packs
from app.cli.pack_words import STATES, WORDS
from app.cli.packs import page
from app.paths import find
from engine.backends import plugins
from engine.child.spawn import run_role
from engine.errors import BackendUnusable, PackRefused
from engine.packs import changes, keys, store
from engine.types.backends import Plugin
from engine.types.packs import PackProblem, PackState
from tests.forged_packs import KEYS, made
from tests.plugins import (
    ABORTS,
    COMPILER,
    FINDS_NO_DEVICE,
    HANGS,
    compile_plugin,
    compile_without_its_driver,
    our_id,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="compiles plug-ins for Linux")

ROOT = Path(__file__).resolve().parents[2]
TRUST = json.dumps({key_id: key.hex() for key_id, key in KEYS.items()})
NEEDED = "libsnugneeded.so.1"
FINDS_A_DEVICE = """
struct props { const char *name, *description; unsigned long free, total; int type;
    const char *id; _Bool caps[5]; };
static void tell(void *device, struct props *props) {
    props->name = "CUDA0"; props->description = "A card of paper"; props->type = 1;
    props->free = props->total = 1ul << 33;
}
static struct { void *functions[15]; void *registry; void *context; } device =
    { { 0, 0, 0, 0, (void *)tell }, 0, 0 };
""" + FINDS_NO_DEVICE.replace('"Vulkan"', '"CUDA"').replace(
    "{ return 0; }\nstatic void *get", "{ return 1; }\nstatic void *get"
).replace("unsigned long index) { return 0; }", "unsigned long index) { return &device; }").replace(
    "{ return &registry; }", "{ device.registry = &registry; return &registry; }"
)
"""See ggml/src/ggml-backend-impl.h, `ggml_backend_device`."""


@pytest.fixture(autouse=True)
def _our_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "TRUSTED", KEYS)


def needed(folder: Path) -> Path:
    """A library that only lies in the pack."""
    command = [COMPILER or "cc", "-shared", "-fPIC", f"-Wl,-soname,{NEEDED}", "-x", "c"]
    subprocess.run([*command, "/dev/null", "-o", folder / NEEDED], check=True)
    return folder / NEEDED


def pack(scratch: Path, code: str = FINDS_A_DEVICE, text: str = "first") -> Path:
    """A pack for this engine whose plug-in is `code`."""
    scratch.mkdir(exist_ok=True)
    library = needed(scratch)
    plugin = compile_plugin(scratch / "libggml-cuda.so", code, our_id(), links=library)
    return _packed(scratch, plugin, library, text)


def _packed(scratch: Path, plugin: Path, library: Path, text: str) -> Path:
    files = {
        NEEDED: library.read_bytes(),
        plugin.name: plugin.read_bytes(),
        "licences/EULA.txt": text.encode() * 1000,
    }
    return made(scratch, files, build_id=our_id(), first=(NEEDED,))


def snug(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.system.packed", TRUST, *words],
        capture_output=True, text=True, timeout=120, check=False, cwd=ROOT,
    )  # fmt: skip


def in_use() -> list[str]:
    """Numbers of the packs' folders."""
    return [plugin.path.parent.name for plugin in packs.approved_packs(find())]


def test_the_life_of_a_pack(snug_home, tmp_path):
    """From a file to a device that the engine sees, a newer one, back, and gone."""
    first = pack(tmp_path / "1")
    done = snug("packs", "import", str(first), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["imported"]["state"] == "in_use"

    plugins.approve(packs.approved_packs(find()))
    answer = run_role("probe", {"backend": "cuda"}, timeout_s=60)
    assert [device["description"] for device in answer["devices"]] == ["A card of paper"]

    packs.import_pack(find(), pack(tmp_path / "2", text="second"))
    text = page(store.listed(packs.shelf(find())))
    assert [line.split(": ")[1][:6] for line in text.splitlines()[::2]] == ["in use", "kept, "]
    assert "NVIDIA CUDA EULA" in text
    assert in_use() == ["2"]

    changes.restore(packs.shelf(find()), "cuda13")
    assert in_use() == ["1"]

    (snug_home / "backends" / our_id() / "cuda13" / "1" / "licences" / "EULA.txt").write_text("no")
    assert in_use() == ["2"]
    done = snug("packs", "check", "--json")
    assert done.returncode == 3
    assert {entry["wrong_file"] for entry in json.loads(done.stdout)["checked"]} == {
        "",
        "licences/EULA.txt",
    }

    assert snug("packs", "remove", "cuda13").returncode == 0
    assert not (snug_home / "backends").exists()


def test_a_damaged_mark_is_a_line_and_not_a_crash(snug_home, tmp_path):
    place = packs.import_pack(find(), pack(tmp_path / "1")).folder
    (place / ".ok").write_text("[1]")
    done = snug("packs", "list")
    assert (done.returncode, done.stderr) == (0, "")
    assert STATES[PackState.UNFINISHED] in done.stdout
    assert packs.approved_packs(find()) == ()
    (place / "libplanted.so").write_bytes(b"x")
    done = snug("packs", "check")
    assert done.returncode == 3
    assert "libplanted.so was added or changed" in done.stdout
    (place / "libplanted.so").unlink()
    assert "every file is as it should be" in snug("packs", "check").stdout
    assert in_use() == ["1"]
    (place / ".ok").unlink()
    assert STATES[PackState.UNFINISHED] in snug("packs", "check").stdout
    (place / ".ok").write_text("7")
    assert snug("packs", "remove", "cuda13").returncode == 0
    assert not (snug_home / "backends").exists()


@pytest.mark.usefixtures("snug_home")
def test_on_trial_a_plug_in_is_approved_for_its_own_child_only(tmp_path, monkeypatch):
    meanwhile: list[tuple[Plugin, ...]] = []

    def asked(*words: object, **others: object) -> object:
        meanwhile.append(plugins.approved())
        return run_role(*words, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(packs, "run_role", asked)
    before = plugins.approved()
    packs.import_pack(find(), pack(tmp_path / "1"))
    assert meanwhile == [before]


def test_without_its_own_library_the_plug_in_would_not_start(tmp_path):
    """So the one above really was loaded by the path in the pack."""
    library = needed(tmp_path)
    path = compile_plugin(tmp_path / "libggml-cuda.so", FINDS_A_DEVICE, our_id(), links=library)
    library.unlink()
    plugin = Plugin(
        backend="cuda", path=path, origin=plugins.Origin.PACK, build_id=our_id(), needs=()
    )
    plugins.approve([plugin])
    with pytest.raises(BackendUnusable):
        run_role("probe", {"backend": "cuda"}, timeout_s=60)


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        (ABORTS, PackProblem.CRASHED),
        (HANGS, PackProblem.TIMED_OUT),
        (FINDS_NO_DEVICE, PackProblem.NO_DEVICE),
        (None, PackProblem.NOT_LOADABLE),
    ],
    ids=["aborts", "hangs", "no device", "no driver"],
)
def test_a_pack_that_does_not_work_here_is_not_kept(
    snug_home, tmp_path, monkeypatch, code, problem
):
    if code is HANGS:
        monkeypatch.setattr(packs, "_TRIAL_S", 3.0)
    if code is None:
        path = tmp_path / "libggml-cuda.so"
        compile_without_its_driver(path, "libcuda-of-nobody.so.1", our_id())
        file = _packed(tmp_path, path, needed(tmp_path), "")
    else:
        file = pack(tmp_path, code)
    before = plugins.approved()
    with pytest.raises(PackRefused) as caught:
        packs.import_pack(find(), file)
    assert caught.value.problem == problem
    assert plugins.approved() == before
    assert not (snug_home / "backends").exists()


def test_a_refusal_is_a_sentence_with_an_exit_code(snug_home, tmp_path):
    other = made(tmp_path, {"libggml-cuda.so": b"x"}, build_id="9.9.9", first=())
    done = snug("packs", "import", str(other), "--json")
    error = json.loads(done.stdout)["error"]
    assert done.returncode == 3
    assert error["code"] == "pack_refused"
    assert error["message"] == "The pack is for another version of Snug."
    assert error["hint"]
    assert "other_build" in error["cause"]
    done = snug("packs", "remove", "cuda13")
    assert done.returncode == 3
    assert "No such pack is installed." in done.stderr
    assert "No packs are installed." in page(())


def test_there_are_words_for_everything():
    assert set(WORDS) == set(PackProblem)
    assert set(STATES) == set(PackState)
    for words in WORDS.values():
        assert words.message.endswith(".")
        assert words.hint
    assert len({words.message for words in WORDS.values()}) == len(WORDS)


@pytest.mark.parametrize("where", ["unpacking", "trial"])
def test_a_kill_in_the_middle_leaves_the_old_pack_in_use(snug_home, tmp_path, where):
    packs.import_pack(find(), pack(tmp_path / "1"))
    second = pack(tmp_path / "2", text="second")
    argv = [sys.executable, "-m", "tests.system.packed", TRUST, "import-slowly", str(second), where]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        with pytest.raises(PackRefused) as caught:
            packs.import_pack(find(), second)
        assert caught.value.problem == PackProblem.ALREADY_BUSY
        process.send_signal(signal.SIGKILL)
    backends = snug_home / "backends"
    assert [path.parent.name for path in backends.rglob(".ok")] == ["1"]
    assert in_use() == ["1"]
    left = {path.name.partition("-")[0] for path in backends.iterdir()} - {
        our_id().partition("-")[0]
    }
    assert left == ({".lock", ".incoming"} if where == "unpacking" else {".lock"})

    packs.import_pack(find(), second)
    listed = store.listed(packs.shelf(find()))
    assert [entry.state for entry in listed] == [PackState.IN_USE, PackState.PREVIOUS]
    assert [path.name for path in backends.iterdir()] == [our_id()]


def test_a_disk_that_fills_up_meanwhile_is_said(snug_home, tmp_path, monkeypatch):
    packs.import_pack(find(), pack(tmp_path / "1"))
    before = sorted(snug_home.rglob("*"))

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    second = pack(tmp_path / "2", text="second")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(PackRefused) as caught:
            packs.import_pack(find(), second)
    assert caught.value.problem == PackProblem.NO_SPACE
    assert sorted(snug_home.rglob("*")) == before
    assert in_use() == ["1"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own of 200 kB, where this user may make one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only root can make a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_small_disk_is_said_before_and_while_it_fills(small_disk, tmp_path, monkeypatch):
    monkeypatch.setenv("SNUG_HOME", str(small_disk))
    library = needed(tmp_path)
    plugin = compile_plugin(tmp_path / "libggml-cuda.so", FINDS_A_DEVICE, our_id(), links=library)
    file = _packed(tmp_path, plugin, library, "a licence of many words " * 20)
    for spare in (2, 0):
        monkeypatch.setattr("engine.packs.install._SPARE", spare)
        with pytest.raises(PackRefused) as caught:
            packs.import_pack(find(), file)
        assert caught.value.problem == PackProblem.NO_SPACE
        assert list(small_disk.iterdir()) == []
