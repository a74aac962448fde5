"""What the engine may use is found when it is first needed, and what was learned belongs to it."""

from pathlib import Path

import pytest

from app import fitting
from app.paths import Paths
from engine.backends import plugins
from engine.types.backends import Origin, Plugin
from engine.types.history import after_crash

OURS = Plugin(
    backend="vulkan", path=Path("/lib/v.so"), origin=Origin.BUILT_IN, build_id="our build"
)
STRANGE = Plugin(
    backend="cuda", path=Path("/lib/c.so"), origin=Origin.BUILT_IN, build_id="another build"
)


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    """Of a computer whose engine has the two plug-ins above."""
    monkeypatch.setattr(plugins, "_approved", ())
    monkeypatch.setattr(plugins, "engine_build_id", lambda: "our build")
    monkeypatch.setattr(plugins, "library_folder", lambda: Path("/lib"))
    monkeypatch.setattr(plugins, "find", lambda _folder, _origin: (OURS, STRANGE))
    return Paths(data=tmp_path, log=tmp_path)


def test_only_what_belongs_to_the_engine_is_approved_and_all_is_told(paths: Paths) -> None:
    assert fitting.approve_backends(paths) == (OURS, STRANGE)
    assert plugins.approved() == (OURS,)


def test_the_shell_chooses_devices_and_nothing_else(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitting, "_SHELL", {"GGML_VK_VISIBLE_DEVICES": "0"})
    vulkan, cuda = fitting.approve_backends(paths)
    assert vulkan.settings == (("GGML_VK_VISIBLE_DEVICES", "0"),)
    assert cuda.settings == ()


def test_another_build_of_the_engine_learns_anew(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitting.record(paths).learn("model", lambda history: after_crash(history, "load"))
    assert fitting.record(paths).history("model").crashes == 1
    monkeypatch.setattr(plugins, "engine_build_id", lambda: "a newer build")
    assert fitting.record(paths).history("model").crashes == 0


def test_a_machine_finds_its_plugins_when_it_is_first_asked(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Path] = []

    def find(folder: Path, _origin: Origin) -> tuple[Plugin, ...]:
        found.append(folder)
        return ()

    monkeypatch.setattr(plugins, "find", find)
    fitting.machine(paths, fitting.record(paths))
    assert found == []
