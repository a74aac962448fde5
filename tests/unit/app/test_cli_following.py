"""What the command line says while a download waits: once for each reason, while nothing comes."""

import pytest

from app.cli.following import _Shown
from engine.errors import EngineError, ServerSilent, ServerUnreachable
from engine.types.downloads import DownloadState, DownloadStatus


def status(done_bytes: int, error: EngineError | None = None) -> DownloadStatus:
    return DownloadStatus(
        id="a",
        title="A",
        state=DownloadState.RUNNING,
        done_bytes=done_bytes,
        total_bytes=100,
        error=error,
    )


def test_a_hub_that_is_gone_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    silent, gone = ServerSilent("https://hub.test"), ServerUnreachable("https://hub.test")
    shown = _Shown()
    for one in (status(1, silent), status(1), status(1, gone), status(1), status(1, gone)):
        shown.show(one)
    assert len(capsys.readouterr().err.splitlines()) == 2
    shown.show(status(2))
    shown.show(status(2, gone))
    assert "can not be reached" in capsys.readouterr().err
