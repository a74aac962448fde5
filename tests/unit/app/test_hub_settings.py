"""Which hub, which way, which token: from the settings as people and files have them."""

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest

from app.hub_settings import (
    HUGGING_FACE,
    MODELSCOPE,
    HubSettings,
    hub_of,
    proxy_address,
)
from app.secrets import Secrets
from app.settings import AUTHORITIES, DOWNLOAD_LIMIT_KB, HUB, PROXY, Settings
from engine.errors import AddressUnusable, TokenRefused
from engine.net.proxies import parse_proxy
from engine.types.hub import HubKind
from tests.unit.app.test_secrets import Store

TOKEN = "hf_" + "a" * 34


@pytest.fixture
def store() -> Iterator[Store]:
    before = keyring.get_keyring()
    keyring.set_keyring(it := Store())
    yield it
    keyring.set_keyring(before)


class Desk:
    def __init__(self, folder: Path) -> None:
        self.settings = Settings(folder / "settings.json")
        self.now_s = 0.0
        self.hub = HubSettings(self.settings, Secrets(), lambda: self.now_s)


@pytest.fixture
def desk(tmp_path: Path, store: Store) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("", "https://huggingface.co"),
        (" https://huggingface.co ", "https://huggingface.co"),
        ("modelscope", "https://modelscope.cn"),
        ("modelscope.cn/", "https://modelscope.cn"),
        ("https://www.modelscope.cn/", "https://modelscope.cn"),
        ("HuggingFace.co/", "https://huggingface.co"),
        ("Mirror.Example", "https://mirror.example"),
        ("mirror.example/hf/", "https://mirror.example/hf"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("nas/models", "http://nas/models"),
        ("mirror.example/v1", "https://mirror.example/v1"),
    ],
)
def test_the_hub_that_is_meant(text: str, address: str) -> None:
    hub = hub_of(text)
    assert hub.address == address
    assert hub.kind is (HubKind.MODELSCOPE if "modelscope" in text else HubKind.HUGGING_FACE)


@pytest.mark.parametrize("text", ["ftp://a", "a b", "https://me:secret@mirror.example", "a?b", "/"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(AddressUnusable):
        hub_of(text)
    with pytest.raises(AddressUnusable):
        proxy_address(text)


def test_a_proxy_keeps_what_was_typed(desk: Desk) -> None:
    assert proxy_address(" none ") == "none"
    assert proxy_address("") == ""
    assert proxy_address("proxy.example:3128") == "http://proxy.example:3128"
    assert proxy_address("https://Proxy.example") == "https://proxy.example"


def test_the_route_is_that_of_the_settings_now(desk: Desk, tmp_path: Path) -> None:
    assert (desk.hub.route().proxy, desk.hub.route().authorities) == ("", None)
    desk.settings.change((PROXY, "none"), (AUTHORITIES, str(tmp_path / "own.pem")))
    assert desk.hub.route().proxy == "none"
    assert desk.hub.route().authorities == tmp_path / "own.pem"


def test_a_proxys_login_is_a_secret_and_survives_odd_signs(desk: Desk, store: Store) -> None:
    desk.settings.set(PROXY, "http://proxy.example:3128")
    assert desk.hub.route().proxy == "http://proxy.example:3128"
    assert desk.hub.keep_proxy_login("me@work", "p:ä/ %")
    route = desk.hub.route()
    assert parse_proxy(route.proxy).login == ("me@work", "p:ä/ %")
    assert "work" not in repr(route)
    assert desk.hub.proxy_login_kept()
    assert desk.hub.keep_proxy_login("", "")
    assert desk.hub.route().proxy == "http://proxy.example:3128"
    assert not store.kept


def test_a_token_is_for_one_hub(desk: Desk, store: Store) -> None:
    assert desk.hub.token() is None
    assert desk.hub.keep_token(f" {TOKEN}\n")
    assert desk.hub.token() == TOKEN
    desk.settings.set(HUB, "https://mirror.example")
    assert desk.hub.token() is None
    assert desk.hub.keep_token("other")
    assert desk.hub.token_of(HUGGING_FACE) == TOKEN
    assert desk.hub.token_of(MODELSCOPE) is None
    desk.settings.set(HUB, "")
    assert desk.hub.keep_token("")
    assert desk.hub.token() is None
    assert list(store.kept.values()) == ["other"]


def test_a_download_does_not_ask_the_store_for_each_piece(desk: Desk, store: Store) -> None:
    store.kept["Snug", "hub:token"] = TOKEN
    assert desk.hub.token() == TOKEN
    store.kept.clear()
    desk.now_s = 59.0
    assert desk.hub.token() == TOKEN


def test_what_can_be_no_token_is_refused_without_repeating_it(desk: Desk) -> None:
    with pytest.raises(TokenRefused) as caught:
        desk.hub.keep_token("hf_é")
    assert "hf_é" not in str(caught.value)


def test_limits_are_live(desk: Desk) -> None:
    assert desk.hub.limits().bytes_per_s == 0
    desk.settings.set(DOWNLOAD_LIMIT_KB, 500)
    assert desk.hub.limits().bytes_per_s == 500_000
