"""`snug fit` as people and scripts call it: real processes, the real model, huge sparse files."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from tests import zoo
from tests.ggufs import chat
from tests.machines import ENTRIES

PROGRAM = [sys.executable, "-c", "import sys; from ui.main import main; sys.exit(main())"]
ROOT = Path(__file__).resolve().parents[2]
KEYS = {
    "verdict", "backend", "devices", "gpu_layers", "layers", "context", "kv_type", "ubatch",
    "threads", "memory", "predicted_tokens_per_second", "reasons", "explanation", "offer",
}  # fmt: skip
POOL_KEYS = {
    "pool", "weights_bytes", "kv_bytes", "compute_bytes", "overhead_bytes", "total_bytes",
    "budget_bytes",
}  # fmt: skip


def fit(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, "fit", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        cwd=ROOT,
        env=dict(os.environ),
    )


def answer(*arguments: object, code: int = 0) -> dict[str, Any]:
    done = fit(*arguments, "--json")
    assert done.returncode == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found.keys() == KEYS
    for pool in found["memory"]:
        assert pool.keys() == POOL_KEYS
        assert pool["total_bytes"] == sum(
            pool[name] for name in ("weights_bytes", "kv_bytes", "compute_bytes", "overhead_bytes")
        )
    if found["offer"] is not None:
        assert found["offer"].keys() == {"context", "model", "file_bytes", "sentence"}
    return found


def recorded(name: str, folder: Path) -> Path:
    file = folder / f"{name}.json"
    file.write_text(json.dumps(ENTRIES[name]), encoding="utf-8")
    return file


@pytest.mark.model
def test_the_starter_fits_this_computer(starter_model: Path, snug_home: Path) -> None:
    found = answer(starter_model)
    assert found["verdict"] in ("fits", "fits-slowly")
    assert found["offer"] is None
    assert found["memory"][0]["total_bytes"] <= found["memory"][0]["budget_bytes"]
    page = fit(starter_model).stdout
    assert page.startswith(found["explanation"].split(".")[0])
    assert "runs on" in page


@pytest.mark.model
def test_what_is_stated_is_kept(starter_model: Path, snug_home: Path) -> None:
    found = answer(starter_model, "--context", 3000, "--kv", "q8_0", "--ubatch", 64)
    assert (found["context"], found["kv_type"], found["ubatch"]) == (3000, "q8_0", 64)
    # 30 blocks, 3 heads of 64 for K and V, 34 bytes for 32 values, padded to 3072 tokens
    assert found["memory"][0]["kv_bytes"] == 30 * 2 * 3 * 64 * 3072 * 34 // 32


@pytest.mark.model
def test_too_big_ends_with_an_offer_and_code_4(
    starter_model: Path, snug_home: Path, tmp_path: Path
) -> None:
    (snug_home / "models").mkdir()
    (snug_home / "models" / starter_model.name).symlink_to(starter_model)
    huge = zoo.write("llama-3-70b", tmp_path)
    machine = recorded("m1_8gb", tmp_path)
    found = answer(huge, "--hardware", machine, code=4)
    assert found["verdict"] == "too-big"
    assert "SmolLM2" in found["offer"]["model"]
    assert found["offer"]["sentence"].endswith(".")
    done = fit(huge, "--hardware", machine)
    assert done.returncode == 4
    first, second, *_ = done.stdout.splitlines()
    assert first.startswith("Too big for this computer (needs about")
    assert second == found["offer"]["sentence"]


def test_a_context_that_does_not_fit_is_answered_with_one_that_does(tmp_path: Path) -> None:
    model = zoo.write("llama-3-8b", tmp_path)
    machine = recorded("m1_16gb_kv_overflow", tmp_path)
    found = answer(model, "--hardware", machine, "--context", 65536, "--kv", "f16", code=4)
    assert found["context"] == 65536
    assert sum(pool["kv_bytes"] for pool in found["memory"]) == 8 << 30
    context = found["offer"]["context"]
    better = answer(model, "--hardware", machine, "--context", context, "--kv", "f16")
    assert better["verdict"] == "fits"


@pytest.mark.parametrize("name", ENTRIES)
def test_every_recorded_machine_can_be_asked_about(
    name: str, tmp_path: Path, snug_home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """In this process, since there are many."""
    model = zoo.write("llama-3.2-1b", tmp_path)
    machine = recorded(name, tmp_path)
    assert main(["fit", str(model), "--hardware", str(machine), "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["verdict"] in ("fits", "fits-slowly")
    assert all(pool["total_bytes"] <= pool["budget_bytes"] for pool in found["memory"])


def test_a_hostile_header_gets_an_answer(tmp_path: Path, snug_home: Path) -> None:
    file = tmp_path / "hostile.gguf"
    file.write_bytes(
        chat(
            {
                "llama.block_count": 65536,
                "llama.embedding_length": 0,
                "llama.attention.head_count": 4_000_000_000,
                "llama.context_length": 2**31,
            }
        )
    )
    found = answer(file, "--hardware", recorded("sandbox_epyc", tmp_path))
    assert found["verdict"] == "unknown"
    assert found["predicted_tokens_per_second"] is None
    assert "not_estimated" in found["reasons"]


@pytest.mark.parametrize(
    ("content", "code"), [(b"not a model", "not_a_model"), (b"GGUF\x03\x00", "model_cut_off")]
)
def test_a_bad_file_ends_with_code_3(
    content: bytes, code: str, tmp_path: Path, snug_home: Path
) -> None:
    file = tmp_path / "bad.gguf"
    file.write_bytes(content)
    done = fit(file, "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["error"]["code"] == code


def test_a_machine_that_is_none_ends_with_code_3(tmp_path: Path, snug_home: Path) -> None:
    model = zoo.write("smollm2-135m", tmp_path)
    other = tmp_path / "machine.json"
    other.write_text("{}", encoding="utf-8")
    done = fit(model, "--hardware", other, "--json")
    assert done.returncode == 3
    told = json.loads(done.stdout)["error"]
    assert told["code"] == "machine_unreadable"
    cause = told["cause"]
    assert "machine.json: " in cause
    assert f"({cause})" in fit(model, "--hardware", other).stderr.replace("\r\n", "\n")


def test_the_output_of_snug_hardware_is_understood(tmp_path: Path, snug_home: Path) -> None:
    told = subprocess.run(
        [*PROGRAM, "hardware", "--json"],
        capture_output=True, text=True, encoding="utf-8", timeout=120, check=True, cwd=ROOT,
    )  # fmt: skip
    machine = tmp_path / "here.json"
    machine.write_text(told.stdout, encoding="utf-8")
    found = answer(zoo.write("smollm2-135m", tmp_path), "--hardware", machine)
    assert found["backend"] == "cpu"


def test_a_context_beyond_the_trained_one_is_told(tmp_path: Path) -> None:
    model = zoo.write("llama-3.2-1b", tmp_path)
    machine = recorded("dual3090", tmp_path)
    found = answer(model, "--hardware", machine, "--context", 200_000)
    assert "context_beyond_training" in found["reasons"]
    assert "It was made to remember about 328 pages" in found["explanation"]


def test_a_split_model_that_writes_fast_is_not_called_slow(tmp_path: Path) -> None:
    found = answer(
        zoo.write("qwen3-30b-a3b", tmp_path),
        "--hardware", recorded("rtx4060_laptop_win", tmp_path),
    )  # fmt: skip
    assert "experts_in_ram" in found["reasons"]
    assert found["predicted_tokens_per_second"] > 8
    assert found["verdict"] == "fits"
    assert "slow" not in found["explanation"]
