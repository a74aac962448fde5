"""The shop over a loopback hub: what is asked, what is not, and what is recommended."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.headers import HubHeaders
from app.hub_settings import HubSettings
from app.secrets import Secrets
from app.settings import HUB, Settings
from app.shop import Shop, ShopParts
from app.supply import CATALOGUE
from engine.errors import (
    Cancelled,
    FolderUnwritable,
    NoSpace,
    NotAChatModel,
    NotOnHub,
    OfflineOnly,
)
from engine.net.door import Door
from engine.types.cancel import CancelToken
from engine.types.connections import Connection, Purpose
from engine.types.plans import Plan, Verdict
from engine.types.shapes import AnyShape
from tests.ggufs import chat
from tests.servers.hub import Held, Hub, Repo, hub_server
from tests.unit.app.plans import plan

GOOD = chat({"general.name": "Good"})
LARGE = GOOD + bytes(4096)
ENTRY = "qwen3.5-4b"
ENTRY_REPO = "unsloth/Qwen3.5-4B-GGUF"


@pytest.fixture
def hub() -> Iterator[Hub]:
    repos = [
        Repo(
            id="maker/good-GGUF",
            files={
                "good-Q4_K_M.gguf": Held(LARGE),
                "good-Q8_0.gguf": Held(LARGE + bytes(2048)),
                "good-Q2_K.gguf": Held(GOOD),
                "README.md": Held(b"good"),
            },
        ),
        Repo(id="maker/empty-GGUF", files={"README.md": Held(b"nothing")}),
        Repo(
            id="maker/odd-GGUF",
            files={"odd-Q4_K_M.gguf": Held(chat({"general.architecture": "bert"}))},
        ),
        Repo(id=ENTRY_REPO, files={"Qwen3.5-4B-Q4_K_M.gguf": Held(GOOD)}),
    ]
    with hub_server(*repos) as server:
        yield server


class Judging:
    """What is larger than `most_bytes` is too big."""

    def __init__(self) -> None:
        self.most_bytes = 1 << 40
        self.asked: list[str] = []

    def of_shape(self, key: str, shape: AnyShape, cancel: CancelToken) -> Plan:
        if cancel.cancelled:
            raise Cancelled
        self.asked.append(key)
        size = getattr(shape, "file_bytes", 0)
        return plan(Verdict.FITS if size <= self.most_bytes else Verdict.TOO_BIG)


class Desk:
    def __init__(self, folder: Path, hub: Hub) -> None:
        self.settings = Settings(folder / "settings.json")
        self.settings.set(HUB, hub.address)
        self.records: list[Connection] = []
        self.offline = False
        self.judge = Judging()
        self.library = folder / "models"
        door = Door(lambda: self.offline, self.records.append)
        self.hub_settings = kept = HubSettings(self.settings, Secrets())
        self.shop = Shop(
            ShopParts(
                catalogue=CATALOGUE,
                door=door,
                settings=kept,
                headers=HubHeaders(door, kept, folder / "headers"),
                judge=self.judge,
                folder=lambda: self.library,
            )
        )


@pytest.fixture
def desk(tmp_path: Path, hub: Hub) -> Desk:
    return Desk(tmp_path, hub)


def test_the_catalogue_is_judged_without_a_network(desk: Desk, hub: Hub) -> None:
    judged = desk.shop.judged(CancelToken())
    assert [one.entry for one in judged] == list(desk.shop.catalogue())
    assert not any(one.exact for one in judged)
    [best] = [one for one in judged if one.recommended]
    assert best.entry.rank == max(one.entry.rank for one in judged)
    desk.judge.most_bytes = 0
    assert not any(one.recommended for one in desk.shop.judged(CancelToken()))
    assert not hub.seen()
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        desk.shop.judged(cancel)


def test_what_another_hub_does_not_have_is_not_offered(desk: Desk) -> None:
    everything = len(desk.shop.catalogue())
    desk.settings.set(HUB, "modelscope")
    assert 0 < len(desk.shop.catalogue()) < everything
    assert desk.shop.page_of("a/b") == "https://modelscope.cn/models/a/b"


def test_an_entry_that_was_looked_at_is_exact_from_then_on(desk: Desk, hub: Hub) -> None:
    choice = desk.shop.look_entry(ENTRY, CancelToken())
    assert (choice.title, choice.exact) == ("Qwen3.5 4B", True)
    assert choice.plan is not None
    hub.forget()
    [exact] = [one for one in desk.shop.judged(CancelToken()) if one.exact]
    assert (exact.entry.id, exact.size_bytes) == (ENTRY, len(GOOD))
    assert not hub.seen()
    assert {record.purpose for record in desk.records} == {Purpose.LOOK_AT_MODEL}
    with pytest.raises(NotOnHub):
        desk.shop.look_entry("unknown", CancelToken())
    with pytest.raises(NotOnHub):
        desk.shop.look_entry("qwen3.5-9b", CancelToken())


def test_a_repository_is_looked_at_by_one_header(desk: Desk, hub: Hub) -> None:
    choices = desk.shop.look("maker/good-GGUF", CancelToken())
    assert next((it.offering.quantization, it.exact) for it in choices) == ("Q4_K_M", True)
    assert choices[0].recommended
    assert all(it.plan is not None and not it.exact for it in choices[1:])
    assert len({seen.path for seen in hub.seen("cdn")}) == 1
    q8 = next(it for it in choices if it.offering.quantization == "Q8_0")
    assert desk.shop.exactly(q8, CancelToken()).exact


def test_the_recommended_one_fits_and_was_read(desk: Desk) -> None:
    desk.judge.most_bytes = len(GOOD) + 100
    choices = desk.shop.look("maker/good-GGUF", CancelToken())
    assert next((it.offering.quantization, it.exact, it.recommended) for it in choices) == (
        "Q2_K",
        True,
        True,
    )
    desk.judge.most_bytes = 0
    assert not any(it.recommended for it in desk.shop.look("maker/good-GGUF", CancelToken()))


def test_repositories_without_a_model_that_can_be_used(desk: Desk) -> None:
    assert desk.shop.look("maker/empty-GGUF", CancelToken()) == ()
    [odd] = desk.shop.look("maker/odd-GGUF", CancelToken())
    assert isinstance(odd.refusal, NotAChatModel)
    with pytest.raises(NotAChatModel):
        desk.shop.wanted(odd)
    with pytest.raises(NotOnHub):
        desk.shop.look("maker/none", CancelToken())


def test_search_is_a_persons_act_and_the_switch_ends_it(desk: Desk) -> None:
    assert {hit.repo for hit in desk.shop.search("good", CancelToken())} == {"maker/good-GGUF"}
    assert [record.purpose for record in desk.records] == [Purpose.SEARCH]
    desk.offline = True
    with pytest.raises(OfflineOnly):
        desk.shop.search("good", CancelToken())


def test_space_is_looked_at_before(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    choice = desk.shop.look("maker/good-GGUF", CancelToken())[0]
    wanted = desk.shop.wanted(choice)
    assert wanted.folder.parent == desk.library
    assert [file.size_bytes for file in wanted.files] == [len(LARGE)]
    free = type("Usage", (), {"free": (512 << 20) + 10})
    monkeypatch.setattr("app.fetching.shutil.disk_usage", lambda _: free)
    with pytest.raises(NoSpace) as caught:
        desk.shop.wanted(choice)
    assert (caught.value.needed_bytes, caught.value.free_bytes) == (len(LARGE), 10)
    desk.library = Path(__file__) / "models"
    with pytest.raises(FolderUnwritable):
        desk.shop.wanted(choice)


def test_a_token_is_kept_for_the_hub_in_use(desk: Desk) -> None:
    assert desk.hub_settings.token() is None
    assert desk.shop.keep_token("hf_x") is False  # no store here: for this session only
    assert desk.hub_settings.token() is not None
    desk.shop.keep_token("")
    assert desk.hub_settings.token() is None
