"""What a redirect says is a stranger's word: read exactly, and refused where it leads astray."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ServerIncomprehensible
from engine.net.locations import led_to, place_of

START = place_of("https://hub.example/a/b?c=d")


@pytest.mark.parametrize(
    ("location", "base", "path"),
    [
        ("https://cdn.example/x?y=%2f+'|", "https://cdn.example", "/x?y=%2f+'|"),
        ("HTTPS://CDN.Example:443/x", "https://cdn.example", "/x"),
        ("https://cdn.example:8443", "https://cdn.example:8443", "/"),
        ("https://cdn.example?x=1", "https://cdn.example", "/?x=1"),
        ("https://cdn.example/a/../b/./c//d", "https://cdn.example", "/a/../b/./c//d"),
        ("//cdn.example/x#part", "https://cdn.example", "/x"),
        ("https://bücher.example/x", "https://xn--bcher-kva.example", "/x"),
        ("https://[2606:4700::1111]:8443/x", "https://[2606:4700::1111]:8443", "/x"),
        ("https://cdn.example/x@y?mail=a@b", "https://cdn.example", "/x@y?mail=a@b"),
        ("https://cdn.example/模型?名=值", "https://cdn.example", "/模型?名=值"),
        ("/x?y", "https://hub.example", "/x?y"),
        ("x", "https://hub.example", "/a/x"),
        ("../../../x/./y/..", "https://hub.example", "/x/"),
        ("?z", "https://hub.example", "/a/b?z"),
        ("#z", "https://hub.example", "/a/b?c=d"),
        ("x:1/y".replace(":", "%3A"), "https://hub.example", "/a/x%3A1/y"),
    ],
)
def test_where_it_leads(location: str, base: str, path: str) -> None:
    assert led_to(START, location) == (base, path)


@pytest.mark.parametrize(
    "location",
    [
        "",
        "http://hub.example/a",
        "http://cdn.example/x",
        "ftp://cdn.example/x",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https:/x",
        "https:///x",
        "https://me:secret@cdn.example/x",
        "https://me%40cdn.example/x",
        "https://cdn.example\\@evil.example/x",
        "https://cdn.example/x\r\nHost: evil",
        "https://cdn.example/x\x00",
        "https://cdn.example/x y",
        "https://cdn.example:0/x",
        "https://cdn.example:99999/x",
        "https://cdn.example:x/x",
        "https://[::1/x",
        "https://1.2.3/x",
        "https://0x7f000001/x",
        "https://localhost/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://[::ffff:192.168.1.1]/x",
        "https://192.168.1.1/x",
        "https://router/x",
        "https://router.local./x",
        "https://cdn.example/" + "x" * 20_000,
    ],
)
def test_what_is_refused(location: str) -> None:
    with pytest.raises(ServerIncomprehensible) as raised:
        led_to(START, location)
    assert raised.value.address == "https://hub.example"
    assert "secret" not in str(raised.value)
    assert "cdn" not in str(raised.value)


def test_a_server_of_this_network_may_lead_within_it_and_out_of_it() -> None:
    start = place_of("http://nas:8080/a")
    assert led_to(start, "http://127.0.0.1:99/x") == ("http://127.0.0.1:99", "/x")
    assert led_to(start, "https://cdn.example/x") == ("https://cdn.example", "/x")
    assert led_to(start, "/x") == ("http://nas:8080", "/x")


@given(st.text(max_size=60))
def test_any_text_leads_somewhere_safe_or_nowhere(location: str) -> None:
    try:
        base, path = led_to(START, location)
    except ServerIncomprehensible:
        return
    assert base.startswith("https://")
    assert path.startswith("/")
    assert "@" not in base
