"""What counts as a plug-in, and whose: odd files, odd names, odd marks. Nothing is loaded here."""

import os
import sys
import time
from pathlib import Path

import pytest

from engine.backends import plugins
from engine.types.backends import BackendProblem, Origin, Plugin
from tests.plugins import mark

OURS = "0.3.36-test-x86_64-0123456789ab"
MIB = 1 << 20


@pytest.fixture(autouse=True)
def _engine(monkeypatch):
    monkeypatch.setattr(plugins, "engine_build_id", lambda: OURS)
    monkeypatch.setattr(plugins, "_approved", ())


def write(path: Path, build_id: str = OURS) -> Path:
    path.write_bytes(b"\x7fELF" + b"\0" * 99 + mark(build_id) + b"\0" * 99)
    return path


def names(folder: Path) -> list[tuple[str, str]]:
    found = plugins.find(folder, Origin.BUILT_IN)
    return [(plugin.backend, plugin.path.name) for plugin in found]


@pytest.mark.parametrize(
    ("name", "backend"),
    [
        ("libggml-vulkan.so", "vulkan"),
        ("ggml-vulkan.dll", "vulkan"),
        ("libggml-metal.so", "metal"),
        ("libggml-cuda.so", "cuda"),
    ],
)
def test_plugins_are_found_by_their_names_on_every_system(tmp_path, name, backend):
    path = write(tmp_path / name)
    (plugin,) = plugins.find(tmp_path, Origin.PACK)
    assert plugin == Plugin(backend=backend, path=path, origin=Origin.PACK, build_id=OURS)
    assert plugin.path.is_absolute()


@pytest.mark.parametrize(
    "name",
    [
        "libggml.so",
        "libggml-base.so",
        "libggml-cpu.so",
        "libggml-cpu-haswell.so",
        "libggml-vulkan-old.so",
        "libggml-vulkan.so.0",
        "libggml-vulkan.dylib",
        "LIBGGML-VULKAN.SO",
        "GGML-Vulkan.dll",
        "libggml-vulkan.so~",
        ".libggml-vulkan.so",
        "libggml-.so",
        "libggml-vülkan.so",
        "xlibggml-vulkan.so",
        "libggml-vulkan.so\n",
    ],
)
def test_other_names_are_no_plugins(tmp_path, name):
    try:
        write(tmp_path / name)
    except OSError:
        pytest.skip("no such name on this system")
    assert names(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="pipes and links of POSIX")
