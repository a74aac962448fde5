"""How the libraries are found, in every variant of the package, without importing it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import RuntimeMissing
from engine.runtimes.onnx import native


def package(folder: Path, *files: str) -> Path:
    """A package that fails if somebody imports it."""
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise AssertionError('imported')")
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"no library")
    return folder


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only place where packages are."""
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    for name in (native.MODULE, native.ENGINE_MODULE):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def test_without_the_package_the_runtime_is_missing(site: Path) -> None:
    assert not native.is_installed()
    with pytest.raises(RuntimeMissing) as caught:
        native.find_libraries()
    assert caught.value.runtime == "onnx"


def test_half_an_installation_is_none(site: Path) -> None:
    package(site / native.MODULE, "libonnxruntime-genai.so", "onnxruntime-genai.dll")
    assert not native.is_installed()


def test_the_plain_variant_takes_the_engine_of_its_own_package(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    genai = package(site / native.MODULE, "libonnxruntime-genai.so")
    engine = package(site / native.ENGINE_MODULE, "capi/libonnxruntime.so.1.32.0")
    assert native.find_libraries() == (
        genai / "libonnxruntime-genai.so",
        engine / "capi" / "libonnxruntime.so.1.32.0",
    )
    assert not native.has_backend("directml")


def test_windows_takes_the_engine_that_comes_with_directml(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    genai = package(
        site / native.MODULE, "onnxruntime-genai.dll", "onnxruntime.dll", "DirectML.dll"
    )
    package(site / native.ENGINE_MODULE, "capi/onnxruntime.dll")
    assert native.find_libraries() == (genai / "onnxruntime-genai.dll", genai / "onnxruntime.dll")
    assert native.has_backend("directml")


def test_windows_takes_directml_from_the_engines_package_too(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    package(site / native.MODULE, "onnxruntime-genai.dll")
    engine = package(site / native.ENGINE_MODULE, "capi/onnxruntime.dll", "capi/DirectML.dll")
    assert native.find_libraries()[1] == engine / "capi" / "onnxruntime.dll"
    assert native.has_backend("directml")
    assert not native.has_backend("cuda")


def test_libraries_are_loaded_by_full_path_directml_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(native.ctypes, "CDLL", loaded.append)
    folder = package(tmp_path / "capi", "onnxruntime.dll", "DirectML.dll")
    native.preload(folder / "onnxruntime.dll")
    assert loaded == [str(folder / "DirectML.dll"), str(folder / "onnxruntime.dll")]


def test_a_library_that_is_none_is_a_missing_runtime(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv(native.NO_TELEMETRY, raising=False)
    monkeypatch.setenv("ORT_LIB_PATH", "/somewhere/else.so")
    package(site / native.MODULE, "libonnxruntime-genai.so")
    engine = package(site / native.ENGINE_MODULE, "capi/libonnxruntime.so.1")
    with pytest.raises(RuntimeMissing):
        native.library.__wrapped__()
    assert os.environ[native.NO_TELEMETRY] == "1"
    assert os.environ["ORT_LIB_PATH"] == str(engine / "capi" / "libonnxruntime.so.1")


def test_nothing_of_it_is_loaded_by_the_program_or_for_a_gguf_model() -> None:
    code = (
        "import sys, app.container, app.fitting, app.models, engine.runtimes.local\n"
        "from engine.models.inspect import format_of\n"
        "from pathlib import Path\n"
        "format_of(Path('a.gguf'))\n"
        "maps = Path('/proc/self/maps')\n"
        "print([m for m in sys.modules if 'onnxruntime' in m or 'runtimes.onnx' in m])\n"
        "print('onnxruntime' in (maps.read_text() if maps.exists() else ''))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", "False"]
