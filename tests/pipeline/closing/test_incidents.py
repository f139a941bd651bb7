"""When several boards of a platform fail together, and how the incident ends."""

from datetime import timedelta

import msgspec
import pytest
from fixtures.closing import Life

from pipeline.closing.incidents import FIRST_SPAN, LASTS_AT_MOST, LONGEST_SPAN, circuit_after
from pipeline.closing.types import Circuit, Peers, Reading


def opened() -> Life:
    life = Life(40)
    life.fail("timeout", peers=Peers(read=3, failing=2))
    assert life.circuit is not None
    return life


@pytest.mark.parametrize("peers", [Peers(read=3, failing=1), Peers(read=6, failing=2), Peers()])
def test_two_boards_or_a_small_share_of_many_are_no_incident(peers):
    life = Life(40)
    life.fail("timeout", peers=peers)
    assert life.circuit is None


def test_a_board_that_never_read_opens_nothing():
    life = Life()
    life.fail("board_unknown", peers=Peers(read=2, failing=2))
    assert life.circuit is None


@pytest.mark.parametrize("problem", ["host_blocked", "robots_forbid", "refused_address", "too_large"])
def test_our_own_limits_are_no_incident_of_the_platform(problem):
    life = Life(40)
    life.fail(problem, peers=Peers(read=2, failing=2))
    assert life.circuit is None


def test_while_it_is_open_an_empty_board_and_a_missing_one_raise_no_doubt():
    life = opened()
    assert not life.read(hours=0.1).suspicions
    assert not life.fail("board_unknown", hours=0.1).suspicions


def test_a_trial_that_reads_whole_ends_it_and_counts():
    life = opened()
    decisions = life.read(39, hours=1)
    assert decisions.counted and decisions.misses and life.circuit is None


def test_a_trial_that_fails_makes_it_last_as_long_again():
    life = opened()
    spans: list[timedelta] = []
    for _ in range(8):
        assert life.circuit is not None
        until = life.circuit.open_until
        life.fail("timeout", hours=(until - life.now) / timedelta(hours=1))
        spans.append(life.circuit.open_until - until)
    assert spans[0] == FIRST_SPAN and spans == sorted(spans) and spans[-1] == LONGEST_SPAN


def test_a_list_that_was_cut_short_is_no_proof_that_it_ended():
    life = opened()
    life.read(10, "partial", hours=1)
    assert life.circuit is not None


def test_an_incident_of_a_week_leaves_the_boards_to_their_own_doubts():
    life = opened()
    assert life.circuit is not None
    since = life.circuit.opened_at
    life.read(hours=LASTS_AT_MOST / timedelta(hours=1))
    assert life.now - since >= LASTS_AT_MOST
    assert life.circuit is None and life.doubts == {"empty"}


def test_a_board_that_failed_before_it_began_does_not_prolong_it():
    life = opened()
    reading = Reading(at=life.now + timedelta(days=1), coverage="failed", problem="board_unknown")
    memory = msgspec.structs.replace(life.memory(reading), last_complete_at=None)
    assert circuit_after(memory, reading) == life.circuit
    assert isinstance(life.circuit, Circuit)
