"""Misbehaviours on the way to the bytes: silent heads, odd redirects, refusals, other's pages.

One that happens "once" or "twice" is over afterwards; one that is "always" so never ends.
"""

from collections.abc import Callable

from tests.servers.hub_answers import linked, redirect, refuse, resolve
from tests.servers.hub_bad_bytes import until
from tests.servers.hub_cdn import TEXT, Visit, expired, part_of, send_body, send_file, signed
from tests.servers.hub_contents import Content
from tests.servers.hub_modes import ALWAYS, MODES, Mode, on_file, on_resolve
from tests.servers.hub_wire import Line

# --- heads ----------------------------------------------------------------------------------------


def _stall(visit: Visit, _content: Content) -> None:
    visit.line.hang()


@on_file("silent head once", "accepts, reads the request, and says nothing (XET#850)")
def _silent_head(visit: Visit, content: Content) -> None:
    if not visit.shelf.count("stalled"):
        visit.line.hang()
    send_file(visit, content)


on_file("silent head always", "as before, for whoever comes again")(_stall)


@on_resolve("silent hub", "the hub itself accepts and says nothing")
def _silent_hub(visit: Visit) -> None:
    visit.line.hang()


@on_file("not HTTP", "something else answers on the port")
def _not_http(visit: Visit, _content: Content) -> None:
    visit.line.socket.sendall(b"220 ready\r\n" * 10)
    visit.line.drop()


# --- addresses and redirects ----------------------------------------------------------------------


@on_file("addresses for one use", "each redirect leads to a fresh address that is good once")
def _one_use(visit: Visit, content: Content) -> None:
    nonce = visit.line.asked.query["Nonce"][0]
    if visit.shelf.count(f"used {nonce}"):
        expired(visit)
    else:
        send_file(visit, content)


@on_file("expired in the middle", "the signed address is good for the first half only (HFH#2197)")
def _expires(visit: Visit, content: Content) -> None:
    half = content.size_bytes // 2
    nonce = visit.line.asked.query["Nonce"][0]
    first = "first" if not visit.shelf.counted("halves") else ""
    if visit.shelf.counted(f"over {nonce}"):
        expired(visit)
        return
    part = part_of(visit, content)
    if part is None:
        return
    visit.line.head(part.status, part.headers(content))
    if first and part.first <= half < part.end:
        visit.shelf.count("halves")
        visit.shelf.count(f"over {nonce}")
        send_body(visit, content.pieces(part.first, half))
        visit.line.drop()
    send_body(visit, content.pieces(part.first, part.end))


on_file("expired always", "the clock of the signer and of the origin differ by hours")(
    lambda visit, _content: expired(visit)
)


@on_resolve("redirect loop", "a mirror that redirects to itself")
def _loop(visit: Visit) -> None:
    redirect(visit, f"{visit.hub}{visit.line.asked.path}")


@on_resolve("redirect without end", "always one address further")
def _endless(visit: Visit) -> None:
    redirect(visit, f"{visit.hub}{visit.line.asked.path}?{visit.shelf.count('further')}")


@on_resolve("redirect nowhere", "302 without a Location")
def _nowhere(visit: Visit) -> None:
    visit.line.say(302, b"", TEXT)


def _leads_to(address: str) -> Callable[[Visit], None]:
    return lambda visit: redirect(visit, address.format(path=visit.line.asked.path))


on_resolve("redirect to a file", "an address of another kind: file")(
    _leads_to("file:///etc/passwd")
)
on_resolve("redirect to another scheme", "an address of another kind: ftp")(
    _leads_to("ftp://127.0.0.1{path}")
)


@on_resolve("redirect to a private address", "into the person's own network; the key stays here")
def _private(visit: Visit) -> None:
    _, content = _asked_for(visit)
    redirect(visit, f"{visit.private}/admin", linked(content))


@on_resolve("relative redirect", "a mirror redirects once more within itself, without its name")
def _relative(visit: Visit) -> None:
    if "again" in visit.line.asked.query:
        resolve(visit)
    else:
        redirect(visit, f"{visit.line.asked.path}?again=1", status=307)


# --- refusals -------------------------------------------------------------------------------------


