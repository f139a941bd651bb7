"""How many tasks each lane may give: never past a cap, the most urgent first, equals in turns."""

from collections import Counter

from fixtures.claimers import Capped, Hosted
from fixtures.worker import Echo
from hypothesis import given
from hypothesis import strategies as st

from pipeline.worker.claims.rules import allotted, budgeted, caps, portions
from pipeline.worker.claims.types import Budget, Lane

SCOPES = st.lists(st.sampled_from(["kind a", "kind b", "host x", "host y", "account 1"]), unique=True)
ROOM = st.dictionaries(
    st.sampled_from(["kind a", "kind b", "host x", "host y", "account 1"]), st.integers(-2, 6)
)


def lane(number: int, priority: int = 100, **options) -> Lane:
    row = {"kind": Echo.KIND, "account_id": None, "host": None} | options
    return Lane(priority=priority, lane=number, head=number, **row)


LANES = st.lists(st.tuples(st.sampled_from([10, 100, 500]), SCOPES), max_size=8).map(
    lambda drawn: [(lane(number, priority), scopes) for number, (priority, scopes) in enumerate(drawn)]
)


def used(given: dict[Lane, int], lanes: list[tuple[Lane, list[str]]]) -> Counter[str]:
    return Counter(scope for each, scopes in lanes for scope in scopes for _ in range(given.get(each, 0)))


@given(LANES, ROOM, st.integers(0, 10))
def test_no_scope_gives_more_than_its_room(lanes, room, most):
    taken = used(allotted(lanes, room, most), lanes)
    assert all(count <= room.get(scope, 0) for scope, count in taken.items())


@given(LANES, ROOM, st.integers(0, 10))
def test_a_lane_with_room_left_is_asked_for_as_many_as_are_wanted(lanes, room, most):
    given = allotted(lanes, room, most)
    taken = used(given, lanes)
    for each, scopes in lanes:
        if all(room.get(scope, 0) > taken[scope] for scope in scopes):
            assert given.get(each, 0) == most
        assert given.get(each, 0) <= most


@given(LANES, ROOM, st.integers(0, 10))
def test_what_can_wait_takes_nothing_from_what_is_urgent(lanes, room, most):
    given = allotted(lanes, room, most)
    for level in (10, 100):
        urgent = [(each, scopes) for each, scopes in lanes if each.priority <= level]
        alone = allotted(urgent, room, most)
        assert alone == {each: count for each, count in given.items() if each.priority <= level}


@given(SCOPES, ROOM, st.integers(1, 5), st.integers(0, 10))
def test_equals_get_equal_shares_of_a_scope(scopes, room, count, most):
    given = allotted([(lane(number), scopes) for number in range(count)], room, most)
    shares = [given.get(lane(number), 0) for number in range(count)]
    assert max(shares) - min(shares) <= 1
    assert shares == sorted(shares, reverse=True), "the first in line has the larger share"


CAPPED = [(lane(number), {"account 1": 3}) for number in range(200)]
FREE = [(lane(number, 500), {}) for number in range(200, 203)]


@given(st.integers(0, 200), st.integers(0, 3), st.integers(1, 32))
def test_portions_keep_every_lane_in_its_place(capped: int, free: int, most: int):
    lanes = [*CAPPED[:capped], *FREE[:free]]
    cut = portions(lanes, most)
    assert [each for portion in cut for each in portion.items()] == lanes
    assert all(len(portion) <= most for portion in cut[:1]), "the first locks no more than it needs"
    assert all(portion for portion in cut)


@given(st.integers(1, 200), st.integers(1, 32))
def test_full_lanes_are_asked_in_few_looks(capped: int, most: int):
    cut = portions(CAPPED[:capped], most)
    assert len(cut) <= (capped // most + 1).bit_length()


def test_a_lane_without_caps_may_give_all_and_ends_its_portion():
    lanes = [*CAPPED[:2], *FREE[:2], *CAPPED[2:4]]
    assert [len(portion) for portion in portions(lanes, 8)] == [3, 1, 2]


def test_a_lane_counts_in_the_scopes_of_its_kind_its_host_and_its_account():
    assert caps(lane(1), 3) == {}
    assert caps(lane(1, account_id=7), 3) == {"account 7": 3}
    assert caps(lane(1, kind=Capped.KIND), 3) == {f"kind {Capped.KIND}": 2}
    hosted = lane(1, kind=Hosted.KIND, host="jobs.example.org", account_id=7)
    assert caps(hosted, 3) == {"host jobs.example.org": 2, "account 7": 3}


def budget(**options: bool) -> Budget:
    return Budget(host="x", **{"is_closed": False, "is_paced": False, "is_on_trial": False} | options)


@given(st.integers(0, 9), st.integers(0, 9))
def test_a_budget_only_ever_narrows_the_room(room, running):
    assert budgeted(room, running, budget()) == room
    assert budgeted(room, running, budget(is_closed=True)) == 0
    assert budgeted(room, running, budget(is_paced=True)) == min(room, 1)
    assert max(budgeted(room, running, budget(is_on_trial=True)), 0) == (min(room, 1) if running == 0 else 0)
