"""Failures on the way to other computers. `detail` never holds a key."""

from engine.errors.base import EngineError


class RemoteError(EngineError):
    """`address` is the server's; `detail` is what it or the system said."""

    code = "remote"

    def __init__(self, address: str, detail: str = "") -> None:
        super().__init__(f"{address}: {detail}" if detail else address)
        self.address = address
        self.detail = detail


class OfflineOnly(RemoteError):
    code = "offline_only"


class AddressUnusable(RemoteError):
    code = "address_unusable"


class ServerUnreachable(RemoteError):
    code = "server_unreachable"


class ServerUntrusted(RemoteError):
    code = "server_untrusted"


class ServerSilent(RemoteError):
    code = "server_silent"


class KeyRefused(RemoteError):
    code = "key_refused"


class RemoteModelMissing(RemoteError):
    code = "remote_model_missing"


class ServerBusy(RemoteError):
    """`retry_after_s`: what the server asked for; None where it did not say."""

    code = "server_busy"

    def __init__(self, address: str, detail: str = "", retry_after_s: float | None = None) -> None:
        super().__init__(address, detail)
        self.retry_after_s = retry_after_s


class ServerFailed(RemoteError):
    code = "server_failed"


class ServerIncomprehensible(RemoteError):
    code = "server_incomprehensible"


class ProxyRefused(RemoteError):
    code = "proxy_refused"


class TokenMissing(RemoteError):
    code = "token_missing"


class TokenRefused(RemoteError):
    code = "token_refused"


class LicenceNotAccepted(RemoteError):
    """`page` is where a person can accept it."""

    code = "licence_not_accepted"

    def __init__(self, address: str, page: str) -> None:
        super().__init__(address, page)
        self.page = page


class NotOnHub(RemoteError):
    code = "not_on_hub"


class FileChanged(RemoteError):
    code = "file_changed"
