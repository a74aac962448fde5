"""Privacy: the switch that closes the door, and the list of what went through it."""

import csv
import json
import time
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from app.settings import OFFLINE
from tests.unit.ui.settings.room import connection, connections
from ui.settings.groups import Group
from ui.settings.ledger_rows import Record, rows_of
from ui.settings.privacy import PrivacyParts, PrivacyPresenter

MOST = 16_000
MAY_TAKE_S = 0.1


@pytest.fixture
def panel(it):
    return it.show(Group.PRIVACY)


def write(it, records):
    for one in records:
        it.container.ledger.write(one)


def records(panel):
    model = panel.list.rows
    found = (model.row_at(model.index(n)) for n in range(model.rowCount()))
    return [row.connection for row in found if isinstance(row, Record)]


def test_a_new_snug_has_connected_to_nothing(panel, qtbot):
    qtbot.waitUntil(panel.nothing.isVisible)
    assert panel.nothing.text() == "Snug has not connected to anything."
    assert not panel.card.isVisible()
    assert not panel.save.isVisible()


def test_all_connections_are_listed_the_newest_first(it, qtbot):
    write(it, connections(30))
    panel = it.show(Group.PRIVACY)
    qtbot.waitUntil(panel.card.isVisible)
    assert records(panel) == list(reversed(connections(30)))


def test_a_new_one_appears_while_one_looks(it, panel, qtbot):
    qtbot.waitUntil(panel.nothing.isVisible)
    now = connection(at=datetime.now(UTC))
    write(it, [now])
    qtbot.waitUntil(lambda: records(panel) == [now], timeout=4000)
    assert panel.card.isVisible()


def test_whoever_reads_further_down_stays_there(it, qtbot):
    write(it, connections(100))
    panel = it.show(Group.PRIVACY)
    qtbot.waitUntil(panel.card.isVisible)
    bar = it.page.room.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 2000)
    bar.setValue(1500)
    before = records(panel)
    row = panel.list._delegate.height
    shown = panel.list.rows.shown
    panel.show_ledger(rows_of((connection(-1), *before), None, shown.today, shown))
    assert len(records(panel)) == 101
    assert bar.value() == 1500 + row


def test_the_clock_rests_while_nobody_looks(it, panel):
    assert panel._clock.isActive()
    it.page.show_group(Group.APPEARANCE)
    assert not panel._clock.isActive()
    it.page.show_group(Group.PRIVACY)
    it.bench.desk.to_composer()
    assert not panel._clock.isActive()


def test_staying_offline_closes_the_door_and_marks_the_window(it, panel, qtbot):
    qtbot.mouseClick(panel.offline, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: it.container.settings.get(OFFLINE))
    assert it.container.remote.offline
    it.bench.elsewhere.set_offline(False)
    qtbot.waitUntil(lambda: not panel.offline.isChecked(), timeout=8000)


def test_what_another_program_says_appears(it, panel, qtbot):
    it.container.paths.settings.write_text(json.dumps({OFFLINE.key: True}))
    qtbot.waitUntil(panel.offline.isChecked, timeout=4000)
    assert it.window.page.strip._offline


def test_the_list_can_be_kept_as_a_table(it, tmp_path, qtbot, monkeypatch):
    write(it, connections(5))
    panel = it.show(Group.PRIVACY)
    qtbot.waitUntil(panel.save.isVisible)
    target = tmp_path / "list.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    qtbot.mouseClick(panel.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(target.exists)
    lines = list(csv.reader(target.read_text("utf-8-sig").splitlines()))
    assert lines[0][:3] == ["When", "Where to", "Why"]
    assert len(lines) == 6
    assert lines[1][1:3] == ["https://cdn-lfs.huggingface.co", "Asked which models are there"]
    qtbot.waitUntil(it.window.page.toast.isVisible)


def test_a_place_that_cannot_be_written_is_told(it, tmp_path, qtbot, monkeypatch):
    write(it, connections(5))
    panel = it.show(Group.PRIVACY)
    qtbot.waitUntil(panel.save.isVisible)
    nowhere = str(tmp_path / "none" / "list.csv")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (nowhere, ""))
    qtbot.mouseClick(panel.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(panel.trouble.isVisible)
    assert panel.trouble.text


def test_the_keyboard_goes_through_the_list(it, qtbot):
    write(it, connections(300))
    panel = it.show(Group.PRIVACY)
    qtbot.waitUntil(panel.card.isVisible)
    listed, bar = panel.list, it.page.room.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    listed.setFocus(Qt.FocusReason.TabFocusReason)
    assert listed.currentIndex().row() == 1  # past the name of the day
    qtbot.keyClick(listed, Qt.Key.Key_Down)
    assert listed.currentIndex().row() == 2
    qtbot.keyClick(listed, Qt.Key.Key_PageDown)
    assert listed.currentIndex().row() > 4
    qtbot.keyClick(listed, Qt.Key.Key_End)
    assert listed.currentIndex().row() == listed.rows.rowCount() - 1
    assert bar.value() > bar.maximum() - 200
    qtbot.keyClick(listed, Qt.Key.Key_Home)
    assert listed.currentIndex().row() == 1
    assert bar.value() < 400


def test_sixteen_thousand_open_at_once(panel, qtbot):
    qtbot.waitUntil(panel.nothing.isVisible)
    many = list(reversed(connections(MOST)))
    rows = rows_of(many, None, many[0].at.date(), None)
    begun_s = time.thread_time()
    panel.show_ledger(rows)
    panel.list.grab(panel.list.visibleRegion().boundingRect())
    took_s = time.thread_time() - begun_s
    assert panel.list.rows.rowCount() > MOST
    assert took_s < MAY_TAKE_S


class Seen:
    """A view that keeps what it was shown."""

    def __init__(self):
        self.offline = []

    def show_offline(self, *, offline):
        self.offline.append(offline)

    def show_ledger(self, rows):
        pass

    def refuse(self, error):
        raise error


class NoLog:
    def mark(self):
        return None

    def newest_first(self):
        return ()


def test_a_look_from_before_the_click_does_not_turn_the_switch_back():
    view, now, moved = Seen(), {"offline": False}, []
    parts = PrivacyParts(
        run=lambda work, done, _failed: done(work()),
        log=NoLog(),
        offline=lambda: now["offline"],
        set_offline=lambda _offline: None,  # a worker does it later
        moved=lambda: moved.append(True),
        today=connection().at.date,
        head=tuple,
        line_of=lambda _: (),
    )
    presenter = PrivacyPresenter(parts, view)
    presenter.look()
    presenter.set_offline(True)
    presenter.look()
    now["offline"] = True
    presenter.look()
    assert (view.offline, moved) == ([False], [])
    now["offline"] = False  # now another program
    presenter.look()
    assert (view.offline, moved) == ([False, False], [True])
