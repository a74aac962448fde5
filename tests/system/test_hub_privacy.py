"""What other programs have set up for Hugging Face is not ours: no token of theirs is sent, none of
their settings turns us elsewhere, and nothing that a token is said to is written down."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.words import NETWORK, NOT_ALLOWED
from tests.servers.hub import Held, Hub, Repo, hub_server

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-c", "import sys; from ui.main import main; sys.exit(main())"]
THEIRS = "hf_ofAnotherProgram0123456789"
CLOSED = Repo(id="maker/Closed-GGUF", files={"a-Q4_K_M.gguf": Held(b"GGUF")}, gated="manual")


@pytest.fixture
def theirs(tmp_path: Path) -> dict[str, str]:
    """The environment of someone who uses Hugging Face's own programs."""
    home = tmp_path / "huggingface"
    home.mkdir()
    (home / "token").write_text(THEIRS)
    return {
        "HF_HOME": str(home),
        "HF_TOKEN": THEIRS,
        "HUGGING_FACE_HUB_TOKEN": THEIRS,
        "HF_ENDPOINT": "http://127.0.0.1:9",
        "HF_HUB_OFFLINE": "1",
        "HF_DEBUG": "1",
        "HF_HUB_ENABLE_HF_TRANSFER": "1",
    }


def snug(hub: Hub, home: Path, more: dict[str, str], *arguments: str) -> tuple[int, str]:
    """The exit code, and all that is printed."""
    (home / "settings.json").write_text(json.dumps({"hub": hub.address}))
    done = subprocess.run(
        [*PROGRAM, "models", *arguments],
        env={**os.environ, **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=ROOT,
    )
    return done.returncode, done.stdout + done.stderr


def test_what_others_have_set_up_is_not_used(
    theirs: dict[str, str], snug_home: Path, tmp_path: Path
) -> None:
    before = sorted(tmp_path.rglob("*"))
    with hub_server(CLOSED, tokens={THEIRS: frozenset({CLOSED.id})}) as hub:
        code, said = snug(hub, snug_home, theirs, "search", "closed")
        assert (code, "maker/Closed-GGUF" in said) == (0, True), said
        code, said = snug(hub, snug_home, theirs, "add", CLOSED.id)
        assert code in (NETWORK, NOT_ALLOWED), said
        assert len(hub.seen()) >= 3
        assert {one.token for one in hub.seen()} == {None}
    assert sorted(tmp_path.rglob("*")) == before  # their folder is as it was
    assert not files_with(THEIRS, snug_home)


def files_with(text: str, folder: Path) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return [path for path in files if text.encode() in path.read_bytes()]
