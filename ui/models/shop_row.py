"""The rows of Discover: a model of the catalogue, and a place at the hub that a search found.

They emit what a person wishes; decide nothing. GUI thread.
"""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Signal

from app.shop import Judged
from engine.types.hub import HubHit
from engine.types.plans import Layout, Plan, Verdict
from ui.models.hub_words import of_hub_error, place_name
from ui.models.model_row import ModelRow
from ui.models.page_values import OnOffer
from ui.models.page_words import purpose_words
from ui.models.row_group import show_only
from ui.plan_words import joined, plan_look, tone, why_words
from ui.size_words import share, slot_label, space
from ui.theme.buttons import TextButton
from ui.theme.fit import FitLook
from ui.theme.theme import Theme

translate = QCoreApplication.translate

_MILLION = 1_000_000
_THOUSAND = 1000


def plan_of(judged: Judged) -> Plan:
    """As a plan that sizes and slot can be told of."""
    return Plan(
        verdict=judged.verdict,
        backend="cpu",
        devices=(),
        layout=Layout(context_length=0),
        gpu_layers=0,
        layers=0,
        memory=(),
        predicted_tokens_per_s=judged.tokens_per_s,
        reasons=(),
        needed_bytes=judged.needed_bytes,
        free_bytes=judged.free_bytes,
    )


def best_look() -> FitLook:
    words = translate("Models", "Best for this computer")
    return FitLook(icon="circle-check", tone="good", words=words)


class ShopRow(ModelRow[OnOffer]):
    """Get, Why?, or that its files are being looked at."""

    get_wished = Signal(str)
    why_wished = Signal(str)
    stop_wished = Signal(str)

    def __init__(self, theme: Theme, offer: OnOffer) -> None:
        super().__init__(theme, f"offer:{offer.id}")
        self._id = offer.id
        self._get = TextButton(theme, f"get:{offer.id}", "", "secondary")
        self._why = TextButton(theme, f"why:{offer.id}", translate("Models", "Why?"), "quiet")
        self._stop = TextButton(theme, f"stop:{offer.id}", translate("Models", "Stop"), "secondary")
        for widget in (self._why, self._get, self._stop):
            self.add_action(widget)
        self._get.clicked.connect(lambda: self.get_wished.emit(self._id))
        self._why.clicked.connect(lambda: self.why_wished.emit(self._id))
        self._stop.clicked.connect(lambda: self.stop_wished.emit(self._id))

    def show_value(self, value: OnOffer) -> None:
        judged = value.judged
        entry, plan = judged.entry, plan_of(judged)
        self._say_it(value)
        label = slot_label(plan)
        part = share(plan) if label else 0.0
        self.show_fit(plan_look(plan), part, tone(judged.verdict), label)
        self.show_hint(best_look() if judged.recommended else None)
        self._show_buttons(value)
        size = space(judged.size_bytes)
        self._get.setText(
            translate("Models", "Try again")
            if value.error is not None
            else translate("Models", "Get {size}").format(size=size)
        )
        self._get.updateGeometry()
        get = translate("Models", "Get {name}, {size}").format(name=entry.name, size=size)
        self._get.setAccessibleName(get)
        self._why.setAccessibleName(why_words(entry.name, plan))

    def _say_it(self, value: OnOffer) -> None:
        entry = value.judged.entry
        if value.error is not None:
            self.say(entry.name, of_hub_error(value.error), "bad")
            return
        if value.looking:
            self.say(entry.name, translate("Models", "Looking at its files…"))
            return
        self.say(entry.name, purpose_words(str(entry.purpose)))

    def _show_buttons(self, value: OnOffer) -> None:
        too_big = value.judged.verdict is Verdict.TOO_BIG
        way = self._stop if value.looking else self._why if too_big else self._get
        show_only((self._get, self._why, self._stop), {way})


def popularity_words(downloads: int) -> str:
    """Rounded: nobody needs the exact number."""
    if downloads >= _MILLION:
        many = f"{downloads / _MILLION:.1f}".removesuffix(".0")
        return translate("Models", "{n} million downloads").format(n=many)
    if downloads >= _THOUSAND:
        many = f"{downloads // _THOUSAND * _THOUSAND:,}"
        return translate("Models", "{n} downloads").format(n=many)
    return translate("Models", "{n} downloads").format(n=downloads)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A `HubHit` with the id that rows go by."""

    hit: HubHit

    @property
    def id(self) -> str:
        return self.hit.repo


class HitRow(ModelRow[Hit]):
    """A place at the hub: who made it, and the way to what it has."""

    look_wished = Signal(str)

    def __init__(self, theme: Theme, hit: Hit) -> None:
        super().__init__(theme, f"hit:{hit.id}")
        self._id = hit.id
        self._look = TextButton(
            theme, f"look:{hit.id}", translate("Models", "Look closer…"), "secondary"
        )
        self.add_action(self._look)
        self._look.clicked.connect(lambda: self.look_wished.emit(self._id))

    def show_value(self, value: Hit) -> None:
        owner, name = value.hit.repo.rpartition("/")[0], place_name(value.hit.repo)
        line = translate("Models", "By {owner}. {popularity}.").format(
            owner=owner or "?", popularity=popularity_words(value.hit.downloads)
        )
        if value.hit.gated:
            line = joined(line, translate("Models", "Its makers want to know who asks."))
        self.say(name, line)
        self.show_fit(None, 0.0, "good", "")
        self._look.setAccessibleName(translate("Models", "Look closer at {name}").format(name=name))
