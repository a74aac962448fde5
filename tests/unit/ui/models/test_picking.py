"""The models to choose from in the card of the model in use."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QWidget

from engine.types.library import Trouble
from engine.types.plans import Verdict
from tests.unit.ui.models import stock
from ui.models.card import ModelCard
from ui.models.now import ModelNow
from ui.models.pickable import pickable
from ui.models.picking import MOST
from ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the offscreen platform has none


@pytest.fixture
def card(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 800)
    window.show()
    card = ModelCard(Theme("light"), ModelNow(name="Gemma 3 4B"), window)
    models = [stock.model("Qwen3 1.7B"), stock.model("Gemma 3 4B")]
    plans = {"gemma-3-4b": stock.plan(Verdict.FITS, 4)}
    card.show_models(pickable(models, plans, "gemma-3-4b"))
    yield card
    window.close()


def test_the_one_in_use_is_first_and_marked(card):
    rows = [
        button
        for button in card.findChildren(QAbstractButton)
        if button.objectName().startswith("pick:")
    ]
    assert [row.accessibleName() for row in rows] == ["Use Gemma 3 4B, Runs well", "Use Qwen3 1.7B"]
    assert [row.isChecked() for row in rows] == [True, False]


def test_another_one_is_chosen_by_a_click(card, qtbot):
    other = card.findChild(QAbstractButton, "pick:qwen3-1.7b")
    with qtbot.waitSignal(card.use_wished) as wish:
        qtbot.mouseClick(other, Qt.MouseButton.LeftButton)
    assert wish.args == ["qwen3-1.7b"]


def test_more_models_are_one_click_away(card, qtbot):
    more = card.findChild(QAbstractButton, "getMoreModels")
    with qtbot.waitSignal(card.more_wished):
        qtbot.mouseClick(more, Qt.MouseButton.LeftButton)


def test_few_are_offered_and_none_that_can_not_answer():
    models = [stock.model(f"M{n}") for n in range(9)]
    models.append(stock.model("Broken", trouble=Trouble.DAMAGED))
    offered = pickable(models, {"m0": stock.plan(Verdict.TOO_BIG, 44)}, "m8")
    assert len(offered) == MOST
    assert offered[0].id == "m8"
    assert "m0" not in [model.id for model in offered]
