"""`snug inspect`: what the header of a model file says."""

import argparse
import json
from dataclasses import asdict

from app.cli.words import say
from engine.models.inspect import inspect


def run(arguments: argparse.Namespace) -> int:
    facts = asdict(inspect(arguments.file))
    facts["path"] = str(facts["path"])
    if arguments.json:
        say(json.dumps(facts, ensure_ascii=False))
        return 0
    width = max(map(len, facts))
    for name, value in facts.items():
        text = ", ".join(value) if isinstance(value, tuple) else value
        say(f"{name.replace('_', ' '):{width}}  {text}")
    return 0
