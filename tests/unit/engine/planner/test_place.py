"""Verdicts, wishes, reasons and offers."""

from dataclasses import replace

import pytest

from engine.planner.place import plan
from engine.types.hardware import HardwareReport, Speed, System
from engine.types.plans import Correction, KvType, Measured, Offer, Plan, Reason, Verdict, Wishes
from engine.types.shapes import Unsure
from tests.machines import GIB, MIB, card, integrated, machine
from tests.unit.engine.planner.conftest import Shapes

ROOMY = machine(64, 50)
SMALL = machine(8, 4)


def in_all(made: Plan) -> int:
    return sum(pool.use.total_bytes for pool in made.memory)


class TestVerdicts:
    def test_it_fits(self, shapes: Shapes) -> None:
        made = plan(ROOMY, shapes["llama-3.2-1b"], Wishes())
        assert made.verdict is Verdict.FITS
        assert made.backend == "cpu"
        assert made.offer is None
        assert made.needed_bytes == pytest.approx(in_all(made), rel=0.05)
        assert made.needed_bytes <= made.free_bytes

    def test_it_fits_but_writes_slower_than_one_reads(self, shapes: Shapes) -> None:
        made = plan(ROOMY, shapes["llama-3-8b"], Wishes(tokens_per_s=3.0))
        assert made.verdict is Verdict.FITS_SLOWLY
        assert made.predicted_tokens_per_s == 3.0
        assert Reason.SLOWER_THAN_READING in made.reasons

    def test_so_slow_that_nobody_waits(self, shapes: Shapes) -> None:
        crawling = replace(
            ROOMY, speed=Speed(threads=4, bytes_per_s=(("Q4_K", 2e9),), overhead_s=0)
        )
        made = plan(crawling, shapes["llama-3-8b"], Wishes())
        assert made.verdict is Verdict.TOO_BIG
        assert made.needed_bytes <= made.free_bytes
        assert made.offer is not None
        assert made.predicted_tokens_per_s is not None
        wanted = shapes["llama-3-8b"].weights_bytes * made.predicted_tokens_per_s / 5.0
        assert wanted - 150 * MIB < made.offer.file_bytes < wanted  # as fast as one reads

    def test_a_split_model_that_writes_fast_fits(self, shapes: Shapes) -> None:
        report = machine(64, 50, [card(12)])
        made = plan(report, shapes["qwen3-30b-a3b"], Wishes())
        assert made.layout.expert_layers_in_ram
        assert (made.predicted_tokens_per_s or 0) > 8.0
        assert made.verdict is Verdict.FITS
        assert Reason.EXPERTS_IN_RAM in made.reasons
        for rate, verdict in ((7.9, Verdict.FITS_SLOWLY), (8.1, Verdict.FITS)):
            seen = plan(report, shapes["qwen3-30b-a3b"], Wishes(tokens_per_s=rate))
            assert seen.verdict is verdict
            assert Reason.SLOWER_THAN_READING not in seen.reasons

    def test_a_slow_reply_on_a_busy_machine_condemns_nobody(self, shapes: Shapes) -> None:
        made = plan(ROOMY, shapes["llama-3-8b"], Wishes(tokens_per_s=0.5))
        assert made.verdict is Verdict.FITS_SLOWLY

    def test_too_big_says_what_it_needs_and_what_there_is(self, shapes: Shapes) -> None:
        made = plan(SMALL, shapes["llama-3-8b"], Wishes())
        assert made.verdict is Verdict.TOO_BIG
        assert made.needed_bytes > made.free_bytes > 0
        assert made.reasons[0] is Reason.TOO_BIG
        assert in_all(made) > made.memory[0].budget_bytes

    def test_unknown_sizes_give_no_number_but_a_layout(self, shapes: Shapes) -> None:
        odd = replace(shapes["llama-3.2-1b"], unsure=frozenset({Unsure.SIZES_MISSING}), layers=())
        made = plan(ROOMY, odd, Wishes())
        assert made.verdict is Verdict.UNKNOWN
        assert made.reasons == (Reason.NOT_ESTIMATED,)
        assert made.predicted_tokens_per_s is None
        assert made.layout.context_length == 4096
        assert made.memory[0].use.weights_bytes == odd.weights_bytes
        assert plan(machine(2, 0.5), odd, Wishes()).verdict is Verdict.TOO_BIG  # weights are known

    def test_an_unknown_architecture_gets_a_larger_margin(self, shapes: Shapes) -> None:
        odd = replace(shapes["llama-3-8b"], unsure=frozenset({Unsure.ARCHITECTURE}))
        wishes = Wishes(context_length=8192, kv_type=KvType.F16, ubatch=512)
        sure, unsure = (plan(ROOMY, shape, wishes) for shape in (shapes["llama-3-8b"], odd))
        assert Reason.UNSURE in unsure.reasons
        assert unsure.memory[0].use == sure.memory[0].use  # what is shown is the estimate
        compute = sure.memory[0].use.compute_bytes
        assert unsure.needed_bytes - sure.needed_bytes == pytest.approx(0.15 * compute, abs=2)