@on_resolve("429 twice", "too many requests; Retry-After: 1 (HFH#4143)")
def _busy_twice(visit: Visit) -> None:
    if visit.shelf.count("busy") < 2:
        refuse(visit, 429, "", "Too Many Requests", Retry_After="1")
    else:
        resolve(visit)


@on_resolve("429 always", "too many requests; Retry-After: 3600")
def _busy(visit: Visit) -> None:
    refuse(visit, 429, "", "Too Many Requests", Retry_After="3600")


@on_file("503 twice", "overloaded, then fine")
def _unavailable_twice(visit: Visit, content: Content) -> None:
    if visit.shelf.count("unavailable") < 2:
        visit.line.say(503, b"Slow down", TEXT)
    else:
        send_file(visit, content)


on_file("500 always", "failed, and fails again")(
    lambda visit, _content: visit.line.say(500, b"Internal Error", TEXT)
)
on_resolve("hub down", "503 of the hub itself, in HTML")(
    lambda visit: visit.line.say(503, b"<html><h1>503</h1></html>", "text/html")
)
on_resolve("no token", "a gated repository, and nobody said who asks")(
    lambda visit: refuse(visit, 401, "GatedRepo", "Access to model a/b is restricted.")
)
on_resolve("bad token", "a token that has expired")(
    lambda visit: refuse(visit, 401, "", "Invalid credentials in Authorization header")
)
on_resolve("licence not accepted", "a good token, and a licence nobody has accepted with it")(
    lambda visit: refuse(visit, 403, "GatedRepo", "you are not in the authorized list. Visit it.")
)
on_resolve("no such file", "it was renamed since it was seen")(
    lambda visit: refuse(visit, 404, "EntryNotFound", "Entry not found")
)
on_resolve("no such repository", "it was deleted; whoever is not known hears 401")(
    lambda visit: refuse(visit, 401, "RepoNotFound", "Invalid username or password.")
)
on_resolve("bare 401", "a mirror without the hub's words")(
    lambda visit: visit.line.say(401, b"", TEXT)
)
on_resolve("bare 403", "a mirror, or a company's filter, without the hub's words")(
    lambda visit: visit.line.say(403, b"", TEXT)
)
on_resolve("bare 404", "a mirror without the hub's words")(
    lambda visit: visit.line.say(404, b"", TEXT)
)


# --- what is no answer ----------------------------------------------------------------------------

_PORTAL = b"<!doctype html><title>Welcome</title><form>Accept to go on: <input></form>"


def _portal(visit: Visit, _content: Content | None = None) -> bool:
    visit.line.say(200, _PORTAL, "text/html; charset=utf-8")
    return True


MODES["captive portal"] = Mode(
    name="captive portal",
    what="a hotel's page in the place of every answer, with 200",
    at_hub=_portal,
    at_cdn=lambda visit, _content: visit.line.say(200, _PORTAL, "text/html; charset=utf-8"),
)


@on_file("portal in the middle", "the hotel's hour is over: its page in the place of the rest")
def _portal_later(visit: Visit, content: Content) -> None:
    if visit.shelf.count("portal"):
        _portal(visit)
    else:
        until(0.5, Line.drop, ALWAYS)(visit, content)


@on_resolve("wrong linked size", "X-Linked-Size is of another version of the file")
def _linked_size(visit: Visit) -> None:
    _resolve_with(visit, lambda content: {"X-Linked-Size": content.size_bytes + 1000})


@on_resolve("wrong linked hash", "X-Linked-Etag is of another version of the file")
def _linked_hash(visit: Visit) -> None:
    _resolve_with(visit, lambda _content: {"X-Linked-Etag": '"' + "0" * 64 + '"'})


def _resolve_with(visit: Visit, headers: Callable[[Content], dict[str, str | int]]) -> None:
    path, content = _asked_for(visit)
    redirect(visit, signed(visit, path, content), linked(content) | headers(content))


def _asked_for(visit: Visit) -> tuple[str, Content]:
    repo_id, _, rest = visit.line.asked.path.removeprefix("/").partition("/resolve/")
    path = rest.partition("/")[2]
    return path, visit.shelf.repos[repo_id].files[path]