def test_only_plain_files_are_looked_at(tmp_path):
    """A pipe would wait for ever, and a link may lead to a place that others can write to."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder = tmp_path / "lib"
    folder.mkdir()
    (folder / "libggml-cuda.so").symlink_to(write(elsewhere / "libggml-cuda.so"))
    (folder / "libggml-hip.so").symlink_to(folder / "libggml-hip.so")
    (folder / "libggml-sycl.so").symlink_to(folder / "nothing")
    (folder / "libggml-opencl.so").mkdir()
    os.mkfifo(folder / "libggml-rpc.so")
    write(folder / "libggml-vulkan.so")
    assert names(folder) == [("vulkan", "libggml-vulkan.so")]
    assert plugins.build_id_of(folder / "libggml-rpc.so") == ""
    assert plugins.build_id_of(folder / "libggml-opencl.so") == ""
    assert plugins.build_id_of(folder / "libggml-hip.so") == ""


@pytest.mark.parametrize("place", ["nothing", "file", "file/inside"])
def test_a_folder_that_is_none_has_no_plugins(tmp_path, place):
    (tmp_path / "file").write_bytes(b"x")
    assert names(tmp_path / place) == []
    assert plugins.processor_variants(tmp_path / place) == ()
    assert plugins.build_id_of(tmp_path / place) == ""


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is forbidden here")
def test_a_file_that_may_not_be_read_is_not_ours(tmp_path):
    write(tmp_path / "libggml-vulkan.so").chmod(0)
    (plugin,) = plugins.find(tmp_path, Origin.BUILT_IN)
    assert plugins.problem_of(plugin) is BackendProblem.WRONG_BUILD


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x7fELF",
        mark(OURS)[:-1],
        mark(OURS)[:-1] + b"\0;",
        mark("") + b"x",
        mark("x" * 201),
        mark("a b"),
        mark("ä"),
        b"SNUG-BUILD-ID:" + OURS.encode() + b";",
    ],
)
def test_a_file_without_a_whole_mark_is_not_ours(tmp_path, content):
    path = tmp_path / "libggml-vulkan.so"
    path.write_bytes(content)
    assert plugins.build_id_of(path) == ""
    plugins.approve(plugins.find(tmp_path, Origin.BUILT_IN))
    assert plugins.approved() == ()


def test_a_broken_mark_does_not_hide_the_whole_one(tmp_path):
    path = tmp_path / "libggml-vulkan.so"
    path.write_bytes(b"snug-build-id:%s\n" + mark(OURS) + mark("other"))
    assert plugins.build_id_of(path) == OURS


@pytest.mark.parametrize("before", [0, MIB - 400, MIB - 215, MIB - 30, MIB - 1, MIB, 3 * MIB + 7])
@pytest.mark.parametrize("build_id", [OURS, "x" * 200])
def test_a_mark_is_found_wherever_it_is(tmp_path, before, build_id):
    path = tmp_path / "library"
    path.write_bytes(b"s" * before + mark(build_id) + b"s" * MIB)
    assert plugins.build_id_of(path) == build_id


def test_a_large_library_is_read_in_no_time(tmp_path):
    path = tmp_path / "libggml-vulkan.so"
    path.write_bytes(b"snug-build-" * (30 * MIB // 11) + mark(OURS))
    started = time.monotonic()
    assert plugins.build_id_of(path) == OURS
    assert time.monotonic() - started < 2.0


def test_a_file_larger_than_any_library_is_not_read(tmp_path):
    path = tmp_path / "libggml-vulkan.so"
    with path.open("wb") as file:
        try:
            file.truncate(1 << 40)
        except OSError:
            pytest.skip("this file system has no such files")
    started = time.monotonic()
    assert plugins.build_id_of(path) == ""
    assert time.monotonic() - started < 2.0


def test_only_plugins_of_this_build_are_approved(tmp_path):
    write(tmp_path / "libggml-vulkan.so")
    write(tmp_path / "libggml-cuda.so", "0.3.35-test-x86_64-0123456789ab")
    found = plugins.find(tmp_path, Origin.BUILT_IN)
    assert [plugins.problem_of(plugin) for plugin in found] == [BackendProblem.WRONG_BUILD, None]
    plugins.approve(found)
    assert [plugin.backend for plugin in plugins.approved()] == ["vulkan"]
    assert plugins.approved_for("vulkan").path == tmp_path / "libggml-vulkan.so"
    assert plugins.approved_for("cuda") is None


def test_the_first_plugin_of_a_backend_counts(tmp_path):
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    wrong = write(tmp_path / "old" / "libggml-cuda.so", "other")
    right = write(tmp_path / "new" / "libggml-cuda.so")
    found = [*plugins.find(wrong.parent, Origin.PACK), *plugins.find(right.parent, Origin.PACK)]
    plugins.approve(found)
    assert [plugin.path for plugin in plugins.approved()] == [right]
    plugins.approve([])
    assert plugins.approved() == ()


def test_a_path_that_depends_on_the_current_directory_is_never_approved(tmp_path, monkeypatch):
    write(tmp_path / "libggml-vulkan.so")
    monkeypatch.chdir(tmp_path)
    right, wrong = tmp_path / "libggml-vulkan.so", Path("libggml-vulkan.so")
    for path, needs in ((wrong, ()), (Path("lib") / ".." / wrong, ()), (right, (right, wrong))):
        plugin = Plugin(backend="vulkan", path=path, origin=Origin.PACK, build_id=OURS, needs=needs)
        assert plugins.problem_of(plugin) is BackendProblem.WRONG_BUILD
        plugins.approve([plugin])
        assert plugins.approved() == ()


def test_beside_an_engine_of_somebody_else_nothing_is_approved(tmp_path, monkeypatch):
    """Both have no id, and that is not the same id."""
    monkeypatch.setattr(plugins, "engine_build_id", lambda: "")
    (tmp_path / "libggml-vulkan.so").write_bytes(b"\x7fELF of a stranger")
    plugins.approve(plugins.find(tmp_path, Origin.BUILT_IN))
    assert plugins.approved() == ()


def test_variants_of_the_processor_are_those_of_this_build(tmp_path):
    for name in ("x64", "armv8.2_1", "apple_m2_m3"):
        write(tmp_path / f"libggml-cpu-{name}.so")
    write(tmp_path / "libggml-cpu-haswell.so", "other")
    (tmp_path / "libggml-cpu-zen4.so").write_bytes(b"no mark")
    write(tmp_path / "libggml-vulkan.so")
    found = plugins.processor_variants(tmp_path)
    assert [name for name, _ in found] == ["apple_m2_m3", "armv8.2_1", "x64"]
    write(tmp_path / "ggml-cpu.dll")
    assert ("", tmp_path / "ggml-cpu.dll") in plugins.processor_variants(tmp_path)


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("linux", "libggml-base.so"),
        ("darwin", "libggml-base.dylib"),
        ("win32", "ggml-base.dll"),
        ("freebsd14", "libggml-base.so"),
    ],
)
def test_the_engines_own_library_by_system(tmp_path, system, name):
    assert plugins.base_library(tmp_path, system) == tmp_path / name


def test_the_engines_folder_is_found_without_loading_it():
    folder = plugins.library_folder()
    assert folder is not None
    assert folder.is_absolute()
    assert plugins.base_library(folder, sys.platform).is_file()
