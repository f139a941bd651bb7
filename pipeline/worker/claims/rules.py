"""How many tasks each lane may give: caps of kinds, hosts and accounts, in turns. Pure."""

from collections.abc import Mapping, Sequence

from pipeline.worker.claims.types import Budget, Lane
from schema.tasks import CATALOGUE


def caps(lane: Lane, account_slots: int) -> dict[str, int]:
    """The capped scopes a task of this lane counts in, each with how many may run at the same time."""
    payload = CATALOGUE[lane.kind]
    found = {f"kind {lane.kind}": payload.MAX_RUNNING} if payload.MAX_RUNNING is not None else {}
    if lane.host is not None:
        found[f"host {lane.host}"] = payload.HOST_MAX_RUNNING
    if lane.account_id is not None:
        found[f"account {lane.account_id}"] = account_slots
    return found


def budgeted(room: int, running: int, budget: Budget) -> int:
    """How much of a host's `room` its budget leaves, while `running` of its tasks run already."""
    if budget.is_closed:
        return 0
    if budget.is_on_trial:
        room = min(room, 1 - running)
    return min(room, 1) if budget.is_paced else room


def portions(lanes: Sequence[tuple[Lane, dict[str, int]]], most: int) -> list[dict[Lane, dict[str, int]]]:
    """`lanes` with their capped scopes, in their order, cut so that the first portion gives `most` tasks when
    each capped lane gives one: no more scopes are locked than that needs. Where it does not, because caps are
    met, each further portion is twice as wide: a hundred full lanes are asked in a few looks."""
    cut: list[dict[Lane, dict[str, int]]] = []
    width = gives = most
    for lane, scopes in lanes:
        if gives >= width:
            width *= 2 if cut else 1
            cut.append({})
            gives = 0
        cut[-1][lane] = scopes
        gives += 1 if scopes else width
    return cut


def allotted(
    lanes: Sequence[tuple[Lane, Sequence[str]]], room: Mapping[str, int], most: int
) -> dict[Lane, int]:
    """How many tasks to take from each lane so that no scope exceeds its room: in turns, most urgent first.

    `lanes` come with the capped scopes they count in; a scope missing from `room` is closed.
    """
    left = dict(room)
    given: dict[Lane, int] = {}
    for priority in sorted({lane.priority for lane, _ in lanes}):
        level = [pair for pair in lanes if pair[0].priority == priority]
        _take_turns(level, left, given, most)
    return given


def _take_turns(
    level: Sequence[tuple[Lane, Sequence[str]]], left: dict[str, int], given: dict[Lane, int], most: int
) -> None:
    for _ in range(most):
        before = len(given), sum(given.values())
        for lane, scopes in level:
            if all(left.get(scope, 0) > 0 for scope in scopes):
                given[lane] = given.get(lane, 0) + 1
                for scope in scopes:
                    left[scope] -= 1
        if (len(given), sum(given.values())) == before:
            return
