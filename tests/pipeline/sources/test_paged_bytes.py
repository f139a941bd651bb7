"""Whatever Workday and Rippling answer, page after page: no fault comes of it, no harmed list is whole."""

import asyncio
import json

import pytest
from emulators.rippling import record, rows, tier
from emulators.workday import WorkdaySite, job
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.sources.registry import ADAPTERS
from pipeline.sources.types import Answer, FetchFailed, PostingPlace, Validators

SITE = WorkdaySite()
JOBS = [job(number, remoteType="Remote", timeType="Full time") for number in range(3)]
ROWS = [row for number in range(3) for row in rows(number)]
LISTS = {
    "workday": {"total": 3, "jobPostings": JOBS, "facets": [], "userAuthenticated": False},
    "rippling": {"items": ROWS, "page": 0, "pageSize": 1_000, "totalItems": 3, "totalPages": 1},
}
PAGES = {
    "workday": SITE.info(JOBS[0], additionalLocations=["Bergen"], remoteType="Hybrid"),
    "rippling": record(0, payRangeDetails=[tier(1, 2)]),
}
BOARDS = {"workday": SITE.board, "rippling": "northwind"}
ODD = st.sampled_from(
    [b"\x00", b"\xff", b"\xed\xa0\x80", b"null", b"[]", b"{}", b'"', b"1e999", b"-1", b"\\ud800"]
)
STATUSES = st.sampled_from([200, 200, 200, 200, 204, 303, 401, 403, 404, 405, 410, 422, 429, 500])


class Told:
    """Answers in turn, and with the last for ever; None is a fault of the network."""

    def __init__(self, *answers: tuple[int, bytes] | None) -> None:
        self._answers = list(answers)

    async def __call__(
        self, url: str, /, *, json: bytes | None = None, known: Validators | None = None
    ) -> Answer:
        told = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if told is None:
            raise FetchFailed("timeout")
        return Answer(url=url, status=told[0], body=told[1])


@st.composite
def harmed(draw: st.DrawFn, content: object) -> bytes:
    """A true answer with pieces cut out of it and put into it."""
    body = json.dumps(content).encode()
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(body)))
        until = draw(st.integers(at, min(at + 40, len(body))))
        body = body[:at] + draw(ODD | st.binary(max_size=6)) + body[until:]
    return body


def answers(content: object) -> st.SearchStrategy[list[tuple[int, bytes] | None]]:
    one = st.none() | st.tuples(STATUSES, harmed(content) | st.binary(max_size=80))
    return st.lists(one, min_size=1, max_size=4)


@pytest.mark.parametrize("platform", sorted(LISTS))
@given(data=st.data())
@settings(max_examples=60)
def test_no_answer_makes_a_reading_fail_or_a_harmed_list_whole(platform, data):
    told = data.draw(answers(LISTS[platform]))
    reading = asyncio.run(ADAPTERS[platform].read(BOARDS[platform], Told(*told)))
    evidence = reading.evidence
    if reading.coverage == "complete":
        assert (evidence.problem, evidence.unreadable_rows, evidence.ended_naturally) == (None, 0, True)
        assert evidence.vendor_total is None or evidence.rows >= evidence.vendor_total
    if reading.coverage == "failed":
        assert (evidence.problem is None, reading.listings) == (False, ())
    for listing in reading.listings:
        json.loads(listing.record)
        "".join((listing.vendor_id, listing.title, *listing.locations)).encode()


@pytest.mark.parametrize("platform", sorted(PAGES))
@given(data=st.data())
@settings(max_examples=60)
def test_no_answer_makes_a_look_fail_and_what_it_tells_is_of_the_posting_asked_for(platform, data):
    whole = asyncio.run(
        ADAPTERS[platform].read(BOARDS[platform], Told((200, json.dumps(LISTS[platform]).encode())))
    )
    listing = whole.listings[0]
    place = PostingPlace(
        board=BOARDS[platform],
        vendor_id=listing.vendor_id,
        page_url=listing.page_url or "",
        apply_url=listing.apply_url,
    )
    told = data.draw(answers(PAGES[platform]))
    detail = asyncio.run(ADAPTERS[platform].look(place, Told(*told)))
    assert (detail.listing is not None) == (detail.state == "open")
    if detail.listing is not None:
        assert detail.listing.vendor_id == listing.vendor_id
        json.loads(detail.listing.record)
        ("".join(detail.listing.locations) + (detail.listing.description or "")).encode()
    assert detail.state != "gone" or told[0] is not None


def test_the_emulated_lists_and_pages_have_the_names_of_captured_ones(shared_data):
    captured: set[str] = set()
    for file in (shared_data / "ats" / "workday").glob("*.json"):
        captured |= names(json.loads(file.read_bytes()))
    # Told by others of live answers; the captured ones were cut of them.
    added = {"/jobPostings/timeType", "/jobPostingInfo/additionalLocations"}
    assert names(LISTS["workday"]) | names(PAGES["workday"]) <= captured | added


def names(told: object, at: str = "") -> set[str]:
    if isinstance(told, list):
        return set().union(*(names(each, at) for each in told))
    if isinstance(told, dict):
        return set().union(
            {f"{at}/{name}" for name in told}, *(names(v, f"{at}/{k}") for k, v in told.items())
        )
    return set()
