"""Why a model of the list can not be used, as the error that loading it would end with. Pure."""

from engine.errors import (
    ModelCutOff,
    ModelDamaged,
    ModelFileError,
    ModelMissing,
    ModelTooNew,
    NotAChatModel,
    PartsMissing,
)
from engine.types.library import InstalledModel, Trouble
from engine.types.models import ModelKind

_ERRORS: dict[Trouble, type[ModelFileError]] = {
    Trouble.CUT_OFF: ModelCutOff,
    Trouble.DAMAGED: ModelDamaged,
    Trouble.TOO_NEW: ModelTooNew,
    Trouble.UNREADABLE: ModelMissing,
    Trouble.GONE: ModelMissing,
}


def refusal_of(model: InstalledModel) -> ModelFileError | None:
    """None for a usable one."""
    if model.trouble is None:
        return None
    if model.trouble is Trouble.PARTS_MISSING:
        return PartsMissing(model.path, model.missing)
    if model.trouble is Trouble.NOT_A_CHAT_MODEL:
        kind = model.facts.kind if model.facts is not None else ModelKind.OTHER
        return NotAChatModel(model.path, kind.value)
    return _ERRORS[model.trouble](model.path, model.trouble.value)
