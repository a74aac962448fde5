"""What is looked at before a download, and what a hub's answers mean on the way."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import keyring
import pytest

from app import fetching
from app.fetching import HubFetching, check_space, client_of, is_complete, repo_named
from app.hub_settings import MODELSCOPE, HubSettings
from app.secrets import Secrets
from app.settings import HUB, Settings
from engine.errors import (
    AlreadyThere,
    FolderUnwritable,
    LicenceNotAccepted,
    NoSpace,
    ServerFailed,
    TokenMissing,
    TokenRefused,
)
from engine.hub.repos import page_of
from engine.net.door import Door
from engine.types.hub import Hub, HubKind, HubRepo
from tests.unit.app.fetchers import wanted
from tests.unit.app.test_secrets import Store


@pytest.fixture
def store() -> Iterator[Store]:
    before = keyring.get_keyring()
    keyring.set_keyring(it := Store())
    yield it
    keyring.set_keyring(before)


@pytest.fixture
def settings(tmp_path: Path, store: Store) -> HubSettings:
    return HubSettings(Settings(tmp_path / "settings.json"), Secrets())


def disk(monkeypatch: pytest.MonkeyPatch, free_bytes: int) -> None:
    usage = type("Usage", (), {"free": free_bytes})
    monkeypatch.setattr("app.fetching.shutil.disk_usage", lambda _: usage)


def test_only_what_is_not_here_yet_needs_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = wanted("a", tmp_path)
    disk(monkeypatch, 1060)
    with pytest.raises(NoSpace) as caught:
        check_space(it, 1000)
    assert (caught.value.needed_bytes, caught.value.free_bytes) == (100, 60)
    monkeypatch.setattr(fetching, "_progress_of", lambda _: (50, 100))
    check_space(it, 1000)


def test_a_folder_that_nothing_can_be_written_into(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderUnwritable):
        check_space(wanted("a", tmp_path / "file"), 0)


def test_what_is_there_whole_is_not_fetched_again(tmp_path: Path, settings: HubSettings) -> None:
    it = wanted("a", tmp_path)
    it.folder.mkdir()
    (it.folder / "a.gguf").write_bytes(bytes(100))
    assert not is_complete(it)
    (it.folder / "snug-model.json").touch()
    assert is_complete(it)
    with pytest.raises(AlreadyThere):
        HubFetching(Door(lambda: False), settings).check_room(it)


def test_a_download_keeps_to_the_hub_and_the_token_it_was_chosen_with(
    tmp_path: Path, settings: HubSettings, store: Store
) -> None:
    store.kept["Snug", "hub:token:https://hub.test"] = "hf_theirs"
    store.kept["Snug", "hub:token"] = "hf_other"
    it = wanted("a", tmp_path)
    client = client_of(Door(lambda: False), settings, it.hub)
    repo = HubRepo(hub=it.hub, id=it.repo, revision=it.revision, gated=False, licence="", files=())
    settings._settings.set(HUB, "https://another.test")
    request = client.file_request(repo, "a.gguf")
    assert (request.address, request.key) == ("https://hub.test", "hf_theirs")
    elsewhere = replace(repo, hub=MODELSCOPE)
    assert client.file_request(elsewhere, "a.gguf").key is None


def test_a_refusal_names_the_page_and_minds_the_token(settings: HubSettings, store: Store) -> None:
    it = wanted("a")
    refused = fetching._refused
    licence = refused(it, settings, 403, {}, it.hub.address)
    assert isinstance(licence, LicenceNotAccepted)
    assert licence.page == "https://hub.test/maker/a" == page_of(it.hub, it.repo)
    assert isinstance(refused(it, settings, 401, {}, it.hub.address), TokenMissing)
    assert isinstance(refused(it, settings, 403, {}, "https://store.test"), ServerFailed)
    store.kept["Snug", "hub:token:https://hub.test"] = "hf_theirs"
    settings._known.clear()
    assert isinstance(refused(it, settings, 401, {}, it.hub.address), TokenRefused)


@pytest.mark.parametrize(
    "text",
    [
        "maker/name",
        " https://hub.test/hf/maker/name ",
        "https://hub.test/hf/maker/name/tree/main?a=b",
        "https://huggingface.co/maker/name/blob/main/a.gguf",
    ],
)
def test_the_address_of_a_page_names_its_repository(text: str) -> None:
    mirror = Hub(kind=HubKind.HUGGING_FACE, address="https://hub.test/hf")
    assert repo_named(mirror, text) == "maker/name"
    assert repo_named(MODELSCOPE, page_of(MODELSCOPE, "maker/name")) == "maker/name"
    assert repo_named(MODELSCOPE, "https://") == ""
    assert repo_named(mirror, "maker/name:Q4_K_M") == "maker/name:Q4_K_M"
