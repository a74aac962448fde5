"""The hub that tests start is one to huggingface_hub too, unmodified; and is so in a child."""

import hashlib
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import httpx
import pytest
from huggingface_hub import (
    HfApi,
    close_session,
    constants,
    hf_hub_download,
    set_client_factory,
)
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.utils._http import default_client_factory

from engine.hub import huggingface
from tests.servers.hub import MODES, Held, Hub, Pattern, Repo, hub_server, serve_in_child

MODEL = Pattern((3 << 20) + 137)
README = Held(b"# A model\n")
OPEN = Repo(
    id="maker/Model-GGUF",
    files={"README.md": README, "Q4/model-Q4_K_M.gguf": MODEL},
    downloads=5000,
)
GATED = Repo(
    id="maker/Closed-GGUF", files={"closed.gguf": Held(b"GGUF...")}, gated="manual", licence="gemma"
)
OTHER = Repo(id="maker/Other", files={}, tags=("safetensors",))
NEW = "hf_new"
TOKENS = {"hf_good": frozenset({GATED.id}), NEW: frozenset[str]()}

Server = Callable[..., AbstractContextManager[Hub]]


@pytest.fixture(autouse=True)
def _unmodified(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """With its own client, whatever another test has set. And without telemetry, else it asks
    huggingface.co once a day by what program it is used, whatever the endpoint."""
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_TELEMETRY", True)
    set_client_factory(default_client_factory)
    yield
    huggingface._api_class.cache_clear()  # ours is set anew when it is next asked for


@pytest.fixture(params=[hub_server, serve_in_child], ids=["here", "child"])
def hub(request: pytest.FixtureRequest) -> Iterator[Hub]:
    server: Server = request.param
    with server(OPEN, GATED, OTHER, tokens=TOKENS) as running:
        yield running
        close_session()


def test_it_lists_and_shows_repositories(hub: Hub) -> None:
    api = HfApi(endpoint=hub.address, token=False)
    found = list(api.list_models(search="gguf", filter="gguf", limit=5, full=True, cardData=True))
    assert [(hit.id, hit.downloads) for hit in found] == [(OPEN.id, 5000), (GATED.id, 1000)]
    assert [hit.gated for hit in found] == [False, "manual"]
    assert found[0].card_data
    assert found[0].card_data.license == "apache-2.0"
    paged = api.list_models(filter="gguf", limit=1, expand=["gated", "downloads"])
    assert [hit.id for hit in paged] == [OPEN.id]
    info = api.model_info(OPEN.id, files_metadata=True)
    assert info.sha == OPEN.revision
    assert info.siblings
    small, large = info.siblings
    assert (small.rfilename, small.size, small.lfs) == ("README.md", len(README.data), None)
    assert large.lfs
    assert (large.size, large.lfs.sha256) == (MODEL.size_bytes, MODEL.sha256)
    assert api.model_info(OPEN.id, revision=OPEN.revision).sha == OPEN.revision
    tree = api.list_repo_tree(OPEN.id, recursive=True)
    assert [entry.path for entry in tree] == list(OPEN.files)


def test_it_goes_on_to_the_next_page(hub: Hub) -> None:
    with httpx.Client(trust_env=False) as client:
        first = client.get(f"{hub.address}/api/models?filter=gguf&limit=1")
        second = client.get(first.links["next"]["url"])
    assert [row["id"] for row in (*first.json(), *second.json())] == [OPEN.id, GATED.id]
    assert "next" not in second.links


def test_its_files_are_downloaded(hub: Hub, tmp_path: Path) -> None:
    for path, content in OPEN.files.items():
        got = hf_hub_download(OPEN.id, path, endpoint=hub.address, cache_dir=tmp_path, token=False)
        assert hashlib.sha256(Path(got).read_bytes()).hexdigest() == content.sha256
        assert OPEN.revision in got
    fetched = [seen for seen in hub.seen("cdn") if seen.method == "GET"]
    assert [(seen.status, seen.sent_bytes) for seen in fetched] == [(200, MODEL.size_bytes)]
    hub.forget()
    assert not hub.seen()


def test_a_gated_one_wants_a_token_whose_licence_was_accepted(hub: Hub, tmp_path: Path) -> None:
    def fetch(token: str | bool) -> str:
        return hf_hub_download(
            GATED.id, "closed.gguf", endpoint=hub.address, cache_dir=tmp_path, token=token
        )

    with pytest.raises(GatedRepoError) as refused:
        fetch(token=False)
    assert refused.value.response.status_code == 401
    with pytest.raises(GatedRepoError) as refused:
        fetch(NEW)
    assert refused.value.response.status_code == 403
    with pytest.raises(HfHubHTTPError, match="Invalid credentials"):
        fetch("hf_bad")
    assert Path(fetch("hf_good")).read_bytes() == b"GGUF..."
    assert {seen.token for seen in hub.seen("hub")} == {None, NEW, "hf_bad", "hf_good"}
    assert {seen.token for seen in hub.seen("cdn")} == {None}


def test_what_is_not_there_is_said_as_the_hub_says_it(hub: Hub, tmp_path: Path) -> None:
    def fetch(repo: str, path: str, revision: str = "main") -> None:
        hf_hub_download(
            repo, path, revision=revision, endpoint=hub.address, cache_dir=tmp_path, token=NEW
        )

    with pytest.raises(EntryNotFoundError):
        fetch(OPEN.id, "other.gguf")
    with pytest.raises(RevisionNotFoundError):
        fetch(OPEN.id, "README.md", "v2")
    with pytest.raises(RepositoryNotFoundError):
        fetch("maker/none", "x.gguf")
    with pytest.raises(RepositoryNotFoundError):
        HfApi(endpoint=hub.address, token=False).model_info("maker/none")


def get(url: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - of loopback
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=10) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read()


def test_ranges_are_those_of_a_good_server(hub: Hub) -> None:
    url = f"{hub.address}/{OPEN.id}/resolve/main/Q4/model-Q4_K_M.gguf"
    _, _, whole = get(url)
    assert hashlib.sha256(whole).hexdigest() == MODEL.sha256
    size = len(whole)
    for text, first, end in (
        ("bytes=0-0", 0, 1),
        (f"bytes={(1 << 20) - 5}-{(2 << 20) + 5}", (1 << 20) - 5, (2 << 20) + 6),
        ("bytes=3000000-", 3_000_000, size),
        ("bytes=-7", size - 7, size),
    ):
        status, headers, body = get(url, Range=text)
        assert (status, body) == (206, whole[first:end])
        assert headers["Content-Range"] == f"bytes {first}-{end - 1}/{size}"
    status, headers, _ = get(url, Range=f"bytes={size}-")
    assert (status, headers["Content-Range"]) == (416, f"bytes */{size}")
    assert get(url, **{"If-Match": '"another"'})[0] == 412


def test_each_misbehaviour_has_a_name_and_a_reason() -> None:
    assert len(MODES) >= 25
    assert all(mode.what and (mode.at_hub or mode.at_cdn) for mode in MODES.values())


def test_it_goes_and_comes_back_on_the_same_port(hub: Hub) -> None:
    url = f"{hub.address}/{OPEN.id}/resolve/main/README.md"
    assert get(url)[2] == README.data
    hub.vanish()
    with pytest.raises(urllib.error.URLError):
        get(url)
    hub.appear()
    assert get(url)[2] == README.data
