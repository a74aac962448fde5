"""The system's store of secrets, through keyring. It may be missing, locked or slow to answer,
so it is always asked on a thread of its own with a time limit."""

from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread

_ANSWER_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretStore:
    """`name` of the system's store. Not `usable`: secrets are kept for the session only."""

    name: str
    usable: bool


def _look() -> SecretStore:
    import keyring  # noqa: PLC0415 - loads every back end, and only the doctor asks
    from keyring.backends import fail, null  # noqa: PLC0415

    backend = keyring.get_keyring()
    usable = not isinstance(backend, fail.Keyring | null.Keyring)
    return SecretStore(
        name=type(backend).__module__.removeprefix("keyring.backends."), usable=usable
    )


def find_store(timeout_s: float = _ANSWER_S) -> SecretStore:
    """The store in use. One that fails or does not answer in time counts as not usable."""
    answer: Future[SecretStore] = Future()

    def ask() -> None:
        try:
            answer.set_result(_look())
        except Exception as error:  # noqa: BLE001 - back ends raise whatever they like
            answer.set_result(SecretStore(name=type(error).__name__, usable=False))

    Thread(target=ask, name="snug-keyring", daemon=True).start()
    try:
        return answer.result(timeout_s)
    except TimeoutError:
        return SecretStore(name="no answer", usable=False)
