"""A driver that comes, goes or changes is noticed by looking at files alone."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.hardware.drivers import installed_drivers
from engine.types.hardware import System


@pytest.fixture
def root(tmp_path: Path) -> Path:
    driver = tmp_path / "usr/share/vulkan/icd.d/radeon_icd.json"
    driver.parent.mkdir(parents=True)
    driver.write_text("{}")
    card = tmp_path / "sys/class/drm/card0/device"
    card.mkdir(parents=True)
    (card / "vendor").write_text("0x1002")
    return tmp_path


def linux(root: Path, **environment: str) -> str:
    home = {"HOME": str(root / "home/me")}
    return installed_drivers(home | environment, system=System.LINUX, root=root)


def install(folder: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        file = root / folder / "vulkan/icd.d/new_icd.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}")

    return change


def update(root: Path) -> None:
    os.utime(root / "usr/share/vulkan/icd.d/radeon_icd.json", (1, 1))


def remove(root: Path) -> None:
    (root / "usr/share/vulkan/icd.d/radeon_icd.json").unlink()


def plug_in_a_card(root: Path) -> None:
    (root / "sys/class/drm/card1/device").mkdir(parents=True)


def load_the_kernels_driver(root: Path) -> None:
    module = root / "sys/bus/nvidia"
    module.mkdir(parents=True)
    (root / "sys/class/drm/card0/device/driver").symlink_to(module)


def update_nvidias(root: Path) -> None:
    file = root / "proc/driver/nvidia/version"
    file.parent.mkdir(parents=True)
    file.write_text("NVRM version: 570\nGCC")


@pytest.mark.parametrize(
    "change",
    [
        install("usr/share"),
        install("etc"),
        install("usr/local/share"),
        install("home/me/.local/share"),
        update,
        remove,
        plug_in_a_card,
        load_the_kernels_driver,
        update_nvidias,
    ],
)
def test_a_change_is_noticed(root: Path, change: Callable[[Path], None]) -> None:
    before = linux(root)
    assert linux(root) == before
    change(root)
    assert linux(root) != before


def test_the_loaders_variables_count(root: Path) -> None:
    assert linux(root, VK_DRIVER_FILES="/other.json") != linux(root)
    other = root / "mine"
    install("mine")(root)
    assert linux(root, XDG_DATA_HOME=str(other)) != linux(root)


def test_a_driver_that_windows_was_given_is_noticed(tmp_path: Path) -> None:
    def text() -> str:
        return installed_drivers({"SYSTEMROOT": str(tmp_path)}, system=System.WINDOWS)

    before = text()
    (tmp_path / "System32").mkdir()
    (tmp_path / "System32/nvcuda.dll").write_bytes(b"")
    assert text() != before


@pytest.mark.skipif(os.name == "nt", reason="a release of macOS")
def test_macs_drivers_are_the_systems() -> None:
    assert installed_drivers({}, system=System.MACOS) == os.uname().release


def test_this_machine_says_the_same_twice() -> None:
    assert installed_drivers() == installed_drivers()
