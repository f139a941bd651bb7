"""A body is unpacked within its limit, and counts only when it is whole."""

import gzip
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.sources.bodies import Unpacking
from pipeline.sources.types import FetchFailed

MEGABYTE = 1024 * 1024


def unpacked(packed: bytes, encoding: str = "gzip", *, step: int = 1000, most: int = MEGABYTE) -> bytes:
    unpacking = Unpacking(encoding, most_bytes=most)
    for start in range(0, len(packed), step):
        unpacking.take(packed[start : start + step])
    return unpacking.whole()


def problem(packed: bytes, encoding: str = "gzip", most: int = MEGABYTE) -> str:
    with pytest.raises(FetchFailed) as raised:
        unpacked(packed, encoding, most=most)
    return raised.value.problem


@given(st.binary(max_size=3000), st.integers(1, 500), st.integers(0, 3))
def test_what_was_packed_comes_out_however_it_arrives(body: bytes, step: int, times: int):
    assert unpacked(body, "", step=step) == body
    assert unpacked(gzip.compress(body) * times, step=step) == body * times
    assert unpacked(gzip.compress(body) + b"\0" * times, "X-GZIP", step=step) == body


@given(st.binary(min_size=1, max_size=3000), st.integers(1, 500))
def test_a_packed_body_that_stops_anywhere_is_no_body(body: bytes, missing: int):
    packed = gzip.compress(body)
    assert problem(packed[: max(1, len(packed) - missing)]) == "cut_short"


@pytest.mark.parametrize("encoding", ["gzip, gzip", "br", "deflate", "zstd", "gzip;q=1", "identity, gzip"])
def test_a_packing_nobody_asked_for_is_refused(encoding: str):
    assert problem(b"x", encoding) == "cut_short"


def test_what_only_claims_to_be_packed_is_no_body():
    assert problem(b"<html>not packed</html>") == "cut_short"


def test_a_bomb_is_given_up_at_the_limit_without_unpacking_the_rest():
    bomb = gzip.compress(b"\0" * 200 * MEGABYTE, 9)
    assert len(bomb) < MEGABYTE
    tracemalloc.start()
    assert problem(bomb) == "too_large"
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * MEGABYTE


def test_a_packed_stream_that_says_nothing_ends_too():
    nothing = gzip.compress(b"")
    assert problem(nothing * (2 * MEGABYTE // len(nothing))) == "too_large"


def test_the_limit_itself_is_allowed():
    assert unpacked(b"x" * 100, "", most=100) == b"x" * 100
    assert problem(b"x" * 101, "", most=100) == "too_large"


def test_a_clipped_body_ends_where_it_is_clipped():
    for encoding, sent in (("", b"ab" * 100), ("gzip", gzip.compress(b"ab" * 100))):
        unpacking = Unpacking(encoding, most_bytes=11, is_clipped=True)
        unpacking.take(sent)
        assert unpacking.is_full
        assert unpacking.whole() == b"ababababab" + b"a"
