"""Which models of this computer can be chosen in the card of the model in use. No widgets here."""

from collections.abc import Mapping, Sequence

from engine.types.library import InstalledModel
from engine.types.plans import Plan, Verdict
from ui.models.page_words import model_line
from ui.models.picking import MOST, Pickable
from ui.plan_words import plan_look


def pickable(
    models: Sequence[InstalledModel], plans: Mapping[str, Plan], chosen_id: str | None
) -> list[Pickable]:
    """The one in use first; those that are known to be too big are left out."""
    usable = [model for model in models if model.usable and not _too_big(plans.get(model.id))]
    ordered = sorted(usable, key=lambda model: model.id != chosen_id)
    return [_one(model, plans.get(model.id), chosen_id) for model in ordered[:MOST]]


def _too_big(plan: Plan | None) -> bool:
    return plan is not None and plan.verdict is Verdict.TOO_BIG


def _one(model: InstalledModel, plan: Plan | None, chosen_id: str | None) -> Pickable:
    return Pickable(
        id=model.id,
        name=model.name,
        line=model_line(model, ""),
        fit=plan_look(plan) if plan is not None else None,
        chosen=model.id == chosen_id,
    )
