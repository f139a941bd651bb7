"""What closes, what is held back and what comes back, reading after reading."""

from datetime import timedelta

import pytest
from fixtures.closing import Life

from pipeline.closing.doubts import DECIDED_WITHIN, LASTS
from pipeline.closing.rules import (
    LEAST_ABSENCE,
    PAGE_OUTWEIGHS_LIST,
    PROBES_A_READING,
    SECOND_LOOK,
    after_look,
    patience,
)
from pipeline.closing.types import Memory, Peers, Standing, Verdict, Watched
from schema.ids import PostingId

DAYS = 24


def without(life: Life, *names: str) -> set[str]:
    return life.open - set(names)


def read_for(life: Life, days: float, shown: set[str] | None = None) -> None:
    """The same list every six hours."""
    still = life.open if shown is None else shown
    for _ in range(int(days * 4)):
        life.read(still)


def test_one_answer_without_a_posting_closes_it_once_it_was_absent_for_three_days():
    life = Life(30)
    rest = without(life, "p003")
    read_for(life, 2.75, rest)
    assert "p003" in life.open
    life.read(rest)
    assert life.open == rest
    assert life.reasons == {"p003": "not_listed"}


def test_a_posting_whose_own_page_is_gone_closes_at_the_next_reading():
    life = Life(30)
    asked = life.read(without(life, "p003"))
    assert [life.name_of(each) for each in asked.probes] == ["p003"]
    life.look("p003", "gone")
    life.read(without(life, "p003"))
    assert life.reasons == {"p003": "page_gone"}


def test_a_posting_whose_own_page_stands_stays_a_week_longer_and_no_longer():
    life = Life(30)
    rest = without(life, "p003")
    life.read(rest)
    life.look("p003", "open")
    asked = [life.read(rest).probes for _ in range(26)]
    assert [bool(each) for each in asked[:5]] == [False, False, False, True, True], "its page is asked daily"
    assert "p003" in life.open
    read_for(life, 0.5, rest)
    assert life.reasons == {"p003": "not_listed"}
    assert timedelta(days=7) == PAGE_OUTWEIGHS_LIST


def test_a_board_read_by_pages_needs_three_misses():
    life = Life(30, misses_to_close=3)
    rest = without(life, "p003")
    life.read(rest, hours=4 * DAYS)
    life.read(rest)
    assert "p003" in life.open
    life.read(rest)
    assert "p003" not in life.open


def test_a_posting_that_came_back_before_is_given_more_time():
    life = Life(30)
    rest = without(life, "p003")
    read_for(life, 3, rest)
    life.read(30)
    assert "p003" in life.open
    read_for(life, 3, rest)
    assert "p003" in life.open
    read_for(life, 1, rest)
    assert "p003" not in life.open


def test_a_board_whose_closes_come_back_is_given_more_time():
    calm = Memory(misses_to_close=1, closed=200, returned=2)
    restless = Memory(misses_to_close=1, closed=200, returned=13)
    wild = Memory(misses_to_close=1, closed=20, returned=20)
    posting = Watched(vendor_id="a", posting_id=PostingId(1), is_open=True, missed=0)
    assert [patience(posting, memory) for memory in (calm, restless, wild)] == [0, 1, 2]


def test_a_reopened_posting_is_the_same_one():
    life = Life(30)
    before = life.postings["p003"].id
    read_for(life, 3, without(life, "p003"))
    reopened = life.read(30).reopens
    assert reopened == (before,)
    assert life.postings["p003"].returns == 1


@pytest.mark.parametrize("coverage", ["partial", "capped"])
def test_a_list_cut_short_reopens_what_it_shows_and_closes_nothing(coverage):
    life = Life(30)
    read_for(life, 3, without(life, "p003"))
    decisions = life.read({"p003"}, coverage, hours=30 * DAYS)
    assert len(life.open) == 30
    assert not decisions.counted and not decisions.misses and not decisions.suspicions


def test_a_posting_on_several_boards_closes_only_when_none_shows_it():
    life = Life(30)
    life.postings["p003"].elsewhere = True
    rest = without(life, "p003")
    read_for(life, 10, rest)
    assert "p003" in life.open
    life.postings["p003"].elsewhere = False
    life.read(rest)
    assert "p003" not in life.open


def test_a_fall_by_a_third_holds_every_close_and_is_decided_within_three_days():
    life = Life(100)
    decisions = life.read(60, hours=4 * DAYS)
    assert decisions.held == 40 and not decisions.closes
    assert life.doubts == {"drop"} and life.suspicions[0].expected == 100
    assert len(decisions.probes) == PROBES_A_READING
    read_for(life, 2.75, life.open - {f"p{n:03}" for n in range(60, 100)})
    assert len(life.open) == 100
    life.read(60)
    assert len(life.open) == 60 and life.settled == [("drop", "expired")]
    life.read(60)
    assert not life.doubts, "the lower level is what is expected now"