class TestStated:
    def test_a_stated_context_is_kept_and_its_true_need_told(self, shapes: Shapes) -> None:
        wishes = Wishes(context_length=100_000, kv_type=KvType.F16)
        made = plan(machine(16), shapes["llama-3-8b"], wishes)
        assert made.verdict is Verdict.TOO_BIG
        assert made.layout.context_length == 100_000
        assert made.memory[0].use.kv_bytes == 32 * 2 * 1024 * 2 * 100_096  # padded to 256
        assert made.offer is not None
        assert made.offer.context_length is not None
        fits = replace(wishes, context_length=made.offer.context_length)
        assert plan(machine(16), shapes["llama-3-8b"], fits).verdict is not Verdict.TOO_BIG
        longer = replace(wishes, context_length=2 * made.offer.context_length)
        assert plan(machine(16), shapes["llama-3-8b"], longer).verdict is Verdict.TOO_BIG

    def test_a_short_context_may_be_stated(self, shapes: Shapes) -> None:
        made = plan(ROOMY, shapes["llama-3.2-1b"], Wishes(context_length=512))
        assert made.verdict is Verdict.FITS
        assert made.layout.context_length == 512

    def test_a_cache_that_llama_refuses_is_not_possible(self, shapes: Shapes) -> None:
        odd = replace(shapes["llama-3-8b"], head_width=80)
        made = plan(ROOMY, odd, Wishes(kv_type=KvType.Q8_0, context_length=4096))
        assert made.verdict is Verdict.TOO_BIG
        assert made.layout.kv_type is KvType.Q8_0
        assert made.offer == Offer(context_length=4096)  # as it is, with a plain cache

    def test_a_quantised_cache_may_be_asked_for_on_metal(self, shapes: Shapes) -> None:
        mac = machine(
            16, devices=[integrated(11, 11, backend="metal", description="Apple M1")],
            system=System.MACOS,
            architecture="arm64",
        )  # fmt: skip
        made = plan(mac, shapes["llama-3.2-1b"], Wishes(kv_type=KvType.Q8_0))
        assert (made.verdict, made.layout.kv_type) == (Verdict.FITS, KvType.Q8_0)

    def test_load_anyway_gives_a_layout_that_can_be_tried(self, shapes: Shapes) -> None:
        report = machine(8, 4, [card(4)])
        made = plan(report, shapes["llama-3-70b"], Wishes(load_anyway=True))
        assert made.verdict is Verdict.TOO_BIG
        assert Reason.LOAD_ANYWAY in made.reasons
        assert made.gpu_layers == 0
        assert not made.layout.repack
        assert made.layout.context_length == 2048


