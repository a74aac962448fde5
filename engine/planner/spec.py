"""From a plan to what a runtime is told. Pure."""

from pathlib import Path

from engine.types.models import LoadSpec
from engine.types.plans import Plan


def spec_of(plan: Plan, path: Path) -> LoadSpec:
    return LoadSpec(path=path, layout=plan.layout, devices=plan.devices)
