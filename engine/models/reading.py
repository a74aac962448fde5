"""A model file or folder as something to talk to: one look at it for people and for the planner.

It may wait for the disk; any thread but the window's.
"""

from pathlib import Path

from engine.models.inspect import check_chat, facts_of, format_of
from engine.models.onnx_folder import facts_of_folder, read_folder, shape_of_folder
from engine.models.shape import shape_of
from engine.models.split import read_model
from engine.types.models import ModelFacts, ModelFormat
from engine.types.shapes import AnyShape


def read_chat_model(path: Path) -> tuple[ModelFacts, AnyShape]:
    """Any part stands for its whole model: `path` of the facts is the first part, which is what has
    to be loaded. Raises a `ModelFileError` for what can not be read or can not chat."""
    if format_of(path) is ModelFormat.ONNX:
        folder = read_folder(path)
        facts = facts_of_folder(folder)
        check_chat(facts)
        return facts, shape_of_folder(folder)
    found, header = read_model(path)
    facts = facts_of(found, header)
    check_chat(facts)
    return facts, shape_of(header, found)
