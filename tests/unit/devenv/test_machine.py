"""What this machine is decides which engine is built for it."""

from pathlib import Path

import pytest

from devenv import machine


def card(folder: Path, name: str, vendor: str) -> None:
    device = folder / name / "device"
    device.mkdir(parents=True)
    (device / "vendor").write_text(f"{vendor}\n")


@pytest.mark.parametrize(
    ("vendor", "is_card"),
    [("0x10de", True), ("0x1002", True), ("0x8086", True), ("0x1234", False), ("0x1af4", False)],
)
def test_real_cards_count_and_virtual_screens_do_not(
    tmp_path: Path, vendor: str, is_card: bool
) -> None:
    card(tmp_path, "card0", vendor)
    assert machine.has_graphics_card(tmp_path) is is_card


def test_a_machine_without_cards_has_none(tmp_path: Path) -> None:
    (tmp_path / "card0-HDMI-A-1").mkdir()
    (tmp_path / "card1" / "device").mkdir(parents=True)
    assert not machine.has_graphics_card(tmp_path)


def test_this_machine_has_a_name() -> None:
    assert machine.platform_name()