def test_a_board_that_comes_back_answers_the_doubt():
    life = Life(100)
    life.read(60, hours=4 * DAYS)
    life.read(100)
    assert life.settled == [("drop", "recovered")]
    assert len(life.open) == 100


def test_pages_that_are_gone_settle_a_fall_sooner():
    life = Life(100)
    asked = life.read(60, hours=4 * DAYS).probes
    for posting in asked:
        life.look(life.name_of(posting), "filled")
    life.read(60)
    assert len(life.open) == 60 and life.settled == [("drop", "confirmed")]
    assert set(life.reasons.values()) == {"filled", "not_listed"}


def test_a_board_whose_pulls_are_forgotten_is_measured_by_what_is_open_of_it():
    life = Life(100)
    life.counts.clear()
    assert life.read(60, hours=4 * DAYS).held == 40


def test_a_small_board_may_fall_by_a_third():
    life = Life(12)
    life.read(8, hours=4 * DAYS)
    assert len(life.open) == 8 and not life.settled


def test_half_of_a_board_never_closes_at_one_reading():
    life = Life(16)
    decisions = life.read(6, hours=4 * DAYS)
    assert decisions.held == 10 and life.doubts == {"blast"}
    read_for(life, 2, {f"p{n:03}" for n in range(6)})
    assert len(life.open) == 6 and life.settled == [("blast", "expired")]


def test_every_doubt_ends_before_two_weeks():
    assert max(LASTS.values()) < DECIDED_WITHIN < timedelta(days=14)
    assert LASTS["drop"] + LEAST_ABSENCE < timedelta(days=14)


# The failures that others had, by their numbers in the catalog's research.


def test_case_1_a_page_that_failed_is_not_the_end_of_the_list():
    life = Life(900, misses_to_close=3)
    for _ in range(40):
        life.read(28, "partial")
        life.fail("platform_error")
    assert len(life.open) == 900


def test_case_2_a_total_that_reads_nought_after_the_first_page_closes_no_tail():
    life = Life(648, misses_to_close=3)
    for _ in range(4):
        life.read(40, hours=12)
    assert len(life.open) == 648 and life.doubts == {"drop"}
    life.read(648)
    assert life.settled == [("drop", "recovered")]


def test_case_4_half_a_board_reported_as_whole_is_held_back():
    life = Life(1_400)
    decisions = life.read(500, hours=4 * DAYS)
    assert decisions.held == 900 and len(life.open) == 1_400


def test_case_5_a_tail_cut_by_our_own_cap_never_ages():
    life = Life(1_000)
    for _ in range(100):
        life.read(800, "capped")
    assert len(life.open) == 1_000 and not any(each.missed for each in life.postings.values())


def test_case_6_an_honest_empty_board_is_closed_after_spaced_readings_and_a_look():
    life = Life(107)
    asked = life.read(hours=1).probes
    assert life.doubts == {"empty"} and len(life.open) == 107
    life.look(life.name_of(asked[0]), "gone")
    for _ in range(5):
        life.read(hours=1)
    assert len(life.open) == 107, "readings an hour apart are one observation"
    life.read(hours=6)
    last = life.read(hours=6)
    assert not life.open and last.pause
    assert set(life.reasons.values()) == {"board_empty", "page_gone"}


def test_case_6_an_empty_board_nobody_can_look_into_is_decided_after_ten_days():
    life = Life(107)
    for _ in range(40):
        life.read()
        assert len(life.open) == 107
    life.read()
    assert not life.open and life.settled == [("empty", "expired")]


def test_case_6_a_board_that_was_closed_as_empty_is_read_on_and_reopens():
    life = Life(107)
    for _ in range(60):
        life.read()
    rest = life.read()
    assert rest.pause and rest.pause <= timedelta(days=3) and not rest.suspicions
    life.read(30)
    assert len(life.open) == 30


def test_a_board_found_empty_after_long_silence_is_decided_sooner():
    life = Life(107)
    life.read(hours=11 * DAYS)
    for _ in range(11):
        life.read()
        assert len(life.open) == 107
    life.read()
    assert not life.open


def test_an_empty_list_whose_pages_stand_closes_only_what_is_gone():
    life = Life(12)
    life.read()
    life.look("p001", "open")
    life.look("p002", "open")
    life.look("p003", "gone")
    for _ in range(42):
        life.read()
    assert life.settled == [("empty", "expired")]
    assert len(life.open) == 11 and life.reasons == {"p003": "page_gone"}


