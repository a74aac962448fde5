"""A build for one processor must never be used on another, nor made again for nothing."""

from devenv.machine import code_flags, instruction_sets

ZEN = "processor\t: 0\nmodel name\t: EPYC\nflags\t\t: fpu sse2 avx2 smep ibrs avx512f bmi2 fma\n"


def test_only_what_compilers_emit_counts() -> None:
    assert code_flags(ZEN) == "avx2 avx512f bmi2 fma sse2"


def test_order_and_mitigations_do_not_count() -> None:
    other = "flags : fma avx2 bmi2 avx512f sse2 retbleed\n"
    assert code_flags(other) == code_flags(ZEN)


def test_a_missing_instruction_set_counts() -> None:
    assert code_flags(ZEN.replace(" avx512f", "")) != code_flags(ZEN)


def test_arm_features_are_read() -> None:
    assert (
        code_flags("Features\t: fp asimd evtstrm crc32 asimddp i8mm\n") == "asimd asimddp fp i8mm"
    )


def test_this_machine_has_a_name() -> None:
    assert len(instruction_sets().split()) > 1
