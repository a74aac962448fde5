"""Whether a file that a person names has certificate authorities in it. Reads the file and asks
nobody; not on the GUI's thread."""

from pathlib import Path

from engine.errors import ServerUntrusted

_LIMIT_BYTES = 10_000_000


def check_authorities(file: Path) -> None:
    """Raises `ServerUntrusted` for a file that can not be read or has none."""
    from engine.net.trust import trust  # noqa: PLC0415 - rare

    try:
        size_bytes = file.stat().st_size
    except (OSError, ValueError) as error:
        raise ServerUntrusted(str(file), str(error)) from error
    if size_bytes > _LIMIT_BYTES:
        raise ServerUntrusted(str(file), "too large for certificates")
    with trust(file, str(file)):
        pass