def test_case_7_a_tenant_that_never_had_postings_closes_and_doubts_nothing():
    life = Life()
    for _ in range(20):
        decisions = life.read()
        assert not decisions.suspicions and not decisions.closes
        assert decisions.pause, "it is read seldom"
    gone = life.fail("board_unknown")
    assert not gone.suspicions and gone.pause


def test_a_board_that_is_not_there_any_more_is_confirmed_six_hours_apart():
    life = Life(40)
    life.fail("board_unknown")
    for _ in range(3):
        life.fail("board_unknown", hours=1)
    life.fail("board_unknown", hours=6)
    assert len(life.open) == 40 and life.doubts == {"gone"}
    life.fail("board_unknown", hours=6)
    assert not life.open and set(life.reasons.values()) == {"board_gone"}


def test_a_board_that_is_decided_on_has_no_more_say_in_what_other_boards_show():
    life = Life(40, misses_to_close=3)
    life.postings["p003"].elsewhere = True
    for _ in range(3):
        life.fail("board_unknown")
    assert life.open == {"p003"}
    assert {each.missed for each in life.postings.values()} == {3}
    assert not life.fail("board_unknown").suspicions


def test_what_decides_an_empty_board_decides_its_other_doubts():
    life = Life(100)
    life.read(50, hours=DAYS)
    for _ in range(42):
        life.read()
    assert not life.open and not life.suspicions
    assert life.settled == [("empty", "expired"), ("drop", "expired")]


def test_an_empty_board_with_nothing_open_is_plainly_empty():
    life = Life(3)
    for each in life.postings.values():
        each.is_open = False
    assert not life.read().suspicions
    assert {each.missed for each in life.postings.values()} == {1}


def test_a_board_that_is_found_again_in_time_lost_nothing():
    life = Life(40)
    life.fail("board_unknown")
    life.fail("board_unknown")
    life.read(40)
    assert len(life.open) == 40 and life.settled == [("gone", "recovered")]


@pytest.mark.parametrize(
    "problem", ["access_refused", "throttled", "platform_error", "timeout", "unreachable", "not_a_board"]
)
def test_an_answer_that_is_no_board_never_closes_anything(problem):
    life = Life(40)
    for _ in range(200):
        assert not life.fail(problem).counted
    assert len(life.open) == 40


def test_case_9_a_list_outweighs_its_pages_and_a_filled_page_outweighs_a_missing_row():
    life = Life(30)
    life.look("p001", "filled")
    life.read(30)
    assert "p001" in life.open, "it is listed"
    life.look("p001", "filled")
    life.read(without(life, "p001"))
    assert life.reasons == {"p001": "filled"}


def test_case_9_a_page_that_answers_403_says_nothing_about_a_listed_posting():
    life = Life(30)
    life.fail("access_refused", hours=60 * DAYS)
    life.read(30)
    assert len(life.open) == 30


def test_case_17_a_platform_that_answers_empty_everywhere_opens_its_circuit():
    life = Life(40)
    decisions = life.read(peers=Peers(read=3, failing=2))
    assert decisions.circuit is not None and decisions.circuit.problem == "surprising_empty"
    for _ in range(20):
        life.read(hours=6, peers=Peers(read=3, failing=3))
    assert len(life.open) == 40 and not life.doubts


def test_case_21_three_tenants_failing_together_age_nothing():
    life = Life(40)
    life.fail("throttled", peers=Peers(read=4, failing=2))
    assert life.circuit is not None
    decisions = life.read(10, hours=0.2)
    assert not decisions.counted and not decisions.misses and not life.doubts


LISTED = Standing(is_open=True, is_watched=True, is_listed=True, is_doubted=False, gone_since=None)


def test_a_look_by_itself_closes_what_every_board_misses():
    now = Life().now
    missing = Standing(is_open=True, is_watched=True, is_listed=False, is_doubted=False, gone_since=now)
    doubted = Standing(is_open=True, is_watched=True, is_listed=False, is_doubted=True, gone_since=now)
    assert after_look(missing, "gone", now) == Verdict(closes="page_gone")
    assert after_look(missing, "filled", now) == Verdict(closes="filled")
    assert after_look(missing, "open", now) == Verdict()
    assert after_look(doubted, "gone", now) == Verdict()
    assert after_look(LISTED, "gone", now) == Verdict()


def test_a_posting_no_board_shows_is_gone_when_two_looks_a_day_apart_say_so():
    now = Life().now
    own = Standing(is_open=True, is_watched=False, is_listed=False, is_doubted=False, gone_since=now)
    closed = Standing(is_open=False, is_watched=False, is_listed=False, is_doubted=False, gone_since=None)
    assert after_look(own, "gone", now) == Verdict(again_at=now + SECOND_LOOK)
    assert after_look(own, "gone", now + SECOND_LOOK) == Verdict(closes="page_gone")
    assert after_look(closed, "open", now) == Verdict(reopens=True)
