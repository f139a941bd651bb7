"""Waits grow, never beyond an hour, and what needs a provider outlasts its bad morning."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.retries import LONGEST, PROVIDER_HORIZON, backoff, horizon
from schema.tasks import CATALOGUE, Payload


@given(
    attempts=st.integers(1, 10_000),
    base=st.floats(0.01, 600),
    jitter=st.floats(0, 1, exclude_max=True),
)
def test_a_wait_lies_between_half_and_the_whole_of_its_doubling(attempts: int, base: float, jitter: float):
    whole = min(base * 2.0 ** min(attempts - 1, 40), LONGEST.total_seconds())
    wait = backoff(attempts, base, jitter).total_seconds()
    assert whole / 2 - 1e-6 <= wait <= whole + 1e-6


def test_the_horizon_is_the_sum_of_the_shortest_waits():
    assert horizon(1, 10) == timedelta()
    assert horizon(4, 10) == timedelta(seconds=5 + 10 + 20)


def test_every_kind_that_needs_a_provider_is_tried_over_six_hours():
    bound = [kind for kind in CATALOGUE.values() if kind.NEEDS_PROVIDER]
    assert bound
    assert all(horizon(k.MAX_ATTEMPTS, k.BACKOFF_SECONDS) >= PROVIDER_HORIZON for k in bound)


def test_a_short_horizon_of_a_provider_bound_kind_fails_at_import():
    with pytest.raises(TypeError, match="tried over 6:00:00"):

        class Hasty(Payload, frozen=True, kw_only=True):
            KIND = "test.hasty.v1"
            NEEDS_PROVIDER = True


@pytest.mark.parametrize("kind", ["test.unversioned", "Test.capital.v1", "test.v1", "", None])
def test_a_name_that_is_no_versioned_kind_fails_at_import(kind: str | None):
    with pytest.raises(TypeError, match=r"reads area\.verb\.vN"):

        class Misnamed(Payload, frozen=True, kw_only=True):
            KIND = kind  # pyright: ignore


def test_a_payload_that_takes_unknown_fields_fails_at_import():
    with pytest.raises(TypeError, match="forbids unknown fields"):

        class Lax(Payload, frozen=True, kw_only=True, forbid_unknown_fields=False):
            KIND = "test.lax.v1"


def test_two_payloads_of_one_kind_fail_at_import():
    with pytest.raises(TypeError, match="two payloads claim"):

        class Second(Payload, frozen=True, kw_only=True):
            KIND = "mail.import.v1"
