"""One odd value costs itself: the rows around it are read, and what is read can be stored."""

import json

import msgspec
import pytest
from fixtures.oddities import ODD
from hypothesis import given
from hypothesis import strategies as st

from pipeline.sources.loose import MAX_DEPTH
from pipeline.sources.rows import NotReadable, Row, fitted, row_of, rows_of, rows_under, value_under


class Job(msgspec.Struct, frozen=True):
    id: int
    title: str = ""
    places: list[str] = []


def board(odd: str) -> bytes:
    return f'{{"jobs":[{{"id":1,"title":"Pilot"}},{{"id":2,"places":{odd}}},{{"id":3}}],"total":3}}'.encode()


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD.keys())
def test_failure_18_one_odd_field_costs_that_field_and_not_the_board(odd):
    rows, unreadable = rows_under(board(odd), "jobs")
    assert unreadable == 0
    jobs = [fitted(row, Job) for row in rows]
    assert [job and job.id for job, _ in jobs] == [1, 2, 3]
    assert [odd for _, odd in jobs] == [0, 1, 0]
    assert value_under(board(odd), "total", int) == 3
    for row in rows:
        text = row.without().decode()
        json.loads(text)
        assert "\\u0000" not in text
        text.encode()


def test_what_nests_as_deep_as_platforms_do_is_kept():
    deep = "[" * (MAX_DEPTH - 4) + "7" + "]" * (MAX_DEPTH - 4)
    (row,), unreadable = rows_of(f'[{{"id":1,"tree":{deep}}}, "\\ud800"]'.encode())
    assert unreadable == 1
    assert row.without() == f'{{"id":1,"tree":{deep}}}'.encode()


def test_members_that_are_no_rows_are_counted():
    rows, unreadable = rows_of(b'[{"id": 1}, 7, null, "text", [], {"id": 2}]')
    assert ([row.without() for row in rows], unreadable) == ([b'{"id":1}', b'{"id":2}'], 4)


def test_the_fingerprint_knows_content_and_not_its_order():
    first, second = row_of(b'{"a": 1, "b": [2]}'), row_of(b'{"b":[2],"a":1}')
    assert first.fingerprint == second.fingerprint != row_of(b'{"a":1,"b":[3]}').fingerprint


@given(st.binary(max_size=200) | st.text(alphabet='[]{}",:\\u0d8tnl1e9-. ', max_size=200).map(str.encode))
def test_no_bytes_make_reading_fail_in_another_way(body):
    for read in (rows_of, row_of, lambda each: rows_under(each, "jobs")):
        try:
            read(body)
        except NotReadable:
            continue
    value_under(body, "jobs", int)


_SCALARS = st.none() | st.booleans() | st.floats() | st.text()


@given(st.recursive(_SCALARS, lambda each: st.lists(each) | st.dictionaries(st.text(), each), max_leaves=12))
def test_any_value_of_a_field_leaves_the_row_readable(value):
    rows, unreadable = rows_of(json.dumps([{"id": 1, "title": value, "places": value}]).encode())
    assert unreadable == 0
    assert isinstance(rows[0], Row)
    job, _ = fitted(rows[0], Job)
    assert job is not None
    assert job.id == 1
