"""What holds whatever a board answers, in whatever order."""

from fixtures.closing import Life
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.closing.rules import decide
from pipeline.closing.types import Peers, Reading

NAMES = [f"p{n:03}" for n in range(24)]
SHOWN = st.one_of(st.integers(0, 2**24 - 1), st.sampled_from([0, 2**24 - 1, 2**20 - 1, 2**16 - 1])).map(
    lambda bits: {name for place, name in enumerate(NAMES) if bits >> place & 1}
)
FAILURES = st.sampled_from(["access_refused", "throttled", "platform_error", "timeout", "not_a_board"])
SILENT = st.one_of(
    st.tuples(st.sampled_from(["partial", "capped"]), SHOWN, st.none()),
    st.tuples(st.just("failed"), st.just(set()), FAILURES),
)
TELLING = st.one_of(
    st.tuples(st.just("complete"), SHOWN, st.none()),
    st.tuples(st.just("failed"), st.just(set()), st.just("board_unknown")),
)
HOURS = st.sampled_from([0.1, 1, 6, 24, 100])
READINGS = st.lists(st.tuples(st.one_of(SILENT, TELLING, TELLING), HOURS), max_size=12)
KINDS = st.sampled_from([1, 3])
PEERS = st.sampled_from([Peers(), Peers(read=2, failing=2)])

quick = settings(max_examples=25, deadline=None, derandomize=True)


def lived(readings, kind: int, peers: Peers = Peers()) -> Life:  # noqa: B008 - it is frozen
    life = Life(sorted(NAMES), misses_to_close=kind)
    for (coverage, shown, problem), hours in readings:
        life.read(shown, coverage, problem, hours=hours, peers=peers)
    return life


@quick
@given(st.lists(st.tuples(SILENT, HOURS), max_size=12), KINDS, PEERS)
def test_readings_that_prove_nothing_close_nothing(readings, kind, peers):
    life = lived(readings, kind, peers)
    assert life.open == set(NAMES)
    assert not life.suspicions and not any(each.missed for each in life.postings.values())


@quick
@given(READINGS, KINDS, PEERS)
def test_what_a_reading_shows_is_open_after_it(readings, kind, peers):
    life = lived(readings, kind, peers)
    life.read({"p001", "p002"}, "partial")
    assert {"p001", "p002"} <= life.open


@quick
@given(READINGS, KINDS, st.sets(st.sampled_from(NAMES), min_size=1))
def test_nothing_stays_open_for_good_while_the_list_goes_on_without_it(readings, kind, rest):
    life = lived(readings, kind)
    for _ in range(2 * 14):
        life.read(rest, hours=12)
    assert life.open == rest
    assert not life.suspicions


@quick
@given(READINGS, KINDS, st.sampled_from(["complete", "failed"]))
def test_no_board_keeps_its_postings_by_being_empty_or_unknown(readings, kind, coverage):
    life = lived(readings, kind)
    for _ in range(2 * 14):
        life.read(set(), coverage, "board_unknown" if coverage == "failed" else None, hours=12)
    assert not life.open


@quick
@given(READINGS, KINDS)
def test_every_doubt_is_over_by_its_expiry_once_a_reading_tells(readings, kind):
    life = lived(readings, kind)
    for _ in range(2 * 14):
        life.read(NAMES, hours=12)
    assert not life.suspicions and life.open == set(NAMES)


@quick
@given(READINGS, KINDS)
def test_a_reading_decided_on_twice_closes_and_raises_nothing_more(readings, kind):
    life = lived(readings, kind)
    shown = sorted(life.open)[:20]
    life.read(shown)
    reading = Reading(at=life.now, coverage="complete", shown=frozenset(shown))
    again = decide(life.memory(reading), reading)
    if kind == 1:
        assert not again.closes
    assert not again.reopens
    assert {each.kind for each in again.suspicions} <= life.doubts


@quick
@given(READINGS, KINDS, st.randoms(use_true_random=False))
def test_the_order_in_which_postings_are_remembered_decides_nothing(readings, kind, random):
    life = lived(readings, kind)
    reading = Reading(at=life.now, coverage="complete", shown=frozenset(NAMES[:15]))
    before = decide(life.memory(reading), reading)
    mixed = list(life.postings.items())
    random.shuffle(mixed)
    life.postings = dict(mixed)
    assert decide(life.memory(reading), reading) == before


@quick
@given(READINGS, KINDS)
def test_a_posting_another_board_shows_is_never_closed(readings, kind):
    life = Life(sorted(NAMES), misses_to_close=kind)
    life.postings["p005"].elsewhere = True
    for (coverage, shown, problem), hours in readings:
        life.read(shown, coverage, problem, hours=hours)
        assert "p005" in life.open
