"""Secrets in a store that works, fails, pretends, or sleeps; in no case they are lost at once."""

import logging
import threading
import time
from collections.abc import Iterator

import keyring
import keyring.backend
import keyring.errors
import pytest
from keyring.backends import null

from app.secrets import Secrets, find_store

NAME, VALUE = "server:http://nas/v1", "sk-0123456789"


class Store(keyring.backend.KeyringBackend):
    """A store in memory."""

    priority = 1.0  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.asked = 0

    def get_password(self, service: str, username: str) -> str | None:
        self.asked += 1
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class Failing(Store):
    """Its words hold the secret, as bad luck has it."""

    def get_password(self, service: str, username: str) -> str | None:
        raise keyring.errors.KeyringLocked(VALUE)

    def set_password(self, service: str, username: str, password: str) -> None:
        raise RuntimeError(password)


class Sleeping(Store):
    def __init__(self) -> None:
        super().__init__()
        self.woken = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.woken.wait(10)
        return super().get_password(service, username)


@pytest.fixture(autouse=True)
def _own_keyring() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


def use(store: keyring.backend.KeyringBackend) -> None:
    keyring.set_keyring(store)


def test_a_store_that_works_keeps_a_secret_for_the_next_session() -> None:
    use(store := Store())
    assert Secrets().set(NAME, VALUE)
    assert store.kept == {("Snug", NAME): VALUE}
    later = Secrets()
    assert later.get(NAME) == VALUE
    asked = store.asked
    assert later.get(NAME) == VALUE
    assert store.asked == asked  # a locked store would ask its person again and again
    later.delete(NAME)
    assert Secrets().get(NAME) is None
    later.delete(NAME)


@pytest.mark.parametrize("store", [Failing(), null.Keyring()])
def test_a_store_that_does_not_keep_it_is_told_and_the_session_has_it(
    store: keyring.backend.KeyringBackend, caplog: pytest.LogCaptureFixture
) -> None:
    use(store)
    secrets = Secrets()
    with caplog.at_level(logging.DEBUG):
        assert not secrets.set(NAME, VALUE)
        assert secrets.get(NAME) == VALUE
        assert Secrets().get(NAME) is None
        secrets.delete(NAME)
        assert secrets.get(NAME) is None
    assert VALUE not in caplog.text


def test_without_any_store_the_session_has_it() -> None:
    """As in every other test: `PYTHON_KEYRING_BACKEND` names the one that always fails."""
    use(keyring.backends.fail.Keyring())  # type: ignore[attr-defined]
    secrets = Secrets()
    assert not secrets.set(NAME, VALUE)
    assert secrets.get(NAME) == VALUE
    assert not find_store().usable


def test_a_store_that_sleeps_is_waited_for_once_and_its_late_answer_counts() -> None:
    use(store := Sleeping())
    store.kept["Snug", NAME] = VALUE
    secrets = Secrets(timeout_s=0.2)
    begun = time.monotonic()
    assert secrets.get(NAME) is None
    assert secrets.get(NAME) is None
    assert not secrets.set("other", "x")
    assert time.monotonic() - begun < 2
    store.woken.set()
    deadline = time.monotonic() + 5
    while secrets.get(NAME) is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert secrets.get(NAME) == VALUE


class Refusing(Store):
    """It shows what it has and changes nothing."""

    def set_password(self, service: str, username: str, password: str) -> None:
        raise keyring.errors.PasswordSetError(password)

    def delete_password(self, service: str, username: str) -> None:
        raise keyring.errors.PasswordDeleteError(username)


def test_a_store_that_does_not_forget_is_told_and_the_session_has_it_no_more() -> None:
    use(store := Refusing())
    store.kept["Snug", NAME] = VALUE
    secrets = Secrets()
    assert secrets.get(NAME) == VALUE
    assert not secrets.delete(NAME)
    assert secrets.get(NAME) is None


def test_a_secret_that_replaces_none_counts_and_the_old_one_is_told() -> None:
    use(store := Refusing())
    store.kept["Snug", NAME] = "old"
    secrets = Secrets()
    assert not secrets.set(NAME, VALUE)
    assert secrets.get(NAME) == VALUE
    assert secrets.keeps_another(NAME)
    store.kept.clear()
    assert not secrets.keeps_another(NAME)


def test_where_nothing_can_be_kept_all_is_forgotten() -> None:
    use(keyring.backends.fail.Keyring())  # type: ignore[attr-defined]
    secrets = Secrets()
    secrets.set(NAME, VALUE)
    assert secrets.delete(NAME)


def test_a_late_answer_brings_nothing_back_that_was_deleted() -> None:
    use(store := Sleeping())
    store.kept["Snug", NAME] = VALUE
    secrets = Secrets(timeout_s=0.1)
    assert secrets.get(NAME) is None
    assert not secrets.delete(NAME)
    store.woken.set()
    deadline = time.monotonic() + 5
    while store.kept and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not store.kept  # late, and all the same
    assert secrets.get(NAME) is None
