"""Incidents of a whole platform: several boards failing together say nothing about any of them. Pure.

Three boards that were fine a week ago, and half of those read lately, open the platform's circuit. While it
is open no reading counts; then a board that reads whole ends it and counts, and one that fails makes it last
as long again. After a week it ends all the same: what lasts so long is for each board's own doubts to decide.
"""

from datetime import datetime, timedelta

import msgspec

from pipeline.closing.types import Circuit, IncidentProblem, Memory, Reading

BOARDS = 3
#: Boards failing, of those read in the window before, at least.
SHARE = 0.5
#: How long before a reading another board's failure still belongs to it.
WINDOW = timedelta(minutes=30)
#: A board that has not read whole for so long fails for reasons of its own.
FRESH = timedelta(days=7)
FIRST_SPAN = timedelta(minutes=30)
LONGEST_SPAN = timedelta(hours=12)
LASTS_AT_MOST = timedelta(days=7)
#: What a platform's boards can suffer together; our own limits and manners are none of it.
SHARED: frozenset[IncidentProblem] = frozenset(
    (
        "unreachable",
        "timeout",
        "cut_short",
        "too_many_redirects",
        "throttled",
        "board_unknown",
        "access_refused",
        "platform_error",
        "not_a_board",
        "surprising_empty",
    )
)


def problem_of(reading: Reading) -> IncidentProblem | None:
    """What the reading suffers that other boards of its platform may suffer too."""
    if reading.coverage == "surprising_empty":
        return "surprising_empty"
    problem = reading.problem if reading.coverage == "failed" else None
    return problem if problem in SHARED else None


def circuit_after(memory: Memory, reading: Reading) -> Circuit | None:
    """The platform's circuit once this reading is known; None when it is closed."""
    problem = problem_of(reading)
    circuit = memory.circuit
    if circuit is None:
        return _opened(memory, reading, problem)
    if reading.at < circuit.open_until:
        return circuit
    if reading.at - circuit.opened_at >= LASTS_AT_MOST:
        return None
    if problem is None:
        return None if reading.coverage == "complete" else circuit
    if not _was_fine(memory, circuit.opened_at):
        return circuit
    span = min(max(reading.at - circuit.opened_at, FIRST_SPAN), LONGEST_SPAN)
    return msgspec.structs.replace(circuit, open_until=reading.at + span, problem=problem)


def _opened(memory: Memory, reading: Reading, problem: IncidentProblem | None) -> Circuit | None:
    failing = memory.peers.failing + 1
    together = failing >= BOARDS and failing >= SHARE * (memory.peers.read + 1)
    if problem is None or not together or not _was_fine(memory, reading.at):
        return None
    return Circuit(opened_at=reading.at, open_until=reading.at + FIRST_SPAN, problem=problem, boards=failing)


def _was_fine(memory: Memory, then: datetime) -> bool:
    return memory.last_complete_at is not None and memory.last_complete_at > then - FRESH
