"""The last line of `dev.py test` must be pytest's own counts, summed over its runs."""

from collections import Counter

from devenv.gates import closing_counts, closing_line


def test_counts_of_a_plain_closing_line() -> None:
    text = "....\n== 3 failed, 120 passed, 2 skipped, 1 warning in 12.34s (0:00:12) ==\n"
    assert closing_counts(text) == Counter(failed=3, passed=120, skipped=2, warning=1)


def test_counts_of_a_quiet_and_coloured_closing_line() -> None:
    assert closing_counts("\x1b[32m\x1b[1m2 passed\x1b[0m\x1b[32m in 0.05s\x1b[0m\n") == Counter(
        passed=2
    )


def test_deselected_tests_are_not_counted_and_do_not_hide_the_rest() -> None:
    text = "= 5 passed, 40 deselected, 2 errors in 3.00s =\n"
    assert closing_counts(text) == Counter(passed=5, error=2)


def test_a_run_that_never_ended_counts_nothing() -> None:
    assert closing_counts("collected 3 items\nFatal Python error: Aborted\n") == Counter()


def test_the_summed_line_reads_back_as_the_same_counts() -> None:
    counts = Counter(failed=1, passed=7, error=2, warning=1)
    assert closing_counts(closing_line(counts, 1.5)) == counts
