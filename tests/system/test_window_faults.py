"""Deaths of the engine, in the real window: it survives or starts again, with text and words."""

import json
from pathlib import Path

from engine.child.wire import encode
from engine.runtimes.fake import Death, Hang, Script, Stage
from tests.hands.outside import RealWindow

PIECES = tuple(f"w{n} " for n in range(20))
WHOLE = "".join(PIECES).strip()
GOOD = Script(pieces=PIECES)


def deadly(stage: Stage) -> Script:
    death = Death(stage=stage, signal_name="SIGSEGV", after_pieces=3)
    return Script(pieces=PIECES, pause_s=0.4, death=death)


def window(home: Path, **scripts: Script) -> RealWindow:
    named = {"rehearsal": GOOD, "here": GOOD, "child": GOOD} | scripts
    text = json.dumps({name: encode(script) for name, script in named.items()})
    return RealWindow(SNUG_HOME=str(home), HANDS_SCRIPTS=text)


def banner(opened: RealWindow) -> str:
    opened.until(lambda: opened.do("shown", widget="bannerText"), "no banner")
    return str(opened.do("name", widget="bannerText"))


def test_the_window_survives_the_child_and_keeps_the_text(snug_home: Path) -> None:
    (snug_home / "settings.json").write_text('{"extra_safe": true}')
    with window(snug_home, child=deadly(Stage.REPLY)) as opened:
        opened.say("Hello?")
        opened.until(lambda: "stopped" in banner(opened), "not told")
        assert "Your text is safe." in banner(opened)
        assert opened.written(1).strip() == "w0 w1 w2"
        assert opened.do("name", widget="bannerAction") == "Start again"
        code, _, errors = opened.close()
    assert (code, errors) == (0, "")


def test_a_reply_goes_on_after_a_crash_and_nothing_claims_to_run(snug_home: Path) -> None:
    (snug_home / "settings.json").write_text('{"extra_safe": true}')
    with window(snug_home, child=deadly(Stage.REPLY)) as opened:
        opened.say("Hello?")
        banner(opened)
        assert "Not loaded" in opened.do("name", widget="modelPill")
        opened.do("click", widget="bannerAction")
        twice = "w0 w1 w2 w0 w1 w2"
        opened.until(lambda: opened.written(1).strip() == twice, "it does not go on")
        code, _, errors = opened.close()
    assert (code, errors) == (0, "")


def test_a_load_that_hangs_shows_that_it_is_told_to_stop(snug_home: Path) -> None:
    hung = Script(pieces=PIECES, hang=Hang(stage=Stage.LOAD, seconds=60))
    with window(snug_home, here=hung) as opened:
        opened.until(lambda: opened.do("shown", widget="loadingCancel"), "no loading line")
        opened.do("click", widget="loadingCancel")
        assert opened.do("name", widget="loadingText") == "Stopping…"
        assert opened.do("name", widget="hint") == "Stopping…"
        code, _, _ = opened.close()  # a thread in native code is left behind
    assert code == 0


def test_after_the_program_died_the_model_waits_to_be_asked_for(snug_home: Path) -> None:
    with window(snug_home, here=deadly(Stage.REPLY)) as opened:
        opened.say("Hello?")
        opened.process.wait(60)
    with window(snug_home, here=deadly(Stage.REPLY)) as opened:
        assert "It waits until you start it." in banner(opened)
        opened.do("click", widget="bannerAction")
        opened.until(lambda: not opened.do("shown", widget="bannerText"), "the banner stays")
        opened.say("Are you there?")
        assert WHOLE in opened.answered(3)
        assert any("w0 w1" in turn for turn in opened.turns())  # what was written before
        code, _, errors = opened.close()
    assert (code, errors) == (0, "")
