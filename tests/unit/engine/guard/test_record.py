"""What is learned survives; what is damaged or outdated is begun anew."""

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine.guard import record as module
from engine.guard.lock import held
from engine.guard.record import Record, Search, key_of
from engine.types.backends import BackendReport, BackendState, DeviceTrial, Outcome
from engine.types.hardware import Device, DeviceKind, DeviceProblem, Speed
from engine.types.history import (
    History,
    Proof,
    after_crash,
    after_memory_ran_out,
    after_proof,
    after_reply,
)
from engine.types.plans import KvType, Layout, Measured

LAYOUT = Layout(context_length=4096, kv_type=KvType.Q8_0, ubatch=128, threads=2)
MEASURED = Measured(kv_bytes=(("ram", 1 << 20),), compute_bytes=(("ram", 5),))
PROOF = Proof(layout=LAYOUT, devices=("Vulkan0",), measured=MEASURED)
SPEED = Speed(threads=2, bytes_per_s=(("Q4_K", 1e10),), overhead_s=1e-6)


def test_what_was_learned_is_there_at_the_next_start(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "lessons.json"
    learned = Record(file, "build 1").learn("model", lambda h: after_proof(h, PROOF))
    assert Record(file, "build 1").history("model") == learned
    assert learned.has_proved(LAYOUT, ("Vulkan0",))
    assert not learned.has_proved(LAYOUT, ())
    assert learned.corrections[0].measured == MEASURED


def test_another_build_starts_anew(tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    Record(file, "build 1").learn("model", lambda h: after_crash(h, "load"))
    assert Record(file, "build 2").history("model") == History()


def test_speeds_are_kept_by_threads(tmp_path: Path) -> None:
    record = Record(tmp_path / "lessons.json", "build")
    record.keep_speed(SPEED)
    assert record.speed(2) == SPEED
    assert record.speed(4) is None


TRIAL = DeviceTrial(
    outcome=Outcome.PASSED, settings=(("GGML_VK_DISABLE_F16", "1"),), detail="largest error 0.001"
)
SEARCH = Search(
    devices=(
        Device(
            backend="vulkan",
            name="Vulkan0",
            description="llvmpipe",
            kind=DeviceKind.GPU,
            total_bytes=1 << 31,
            free_bytes=None,
            problem=DeviceProblem.SOFTWARE_RENDERER,
        ),
    ),
    backends=(BackendReport(backend="cpu", state=BackendState.READY, variant="haswell"),),
    tries=2,
)


def test_what_devices_proved_is_there_at_the_next_start(tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    Record(file, "build").keep_trial("vulkan|A card||nvidia 570", TRIAL)
    assert Record(file, "build").trial("vulkan|A card||nvidia 570") == TRIAL
    assert Record(file, "build").trial("vulkan|A card||nvidia 580") is None
    assert Record(file, "another build").trial("vulkan|A card||nvidia 570") is None


def test_the_newest_trials_are_kept(tmp_path: Path) -> None:
    record = Record(tmp_path / "lessons.json", "build")
    for number in range(40):
        record.keep_trial(f"card {number}", TRIAL)
        record.keep_trial("card 0", TRIAL)
    assert record.trial("card 0") == record.trial("card 39") == TRIAL
    assert record.trial("card 1") is None


def test_a_vain_search_counts_until_something_changes(tmp_path: Path) -> None:
    record = Record(tmp_path / "lessons.json", "build")
    record.keep_search("drivers", SEARCH)
    assert record.search("drivers") == SEARCH
    record.keep_search("new drivers", SEARCH)
    assert record.search("drivers") is None


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        '{"epoch": "build"}',
        '{"epoch": "build", "models": [], "speeds": {}}',
        '{"epoch": "build", "models": {"model": 7}, "speeds": {"2": {}}}',
        '{"epoch": "build", "models": {"model": {"crashes": "many"}}, "speeds": {"2": null}}',
        '{"epoch": "build", "models": {}, "speeds": {}, "trials": 7, "searches": ["drivers"]}',
        '{"epoch": "build", "models": {}, "speeds": {}, "trials": {"card": {"outcome": "good"}}}',
        '{"epoch": "build", "models": {}, "speeds": {}, "searches": {"drivers": {"tries": "x"}}}',
        "[" * 100_000,
    ],
)
def test_damage_is_begun_anew(tmp_path: Path, content: str) -> None:
    file = tmp_path / "lessons.json"
    file.write_text(content)
    record = Record(file, "build")
    assert record.history("model") == History()
    assert record.speed(2) is None
    assert record.trial("card") is None
    assert record.search("drivers") is None
    record.keep_trial("card", TRIAL)
    assert record.trial("card") == TRIAL
    record.learn("model", lambda h: after_crash(h, "load"))
    assert record.history("model").crashes == 1


def test_a_disk_that_can_not_be_written_only_forgets(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    record = Record(blocked / "lessons.json", "build")
    assert record.learn("model", lambda h: after_crash(h, "load")).crashes == 1
    assert record.history("model") == History()


LEARN = """
import sys
from pathlib import Path
from engine.guard import record as module
from engine.types.history import after_crash
module._WAIT_S = 30.0  # a busy machine fails no test
file, model = sys.argv[1:]
record = module.Record(Path(file), "build")
print("ready", flush=True)
sys.stdin.readline()
for _ in range(60):
    record.learn(model, lambda history: after_crash(history, "load"))
"""


def test_several_snugs_lose_no_lesson_of_each_other(tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    pipe = subprocess.PIPE
    snugs = [
        subprocess.Popen([sys.executable, "-c", LEARN, file, name], stdin=pipe, stdout=pipe)
        for name in "ab"
    ]
    for snug in snugs:
        assert snug.stdout is not None
        snug.stdout.readline()
    for snug in snugs:
        snug.communicate(b"go\n", timeout=60)
    record = Record(file, "build")
    assert [record.history(name).crashes for name in "ab"] == [60, 60]
    assert {found.name for found in tmp_path.iterdir()} == {file.name, f"{file.name}.lock"}


def test_threads_lose_no_lesson_of_each_other(tmp_path: Path) -> None:
    record = Record(tmp_path / "lessons.json", "build")

    def learn() -> None:
        for _ in range(10):
            record.learn("model", lambda h: after_crash(h, "load"))

    threads = [threading.Thread(target=learn) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert record.history("model").crashes == 30


def test_a_snug_that_hangs_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WAIT_S", 0.05)
    file = tmp_path / "lessons.json"
    record = Record(file, "build")
    with held(tmp_path / "lessons.json.lock", 0.0) as by_us:
        assert by_us
        record.learn("model", lambda h: after_crash(h, "load"))
        assert record.history("model").crashes == 1


def test_only_the_newest_models_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    models = {f"old {n}": {} for n in range(300)}
    file.write_text(json.dumps({"epoch": "build", "models": models, "speeds": {}}))
    record = Record(file, "build")
    record.learn("new", lambda h: after_crash(h, "load"))
    kept = json.loads(file.read_text())["models"]
    assert len(kept) == 200
    assert list(kept)[-1] == "new"


def test_a_crash_means_child_caution_and_no_more_proofs() -> None:
    history = after_crash(after_proof(History(), PROOF), "reply")
    assert (history.crashes, history.in_child, history.caution) == (1, True, 1)
    assert (history.stage, history.proofs) == ("reply", ())
    for _ in range(9):
        history = after_crash(history, "load")
    assert (history.crashes, history.caution) == (10, 3)


def test_a_good_reply_forgives_but_the_child_stays() -> None:
    history = after_reply(after_crash(History(), "load"), 20.0)
    assert (history.crashes, history.in_child, history.tokens_per_s) == (0, True, 20.0)
    assert after_reply(history, 30.0).tokens_per_s == pytest.approx(23.0)
    assert after_reply(history, None).tokens_per_s == 20.0


def test_a_context_that_ran_out_of_memory_is_halved() -> None:
    assert after_memory_ran_out(History(), 8192, 0).most_context == 4096
    assert after_memory_ran_out(History(), 1024, 0).most_context == 1024


def test_a_file_under_the_same_name_is_another_model(tmp_path: Path) -> None:
    file = tmp_path / "a.gguf"
    gone = key_of(file)
    file.write_bytes(b"one")
    first = key_of(file)
    file.write_bytes(b"longer")
    assert len({gone, first, key_of(file)}) == 3
