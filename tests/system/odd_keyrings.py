"""Stores of secrets for `PYTHON_KEYRING_BACKEND` in a child: one sleeps, one is read only."""

import time

from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError, PasswordSetError


class Sleeping(KeyringBackend):
    """Waits for a dialogue that nobody sees."""

    priority = 1.0  # type: ignore[assignment]

    def get_password(self, service: str, username: str) -> str | None:
        time.sleep(60)
        return None

    def set_password(self, service: str, username: str, password: str) -> None:
        time.sleep(60)

    def delete_password(self, service: str, username: str) -> None:
        time.sleep(60)


class ReadOnly(KeyringBackend):
    """As a company's policy may have it. Its words hold the secret, as bad luck has it."""

    priority = 1.0  # type: ignore[assignment]

    def get_password(self, service: str, username: str) -> str | None:
        return None

    def set_password(self, service: str, username: str, password: str) -> None:
        raise PasswordSetError(f"can not keep {password}")

    def delete_password(self, service: str, username: str) -> None:
        raise PasswordDeleteError(username)
