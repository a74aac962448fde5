"""What people type as an address, and the one form it gets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import AddressUnusable
from engine.net.address import is_near, origin_of, parse_address


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("http://nas:8080", "http://nas:8080/v1"),
        ("  HTTP://NAS:80/ ", "http://nas/v1"),
        ("https://api.example.com:443/v1/", "https://api.example.com/v1"),
        ("https://example.com/openai/api", "https://example.com/openai/api"),
        ("http://nas/v1/chat/completions", "http://nas/v1"),
        ("http://nas:1/v1/models/", "http://nas:1/v1"),
        ("localhost:11434", "http://localhost:11434/v1"),
        ("192.168.1.7:8000", "http://192.168.1.7:8000/v1"),
        ("nas", "http://nas/v1"),
        ("studio.local:1", "http://studio.local:1/v1"),
        ("api.example.com", "https://api.example.com/v1"),
        ("[::1]:8080", "http://[::1]:8080/v1"),
        ("http://[2001:DB8::0:1]/", "http://[2001:db8::1]/v1"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/v1"),
        ("http://nas/äb", "http://nas/%C3%A4b"),
        ("localhost.", "http://localhost/v1"),
        ("http://127.0.0.1.:8080", "http://127.0.0.1:8080/v1"),
        ("Studio.Local.", "http://studio.local/v1"),
        ("api.example.com.", "https://api.example.com/v1"),
        ("http://[::ffff:192.168.1.7]:8000", "http://192.168.1.7:8000/v1"),
        ("[::ffff:7f00:1]", "http://127.0.0.1/v1"),
        ("0.0.0.0:1", "http://0.0.0.0:1/v1"),
        ("http://cafe/", "http://cafe/v1"),
    ],
)
def test_an_address_gets_its_one_form(typed: str, address: str) -> None:
    assert parse_address(typed) == address
    assert parse_address(address) == address


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "http://",
        "ftp://nas/v1",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://me:secret@nas/v1",
        "http://sk-secret@nas/v1",
        "http://nas/v1?key=secret",
        "http://nas/v1#secret",
        "http://nas:0/",
        "http://nas:99999/",
        "http://nas:port/",
        "http://nas/\r\nHost: other",
        "http://nas\\@other/",
        "http://[::1/",
        "http://[fe80::1%25eth0]/",
        "http://-/",
        "http://a..b/",
        "http://na me/",
        "http://ex\u2024com\u200b/",
        "http://" + "a" * 3000,
        "http://nas/secret@x",
        "http://secret/and@nas/v1",
        "http://secret?and@nas/v1",
        "http://secret%40nas/v1",
        "http://me:secret\uff20nas/v1",
        "http://127.1/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://2130706433/",
        "http://0177.0.0.1/",
        "http://1.2.3.4.5/",
        "http://999.0.0.1/",
    ],
)
def test_what_is_no_address_is_refused_without_telling_a_key(typed: str) -> None:
    with pytest.raises(AddressUnusable) as refused:
        parse_address(typed)
    assert "secret" not in str(refused.value)


@given(st.text(max_size=60) | st.from_regex(r"https?://[a-z0-9.\[\]:@/?#%-]{0,30}"))
def test_any_text_is_an_address_or_refused_and_stays_what_it_became(typed: str) -> None:
    try:
        address = parse_address(typed)
    except AddressUnusable:
        return
    assert parse_address(address) == address
    assert address.isascii()
    scheme, host, port = origin_of(address)
    assert scheme in ("http", "https")
    assert host
    assert 0 < port < 65536


def test_near_is_told_by_the_name_alone() -> None:
    assert all(map(is_near, ("localhost", "127.9.9.9", "::1", "[::1]", "0.0.0.0", "[::]")))  # noqa: S104
    assert all(
        map(is_near, ("nas", "10.0.0.1", "studio.local", "fd00::1", "169.254.1.1", "fe80::1"))
    )
    assert not any(map(is_near, ("example.org", "8.8.8.8", "local.example.org")))
