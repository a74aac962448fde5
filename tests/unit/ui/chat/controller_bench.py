"""A presenter among fakes: its work happens and its events come in the order the test says."""

from dataclasses import replace
from datetime import UTC, datetime

from app.conversations.values import Turn, TurnState
from app.events import ReplyGrew
from engine.types.chat import Role
from ui.chat.controller import ConversationController

WHEN = datetime(2026, 1, 2, tzinfo=UTC)


def turn(number, conversation="a", *, text="", state=TurnState.COMPLETE, tag=""):
    role = Role.USER if number % 2 == 0 else Role.ASSISTANT
    return Turn(
        id=f"{conversation}{number}{tag}",
        conversation_id=conversation,
        position=number,
        role=role,
        text=text or f"text {number}",
        state=state,
        model="" if role is Role.USER else "m",
        created_at=WHEN,
    )


def partial_reply(number=1, conversation="a", tag=""):
    return replace(turn(number, conversation, tag=tag), text="", state=TurnState.PARTIAL)


def grew(text, number=1, conversation="a"):
    return ReplyGrew(conversation_id=conversation, turn_id=f"{conversation}{number}", text=text)


class Later:
    """A `run` whose work happens when the test says so."""

    def __init__(self):
        self.waiting = []

    def __call__(self, work, done, failed):
        self.waiting.append((work, done, failed))

    def work(self):
        """Do the oldest piece of work now; returns what delivers its result."""
        work, done, failed = self.waiting.pop(0)
        try:
            result = work()
        except Exception as error:  # noqa: BLE001
            caught = error
            return lambda: failed(caught)
        return lambda: done(result)

    def all(self):
        while self.waiting:
            self.work()()


class FakeTranscript:
    """Keeps the text that a person would see, by turn."""

    def __init__(self):
        self.seen = {}
        self.ended = []

    def show_turns(self, turns):
        self.seen = {t.id: t.text for t in turns}

    def add_turn(self, added):
        assert added.id not in self.seen
        self.seen[added.id] = added.text

    def grow(self, turn_id, text):
        self.seen[turn_id] += text

    def end_turn(self, ended):
        self.seen[ended.id] = ended.text
        self.ended.append(ended.id)

    def remove_from(self, position):
        self.seen = {k: v for k, v in self.seen.items() if int(k[1]) < position}

    def clear(self):
        self.seen = {}


class FakeStage:
    def __init__(self):
        self.opened = []
        self.started = []
        self.activities = []
        self.writing = frozenset()
        self.troubles = []
        self.trimmed = []
        self.taken_texts = []

    def conversation_opened(self, conversation_id):
        self.opened.append(conversation_id)

    def conversation_started(self, conversation_id):
        self.started.append(conversation_id)

    def show_activity(self, activity):
        self.activities.append(activity)

    def show_writing(self, conversation_ids):
        self.writing = conversation_ids

    def show_trouble(self, error):
        self.troubles.append(error)

    def show_trimmed(self, dropped_turns):
        self.trimmed.append(dropped_turns)

    def clear_trouble(self):
        self.troubles.clear()
        self.trimmed.clear()

    def taken(self, conversation_id, text):
        self.taken_texts.append((conversation_id, text))


class FakeStore:
    def __init__(self):
        self.kept = {}

    def turns(self, conversation_id):
        return tuple(self.kept[conversation_id])


class FakeChat:
    def __init__(self):
        self.asked = []
        self.stopped = []
        self.failure = None

    def _ask(self, *asked):
        self.asked.append(asked)
        if self.failure:
            raise self.failure

    def send(self, conversation_id, text):
        self._ask("send", conversation_id, text)
        return conversation_id or "new"

    def try_again(self, conversation_id):
        self._ask("again", conversation_id)

    def edit_last(self, conversation_id, text):
        self._ask("edit", conversation_id, text)

    def continue_reply(self, conversation_id):
        self._ask("continue", conversation_id)

    def stop(self, conversation_id):
        self.stopped.append(conversation_id)


class Bench:
    def __init__(self):
        self.run = Later()
        self.store = FakeStore()
        self.chat = FakeChat()
        self.page = FakeTranscript()
        self.stage = FakeStage()
        self.it = ConversationController(
            run=self.run,
            store=self.store,
            chat=self.chat,
            transcript=self.page,
            stage=self.stage,
        )

    def open(self, conversation="a", *turns):
        self.store.kept[conversation] = turns or (turn(0, conversation), turn(1, conversation))
        self.it.open(conversation)
        self.run.all()

    def happens(self, *events):
        for event in events:
            self.it.handle(event)
