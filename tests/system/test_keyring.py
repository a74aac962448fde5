"""The hub's token in a real Secret Service, in a locked one, in stores that misbehave, and in none.

Each is a process of its own with a session of its own. Wherever the token ends up, it is not on the
disk in plain text, and nothing waits longer than the time limit.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.servers.hub import Held, Repo, hub_server

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a system has its own")

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "hf_OnlyInTheKeyring0123456789"  # noqa: S105 - made up
PROGRAM = [sys.executable, "-c", "import sys; from ui.main import main; sys.exit(main())"]
TIMEOUT_S = 1.0
START_S = 20.0
"""Two slow cores start Python; a time limit that is not kept takes 60 s."""
UNLOCKED = 'printf "a word\\n" | gnome-keyring-daemon --unlock --components=secrets --daemonize'
LOCKED = "gnome-keyring-daemon --start --components=secrets --daemonize"


@dataclass(frozen=True, kw_only=True)
class Person:
    """Someone's home, data folder and session."""

    home: Path
    data: Path

    @property
    def environment(self) -> dict[str, str]:
        """Nothing of whoever runs the tests: no bus, no keychain, no display."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(self.home / "run"),
            "SNUG_HOME": str(self.data),
            "TALK_TIMEOUT_S": str(TIMEOUT_S),
        }

    def talk(self, *doings: str, backend: str = "", daemon: str = "") -> list[object]:
        """What was answered to each; all within the limits, and quick to end."""
        begun = time.monotonic()
        argv = [sys.executable, "-m", "tests.system.keyring_talk", *doings]
        done = self._run(argv, backend, daemon)
        assert time.monotonic() - begun < START_S + TIMEOUT_S * len(doings)
        told = json.loads(done.stdout)
        assert [took for _, took in told if took > TIMEOUT_S + 1] == []
        return [answer for answer, _ in told]

    def snug(self, *arguments: str, daemon: str) -> str:
        """What the command line prints, with the token on its standard input."""
        return self._run([*PROGRAM, *arguments], "", daemon).stdout

    def _run(
        self, argv: list[str], backend: str, daemon: str
    ) -> "subprocess.CompletedProcess[str]":
        if daemon:
            script = f'{daemon} >&2; exec "$@"'
            argv = ["dbus-run-session", "--", "sh", "-c", script, "sh", *argv]
        done = subprocess.run(
            argv,
            input=f"{TOKEN}\n",
            env=self.environment | ({"PYTHON_KEYRING_BACKEND": backend} if backend else {}),
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert TOKEN not in done.stderr
        return done

    def files_with_the_token(self) -> list[Path]:
        files = (path for top in (self.home, self.data) for path in top.rglob("*"))
        return [path for path in files if path.is_file() and TOKEN.encode() in path.read_bytes()]


@pytest.fixture
def person(tmp_path: Path, snug_home: Path) -> Person:
    home = tmp_path / "home"
    (home / "run").mkdir(parents=True, mode=0o700)
    return Person(home=home, data=snug_home)


@pytest.fixture
def session() -> None:
    """A Secret Service and a bus of its own can be had here."""
    missing = [
        name for name in ("gnome-keyring-daemon", "dbus-run-session") if not shutil.which(name)
    ]
    if not missing:
        return
    told = f"{', '.join(missing)} is not installed: run `python3 dev.py setup test`"
    if os.environ.get("CI") and sys.platform == "linux":
        pytest.fail(told)
    pytest.skip(told)


def test_a_real_secret_service_keeps_it_for_the_next_session(session: None, person: Person) -> None:
    first = person.talk("store", "get", "set", "get", "keeps_another", daemon=UNLOCKED)
    assert first == [["SecretService", True], None, True, TOKEN, False]
    assert list((person.home / ".local/share/keyrings").glob("*.keyring"))
    assert person.talk("get", "delete", "get", daemon=UNLOCKED) == [TOKEN, True, None]
    assert person.talk("get", daemon=UNLOCKED) == [None]
    assert not person.files_with_the_token()


def test_a_locked_one_that_nobody_unlocks_leaves_it_to_the_session(
    session: None, person: Person
) -> None:
    person.talk("set", daemon=UNLOCKED)  # now there is something to unlock
    told = person.talk("get", "set", "get", "delete", "get", daemon=LOCKED)
    assert told == [None, False, TOKEN, False, None]
    assert person.talk("get", daemon=UNLOCKED) == [TOKEN]  # as it said: it may still have it
    assert not person.files_with_the_token()


def test_the_program_itself_keeps_it_there_and_shows_it_to_the_hub_alone(
    session: None, person: Person
) -> None:
    repo = Repo(id="maker/Closed-GGUF", files={"a.gguf": Held(b"GGUF")}, gated="auto")
    with hub_server(repo, tokens={TOKEN: frozenset({repo.id})}) as hub:
        (person.data / "settings.json").write_text(json.dumps({"hub": hub.address}))
        kept = person.snug("models", "token", "--stdin", daemon=UNLOCKED)
        person.snug("models", "search", "closed", daemon=UNLOCKED)
        person.snug("models", "token", "--forget", daemon=UNLOCKED)
        person.snug("models", "search", "closed", daemon=UNLOCKED)
        tokens = [one.token for one in hub.seen()]
    assert kept
    assert TOKEN not in kept
    assert tokens == [TOKEN, None]
    assert not person.files_with_the_token()


FAILING = {
    "fails": "keyring.backends.fail.Keyring",
    "sleeps": "tests.system.odd_keyrings.Sleeping",
    "read only": "tests.system.odd_keyrings.ReadOnly",
    "is not there": "tests.system.odd_keyrings.Missing",
    "pretends": "keyring.backends.null.Keyring",
    "no bus": "",
}


@pytest.mark.parametrize("backend", FAILING.values(), ids=FAILING)
def test_without_a_store_that_works_the_session_has_it(backend: str, person: Person) -> None:
    told = person.talk("get", "set", "get", "delete", "get", backend=backend)
    kept = told[3]
    assert told == [None, False, TOKEN, kept, None]
    assert person.talk("get", backend=backend) == [None]
    assert not person.files_with_the_token()


def test_what_helps_and_what_does_not_is_told_apart(person: Person) -> None:
    found = {name: person.talk("store", backend=backend)[0] for name, backend in FAILING.items()}
    assert found["fails"] == ["fail", False]
    assert found["pretends"] == ["null", False]
    assert found["no bus"] == ["fail", False]
    assert found["read only"] == ["tests.system.odd_keyrings", True]  # nobody knows yet
