"""The system's store of secrets, through keyring. It may be missing, locked or slow to answer,
so it is always asked on a thread of its own with a time limit; where it does not help, a secret is
kept until the program ends. Secrets are never logged."""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Lock, Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")
log = logging.getLogger("snug.secrets")

_ANSWER_S = 5.0
_SERVICE = "Snug"


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretStore:
    """`name` of the system's store. Not `usable`: secrets are kept for the session only."""

    name: str
    usable: bool


def _look() -> SecretStore:
    import keyring  # noqa: PLC0415 - loads every back end, and only few need one
    from keyring.backends import fail, null  # noqa: PLC0415

    backend = keyring.get_keyring()
    usable = not isinstance(backend, fail.Keyring | null.Keyring)
    return SecretStore(
        name=type(backend).__module__.removeprefix("keyring.backends."), usable=usable
    )


def find_store(timeout_s: float = _ANSWER_S) -> SecretStore:
    """The store in use. One that fails or does not answer in time counts as not usable."""
    try:
        return _ask(_look).result(timeout_s)
    except TimeoutError:
        return SecretStore(name="no answer", usable=False)
    except Exception as error:  # noqa: BLE001 - back ends raise whatever they like
        return SecretStore(name=type(error).__name__, usable=False)


def known_stores() -> tuple[str, ...]:
    """Names of the back ends that are installed and can be imported here, usable or not."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and only the doctor asks

    return tuple(
        sorted(entry.name for entry in entry_points(group="keyring.backends") if _loads(entry))
    )


def _loads(entry: "EntryPoint") -> bool:
    try:
        entry.load()
    except Exception:  # noqa: BLE001 - back ends raise whatever they like
        return False
    return True


def _ask(question: Callable[[], T]) -> "Future[T]":
    """Ask on a thread of its own, which nobody waits for at the end."""
    answer: Future[T] = Future()

    def ask() -> None:
        try:
            answer.set_result(question())
        except Exception as error:  # noqa: BLE001 - back ends raise whatever they like
            answer.set_exception(error)

    Thread(target=ask, name="snug-keyring", daemon=True).start()
    return answer


class Secrets:
    """A person's secrets by name. Any thread; each call may take `timeout_s`, but after one
    without an answer the store is not waited for again: what it says late still counts."""

    def __init__(self, timeout_s: float = _ANSWER_S) -> None:
        self._timeout_s = timeout_s
        self._lock = Lock()
        self._store = Lock()
        """One question to the store at a time: a late one must not overtake what undoes it."""
        self._known: dict[str, str | None] = {}
        """Those of this session, and those that the store told; None for one that was deleted."""
        self._silent = False

    def get(self, name: str) -> str | None:
        with self._lock:
            if name in self._known or self._silent:
                return self._known.get(name)

        def read() -> str | None:
            import keyring  # noqa: PLC0415 - as above

            found = keyring.get_password(_SERVICE, name)
            with self._lock:
                return self._known.setdefault(name, found) if found else self._known.get(name)

        return self._answer(read, None)

    def set(self, name: str, value: str) -> bool:
        """False: the store does not keep it, so it is forgotten when the program ends. Until then
        it counts, whatever the store still has; see `keeps_another`."""
        with self._lock:
            self._known[name] = value
            if self._silent:
                return False

        def write() -> bool:
            import keyring  # noqa: PLC0415 - as above

            if not self._is_current(name, value):
                return False
            keyring.set_password(_SERVICE, name, value)
            return keyring.get_password(_SERVICE, name) == value  # some only pretend

        return self._answer(write, False)

    def keeps_another(self, name: str) -> bool:
        """Whether the store has a value that a later session would use in place of this one's."""

        def look() -> bool:
            import keyring  # noqa: PLC0415 - as above

            found = keyring.get_password(_SERVICE, name)
            return found is not None and not self._is_current(name, found)

        return not self._silent and self._answer(look, False)

    def delete(self, name: str) -> bool:
        """False: the store may still have it. In this session it is gone either way."""
        with self._lock:
            self._known[name] = None

        def forget() -> bool:
            import keyring  # noqa: PLC0415 - as above
            from keyring.errors import NoKeyringError  # noqa: PLC0415

            try:
                if self._is_current(name, None) and keyring.get_password(_SERVICE, name):
                    keyring.delete_password(_SERVICE, name)
                return not keyring.get_password(_SERVICE, name)  # some only pretend
            except NoKeyringError:
                return True

        return self._answer(forget, False)

    def _is_current(self, name: str, value: str | None) -> bool:
        with self._lock:
            return self._known.get(name) == value

    def _answer(self, question: Callable[[], T], otherwise: T) -> T:
        def in_turn() -> T:
            with self._store:
                return question()

        try:
            return _ask(in_turn).result(self._timeout_s)
        except TimeoutError:
            self._silent = True
            log.warning("the system's store of secrets does not answer")
        except Exception as error:  # noqa: BLE001 - and its words may hold anything
            log.warning("the system's store of secrets failed: %s", type(error).__name__)
        return otherwise
