"""The person's choice of a server, from the setting to the answer in a chat."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from app.container import Container, build
from app.errors import SettingRejected
from app.events import ModelFailed, ModelReady, ReplyEnded
from app.paths import find
from app.settings import OFFLINE, REMOTE_ADDRESS, REMOTE_ON
from engine.errors import (
    AddressUnusable,
    KeyRefused,
    OfflineOnly,
    RemoteModelMissing,
    ServerUnreachable,
)
from engine.keeper.plain import PlainKeeper
from engine.runtimes.fake import FakeRuntime, Script
from engine.types.cancel import CancelToken
from engine.types.remote import RemoteModel
from tests.servers.odd import Line, Odd, delta, good, models, odd_server
from tests.servers.odd import Script as Server
from tests.unit.app.desk import Desk

KEY = "sk-0123456789"
SOMEWHERE = RemoteModel(address="http://nas:8080/v1", model="big")


def with_keeper(**more: object) -> Container:
    def keeper(*_: object) -> PlainKeeper:
        return PlainKeeper(lambda: FakeRuntime(Script(pieces=("here",))))

    return build(find(), make_keeper=keeper, **more)  # type: ignore[arg-type]


@pytest.fixture
def desk(snug_home: Path) -> Iterator[Desk]:
    container = with_keeper()
    yield Desk(container)
    container.close(10)


@pytest.fixture
def serve() -> Iterator[Callable[[Server], Odd]]:
    with ExitStack() as stack:
        yield lambda script: stack.enter_context(odd_server(script))


Serve = Callable[[Server], Odd]


def test_it_is_off_until_a_person_turns_it_on(desk: Desk) -> None:
    remote = desk.container.remote
    assert remote.current() is None
    assert not remote.offline
    assert not remote.has_key("http://nas")


def test_what_is_chosen_lasts_and_can_be_stopped(desk: Desk) -> None:
    desk.container.remote.use(RemoteModel(address="NAS:8080", model="big"))
    other = with_keeper()
    assert other.remote.current() == SOMEWHERE
    assert other.models.choose().request.remote == SOMEWHERE
    assert other.models.choose().name == "big"
    other.remote.stop()
    assert other.remote.current() is None
    assert other.settings.get(REMOTE_ADDRESS) == SOMEWHERE.address
    other.close(10)


def test_a_file_that_was_named_answers_all_the_same(desk: Desk, tmp_path: Path) -> None:
    desk.container.remote.use(SOMEWHERE)
    named = with_keeper(model_file=tmp_path / "model.gguf")
    assert named.models.remote is None
    named.close(10)


@pytest.mark.parametrize("address", ["", "ftp://nas", "http://me:secret@nas"])
def test_what_is_no_address_is_refused_and_changes_nothing(desk: Desk, address: str) -> None:
    remote = desk.container.remote
    with pytest.raises(AddressUnusable):
        remote.use(RemoteModel(address=address, model="m"))
    with pytest.raises(AddressUnusable):
        remote.models(address, None, CancelToken())
    with pytest.raises(AddressUnusable):
        remote.keep_key(address, KEY)
    assert remote.current() is None


def test_the_models_of_a_server_are_asked_for_with_the_key_that_is_kept(
    desk: Desk, serve: Serve
) -> None:
    odd = serve(lambda line: line.say(200, models("a", "b")))
    remote = desk.container.remote
    assert remote.models(odd.address, None, CancelToken()) == ("a", "b")
    assert not remote.keep_key(odd.address.removesuffix("/v1"), KEY)  # tests have no store
    assert remote.has_key(odd.address)
    remote.models(odd.address, None, CancelToken())
    remote.models(odd.address, "another", CancelToken())
    keys = [asked.headers.get("authorization") for asked in odd.asked]
    assert keys == [None, f"Bearer {KEY}", "Bearer another"]
    remote.keep_key(odd.address, "")
    assert not remote.has_key(odd.address)


def test_a_key_is_for_one_address_alone(desk: Desk, serve: Serve) -> None:
    first, second = (serve(lambda line: line.say(200, models("a"))) for _ in range(2))
    remote = desk.container.remote
    remote.keep_key(first.address, KEY)
    remote.models(second.address, None, CancelToken())
    assert "authorization" not in second.asked[0].headers


def test_what_can_be_no_key_is_not_kept(desk: Desk) -> None:
    with pytest.raises(KeyRefused):
        desk.container.remote.keep_key("http://nas", "sk\n-1")


def test_a_chat_is_answered_from_elsewhere_and_then_from_here_again(
    desk: Desk, serve: Serve
) -> None:
    odd = serve(good(["the", "re"]))
    remote = desk.container.remote
    remote.use(RemoteModel(address=odd.address, model="m"))
    remote.keep_key(odd.address, KEY)
    conversation = desk.chat.send(None, "Where are you?")
    ready = desk.until(ModelReady)
    assert ready.info.backend == "remote"
    assert ready.info.spec.remote == remote.current()
    turn = desk.until_answered().turn
    assert (turn.text, turn.model) == ("there", "m")
    assert odd.asked[-1].headers["authorization"] == f"Bearer {KEY}"
    purposes = [record.purpose.value for record in desk.container.ledger.read()]
    assert purposes == ["check_model", "answer"]
    assert KEY.encode() not in desk.container.paths.ledger.read_bytes()
    assert b"Where are you" not in desk.container.paths.ledger.read_bytes()
    del conversation


def test_a_server_that_is_not_there_fails_the_reply_with_its_reason(desk: Desk) -> None:
    desk.container.remote.use(RemoteModel(address="http://127.0.0.1:9/v1", model="m"))
    desk.chat.send(None, "Hello")
    assert isinstance(desk.until(ModelFailed).error, ServerUnreachable)
    assert isinstance(desk.until(ReplyEnded).error, ServerUnreachable)


def test_a_model_that_is_gone_fails_the_reply_with_its_reason(desk: Desk, serve: Serve) -> None:
    odd = serve(good(name="other"))
    desk.container.remote.use(RemoteModel(address=odd.address, model="m"))
    desk.chat.send(None, "Hello")
    assert isinstance(desk.until(ReplyEnded).error, RemoteModelMissing)


def test_offline_nothing_is_asked_and_the_switch_lasts(desk: Desk, serve: Serve) -> None:
    odd = serve(good())
    remote = desk.container.remote
    remote.use(RemoteModel(address=odd.address, model="m"))
    remote.set_offline(True)
    desk.chat.send(None, "Hello")
    assert isinstance(desk.until(ReplyEnded).error, OfflineOnly)
    with pytest.raises(OfflineOnly):
        remote.models(odd.address, None, CancelToken())
    assert not odd.asked
    assert desk.container.ledger.read() == ()
    other = with_keeper()
    assert other.remote.offline
    other.close(10)
    remote.set_offline(False)
    assert remote.models(odd.address, None, CancelToken()) == ("m",)


def test_what_another_program_was_told_counts_here_too(desk: Desk, serve: Serve) -> None:
    odd = serve(good())
    here, other = desk.container.remote, with_keeper()
    other.remote.use(RemoteModel(address=odd.address, model="m"))
    assert here.current() == RemoteModel(address=odd.address, model="m")
    other.remote.set_offline(True)
    assert here.offline
    with pytest.raises(OfflineOnly):
        here.models(odd.address, None, CancelToken())
    assert not odd.asked
    other.remote.stop()
    assert here.current() is None
    other.close(10)


@pytest.mark.parametrize(
    "address", ["http://me:secret@nas/v1", "file:///etc/passwd", "http://127.1"]
)
def test_an_address_that_a_file_brought_is_looked_at_as_any_other(desk: Desk, address: str) -> None:
    desk.container.remote.use(SOMEWHERE)
    desk.container.settings.set(REMOTE_ADDRESS, address)
    assert desk.container.remote.current() is None


def test_a_server_is_changed_together_with_its_model_or_not_at_all(desk: Desk) -> None:
    remote = desk.container.remote
    remote.use(SOMEWHERE)
    with pytest.raises(SettingRejected):
        remote.use(RemoteModel(address="http://other/v1", model="x" * 1000))
    assert remote.current() == SOMEWHERE


def test_the_switch_ends_a_reply_and_keeps_its_text(desk: Desk, serve: Serve) -> None:
    def endless(line: Line) -> None:
        if line.asked.path.endswith("/models"):
            line.say(200, models("m"))
            return
        line.head()
        line.send(delta(content="Once"))
        line.hang()

    odd = serve(endless)
    remote = desk.container.remote
    remote.use(RemoteModel(address=odd.address, model="m"))
    desk.chat.send(None, "Hello")
    from app.events import ReplyGrew

    desk.until(ReplyGrew)
    remote.set_offline(True)
    ended = desk.until(ReplyEnded)
    assert isinstance(ended.error, OfflineOnly)
    assert ended.turn.text == "Once"


def test_a_switch_that_can_not_be_remembered_closes_the_door_all_the_same(desk: Desk) -> None:
    settings = desk.container.settings
    settings._path = Path(__file__) / "nowhere" / "settings.json"
    with pytest.raises(Exception, match="nowhere"):
        desk.container.remote.set_offline(True)
    assert desk.container.remote.offline
    assert settings.get(OFFLINE)
    assert not settings.get(REMOTE_ON)
