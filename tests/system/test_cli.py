"""The command line as people and scripts call it: real processes, the real model."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [pytest.mark.model, pytest.mark.serial]

PROGRAM = [sys.executable, "-c", "import sys; from ui.main import main; sys.exit(main())"]
ROOT = Path(__file__).resolve().parents[2]


def snug(
    *arguments: str, stdin: str | None = None, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
    )


def test_ask_streams_an_answer(starter_model: Path) -> None:
    done = snug("ask", "What is the capital of France?", "--seed", "1", "--temperature", "0")
    assert done.returncode == 0
    assert "Paris" in done.stdout
    assert done.stderr == ""


def test_ask_as_json_is_one_object_with_the_promised_fields(starter_model: Path) -> None:
    done = snug("ask", "Say hello.", "--json", "--max-tokens", "5", "--seed", "7")
    answer = json.loads(done.stdout)
    wanted = {
        "text", "finish_reason", "prompt_tokens", "cached_tokens", "generated_tokens",
        "load_ms", "prompt_ms", "generation_ms", "backend", "model",
    }  # fmt: skip
    assert wanted <= answer.keys()
    assert answer["finish_reason"] == "length"
    assert answer["generated_tokens"] == 5
    assert answer["backend"] == "cpu"
    assert snug("ask", "Say hello.", "--json", "--max-tokens", "5", "--seed", "7").stdout


def test_the_question_may_come_from_standard_input(starter_model: Path) -> None:
    done = snug("ask", "-", "--temperature", "0", stdin="What is the capital of France?")
    assert "Paris" in done.stdout


def test_gemma_answers_with_a_notice(gemma_model: Path) -> None:
    done = snug(
        "ask", "What is the capital of France?", "--model", str(gemma_model),
        "--max-tokens", "20", "--temperature", "0",
    )  # fmt: skip
    assert done.returncode == 0
    assert "Paris" in done.stdout
    assert "common form" in done.stderr


def test_a_prompt_that_does_not_fit_ends_as_a_sentence(starter_model: Path) -> None:
    done = snug("ask", "word " * 3000, "--context", "512", "--json")
    assert done.returncode == 4
    assert json.loads(done.stdout)["error"]["code"] == "prompt_too_long"


@pytest.mark.parametrize(
    ("content", "code"), [(b"", "not_a_model"), (b"GGUF\x03\x00", "model_cut_off")]
)
def test_a_bad_file_is_named(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "坏.gguf"
    path.write_bytes(content)
    for command in (("inspect", str(path)), ("ask", "Hi", "--model", str(path))):
        done = snug(*command, "--json")
        assert done.returncode == 3
        error = json.loads(done.stdout)["error"]
        assert error["code"] == code
        assert error["message"]
        assert error["hint"]


def test_inspect_tells_what_a_file_is(starter_model: Path) -> None:
    facts = json.loads(snug("inspect", str(starter_model), "--json").stdout)
    assert facts["architecture"] == "llama"
    assert facts["quantization"] == "Q4_1"
    assert facts["layers"] == 30
    assert facts["context_length"] == 8192
    assert facts["kind"] == "chat"
    assert facts["has_chat_template"] is True
    assert facts["problems"] == []
    assert facts["size_bytes"] == starter_model.stat().st_size


def test_chat_keeps_what_was_said(snug_home: Path, starter_model: Path) -> None:
    done = snug("chat", stdin="What is the capital of France?\nAnd what is 2 + 2?\n/quit\n")
    assert done.returncode == 0
    assert "Paris" in done.stdout
    with sqlite3.connect(snug_home / "snug.sqlite3") as database:
        turns = database.execute("SELECT role, state, text FROM turns ORDER BY position").fetchall()
    database.close()
    assert [role for role, _, _ in turns] == ["user", "assistant"] * 2
    assert all(state == "complete" and text for _, state, text in turns)
    assert done.stdout == f"{turns[1][2]}\n{turns[3][2]}\n"


def test_doctor_finds_everything_in_place(starter_model: Path) -> None:
    done = snug("doctor", "--json")
    report = json.loads(done.stdout)
    health = {check["name"]: check["health"] for check in report["checks"]}
    assert done.returncode == 0
    assert report["ok"] is True
    assert health == {
        "processor": "good",
        "engine": "good",
        "backends": "good",
        "model": "good",
        "answer": "good",
        "resources": "good",
        "downloads": "good",
        "keyring": "missing",
        "data": "good",
        "window": "good",
        "network": "good",
    }


def test_doctor_names_a_data_folder_that_is_no_folder(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    done = snug("doctor", "--json", environment={"SNUG_HOME": str(blocked)})
    checks = {c["name"]: c for c in json.loads(done.stdout)["checks"]}
    assert done.returncode == 7
    assert checks["data"]["health"] == "bad"


@pytest.mark.parametrize("arguments", [("ask",), ("nonsense",), ("ask", "x", "--max-tokens", "0")])
def test_wrong_use_is_told(arguments: tuple[str, ...]) -> None:
    done = snug(*arguments, "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "usage"


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_an_answer_but_not_rudely(starter_model: Path) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "ask", "Count from one to five hundred in words.", "--json"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    log = Path(os.environ["SNUG_HOME"]) / "log" / "snug.log"
    deadline = time.monotonic() + 60
    while not (log.exists() and "loaded" in log.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert json.loads(out)["finish_reason"] == "cancelled"
    assert process.returncode == 0


def _reach(process: subprocess.Popen[bytes], moment: str) -> None:
    """Wait until the program is at it: planning, loading, or in the middle of a reply."""
    home = Path(os.environ["SNUG_HOME"])
    deadline = time.monotonic() + 60
    if moment == "reply":
        assert process.stdout
        assert process.stdout.read(5)
        return
    reached = {
        "start": (home / "log").exists,
        "load": lambda: list((home / "running").glob("*.json")),
    }[moment]
    while not reached() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert process.poll() is None


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("command", ["ask", "chat"])
@pytest.mark.parametrize(
    ("moment", "name"), [("start", "SIGTERM"), ("load", "SIGTERM"), ("reply", "SIGTERM"),
    ("reply", "SIGHUP")],
)  # fmt: skip
def test_being_told_to_end_is_no_crash_of_the_model(
    command: str, moment: str, name: str, snug_home: Path, starter_model: Path
) -> None:
    question = "Write a very long story about a boat and the sea."
    number = signal.Signals[name]
    process = subprocess.Popen(
        [*PROGRAM, command, *([question] if command == "ask" else [])],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
    )  # fmt: skip
    with process:
        assert process.stdin
        process.stdin.write(question.encode() + b"\n")
        process.stdin.flush()  # and left open: the end of input would end a chat by itself
        _reach(process, moment)
        process.send_signal(number)
        assert process.wait(30) == 128 + number
        assert process.stderr
        assert b"Traceback" not in process.stderr.read()
    assert not list((snug_home / "running").glob("*.json"))
    done = snug("ask", "What is the capital of France?", "--temperature", "0")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Paris" in done.stdout
    lessons = json.loads((snug_home / "lessons.json").read_text(encoding="utf-8"))
    assert [(known["crashes"], known["in_child"]) for known in lessons["models"].values()] == [
        (0, False)
    ]


def test_closed_output_streams_are_survived(starter_model: Path) -> None:
    script = 'exec >&- 2>&-; exec "$@"'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *PROGRAM, "ask", "Hi", "--max-tokens", "3"],
        check=False,
        timeout=60,
        cwd=ROOT,
    )
    assert done.returncode == 0


def test_doctor_tells_a_damaged_history_and_leaves_it_alone(
    snug_home: Path, starter_model: Path
) -> None:
    damaged = snug_home / "snug.sqlite3"
    damaged.write_bytes(b"not a database " * 500)
    done = snug("doctor", "--json")
    checks = {c["name"]: c["health"] for c in json.loads(done.stdout)["checks"]}
    assert (done.returncode, checks["data"]) == (7, "bad")
    assert damaged.read_bytes().startswith(b"not a database")
    assert [path.name for path in snug_home.glob("snug*")] == ["snug.sqlite3"]


def test_a_log_folder_that_can_not_be_used_costs_only_the_log(
    snug_home: Path, starter_model: Path
) -> None:
    (snug_home / "log").write_text("in the way")
    done = snug("chat", stdin="What is the capital of France?\n")
    assert done.returncode == 0
    assert "Paris" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize(("target", "code"), [(">/dev/full", 7), ("2>/dev/full", 0)])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_behind_the_output_is_survived(
    starter_model: Path, target: str, code: int, unbuffered: str
) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {target}', "sh", *PROGRAM, "ask", "Hi", "--max-tokens", "3"],
        check=False, timeout=60, cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )  # fmt: skip
    assert done.returncode == code
    assert not any(word in done.stderr for word in ("Traceback", "Exception"))


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe of POSIX")
@pytest.mark.parametrize("arguments", [("--help",), ("hardware",), ("doctor", "--json")])
def test_nobody_who_reads_is_no_mistake(starter_model: Path, arguments: tuple[str, ...]) -> None:
    """As in `snug hardware | head -1`."""
    reading, writing = os.pipe()
    os.close(reading)
    environment = {**os.environ, "PYTHONUNBUFFERED": ""}
    done = subprocess.run(
        [*PROGRAM, *arguments], stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60,
        cwd=ROOT, env=environment,
    )  # fmt: skip
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_question_in_another_encoding_is_read(starter_model: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "ask", "-", "--max-tokens", "3"],
        input="Grüße".encode("latin-1"), check=False, timeout=60, cwd=ROOT, capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == b""
