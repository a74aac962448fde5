"""Whether the system killed something for want of memory: a SIGKILL does not say who sent it."""
from pathlib import Path

_VMSTAT = Path("/proc/vmstat")


def oom_kills(vmstat: Path = _VMSTAT) -> int | None:
    """How many processes Linux has killed so far, cgroups included; None where nobody counts."""
    try:
        lines = vmstat.read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), None)
