"""`snug fit`: whether a model fits this computer, or another one, and how.

Reads the header of the file, or the settings of the folder, only; nothing is loaded.
"""

import argparse
import json
from functools import partial
from pathlib import Path

from app import fitting, logs
from app.cli import plan_words
from app.cli.words import DOES_NOT_FIT, say
from app.models import ModelService
from app.paths import Paths
from engine.guard.record import key_of
from engine.hardware.machines import read_machine
from engine.keeper.planning import learned_plan
from engine.models.reading import read_chat_model
from engine.planner.place import plan
from engine.types.cancel import CancelToken
from engine.types.hardware import HardwareReport
from engine.types.history import History
from engine.types.models import ModelFacts
from engine.types.plans import KvType, Offer, Plan, PoolUse, Verdict, Wishes
from engine.types.shapes import AnyShape


def run(arguments: argparse.Namespace) -> int:
    facts, shape = read_chat_model(arguments.file)
    report, history = _machine(arguments.paths, arguments.hardware, arguments.file)
    made = learned_plan(partial(_plan, arguments, report, shape), _asked(arguments), history)
    if arguments.json:
        say(json.dumps(as_json(made), ensure_ascii=False))
    else:
        say(page(facts, made))
    return DOES_NOT_FIT if made.verdict is Verdict.TOO_BIG else 0


def as_json(made: Plan) -> dict[str, object]:
    """The stable form for scripts."""
    layout, rate = made.layout, made.predicted_tokens_per_s
    return {
        "verdict": made.verdict.value,
        "backend": made.backend,
        "devices": list(made.devices),
        "gpu_layers": made.gpu_layers,
        "layers": made.layers,
        "context": layout.context_length,
        "kv_type": layout.kv_type.value,
        "ubatch": layout.ubatch,
        "threads": layout.threads,
        "memory": [_pool(pool) for pool in made.memory],
        "predicted_tokens_per_second": None if rate is None else round(rate, 2),
        "reasons": [reason.value for reason in made.reasons],
        "explanation": plan_words.explanation(made),
        "offer": None if made.offer is None else _offer(made.offer),
    }


def page(facts: ModelFacts, made: Plan) -> str:
    """The sentence, the offer, then details."""
    lines = [plan_words.explanation(made)]
    if made.offer is not None:
        lines.append(plan_words.offered(made.offer))
    rows = plan_words.details(facts, made)
    width = max(len(name) for name, _ in rows)
    return "\n".join([*lines, "", *(f"{name:{width}}  {value}" for name, value in rows)])


def _machine(paths: Paths, other: Path | None, file: Path) -> tuple[HardwareReport, History]:
    """The machine, and what was learned of this model on it: of ours only."""
    if other is not None:
        return read_machine(other), History()
    logs.start(paths)
    record = fitting.record(paths)
    return fitting.machine(paths, record).report(CancelToken()), record.history(key_of(file))


def _asked(arguments: argparse.Namespace) -> Wishes:
    """Kept exactly, unlike in a load: whoever states something here wants to know about that."""
    return Wishes(
        context_length=arguments.context,
        kv_type=None if arguments.kv is None else KvType(arguments.kv),
        ubatch=arguments.ubatch,
    )


def _plan(
    arguments: argparse.Namespace, report: HardwareReport, shape: AnyShape, wishes: Wishes
) -> Plan:
    """Other models are only looked for where this one is too big."""
    made = plan(report, shape, wishes)
    if made.verdict is not Verdict.TOO_BIG:
        return made
    return plan(report, shape, wishes, ModelService(arguments.paths, arguments.file).alternatives())


def _pool(pool: PoolUse) -> dict[str, object]:
    use = pool.use
    return {
        "pool": pool.pool,
        "weights_bytes": use.weights_bytes,
        "kv_bytes": use.kv_bytes,
        "compute_bytes": use.compute_bytes,
        "overhead_bytes": use.overhead_bytes,
        "total_bytes": use.total_bytes,
        "budget_bytes": pool.budget_bytes,
    }


def _offer(offer: Offer) -> dict[str, object]:
    return {
        "context": offer.context_length,
        "model": offer.model or None,
        "file_bytes": offer.file_bytes,
        "sentence": plan_words.offered(offer),
    }
