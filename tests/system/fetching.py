"""A child that downloads, for tests that kill it: `python -m tests.system.fetching ADDRESS FOLDER
SIZE SHA256 SHOWN MARK`. Every status becomes a line of SHOWN, and MARK always holds how far bytes
have come off the socket, read by the download or not; both outlive a SIGKILL.
"""

import mmap
import os
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.models.download.download import Download
from engine.models.download.surroundings import Surroundings
from engine.net.door import Door
from engine.net.exchange import Exchange
from engine.net.requests import Request
from engine.types.cancel import CancelToken
from engine.types.connections import Purpose
from engine.types.downloads import DownloadStatus, FetchLimits, Wanted, WantedFile
from engine.types.hub import Hub, HubKind

NAME = "model.gguf"
_PLACE = struct.Struct("<Q")


def wanted_from(address: str, folder: Path, size_bytes: int, sha256: str) -> Wanted:
    return Wanted(
        id="killed",
        title="Killed",
        hub=Hub(kind=HubKind.HUGGING_FACE, address=address),
        repo="maker/model",
        revision="1",
        licence="",
        files=(WantedFile(path=NAME, name=NAME, size_bytes=size_bytes, sha256=sha256),),
        folder=folder,
    )


def download_of(
    wanted: Wanted, deliver: Callable[[DownloadStatus], None], limits: FetchLimits | None = None
) -> Download:
    """From a server that is no hub: the file is at its own path."""
    limits = limits or FetchLimits(reserve_bytes=0)
    return Download(
        wanted,
        Door(lambda: False),
        lambda file: Request(
            purpose=Purpose.DOWNLOAD, address=wanted.hub.address, path=f"/{file.path}"
        ),
        lambda: limits,
        deliver,
        around=Surroundings(),
    )


def mark_at(path: Path) -> int:
    """How far a child has come, or came."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return 0
    return int(_PLACE.unpack(data[: _PLACE.size])[0]) if len(data) >= _PLACE.size else 0


def count_received(mark: Path) -> None:
    """Note the highest position that came off the socket, at no cost worth speaking of."""
    handle = os.open(mark, os.O_RDWR | os.O_CREAT)
    os.ftruncate(handle, mmap.PAGESIZE)
    place = mmap.mmap(handle, mmap.PAGESIZE)
    plain = Exchange.chunks

    def chunks(exchange: Exchange, within_s: float = float("inf")) -> Iterator[bytes]:
        first = exchange._request.first_byte or 0
        for piece in plain(exchange, within_s):
            at = first + exchange._flow.received_bytes
            if at > _PLACE.unpack_from(place)[0]:
                _PLACE.pack_into(place, 0, at)
            yield piece

    Exchange.chunks = chunks  # type: ignore[method-assign]


def main(address: str, folder: str, size: str, sha256: str, shown: str, mark: str) -> None:
    count_received(Path(mark))
    out = os.open(shown, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def deliver(status: DownloadStatus) -> None:
        os.write(out, f"{status.state} {status.done_bytes} {status.total_bytes}\n".encode())

    wanted = wanted_from(address, Path(folder), int(size), sha256)
    limits = FetchLimits(reserve_bytes=0, connections=1)
    download_of(wanted, deliver, limits).run(CancelToken())


if __name__ == "__main__":
    main(*sys.argv[1:])
