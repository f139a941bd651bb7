"""A worker's counters: closed labels that stand at zero from the start, and no call that can fail."""

from typing import get_args

from fixtures.monitors import Scrape
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import generate_latest

from pipeline.worker.measures import How, Measures
from schema.failures import FAILURES

KINDS = ("mail.import.v1", "source.pull.v1")
HOWS = get_args(How)


def labels(measures: Measures) -> dict[str, set[str]]:
    return Scrape(generate_latest(measures.registry)).labels()


def number(measures: Measures, name: str, **labels: str) -> float | None:
    return measures.registry.get_sample_value(f"jobtrail_worker_{name}", labels)


def test_every_registered_kind_stands_at_zero_before_anything_happened():
    measures = Measures(KINDS)
    assert labels(measures) == {"kind": set(KINDS), "how": set(HOWS), "code": set(FAILURES)}
    for kind in KINDS:
        assert number(measures, "run_seconds_count", kind=kind) == 0
        assert {number(measures, "ended_total", kind=kind, how=how) for how in HOWS} == {0}
        assert {number(measures, "failed_attempts_total", kind=kind, code=code) for code in FAILURES} == {0}
    for name in ("claimed_total", "reaped_total", "lost_total", "claim_seconds_count"):
        assert number(measures, name) == 0


def test_what_happened_is_counted():
    measures = Measures(KINDS)
    measures.claimed(3, 0.002)
    measures.claimed(0, 0.001)
    measures.ended("mail.import.v1", "done", None, 12.0)
    measures.ended("mail.import.v1", "retried", "handler_error", 1.0)
    measures.reaped(2)
    measures.lost()
    assert number(measures, "claimed_total") == 3
    assert number(measures, "claim_seconds_count") == 2
    assert number(measures, "run_seconds_sum", kind="mail.import.v1") == 13
    assert number(measures, "ended_total", kind="mail.import.v1", how="done") == 1
    assert number(measures, "ended_total", kind="mail.import.v1", how="retried") == 1
    assert number(measures, "failed_attempts_total", kind="mail.import.v1", code="handler_error") == 1
    assert number(measures, "reaped_total") == 2
    assert number(measures, "lost_total") == 1


@given(st.lists(st.tuples(st.text(), st.sampled_from(HOWS), st.none() | st.text(), st.floats())))
def test_no_word_from_outside_becomes_a_label(endings: list[tuple[str, How, str | None, float]]):
    measures = Measures(KINDS)
    before = labels(measures)
    for kind, how, code, seconds in endings:
        measures.ended(kind, how, code, seconds)
        measures.ended(KINDS[0], how, code, seconds)
    assert labels(measures) == before


def test_measures_that_nobody_asked_for_take_every_call():
    measures = Measures()
    measures.claimed(1, 0.1)
    measures.ended("mail.import.v1", "failed", "handler_error", 0.1)
    measures.reaped(1)
    measures.lost()
    assert not labels(measures)
