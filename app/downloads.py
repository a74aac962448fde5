"""The downloads a person has started: one at a time, in order, through any number of starts.

Nothing is fetched before a person's act of this session. Any thread but the GUI's for what waits
for the disk; `statuses` is quick.
"""

from engine.types.downloads import DownloadStatus, Wanted


class DownloadService:
    """See the module. An unknown id is passed over."""

    def begin(self) -> None:
        """Read what was left last time. What was running or waiting comes back PAUSED."""
        raise NotImplementedError

    def statuses(self) -> tuple[DownloadStatus, ...]:
        """In order. Quick."""
        raise NotImplementedError

    def start(self, wanted: Wanted) -> None:
        """Put it into the queue, or go on with the one of the same id. Raises `NoSpace`,
        `FolderUnwritable` or `StorageError`."""
        raise NotImplementedError

    def pause(self, download_id: str) -> None:
        """Quick; it is PAUSED within 2 seconds."""
        raise NotImplementedError

    def resume(self, download_id: str) -> None:
        """Put a PAUSED or FAILED one back into the queue."""
        raise NotImplementedError

    def cancel(self, download_id: str) -> None:
        """End it, and delete what was fetched of it."""
        raise NotImplementedError

    def put_away(self, download_id: str) -> None:
        """Take one that is DONE off the list."""
        raise NotImplementedError

    def move_up(self, download_id: str) -> None:
        """One place nearer to its turn."""
        raise NotImplementedError

    def close(self, timeout_s: float) -> bool:
        """Pause what runs and end the thread. False if that took longer."""
        raise NotImplementedError
