"""What is offered instead of a model that is too big, and in how few steps it is found."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.planner import offers, place
from engine.planner.backends import select_devices
from engine.planner.place import plan
from engine.types.hardware import HardwareReport, Speed
from engine.types.plans import Offer, Plan, Verdict, Wishes
from engine.types.shapes import Alternative, ModelShape
from tests.machines import GIB, MIB, RECORDED, card, machine, with_available
from tests.unit.engine.planner.conftest import Shapes

SMALL = machine(8, 4)


def known(shapes: Shapes, *names: str) -> tuple[Alternative, ...]:
    return tuple(Alternative(name=name, path=Path(name), shape=shapes[name]) for name in names)


def of_size(shape: ModelShape, size_bytes: int) -> ModelShape:
    """The same model with thicker or thinner weights."""

    def scaled(sizes: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
        return tuple((name, of * size_bytes // shape.weights_bytes) for name, of in sizes)

    def weight(of: int) -> int:
        return of * size_bytes // shape.weights_bytes

    layers = tuple(
        replace(
            layer,
            weights_bytes=weight(layer.weights_bytes),
            type_bytes=scaled(layer.type_bytes),
            repack_bytes=scaled(layer.repack_bytes),
        )
        for layer in shape.layers
    )
    return replace(
        shape,
        layers=layers,
        weights_bytes=size_bytes,
        file_bytes=size_bytes,
        embedding_bytes=weight(shape.embedding_bytes),
        output_bytes=weight(shape.output_bytes),
        output_type_bytes=scaled(shape.output_type_bytes),
        output_repack_bytes=scaled(shape.output_repack_bytes),
    )


class TestOffers:
    def offer(
        self, report: HardwareReport, shape: ModelShape, others: tuple[Alternative, ...] = ()
    ) -> Offer:
        made = plan(report, shape, Wishes(), others)
        assert made.verdict is Verdict.TOO_BIG
        assert made.offer is not None
        return made.offer

    def test_the_best_model_that_fits(self, shapes: Shapes) -> None:
        others = known(shapes, "smollm2-135m", "llama-3.2-1b", "gemma3-27b", "llama-3-70b")
        offer = self.offer(SMALL, shapes["llama-3-70b"], others)
        assert offer.model == "llama-3.2-1b"
        assert offer.path == Path("llama-3.2-1b")
        assert offer.verdict is Verdict.FITS
        assert offer.context_length is None

    def test_one_that_runs_well_before_a_larger_slow_one(self, shapes: Shapes) -> None:
        report = machine(12, 9, [card(3)])
        others = known(shapes, "llama-3.2-1b", "llama-3-8b")
        assert self.offer(report, shapes["llama-3-70b"], others).model == "llama-3.2-1b"
        slow = self.offer(report, shapes["llama-3-70b"], known(shapes, "llama-3-8b"))
        assert (slow.model, slow.verdict) == ("llama-3-8b", Verdict.FITS_SLOWLY)

    def test_else_how_large_a_file_may_be(self, shapes: Shapes) -> None:
        offer = self.offer(SMALL, shapes["gemma3-27b"], known(shapes, "llama-3-70b"))
        assert offer.model == ""
        assert 1e9 < offer.file_bytes < SMALL.memory.available_bytes
        assert offer.file_bytes % (100 * MIB) == 0

    def test_a_large_card_counts_for_the_size_of_a_file(self, shapes: Shapes) -> None:
        report = machine(8, 4, [card(24)])
        assert self.offer(report, shapes["llama-3-70b"]).file_bytes > 15e9

    def test_no_model_fits_where_there_is_no_memory(self, shapes: Shapes) -> None:
        full = with_available(SMALL, 0)
        others = known(shapes, "smollm2-135m")
        assert self.offer(full, shapes["llama-3-70b"], others) == Offer()

    @pytest.mark.parametrize("asked", ["deepseek-v2-lite", "llama-3-70b", "gpt-oss-120b"])
    @pytest.mark.parametrize("name", ["m1_8gb", "rtx4060_laptop_win", "gtx1650_4gb", "dual3090"])
    def test_a_dense_file_of_the_offered_size_runs_well(
        self, asked: str, name: str, shapes: Shapes
    ) -> None:
        size = offers.file_bytes(
            RECORDED[name], shapes[asked], select_devices(RECORDED[name], Wishes())
        )
        dense = plan(RECORDED[name], of_size(shapes["llama-3-8b"], size), Wishes())
        assert dense.verdict is Verdict.FITS

    def test_two_cards_are_counted_as_two(self, shapes: Shapes) -> None:
        """A large model's cache and copies in main memory take nothing from the cards."""
        huge = of_size(shapes["llama-3-70b"], 75 * GIB)
        offer = self.offer(RECORDED["dual3090"], huge)
        assert offer.file_bytes > 38 * GIB

    def test_the_longest_context_is_found_in_few_steps(self, shapes: Shapes) -> None:
        asked: list[int] = []

        def decide(wishes: Wishes) -> Plan:
            asked.append(wishes.context_length or 0)
            made = plan(SMALL, shapes["llama-3.2-1b"], Wishes(context_length=2048))
            long = (wishes.context_length or 0) > 16384
            return replace(made, verdict=Verdict.TOO_BIG if long else Verdict.FITS)

        wishes = Wishes(context_length=1 << 17)
        assert offers.shorter(decide, shapes["llama-3.2-1b"], wishes) == 16384
        assert len(asked) <= 4
        assert offers.shorter(decide, shapes["llama-3.2-1b"], Wishes(context_length=2048)) is None

    def test_what_is_only_too_slow_is_not_searched_for_memory(
        self, shapes: Shapes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        decided: list[Wishes] = []
        decide = place.decide

        def counted(*arguments: Any) -> Plan:
            decided.append(arguments[2])
            return decide(*arguments)

        monkeypatch.setattr(place, "decide", counted)
        huge = of_size(shapes["llama-3-70b"], 75 * GIB)
        made = plan(RECORDED["dual3090"], huge, Wishes(context_length=65536))
        assert made.verdict is Verdict.TOO_BIG
        assert made.needed_bytes <= made.free_bytes
        assert len(decided) == 1

    def test_a_shorter_context_may_bring_all_to_the_cards(self, shapes: Shapes) -> None:
        report = replace(
            RECORDED["dual3090"],
            speed=Speed(threads=8, bytes_per_s=(("Q4_K", 5e9),), overhead_s=0),
        )
        wishes = Wishes(context_length=131072, kv_type=None)
        made = plan(report, shapes["llama-3-70b"], wishes)
        assert made.verdict is Verdict.TOO_BIG
        assert made.needed_bytes <= made.free_bytes
        assert made.offer is not None
        assert made.offer.context_length
        better = plan(
            report, shapes["llama-3-70b"], Wishes(context_length=made.offer.context_length)
        )
        assert better.verdict is not Verdict.TOO_BIG
