"""Whatever happens to the child that tries a device is an outcome; the first that passes counts."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from engine.backends.trying import try_device, with_settings
from engine.errors import (
    BackendUnusable,
    Cancelled,
    EngineCrashed,
    EngineError,
    EngineStopped,
    EngineTimedOut,
    OutOfMemory,
)
from engine.types.backends import DeviceTrial, Origin, Outcome, Plugin, Settings
from engine.types.hardware import Device, DeviceKind
from engine.types.plans import FlashAttention

CARD = Device(
    backend="vulkan",
    name="Vulkan0",
    description="A card",
    kind=DeviceKind.GPU,
    total_bytes=1 << 33,
    free_bytes=None,
)
VULKAN = Plugin(
    backend="vulkan", path=Path("/v.so"), origin=Origin.BUILT_IN, settings=(("GGML_VK_A", "0"),)
)
CUDA = Plugin(backend="cuda", path=Path("/c.so"), origin=Origin.PACK)
LADDER: tuple[Settings, ...] = ((), (("GGML_VK_B", "1"),), (("GGML_VK_B", "1"), ("GGML_VK_C", "1")))
RIGHT = {"passed": True, "detail": "largest error 0.001"}
WRONG = {"passed": False, "detail": "token 3 instead of 4"}


class Children:
    """Answers one after another: a value, or an error to raise."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, Mapping[str, object]]] = []
        self.plugins: list[Sequence[Plugin]] = []
        self.patience_s: list[float] = []

    def __call__(
        self,
        role: str,
        argument: Mapping[str, object],
        *,
        timeout_s: float,
        approved: Sequence[Plugin],
    ) -> object:
        self.asked.append((role, argument))
        self.plugins.append(approved)
        self.patience_s.append(timeout_s)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def run(self) -> DeviceTrial | None:
        return try_device(CARD, FlashAttention.OFF, LADDER, run_role=self, approved=(CUDA, VULKAN))


def outcome(*answers: object) -> DeviceTrial:
    trial = Children(*answers).run()
    assert trial is not None
    return trial


def test_a_device_that_passes_at_once_needs_no_settings() -> None:
    children = Children(RIGHT)
    assert children.run() == DeviceTrial(outcome=Outcome.PASSED, detail="largest error 0.001")
    argument = {"backend": "vulkan", "device": "Vulkan0", "flash_attention": "off"}
    assert children.asked == [("selftest", argument)]
    assert children.plugins == [(CUDA, VULKAN)]


def test_settings_are_tried_in_turn_in_the_child_alone_until_it_passes() -> None:
    children = Children(WRONG, EngineCrashed("SIGSEGV", "probe"), RIGHT)
    trial = children.run()
    assert trial is not None
    assert (trial.outcome, trial.settings) == (Outcome.PASSED, LADDER[2])
    given = [dict(vulkan.settings) for _cuda, vulkan in children.plugins]
    assert given == [dict((("GGML_VK_A", "0"), *settings)) for settings in LADDER]
    assert all(cuda == CUDA for cuda, _vulkan in children.plugins)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (WRONG, Outcome.WRONG_ANSWER),
        (EngineCrashed("SIGABRT", "probe", "device lost"), Outcome.CRASHED),
        (EngineTimedOut("probe", 90.0), Outcome.TIMED_OUT),
        (EngineStopped("llama_decode returned -3"), Outcome.CRASHED),
        (BackendUnusable("vulkan", "not_loadable", "no libvulkan"), Outcome.CRASHED),
        (EngineError("x"), Outcome.CRASHED),
        ("rubbish", Outcome.CRASHED),
        ({}, Outcome.CRASHED),
        ({"passed": 1, "detail": ""}, Outcome.CRASHED),
        ({"passed": True}, Outcome.CRASHED),
    ],
)
def test_every_failure_is_an_outcome_with_what_was_tried_last(
    answer: object, expected: Outcome
) -> None:
    trial = outcome(answer, answer, answer)
    assert (trial.outcome, trial.settings) == (expected, LADDER[2])
    assert not trial.passed


def test_the_last_words_are_kept() -> None:
    crash = EngineCrashed("SIGABRT", "probe", "vk::DeviceLostError")
    assert "vk::DeviceLostError" in outcome(crash, crash, crash).detail
    assert outcome(WRONG, WRONG, WRONG).detail == "token 3 instead of 4"


@pytest.mark.parametrize(
    "error", [OutOfMemory("bad_alloc"), OSError(11, "no process"), RuntimeError("no thread")]
)
def test_a_machine_that_is_full_says_nothing_of_its_device(error: Exception) -> None:
    assert Children(error).run() is None


def test_a_person_who_cancels_is_obeyed() -> None:
    with pytest.raises(Cancelled):
        Children(Cancelled()).run()


def test_who_was_silent_once_is_given_less_time() -> None:
    silent = EngineTimedOut("probe", 90.0)
    children = Children(silent, silent, RIGHT)
    children.run()
    first, *later = children.patience_s
    assert all(patience_s < first for patience_s in later)


def test_settings_are_the_backends_alone_and_the_newest_count() -> None:
    cuda, vulkan = with_settings((CUDA, VULKAN), "vulkan", (("GGML_VK_A", "1"),))
    assert (cuda.settings, vulkan.settings) == ((), (("GGML_VK_A", "1"),))
