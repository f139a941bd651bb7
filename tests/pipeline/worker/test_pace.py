"""Only kinds whose tasks were over at once, run after run, are claimed ahead of a free slot."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.worker.pace import ENOUGH_RUNS, TRIVIAL_SECONDS, Pace

QUICK, LONG = TRIVIAL_SECONDS / 2, TRIVIAL_SECONDS * 20


def paced(*seconds: float) -> Pace:
    pace = Pace()
    for each in seconds:
        pace.ran("a", each)
    return pace


def test_a_kind_never_seen_is_not_trivial():
    assert not Pace().are_trivial(["a"])


def test_a_kind_is_trivial_after_enough_quick_runs():
    assert not paced(*[QUICK] * (ENOUGH_RUNS - 1)).are_trivial(["a"])
    assert paced(*[QUICK] * ENOUGH_RUNS).are_trivial(["a"])


def test_one_long_run_ends_it_and_many_quick_ones_bring_it_back():
    pace = paced(*[QUICK] * 100, LONG)
    assert not pace.are_trivial(["a"])
    for _ in range(50):
        pace.ran("a", QUICK)
    assert pace.are_trivial(["a"])


def test_one_slow_kind_among_them_holds_up_all():
    pace = paced(*[QUICK] * ENOUGH_RUNS)
    pace.ran("b", LONG)
    assert not pace.are_trivial(["a", "b"])


@given(st.lists(st.floats(0, 60), min_size=ENOUGH_RUNS, max_size=40))
def test_runs_that_all_take_long_are_never_trivial(seconds: list[float]):
    assert not paced(*(TRIVIAL_SECONDS + each for each in seconds)).are_trivial(["a"])
