"""What a person is shown of a download: how far, how fast, how long still. `done_bytes` never
falls, whatever has to be fetched again. Used on the thread that runs the download."""

from collections import deque
from collections.abc import Callable

from engine.errors import EngineError
from engine.types.downloads import DownloadState, DownloadStatus, Wanted

_WINDOW_S = 6.0
_FIRST_S = 1.0
"""Before that nothing is said of the speed."""


class Meter:
    def __init__(
        self, wanted: Wanted, deliver: Callable[[DownloadStatus], None], clock: Callable[[], float]
    ) -> None:
        self._wanted = wanted
        self._deliver = deliver
        self._clock = clock
        self._sizes: list[int | None] = [file.size_bytes for file in wanted.files]
        self._before_bytes = 0
        """Of the files that are finished."""
        self._shown_bytes = 0
        self._fetched: deque[tuple[float, int]] = deque()

    def enter(self, best_bytes: int) -> None:
        """A file begins, or goes on, of which so much was shown before."""
        self._shown_bytes = max(self._shown_bytes, self._before_bytes + best_bytes)

    def size(self, number: int, size_bytes: int) -> None:
        """Of a file, once it is known."""
        self._sizes[number] = size_bytes

    def leave(self, size_bytes: int) -> None:
        """A file is finished."""
        self._before_bytes += size_bytes
        self._fetched.clear()

    def shown_of(self, done_bytes: int) -> int:
        """What will be shown of the file at hand when so much of it is there."""
        return max(self._shown_bytes - self._before_bytes, done_bytes)

    def fetched(self, all_bytes: int) -> None:
        """So many bytes have come from the network; the number only grows within a file."""
        now = self._clock()
        self._fetched.append((now, all_bytes))
        while now - self._fetched[0][0] > _WINDOW_S and len(self._fetched) > 2:
            self._fetched.popleft()

    def pause(self) -> None:
        """Nothing comes, so what was measured says nothing any more."""
        self._fetched.clear()

    def show(
        self,
        state: DownloadState,
        done_bytes: int,
        error: EngineError | None = None,
        retry_s: float | None = None,
    ) -> None:
        """`done_bytes` are those of the file at hand."""
        self._shown_bytes = max(self._shown_bytes, self._before_bytes + done_bytes)
        total_bytes = self._total_bytes()
        speed = self._speed() if state is DownloadState.RUNNING else None
        left_bytes = max(total_bytes - self._before_bytes - done_bytes, 0)
        self._deliver(
            DownloadStatus(
                id=self._wanted.id,
                title=self._wanted.title,
                state=state,
                done_bytes=self._shown_bytes,
                total_bytes=total_bytes,
                bytes_per_s=speed,
                left_s=left_bytes / speed if speed and total_bytes else None,
                error=error,
                retry_s=retry_s,
            )
        )

    def _total_bytes(self) -> int:
        """0 while one of the sizes is not known."""
        known = [size for size in self._sizes if size is not None]
        if len(known) < len(self._sizes):
            return 0
        return max(sum(known), self._shown_bytes)

    def _speed(self) -> float | None:
        if len(self._fetched) < 2:
            return None
        (first_s, first), (last_s, last) = self._fetched[0], self._fetched[-1]
        return (last - first) / (last_s - first_s) if last_s - first_s >= _FIRST_S else None
