"""What NetworkManager tells of connections, and computers without it."""

from pathlib import Path

import pytest

from app.metered import is_metered, parse_metered


def device(metered: str, state: str = "100 (connected)") -> str:
    return f"GENERAL.METERED:{metered}\nGENERAL.STATE:{state}\n"


@pytest.mark.parametrize(
    ("devices", "answer"),
    [
        ([], None),
        ([device("unknown")], None),
        ([device("no")], False),
        ([device("no (guessed)"), device("unknown")], False),
        ([device("yes (guessed)"), device("no")], True),
        ([device("yes", "30 (disconnected)"), device("no")], False),
        ([device("yes", "30 (disconnected)")], None),
        (["odd\n"], None),
    ],
)
def test_one_connected_device_that_may_cost_money_is_enough(
    devices: list[str], answer: bool | None
) -> None:
    assert parse_metered("\n".join(devices)) is answer


def test_the_program_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "nmcli"
    program.write_text('#!/bin/sh\nprintf "GENERAL.METERED:yes\\nGENERAL.STATE:100 (on)\\n"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert is_metered() is True
    program.write_text("#!/bin/sh\nexit 8\n")
    assert is_metered() is None
    program.unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert is_metered() is None


def test_one_that_hangs_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "nmcli"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert is_metered() is None
