"""Trying what is released: what is done, in which order, and that a failure is one."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from devenv.errors import SetupError
from release import installed, msvc


def test_a_container_is_used_without_a_network() -> None:
    steps = installed.container_steps("debian:12", Path("/x/snug_1_amd64.deb"), "tried")
    (install, _), (keep, _), (use, _) = steps
    assert "--network" not in install
    assert install[-2:] == ["install", "/snug/snug_1_amd64.deb"]
    assert keep == ["docker", "commit", "tried", "tried"]
    assert use[use.index("--network") + 1] == "none"
    assert use[-1] == "use"


@pytest.mark.skipif(os.name == "nt", reason="runs in containers")
def test_the_script_refuses_what_it_does_not_know() -> None:
    script = ["sh", str(installed._SCRIPT)]
    for arguments in ([], ["install", "snug.zip"]):
        done = subprocess.run([*script, *arguments], capture_output=True, check=False)
        assert done.returncode == 2
        assert b"installed.sh" in done.stderr


def test_an_app_is_judged_as_on_a_mac_without_a_network() -> None:
    asked = [argv[:3] for argv, _ in installed.judgements(Path("Snug.app"), Path("snug.dmg"))]
    assert ["xcrun", "stapler", "validate"] in asked
    assert ["spctl", "--assess", "--type"] in asked


def test_a_disk_is_unmounted_when_the_app_is_not_well(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def run(argv: Sequence[str | Path], _: str) -> None:
        done.append(" ".join(map(str, argv[:2])))
        if argv[0] == "codesign":
            raise SetupError("not signed")

    with pytest.raises(SetupError, match="not signed"):
        installed.on_mac(Path("snug.dmg"), run)
    assert done[0] == "hdiutil attach"
    assert done[-1] == "hdiutil detach"


def test_windows_says_what_was_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "a person" / "Programs" / "Snug"
    asked: list[list[str]] = []

    def wait_for(command: str | list[str | Path], _: str) -> None:
        asked.append([command] if isinstance(command, str) else [str(part) for part in command])
        program.mkdir(parents=True, exist_ok=True)
        for name in ("snug.exe", "uninstall.exe"):
            (program / name).write_bytes(b"MZ")

    monkeypatch.setattr(installed, "_wait_for", wait_for)
    monkeypatch.setattr(installed, "run_selftest", lambda path: asked.append(["test", path.name]))
    with pytest.raises(SetupError, match=r"left behind: snug\.exe"):
        installed.on_windows(tmp_path / "setup.exe", {"LOCALAPPDATA": f"{tmp_path}/a person"})
    setup = [str(tmp_path / "setup.exe"), "/S"]
    assert asked[:4] == [setup, ["test", "snug.exe"]] * 2
    (line,) = asked[4]
    assert line.endswith(f" /S _?={program}"), "waited for: it does not go on as a copy"
    assert not (tmp_path / "uninstall-copy.exe").exists()


def test_the_compilers_variables_are_read() -> None:
    said = "**** Visual Studio\n--- variables\nPath=C:\\vc;C:\\py\nLIB=a=b\nodd line\n"
    assert msvc.environment(said) == {"Path": "C:\\vc;C:\\py", "LIB": "a=b"}
    with pytest.raises(SetupError, match=r"14\.44 is not installed"):
        msvc.environment("[ERROR:vcvars.bat] Toolset directory for version '14.44' was not found.")


def test_a_program_is_found_by_the_changed_path(tmp_path: Path) -> None:
    python = Path(sys.executable)
    command = msvc.found([python.name, "-V"], {"Path": str(python.parent)})
    assert Path(command[0]).parent == python.parent
    assert command[1:] == ["-V"]
    assert msvc.found(["nowhere"], {"Path": str(tmp_path)}) == ["nowhere"]


def test_without_visual_studio_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    if os.name == "nt":
        pytest.skip("it may be there")
    assert msvc.main(["python", "-V"], {}) == 1
    assert "Visual Studio 2022 is missing" in capsys.readouterr().err
