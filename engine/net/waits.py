"""How long a server asks to be left alone. Pure."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


def retry_after_s(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds or a date (RFC 9110, 10.2.3); None where it says neither. Names of headers are in
    lower case. A date counts by the server's own clock, which may differ from ours; only where it
    does not tell that, from `now`."""
    stated = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(stated):
        return float(stated)
    until, since = _date(stated), _date(headers.get("date", "")) or now
    if until is None or since is None:
        return None
    return max((until - since).total_seconds(), 0.0)


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
