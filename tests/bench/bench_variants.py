"""The engine's one build for all processors, against a build for this very one, in the same run.

Run it as `python -m tests.bench.bench_variants WHEEL` on a quiet machine. WHEEL is the reference,
compiled with `packaging/native/flags.py: plain_arguments`; without one it is compiled first (5
minutes). Each round asks both, in children of their own, with the shortest loop there is.
"""

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from statistics import median

from app.paths import shared_models
from app.starter import read_manifest

ROUNDS = 5
CHILD = """
import json, sys
from pathlib import Path
from engine.runtimes.llamacpp import native
from engine.runtimes.llamacpp.bare import BareLoop
from engine.types.generation import Sampling
from engine.types.models import LoadSpec
from engine.types.plans import Layout
threads = int(sys.argv[2])
layout = Layout(context_length=2048, ubatch=256, threads=threads)
loop = BareLoop(LoadSpec(path=Path(sys.argv[1]), layout=layout))
prompt = [index % 1000 + 100 for index in range(768)]
loop.run(prompt[:64], 8, Sampling(seed=1))
speeds = loop.run(prompt, 96, Sampling(seed=1))
print(json.dumps([speeds.prompt, speeds.decode, native.processor_variant()]))
"""


def speeds(packages: Path | None, variant: str, threads: int) -> tuple[float, float, str]:
    """Tokens a second of prompt and decode, and the variant that was picked."""
    environment = dict(os.environ)
    if packages:
        environment["PYTHONPATH"] = str(packages)
    if variant:
        environment["SNUG_CPU_VARIANT"] = variant
    model = str(shared_models() / read_manifest().file)
    done = subprocess.run(
        [sys.executable, "-c", CHILD, model, str(threads)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    prompt, decode, picked = json.loads(done.stdout.splitlines()[-1])
    return prompt, decode, picked


def reference() -> Path:
    if len(sys.argv) > 1:
        return Path(sys.argv[1])
    sys.path.insert(0, str(Path(__file__).parents[2] / "packaging"))
    from devenv import engine_wheel

    return engine_wheel.plain()


def main() -> None:
    threads = min(os.cpu_count() or 1, 8)
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(reference()).extractall(folder)
        plain = Path(folder)
        seen: dict[str, list[tuple[float, float, str]]] = {"ours": [], "plain": [], "x64": []}
        seen["x64"].append(speeds(None, "x64", threads))
        for _ in range(ROUNDS):
            seen["ours"].append(speeds(None, "", threads))
            seen["plain"].append(speeds(plain, "", threads))
    print(f"variant picked: {seen['ours'][0][2]}, {threads} threads")
    for name, index in (("prompt", 0), ("decode", 1)):
        ours, plain_, x64 = (median(r[index] for r in seen[key]) for key in seen)
        pairs = [a[index] / b[index] for a, b in zip(seen["ours"], seen["plain"], strict=True)]
        print(
            f"{name:7} ours {ours:7.1f}  built for this processor {plain_:7.1f}  x64 {x64:7.1f} "
            f"tokens/s  ratio {median(pairs):.3f} ({min(pairs):.3f} to {max(pairs):.3f})"
        )


if __name__ == "__main__":
    main()
