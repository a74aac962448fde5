"""The processor of this machine, whichever system it runs."""

import platform

from engine.hardware.linux_cpu import read_linux_cpu
from engine.hardware.macos_cpu import read_mac_cpu
from engine.hardware.system import architecture, this_system
from engine.hardware.windows_cpu import read_windows_cpu
from engine.types.hardware import Cpu, System

_READERS = {
    System.LINUX: read_linux_cpu,
    System.MACOS: read_mac_cpu,
    System.WINDOWS: read_windows_cpu,
}


def read_cpu() -> Cpu:
    """Never raises: what a system refuses to tell, psutil counts."""
    try:
        return _READERS[this_system()]()
    except (OSError, ValueError, AttributeError, ImportError):
        return _counted()


def _counted() -> Cpu:
    import psutil  # noqa: PLC0415 - rarely needed, and 20 ms to import

    logical = psutil.cpu_count() or 1
    physical = min(logical, psutil.cpu_count(logical=False) or logical)
    return Cpu(
        name=platform.processor(),
        architecture=architecture(platform.machine()),
        physical_cores=physical,
        performance_cores=physical,
        logical_cores=logical,
        usable_cores=physical,
    )
