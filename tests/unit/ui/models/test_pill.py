"""The model pill: name and verdict in words, and less of it where there is little room."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from engine.errors import EngineCrashed, StarterMissing
from engine.types.models import LoadStage
from engine.types.plans import Verdict
from tests.unit.ui import plans
from tests.unit.ui.servers import NAS
from ui.models.elsewhere import place_look
from ui.models.now import ModelNow, Phase
from ui.models.pill import ModelPill
from ui.theme.lamp import Breath
from ui.theme.theme import Theme

LONG = "Gemma 3 12B with a name that nobody could ever read to its end"


@pytest.fixture
def pill(qtbot):
    theme = Theme("light")
    made = ModelPill(theme, Breath(theme))
    qtbot.addWidget(made)
    return made


def ready(verdict=Verdict.FITS, name="Gemma 3 4B"):
    info = plans.loaded(plans.plan(verdict))
    return ModelNow(name=name, phase=Phase.READY, info=info)


@pytest.mark.parametrize(
    ("now", "name"),
    [
        (ready(), "Model: Gemma 3 4B, Runs well"),
        (ready(Verdict.FITS_SLOWLY), "Model: Gemma 3 4B, Runs slowly"),
        (ready(Verdict.UNKNOWN), "Model: Gemma 3 4B"),
        (ModelNow(name="A", phase=Phase.READY, info=plans.loaded(None)), "Model: A"),
        (ModelNow(name="A", phase=Phase.LOADING), "Model: A, Getting ready…"),
        (
            ModelNow(name="A", phase=Phase.LOADING, stage=LoadStage.LOADING, fraction=0.4),
            "Model: A, Getting ready… 40%",
        ),
        (ModelNow(name="A", phase=Phase.NOT_LOADED), "Model: A, Not loaded"),
        (ModelNow(name="A", phase=Phase.FAILED), "Model: A, Not loaded"),
        (
            ModelNow(name="A", phase=Phase.FAILED, error=plans.does_not_fit()),
            "Model: A, Too big",
        ),
        (
            ModelNow(
                name="A",
                phase=Phase.FAILED,
                error=EngineCrashed("SIGSEGV", "reply"),
                info=plans.loaded(plans.plan()),
            ),
            "Model: A, Not loaded",
        ),
        (ready(Verdict.TOO_BIG), "Model: Gemma 3 4B, Runs slowly"),
        (
            ModelNow(name="A", phase=Phase.RESTING, info=plans.loaded(plans.plan())),
            "Model: A, Runs well",
        ),
    ],
)
def test_the_name_says_the_verdict_or_the_state_in_words(pill, now, name):
    pill.show_now(now)
    assert pill.accessibleName() == name
    assert pill.isVisible()
    assert not pill.grab().isNull()


AWAY = ModelNow(name=NAS.model, phase=Phase.READY, info=plans.elsewhere(NAS), remote=NAS)


@pytest.mark.parametrize(
    ("phase", "said"),
    [
        (Phase.READY, "Answers come from http://nas:8080"),
        (Phase.RESTING, "Answers come from http://nas:8080"),
        (Phase.LOADING, "Getting ready…, Answers come from http://nas:8080"),
        (Phase.FAILED, "Does not answer, Answers come from http://nas:8080"),
    ],
)
def test_another_computer_is_marked_whatever_its_state(pill, phase, said):
    pill.show_now(replace(AWAY, phase=phase))
    assert pill.accessibleName() == f"Model: qwen3-32b, {said}"
    assert said in pill.toolTip()
    assert pill.fit == place_look(NAS)
    assert not pill.grab().isNull()


def test_the_mark_of_another_computer_has_the_colour_of_a_warning(pill):
    pill.show_now(AWAY)
    fill = pill.theme.colours.warn_soft
    image = pill.grab().toImage()
    seen = {image.pixelColor(x, image.height() // 2).rgb() for x in range(image.width())}
    assert fill.rgb() in seen


def test_without_a_model_there_is_no_pill(pill):
    pill.show_now(ModelNow())
    assert not pill.isVisible()


def test_where_there_is_no_model_at_all_the_pill_still_leads_to_another_computer(pill):
    pill.show_now(ModelNow(phase=Phase.FAILED, error=StarterMissing(Path("m"), "")))
    assert pill.isVisible()
    assert pill.accessibleName() == "Model: No model"


def test_with_little_room_the_words_of_the_badge_go_first_then_the_end_of_the_name(pill):
    pill.show_now(ready(name="Gemma 3 12B Instruct"))
    whole = pill.sizeHint().width()
    assert pill.badge_words
    pill.set_room(whole - 20)
    assert not pill.badge_words
    icon_only = pill.sizeHint().width()
    assert icon_only < whole - 20
    pill.set_room(icon_only - 30)
    assert pill.sizeHint().width() == icon_only - 30
    assert not pill.grab().isNull()
    pill.set_room(10)
    assert pill.sizeHint().width() > 100  # never without verdict and a part of the name


def test_a_long_name_is_cut_but_told_in_full(pill):
    pill.show_now(ready(name=LONG))
    assert pill.sizeHint().width() < 480
    assert LONG in pill.accessibleName()
    assert LONG in pill.toolTip()


def test_the_percentage_does_not_make_it_jump(pill):
    widths = set()
    for fraction in (0.0, 0.01, 0.5, 1.0):
        stage = LoadStage.LOADING
        pill.show_now(ModelNow(name="A", phase=Phase.LOADING, stage=stage, fraction=fraction))
        widths.add(pill.sizeHint().width())
    assert len(widths) == 1


def test_it_is_pressed_by_keyboard(pill, qtbot):
    pill.show_now(ready())
    with qtbot.waitSignal(pill.clicked):
        qtbot.keyClick(pill, Qt.Key.Key_Space)


def test_the_lamp_breathes_only_while_it_loads(qtbot):
    theme = Theme("light")
    breath = Breath(theme)
    pill = ModelPill(theme, breath)
    qtbot.addWidget(pill)
    pill.show_now(ModelNow(name="A", phase=Phase.LOADING))
    assert breath._users == {"modelPill"}
    pill.show_now(ready())
    assert breath._users == set()


@pytest.mark.parametrize("choice", ["light", "dark", "contrast"])
def test_it_paints_in_every_theme_and_direction(qtbot, choice):
    theme = Theme(choice, 200)
    pill = ModelPill(theme, Breath(theme))
    qtbot.addWidget(pill)
    pill.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    pill.show_now(ready(Verdict.FITS_SLOWLY))
    fill = theme.colours.warn_soft
    image = pill.grab().toImage()
    seen = {image.pixelColor(x, image.height() // 2).rgb() for x in range(image.width())}
    assert fill.rgb() in seen
