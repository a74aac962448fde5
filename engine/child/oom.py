"""Whether the system killed something for want of memory: a SIGKILL does not say who sent it."""

from pathlib import Path

_VMSTAT = Path("/proc/vmstat")


def oom_kills(vmstat: Path = _VMSTAT) -> int | None:
    """How many processes Linux has killed so far, cgroups included; None where nobody counts.

    Counted before the signal is sent: mm/oom_kill.c, `__oom_kill_process`.
    """
    try:
        lines = vmstat.read_text().splitlines()
        return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), None)
    except (OSError, ValueError, IndexError):
        return None
