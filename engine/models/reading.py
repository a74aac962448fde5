"""A model file as something to talk to: one look at its header for people and for the planner.

It may wait for the disk; any thread but the window's.
"""

from pathlib import Path

from engine.models.gguf import read_header
from engine.models.inspect import check_chat, facts_of
from engine.models.shape import shape_of
from engine.types.models import ModelFacts
from engine.types.shapes import ModelShape


def read_chat_model(path: Path) -> tuple[ModelFacts, ModelShape]:
    """Raises a `ModelFileError` for what can not be read or can not chat."""
    header = read_header(path)
    facts = facts_of(path, header)
    check_chat(facts)
    return facts, shape_of(header, path)
