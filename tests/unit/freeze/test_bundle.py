"""The gate and the finishing of a Mac's bundle, on every system that has links."""

import os
import plistlib

import pytest

from app import paths
from freeze import bundle, check, finishing, places
from macos import info
from tests.unit.freeze import mach_files as made
from tests.unit.freeze.mach_files import place

ENGINE = "Contents/Frameworks/llama_cpp/lib"


@pytest.fixture
def app(tmp_path):
    return made.bundle(tmp_path)


def test_a_sound_bundle(app):
    assert list(bundle.shape(app)) == []
    assert list(bundle.libraries(app)) == []


def test_the_gate_asks_for_it_on_any_system(app, monkeypatch):
    monkeypatch.setattr(check, "build_paths", lambda _folder: iter(()))
    assert check.problems(app) == []
    (app / "Contents" / "Frameworks" / "QtCore").unlink()
    assert any("which is nowhere" in sentence for sentence in check.problems(app))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (made.thin(libraries=("@rpath/libgone.dylib",)), "needs @rpath/libgone.dylib"),
        (made.thin(libraries=("@loader_path/libgone.dylib",)), "which is nowhere"),
        (made.thin(libraries=("/opt/homebrew/lib/libomp.dylib",)), "only the builder has"),
        (made.thin(places=("/opt/homebrew/lib",)), "looks for libraries in /opt/homebrew/lib"),
        (made.thin(oldest=(14, 0)), "needs macOS 14.0"),
        (made.thin(processor=made.INTEL), "is not for arm64"),
        (made.thin(made.PROGRAM), "second program"),
        (made.thin()[:50], "can not be read"),
    ],
)
def test_what_fails_on_somebody_elses_mac(app, data, told):
    place(app / ENGINE / "libbad.dylib", data)
    found = list(bundle.libraries(app))
    assert found
    assert all(sentence.startswith(f"{ENGINE}/libbad.dylib") for sentence in found)
    assert any(told in sentence for sentence in found)


def test_a_library_that_may_be_missing_may_be_missing(app):
    place(app / ENGINE / "libmetal.so", made.thin(optional=("@rpath/libnew.dylib",)))
    assert list(bundle.libraries(app)) == []


def test_only_qts_bindings_may_be_marked_too_new(app):
    binding = made.thin(made.PLUGIN, oldest=(15, 0))
    place(app / "Contents" / "Frameworks" / "PySide6" / "QtGui.abi3.so", binding)
    assert list(bundle.libraries(app)) == []
    place(app / "Contents" / "Frameworks" / "psutil" / "_psutil.so", binding)
    assert [line.split()[0] for line in bundle.libraries(app)] == [
        "Contents/Frameworks/psutil/_psutil.so"
    ]


@pytest.mark.parametrize(
    ("where", "data", "told"),
    [
        ("Contents/Resources/libbad.dylib", made.thin(), "code among the resources"),
        ("Contents/Frameworks/note.txt", b"text", "is no code"),
        ("Contents/MacOS/licence.txt", b"text", "is no code"),
        ("Contents/licences/index.json", b"[]", "no place in a bundle"),
        ("Contents/Frameworks/a.b/libgood.dylib", made.thin(), "taken for a bundle"),
        ("Contents/Frameworks/Qt.framework/Versions/A/Qt", made.thin(), "no Versions/Current"),
    ],
)
def test_what_a_signature_breaks_over(app, where, data, told):
    place(app / where, data)
    assert [sentence for sentence in bundle.shape(app) if told in sentence]


def test_a_bundle_is_asked_for_what_a_mac_is_told(app):
    told = app / "Contents" / "Info.plist"
    told.write_bytes(plistlib.dumps(info.plist("1.2.3")))
    assert "CFBundleExecutable must be a text" in list(bundle.lists(app))
    told.unlink()
    assert list(bundle.lists(app)) == ["there is no Info.plist"]


def test_a_link_out_of_the_bundle(app, tmp_path):
    (tmp_path / "outside").write_bytes(b"")
    (app / "Contents" / "Resources" / "link").symlink_to(tmp_path / "outside")
    assert list(bundle.shape(app)) == ["Contents/Resources/link is a link out of the bundle"]


def test_the_model_lies_with_the_data_and_is_found_beside_the_code(app, tmp_path, monkeypatch):
    model = tmp_path / "starter.gguf"
    model.write_bytes(b"GGUF")
    finishing.model(app, model)
    assert (app / "Contents" / "Resources" / "models" / model.name).read_bytes() == b"GGUF"
    assert list(bundle.shape(app)) == []
    # PyInstaller says that app/paths.py lies in Contents/Frameworks/app.
    resources = app / "Contents" / "Frameworks" / "resources"
    monkeypatch.setattr(paths, "RESOURCES", resources)
    monkeypatch.setattr("sys.frozen", True, raising=False)
    assert (paths.shared_models() / model.name).read_bytes() == b"GGUF"
    assert (paths.RESOURCES / "starter.json").read_bytes() == b"{}"


def test_places_of_a_bundle_and_of_a_folder(app, tmp_path):
    assert places.executable(app) == app / "Contents" / "MacOS" / "snug"
    assert places.licences(app) == app / "Contents" / "Resources" / "licences"
    folder = tmp_path / "snug"
    assert places.licences(folder) == folder / "licences"
    assert places.models(folder) == folder / "_internal" / "models"


def test_modes_and_times_are_those_of_the_sources(app):
    (app / "Contents" / "Resources" / "resources" / "starter.json").chmod(0o600)
    finishing.modes_and_times(app, 86_400)
    modes = {path.name: path.stat().st_mode & 0o777 for path in app.rglob("*")}
    assert (modes["snug"], modes["libllama.dylib"], modes["starter.json"]) == (0o755, 0o755, 0o644)
    assert (app / ENGINE / "libllama.dylib").stat().st_mtime == 86_400
    assert app.stat().st_mtime == 86_400


def test_times_are_given_on_systems_that_follow_every_link(tmp_path, monkeypatch):
    """As Windows does, where asking for anything else is an error."""
    utime = os.utime

    def windows_utime(path, times, *, follow_symlinks=True):
        if not follow_symlinks:
            raise NotImplementedError
        utime(path, times)

    monkeypatch.setattr(os, "utime", windows_utime)
    (tmp_path / "snug" / "_internal").mkdir(parents=True)
    (tmp_path / "snug" / "_internal" / "a.dll").touch()
    finishing.modes_and_times(tmp_path / "snug", 86_400)
    assert {path.stat().st_mtime for path in tmp_path.rglob("*")} == {86_400}
