"""Main memory of this machine, whichever system it runs. Any thread; cheap enough for 1 Hz."""

from engine.hardware.linux_memory import read_linux_memory
from engine.hardware.macos_memory import read_mac_memory
from engine.hardware.system import this_system
from engine.hardware.windows_memory import read_windows_memory
from engine.types.hardware import Memory, System

_READERS = {
    System.LINUX: read_linux_memory,
    System.MACOS: read_mac_memory,
    System.WINDOWS: read_windows_memory,
}


def read_memory() -> Memory:
    """Never raises: what the system's own way refuses to tell, psutil counts."""
    try:
        memory = _READERS[this_system()]()
    except (OSError, ValueError, AttributeError, ImportError):
        return _counted()
    return memory if memory.total_bytes > 0 else _counted()


def _counted() -> Memory:
    import psutil  # noqa: PLC0415 - rarely needed, and 20 ms to import

    try:
        counted = psutil.virtual_memory()
    except (OSError, RuntimeError):
        return Memory(total_bytes=0, available_bytes=0)
    return Memory(total_bytes=counted.total, available_bytes=min(counted.total, counted.available))
