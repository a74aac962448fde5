"""The time that everything in a package carries: that of the sources, so that equal sources give
equal packages."""

import os

from devenv.commands import output

_OUTSIDE_GIT_S = 1_767_225_600  # 2026-01-01


def of_sources() -> int:
    """Seconds since 1970: SOURCE_DATE_EPOCH, else that of the newest commit."""
    said = os.environ.get("SOURCE_DATE_EPOCH") or output(["git", "log", "-1", "--format=%ct"])
    return int(said) if said.strip().isdecimal() else _OUTSIDE_GIT_S
