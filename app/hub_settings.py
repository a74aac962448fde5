"""What a person has set about the way to models: which hub, through which proxy, trusting whom, how
fast, and with which token. Only reads settings and secrets, and asks nobody on a network.

Any thread but the GUI's: the store of secrets may take seconds to answer.
"""

import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from app.secrets import Secrets
from app.settings import AUTHORITIES, DOWNLOAD_LIMIT_KB, HUB, PROXY, Settings
from engine.errors import TokenRefused
from engine.net.address import parse_address
from engine.net.requests import Route, is_sendable
from engine.types.downloads import FetchLimits
from engine.types.hub import Hub, HubKind

HUGGING_FACE = Hub(kind=HubKind.HUGGING_FACE, address="https://huggingface.co")
MODELSCOPE = Hub(kind=HubKind.MODELSCOPE, address="https://modelscope.cn")
NO_PROXY = "none"
_BY_NAME = {
    "": HUGGING_FACE,
    HUGGING_FACE.address: HUGGING_FACE,
    "modelscope": MODELSCOPE,
    MODELSCOPE.address: MODELSCOPE,
    "https://www.modelscope.cn": MODELSCOPE,
}

_TOKEN = "hub:token"  # noqa: S105 - the name it is kept under
_PROXY_LOGIN = "proxy:password"
_FRESH_S = 60.0
"""How long an answer of the store of secrets holds: a download asks for the token very often."""
_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")


def hub_of(text: str) -> Hub:
    """The hub that the text of the setting `HUB` names. Raises `AddressUnusable`."""
    text = text.strip()
    if text in _BY_NAME:
        return _BY_NAME[text]
    address = base_address(text)
    return _BY_NAME.get(address, Hub(kind=HubKind.HUGGING_FACE, address=address))


def base_address(text: str) -> str:
    """As `parse_address`, but nothing is added where there is no path. Raises
    `AddressUnusable`."""
    bare = text.strip().rstrip("/")
    if bare.endswith(":"):  # nothing but a scheme
        return parse_address(text)
    return parse_address(f"{bare}/x").removesuffix("/x")


def proxy_address(text: str) -> str:
    """What may be kept in the setting `PROXY`: "", "none", or an address without a name and a
    password, with http:// where nothing is said. Raises `AddressUnusable`."""
    text = text.strip()
    if text in ("", NO_PROXY):
        return text
    return base_address(text if "://" in text else f"http://{text}")


class HubSettings:
    """The settings as values. A token is kept for one address and goes to that one alone."""

    def __init__(
        self, settings: Settings, secrets: Secrets, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._secrets = secrets
        self._clock = clock
        self._lock = Lock()
        self._known: dict[str, tuple[float, str | None]] = {}

    def hub(self) -> Hub:
        """The hub in use. Raises `AddressUnusable`."""
        return hub_of(self._settings.now(HUB)[0])

    def limits(self) -> FetchLimits:
        return FetchLimits(bytes_per_s=self._settings.now(DOWNLOAD_LIMIT_KB)[0] * 1000)

    def route(self) -> Route:
        """How hosts are reached, with the name and password of the proxy where they are kept."""
        proxy, authorities = self._settings.now(PROXY, AUTHORITIES)
        return Route(
            proxy=self._with_login(proxy.strip()),
            authorities=Path(authorities) if authorities else None,
        )

    def token(self) -> str | None:
        """That of the hub in use. Raises `AddressUnusable`."""
        return self.token_of(self.hub())

    def token_of(self, hub: Hub) -> str | None:
        return self._secret(_token_name(hub))

    def keep_token(self, text: str) -> bool:
        """False: it is known for this session only. "" forgets it; False then: the store may still
        have it. Raises `TokenRefused` for what can be no token, or `AddressUnusable`."""
        hub, text = self.hub(), text.strip()
        if not is_sendable(text):
            raise TokenRefused(hub.address, "a token has letters, digits and signs only")
        return self._keep(_token_name(hub), text)

    def keep_proxy_login(self, name: str, password: str) -> bool:
        """As `keep_token`; an empty `name` forgets it."""
        return self._keep(_PROXY_LOGIN, f"{_quoted(name)}:{_quoted(password)}" if name else "")

    def proxy_login_kept(self) -> bool:
        return self._secret(_PROXY_LOGIN) is not None

    def _with_login(self, proxy: str) -> str:
        if proxy in ("", NO_PROXY):
            return proxy
        login = self._secret(_PROXY_LOGIN)
        if not login:
            return proxy
        scheme, _, rest = proxy.partition("://")
        return f"{scheme}://{login}@{rest}"

    def _secret(self, name: str) -> str | None:
        with self._lock:
            asked_s, found = self._known.get(name, (0.0, None))
            if name in self._known and self._clock() - asked_s < _FRESH_S:
                return found
        found = self._secrets.get(name)
        with self._lock:
            self._known[name] = (self._clock(), found)
        return found

    def _keep(self, name: str, value: str) -> bool:
        kept = self._secrets.set(name, value) if value else self._secrets.delete(name)
        with self._lock:
            self._known.pop(name, None)
        return kept


def _token_name(hub: Hub) -> str:
    return _TOKEN if hub == HUGGING_FACE else f"{_TOKEN}:{hub.address}"


def _quoted(text: str) -> str:
    """For the part of an address before the @."""
    return "".join(
        sign if sign in _UNRESERVED else "".join(f"%{byte:02X}" for byte in sign.encode())
        for sign in text
    )