class TestDefaults:
    def test_the_trained_length_is_never_the_default(self, shapes: Shapes) -> None:
        made = plan(machine(256, 250, [card(200)]), shapes["llama-3-8b"], Wishes())
        assert made.layout.context_length == 65536 < (shapes["llama-3-8b"].context_length or 0)

    @pytest.mark.parametrize(("report", "length"), [(machine(256, 250, [card(200)]), 65536),
                                                    (machine(256, 250), 8192)])  # fmt: skip
    def test_a_bound_that_is_no_memory_is_not_called_so(
        self, report: HardwareReport, length: int, shapes: Shapes
    ) -> None:
        memory = replace(report.memory, limit_bytes=200 * GIB, available_bytes=190 * GIB)
        made = plan(replace(report, memory=memory), shapes["llama-3-8b"], Wishes())
        assert made.layout.context_length == length
        memory_reasons = {Reason.CONTEXT_CHOSEN_FOR_MEMORY, Reason.MEMORY_LIMITED}
        assert not memory_reasons & set(made.reasons)

    def test_a_context_that_memory_made_short_is_called_so(self, shapes: Shapes) -> None:
        memory = replace(ROOMY.memory, limit_bytes=7 * GIB, available_bytes=7 * GIB)
        limited = plan(replace(ROOMY, memory=memory), shapes["llama-3-8b"], Wishes())
        assert limited.layout.context_length < 8192
        reasons = {Reason.CONTEXT_CHOSEN_FOR_MEMORY, Reason.MEMORY_LIMITED}
        assert reasons <= set(limited.reasons)
        on_card = plan(machine(64, 50, [card(8)]), shapes["llama-3-8b"], Wishes())
        assert on_card.layout.context_length == 8192
        assert Reason.CONTEXT_CHOSEN_FOR_MEMORY in on_card.reasons

    def test_a_context_beyond_the_trained_one_is_called_so(self, shapes: Shapes) -> None:
        shape = replace(shapes["llama-3.2-1b"], context_length=4096)
        lengths = (4095, 4096, 4097)
        plans = [plan(ROOMY, shape, Wishes(context_length=length)) for length in lengths]
        said = [Reason.CONTEXT_BEYOND_TRAINING in made.reasons for made in plans]
        assert said == [False, False, True]
        assert all(made.trained_length == 4096 for made in plans)

    @pytest.mark.parametrize("trained", [512, 1000, 2048])
    def test_a_model_trained_for_little_fits_with_that(self, trained: int, shapes: Shapes) -> None:
        made = plan(ROOMY, replace(shapes["llama-3.2-1b"], context_length=trained), Wishes())
        assert made.verdict is Verdict.FITS
        assert made.layout.context_length == trained
        assert Reason.CONTEXT_AS_TRAINED in made.reasons

    def test_weights_are_not_copied_where_they_are_most_of_memory(self, shapes: Shapes) -> None:
        roomy = plan(machine(32, 24), shapes["llama-3-8b"], Wishes())
        tight = plan(machine(12, 9), shapes["llama-3-8b"], Wishes())
        assert roomy.layout.repack
        assert not tight.layout.repack
        assert Reason.NOT_REPACKED in tight.reasons

    def test_a_shorter_memory_comes_before_giving_up(self, shapes: Shapes) -> None:
        shape = shapes["phi-3-mini"]  # 384 KiB of cache a token
        lengths = [
            plan(machine(16, gib), shape, Wishes()).layout.context_length for gib in (12, 6, 4.8)
        ]
        assert lengths == sorted(lengths, reverse=True)
        assert lengths[0] > lengths[-1]


class TestMemoryReasons:
    def test_other_programs_hold_what_would_suffice(self, shapes: Shapes) -> None:
        made = plan(machine(16, 3), shapes["llama-3-8b"], Wishes())
        assert made.verdict is Verdict.TOO_BIG
        assert Reason.MEMORY_LOW_NOW in made.reasons
        never = plan(SMALL, shapes["llama-3-70b"], Wishes())
        assert Reason.MEMORY_LOW_NOW not in never.reasons

    @pytest.mark.parametrize(
        "limit", [{"limit_bytes": 2 * GIB}, {"address_space_left_bytes": 2 * GIB}]
    )
    def test_a_limit_from_outside_counts(self, limit: dict[str, int], shapes: Shapes) -> None:
        limited = replace(ROOMY, memory=replace(ROOMY.memory, **limit))  # type: ignore[arg-type]
        made = plan(limited, shapes["llama-3-8b"], Wishes())
        assert made.verdict is Verdict.TOO_BIG
        assert Reason.MEMORY_LIMITED in made.reasons
        assert Reason.MEMORY_LOW_NOW not in made.reasons
        assert made.free_bytes < 2 * GIB
        assert made.offer is not None
        assert 0 < made.offer.file_bytes < 2 * GIB

    def test_addresses_count_for_weights_on_a_card_too(self, shapes: Shapes) -> None:
        report = machine(64, 50, [card(24)])
        memory = replace(report.memory, address_space_left_bytes=6 * GIB)
        made = plan(replace(report, memory=memory), shapes["llama-3-8b"], Wishes())
        used = sum(pool.use.weights_bytes for pool in made.memory)
        assert made.memory[0].budget_bytes < 6 * GIB - used + made.memory[0].use.weights_bytes

    def test_promised_memory_does_not_count_mapped_weights(self, shapes: Shapes) -> None:
        """Linux with strict overcommit: 2 GiB may be promised, the 4.6 GiB of weights need none."""
        memory = replace(ROOMY.memory, commit_left_bytes=2 * GIB)
        made = plan(replace(ROOMY, memory=memory), shapes["llama-3-8b"], Wishes())
        assert made.verdict is not Verdict.TOO_BIG
        use = made.memory[0].use
        assert use.total_bytes - use.weights_bytes < 2 * GIB
        huge = Wishes(context_length=32768, kv_type=KvType.F16)
        assert plan(replace(ROOMY, memory=memory), shapes["llama-3-8b"], huge).verdict is (
            Verdict.TOO_BIG
        )


