"""Asks an X server, through the library that Qt uses, whether Qt could live with it. No Qt here."""

import ctypes

_NEEDED = b"XFIXES"
"""Without it Qt's part ends the process. Old VNC servers have none."""
_LEAST_DEPTH = 15
"""Below it Qt paints nothing and crashes."""
_DEPTH_AT, _PRESENT_AT = 38, 8
"""Of `root_depth` in `xcb_screen_t` and `present` in `xcb_query_extension_reply_t`, in bytes."""


class _Screens(ctypes.Structure):
    """`xcb_screen_iterator_t`, see xcb/xproto.h."""

    _fields_ = (("data", ctypes.c_void_p), ("rem", ctypes.c_int), ("index", ctypes.c_int))


class _Cookie(ctypes.Structure):
    _fields_ = (("sequence", ctypes.c_uint),)


def reason_for_none() -> str:
    """Why the server of `DISPLAY` will not do; "" if it will. Raises `OSError` without the library.

    The connection stays open then: a server such as Xvfb starts anew when its only client leaves,
    and would not answer Qt for a moment.
    """
    xcb = _library()
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    reason = _reason(xcb, connection)
    if reason:
        xcb.xcb_disconnect(connection)
    return reason


def _library() -> ctypes.CDLL:
    xcb = ctypes.CDLL("libxcb.so.1")
    for name in ("xcb_connect", "xcb_get_setup", "xcb_query_extension_reply"):
        getattr(xcb, name).restype = ctypes.c_void_p
    xcb.xcb_setup_roots_iterator.restype = _Screens
    xcb.xcb_query_extension.restype = _Cookie
    return xcb


def _reason(xcb: ctypes.CDLL, connection: ctypes.c_void_p) -> str:
    if xcb.xcb_connection_has_error(connection):
        return "the X display does not answer"
    if _depth(xcb, connection) < _LEAST_DEPTH:
        return "the X display has too few colours"
    if not _has(xcb, connection, _NEEDED):
        return f"the X display knows no {_NEEDED.decode()}"
    return ""


def _depth(xcb: ctypes.CDLL, connection: ctypes.c_void_p) -> int:
    """Bits for a colour on the first screen."""
    setup = ctypes.c_void_p(xcb.xcb_get_setup(connection))
    screen = xcb.xcb_setup_roots_iterator(setup).data
    return ctypes.c_uint8.from_address(screen + _DEPTH_AT).value if screen else 0


def _has(xcb: ctypes.CDLL, connection: ctypes.c_void_p, extension: bytes) -> bool:
    cookie = xcb.xcb_query_extension(connection, ctypes.c_uint16(len(extension)), extension)
    reply = xcb.xcb_query_extension_reply(connection, cookie, None)
    if not reply:
        return False
    present = ctypes.c_uint8.from_address(reply + _PRESENT_AT).value
    _free(reply)
    return bool(present)


def _free(address: int) -> None:
    """What xcb gives belongs to who asked."""
    ctypes.CDLL(None).free(ctypes.c_void_p(address))
