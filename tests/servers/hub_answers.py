"""How a hub without fault answers: its API, and its redirects to where the bytes are.

As seen of huggingface.co in 2026 by huggingface_hub 1.33: statuses, headers and JSON are the same
where a client looks at them.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote, urlencode

from tests.servers.hub_cdn import JSON, TEXT, Visit, send_file, signed
from tests.servers.hub_contents import Content
from tests.servers.hub_shelf import Repo, git_hash, is_large

_PAGE = 1000
_DATE = "2026-03-01T10:00:00.000Z"


def refuse(visit: Visit, status: int, code: str, message: str, **headers: str) -> None:
    """In the hub's words; "" for what it does not say."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if code:
        named["X-Error-Code"] = code
    if message:
        named["X-Error-Message"] = message
    body = json.dumps({"error": message}).encode()
    visit.line.say(status, body, JSON, **named)


def answer_hub(visit: Visit) -> None:
    asked = visit.line.asked
    if asked.token is not None and asked.token not in visit.shelf.tokens:
        refuse(visit, 401, "", "Invalid credentials in Authorization header")
    elif asked.path == "/api/models":
        _list(visit)
    elif asked.path.startswith("/api/models/"):
        _look(visit, asked.path.removeprefix("/api/models/"))
    elif asked.path.startswith("/api/resolve-cache/models/"):
        repo, _, path = asked.path.removeprefix("/api/resolve-cache/models/").rpartition("/")
        owner, name, _revision, *folders = repo.split("/")
        _send_small(visit, f"{owner}/{name}", "/".join([*folders, path]))
    elif "/resolve/" in asked.path:
        resolve(visit)
    else:
        refuse(visit, 404, "", "Sorry, we can't find the page you are looking for.")


def _list(visit: Visit) -> None:
    query = visit.line.asked.query
    words = " ".join(query.get("search", [])).lower().split()
    tags = {tag for given in query.get("filter", []) for tag in given.split(",")}
    found = [
        repo
        for repo in visit.shelf.repos.values()
        if all(word in repo.id.lower() for word in words) and tags <= set(repo.all_tags)
    ]
    found.sort(key=lambda repo: (-repo.downloads, repo.id))
    begin = int(query.get("cursor", ["0"])[0])
    limit = min(int(query.get("limit", [str(_PAGE)])[0]), _PAGE)
    headers = {}
    if begin + limit < len(found):
        following = {**query, "cursor": [str(begin + limit)]}
        address = f"{visit.hub}/api/models?{urlencode(following, doseq=True)}"
        headers["Link"] = f'<{address}>; rel="next"'
    body = [_row(repo, query) for repo in found[begin : begin + limit]]
    visit.line.say(200, json.dumps(body).encode(), JSON, **headers)


def _row(repo: Repo, query: Mapping[str, Sequence[str]]) -> dict[str, object]:
    whole = _whole(repo, sizes=False)
    if expand := query.get("expand"):
        return {name: whole[name] for name in ("_id", "id", *expand) if name in whole}
    row = {
        name: whole[name]
        for name in (
            *("_id", "id", "likes", "private", "downloads", "tags", "pipeline_tag"),
            *("library_name", "createdAt", "modelId"),
        )
    }
    if query.get("full") == ["true"]:
        for name in ("author", "sha", "lastModified", "gated", "disabled", "siblings"):
            row[name] = whole[name]
    if query.get("cardData") == ["true"]:
        row["cardData"] = whole["cardData"]
    return row


def _whole(repo: Repo, *, sizes: bool) -> dict[str, object]:
    return {
        "_id": hashlib.sha256(repo.id.encode()).hexdigest()[:24],
        "id": repo.id,
        "modelId": repo.id,
        "author": repo.id.partition("/")[0],
        "sha": repo.revision,
        "lastModified": _DATE,
        "createdAt": _DATE,
        "private": False,
        "gated": repo.gated or False,
        "disabled": False,
        "downloads": repo.downloads,
        "likes": repo.likes,
        "library_name": "gguf",
        "pipeline_tag": "text-generation",
        "tags": repo.all_tags,
        "cardData": {"license": repo.licence} if repo.licence else {},
        "config": {},
        "spaces": [],
        "usedStorage": sum(content.size_bytes for content in repo.files.values()),
        "siblings": [_sibling(path, content, sizes) for path, content in repo.files.items()],
    }


def _sibling(path: str, content: Content, sizes: bool) -> dict[str, object]:
    found: dict[str, object] = {"rfilename": path}
    if sizes:
        found |= {"blobId": git_hash(content), "size": content.size_bytes}
        if is_large(path, content):
            found["lfs"] = {
                "sha256": content.sha256,
                "size": content.size_bytes,
                "pointerSize": 135,
            }
    return found