class TestLearned:
    def test_what_was_measured_replaces_the_estimate_of_that_layout(self, shapes: Shapes) -> None:
        shape = shapes["llama-3-8b"]
        first = plan(ROOMY, shape, Wishes())
        measured = Measured(kv_bytes=(("ram", 7 * MIB),), compute_bytes=(("ram", 9 * MIB),))
        lesson = Correction(layout=first.layout, measured=measured)
        second = plan(ROOMY, shape, Wishes(corrections=(lesson,)))
        assert second.layout == first.layout
        use = second.memory[0].use
        assert (use.kv_bytes, use.compute_bytes) == (7 * MIB, 9 * MIB)
        assert use.weights_bytes == first.memory[0].use.weights_bytes

    def test_a_measured_rest_is_believed_down_to_half(self, shapes: Shapes) -> None:
        shape = shapes["llama-3-8b"]
        first = plan(ROOMY, shape, Wishes())
        estimated = first.memory[0].use.overhead_bytes
        for seen, believed in ((2 * estimated, 2 * estimated), (0, estimated // 2)):
            measured = Measured(overhead_bytes=(("ram", seen),))
            lesson = Correction(layout=first.layout, measured=measured)
            use = plan(ROOMY, shape, Wishes(corrections=(lesson,))).memory[0].use
            assert use.overhead_bytes == believed

    def test_a_projector_is_counted_in_main_memory(self, shapes: Shapes) -> None:
        report = machine(64, 50, [card(24)])
        plain = plan(report, shapes["gemma3-4b"], Wishes())
        seeing = plan(report, shapes["gemma3-4b"], Wishes(projector_bytes=GIB))
        extra = [
            more.use.total_bytes - less.use.total_bytes
            for more, less in zip(seeing.memory, plain.memory, strict=True)
        ]
        assert extra == [GIB + GIB // 10 + GIB, 0]

    def test_a_layout_that_was_measured_too_large_gives_way(self, shapes: Shapes) -> None:
        shape = shapes["llama-3-8b"]
        first = plan(ROOMY, shape, Wishes())
        measured = Measured(compute_bytes=(("ram", 60 * GIB),))
        lesson = Correction(layout=first.layout, measured=measured)
        second = plan(ROOMY, shape, Wishes(corrections=(lesson,)))
        assert second.verdict is not Verdict.TOO_BIG
        assert second.layout != first.layout

    def test_failures_make_the_next_plan_more_careful(self, shapes: Shapes) -> None:
        report = machine(64, 50, [card(24), card(16, backend="vulkan", description="Radeon")])
        plans = [plan(report, shapes["llama-3-8b"], Wishes(caution=step)) for step in range(4)]
        assert [made.backend for made in plans] == ["cuda", "cuda", "vulkan", "cpu"]
        assert [made.layout.ubatch for made in plans] == [512, 256, 128, 32]
        assert Reason.DEMOTED not in plans[0].reasons
        assert all(Reason.DEMOTED in made.reasons for made in plans[1:])

    def test_a_backend_that_failed_here_is_not_used(self, shapes: Shapes) -> None:
        made = plan(
            machine(64, 50, [card(24)]),
            shapes["llama-3-8b"],
            Wishes(denied=frozenset({"cuda"})),
        )
        assert made.backend == "cpu"
        assert Reason.DEVICE_FAILED in made.reasons
