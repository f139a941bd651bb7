"""No answer of any content makes an adapter fail, and what is read of it can be stored."""

import json
from collections.abc import Callable

import msgspec
import pytest
from emulators.boards import ashby_job
from emulators.greenhouse import greenhouse_job
from emulators.lever import lever_job
from emulators.workable import workable_job
from hypothesis import given
from hypothesis import strategies as st

from pipeline.sources.adapters import ashby, greenhouse, lever, workable
from pipeline.sources.types import Answer, BoardReading

READ: dict[str, Callable[[bytes], BoardReading]] = {
    "ashby": lambda body: ashby.read_board(answer(body)),
    "greenhouse": lambda body: greenhouse.read_board("northwind", answer(body)),
    "lever": lambda body: lever.read_board(lever.Site(name="northwind", side=""), answer(body)),
    "workable": lambda body: workable.read_board(answer(body)),
}
ROWS = {
    "ashby": ashby_job("Pilot"),
    "greenhouse": greenhouse_job("Pilot", pay_input_ranges=[]),
    "lever": lever_job("Pilot", salaryRange={}),
    "workable": workable_job("Pilot"),
}
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS, lambda each: st.lists(each) | st.dictionaries(st.text(max_size=9), each), max_leaves=8
)


def answer(body: bytes) -> Answer:
    return Answer(url="https://board.example", status=200, body=body)


def board(platform: str, rows: object) -> bytes:
    return json.dumps(rows if platform == "lever" else {"name": rows, "meta": rows, "jobs": rows}).encode()


def inner(value: object) -> list[str]:
    """Names of fields anywhere in a row, so that odd values stand where something is looked for."""
    if isinstance(value, list):
        return [name for each in value for name in inner(each)]
    if isinstance(value, dict):
        return [*value, *(name for each in value.values() for name in inner(each))]
    return []


@pytest.mark.parametrize("platform", sorted(READ))
@given(st.data())
def test_odd_values_anywhere_in_a_row_cost_no_other_row(platform, data):
    row = ROWS[platform]
    names = st.sampled_from(sorted(set(inner(row))))
    odd = st.dictionaries(names, VALUES | st.lists(st.dictionaries(names, VALUES, max_size=4), max_size=2))
    changed = {name: value for name, value in data.draw(odd).items() if name not in {"id", "shortcode"}}
    reading = READ[platform](board(platform, [{**row, **changed}, 7, row]))
    assert (len(reading.listings), reading.coverage) == (1, "partial")
    assert reading.evidence.unreadable_rows == 1
    for listing in reading.listings:
        msgspec.json.decode(listing.record)
        json.dumps([*listing.locations, *listing.workplace_signals, listing.title]).encode()


@pytest.mark.parametrize("platform", sorted(READ))
@given(st.binary(max_size=60) | VALUES.map(lambda value: json.dumps(value).encode()))
def test_what_is_no_board_is_a_reading_that_says_so(platform, body):
    for content in (body, b'{"jobs":' + body + b"}", b"[" + body + b"]", board(platform, [])[:-1] + body):
        reading = READ[platform](content)
        if reading.coverage == "failed":
            assert reading.evidence.problem == "not_a_board"