def _look(visit: Visit, rest: str) -> None:
    asked = visit.line.asked
    owner, _, tail = rest.partition("/")
    name, _, tail = tail.partition("/")
    repo = visit.shelf.repos.get(f"{owner}/{name}")
    kind, _, tail = tail.partition("/")
    if repo is None:
        no_repo(visit)
    elif kind not in ("", "revision", "tree"):
        refuse(visit, 404, "", "Not found")
    elif kind and not repo.is_at(tail.partition("/")[0]):
        refuse(visit, 404, "RevisionNotFound", f"Invalid rev id: {tail}")
    elif kind == "tree":
        visit.line.say(200, json.dumps(_tree(repo)).encode(), JSON)
    else:
        whole = _whole(repo, sizes=asked.query.get("blobs", [""])[0].lower() in ("true", "1"))
        if expand := asked.query.get("expand"):
            whole = {name: whole[name] for name in ("_id", "id", *expand) if name in whole}
        visit.line.say(200, json.dumps(whole).encode(), JSON)


def _tree(repo: Repo) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for path, content in repo.files.items():
        size = content.size_bytes
        row: dict[str, object] = {
            "type": "file",
            "oid": git_hash(content),
            "size": size,
            "path": path,
        }
        if is_large(path, content):
            row["lfs"] = {"oid": content.sha256, "size": size, "pointerSize": 135}
        rows.append(row)
    return rows


def no_repo(visit: Visit) -> None:
    """Whoever is not known is not even told that there is none."""
    if visit.line.asked.token is None:
        refuse(visit, 401, "RepoNotFound", "Invalid username or password.")
    else:
        refuse(visit, 404, "RepoNotFound", "Repository not found")


def found_at(visit: Visit) -> tuple[Repo, str, Content] | None:
    """What a resolve address means. None: it means nothing, and that was answered."""
    before, _, after = visit.line.asked.path.removeprefix("/").partition("/resolve/")
    revision, _, path = after.partition("/")
    repo = visit.shelf.repos.get(before)
    if repo is None:
        no_repo(visit)
    elif not repo.is_at(revision):
        refuse(visit, 404, "RevisionNotFound", f"Invalid rev id: {revision}")
    elif path not in repo.files:
        refuse(visit, 404, "EntryNotFound", "Entry not found", X_Repo_Commit=repo.revision)
    elif not is_gated(visit, repo):
        return repo, path, repo.files[path]
    return None


def is_gated(visit: Visit, repo: Repo) -> bool:
    """Whether this one may not have it, which was then answered."""
    token = visit.line.asked.token
    if not repo.gated or (token and repo.id in visit.shelf.tokens[token]):
        return False
    if token is None:
        words = "You must have access to it and be authenticated to access it. Please log in."
    else:
        page = f"{visit.hub}/{repo.id}"
        words = f"and you are not in the authorized list. Visit {page} to ask for access."
    message = f"Access to model {repo.id} is restricted. {words}"
    refuse(visit, 403 if token else 401, "GatedRepo", message)
    return True


def resolve(visit: Visit, *, address: Callable[[Repo, str, Content], str] | None = None) -> None:
    """A redirect: of a large file to the second origin, of a small one to a cache of the hub."""
    if (found := found_at(visit)) is None:
        return
    repo, path, content = found
    common: dict[str, str | int] = {"X-Repo-Commit": repo.revision, "Accept-Ranges": "bytes"}
    if is_large(path, content):
        where = address(*found) if address else signed(visit, path, content)
        redirect(visit, where, common | linked(content))
    else:
        where = f"/api/resolve-cache/models/{repo.id}/{repo.revision}/{quote(path)}"
        redirect(visit, where, common | {"ETag": f'"{git_hash(content)}"'}, status=307)


def linked(content: Content) -> dict[str, str | int]:
    return {"X-Linked-Size": content.size_bytes, "X-Linked-Etag": f'"{content.sha256}"'}


def redirect(
    visit: Visit, address: str, headers: dict[str, str | int] | None = None, status: int = 302
) -> None:
    body = f"Found. Redirecting to {address}".encode()
    named = {"Content-Type": TEXT, "Content-Length": len(body), "Location": address}
    visit.line.head(status, named | (headers or {}))
    if visit.line.asked.method != "HEAD":
        visit.line.send(body)


def _send_small(visit: Visit, repo_id: str, path: str) -> None:
    repo = visit.shelf.repos.get(repo_id)
    if repo is None or path not in repo.files:
        refuse(visit, 404, "EntryNotFound", "Entry not found")
        return
    headers: dict[str, str | int] = {"X-Repo-Commit": repo.revision}
    content = repo.files[path]
    send_file(visit, content, headers=headers | {"ETag": f'"{git_hash(content)}"'})
