"""Whatever a platform answers, an adapter gives a reading, and calls only whole lists complete."""

import asyncio
import json

import pytest
from emulators.feeds import (
    jazzhr_feed,
    jazzhr_job,
    personio_feed,
    personio_position,
    pinpoint_posting,
    recruitee_offer,
)
from emulators.paged_boards import icims_card, manatal_job, successfactors_tile, teamtailor_item
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.sources.registry import ADAPTERS
from pipeline.sources.types import Answer, FetchFailed, PostingPlace, Validators

BODIES = {
    "personio": personio_feed(personio_position(1), personio_position(2)),
    "jazzhr": jazzhr_feed(jazzhr_job("AbCd123456"), jazzhr_job("EfGh123456")),
    "pinpoint": json.dumps({"data": [pinpoint_posting(1), pinpoint_posting(2)]}).encode(),
    "recruitee": json.dumps({"offers": [recruitee_offer(1), recruitee_offer(2)]}).encode(),
    "teamtailor": json.dumps({"items": [teamtailor_item(1), teamtailor_item(2)]}).encode(),
    "manatal": json.dumps(
        {"count": 2, "next": None, "results": [manatal_job("A"), manatal_job("B")]}
    ).encode(),
    "icims": ("<div class=iCIMS_x>" + icims_card(1) + icims_card(2) + "</div>").encode(),
    "successfactors": (successfactors_tile(1) + successfactors_tile(2)).encode(),
}
STATUSES = st.sampled_from([200, 200, 200, 200, 204, 304, 401, 403, 404, 410, 429, 500])
ODD = [
    b"\x00",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"null",
    b"[]",
    b"{}",
    b'"',
    b"<",
    b"]]>",
    b"&#0;",
    b"&x;",
    b"1e999",
    b"-1",
]


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
        return Answer(url=url, status=told[0], body=told[1], content_type="text/html; charset=utf-8")


@st.composite
def harmed(draw: st.DrawFn, body: bytes) -> bytes:
    """A true answer with pieces cut out of it and put into it."""
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(body)))
        until = draw(st.integers(at, min(at + 40, len(body))))
        body = body[:at] + draw(st.one_of(st.sampled_from(ODD), st.binary(max_size=6))) + body[until:]
    return body


@pytest.mark.parametrize("platform", sorted(BODIES))
@given(data=st.data())
@settings(max_examples=40)
def test_no_answer_makes_an_adapter_raise_or_call_a_harmed_list_whole(platform, data):
    adapter, body = ADAPTERS[platform], BODIES[platform]
    answers = st.one_of(st.none(), st.tuples(STATUSES, st.one_of(harmed(body), st.binary(max_size=80))))
    fetch = Told(*data.draw(st.lists(answers, min_size=1, max_size=4)), (200, b""))
    reading = asyncio.run(adapter.read("northwind", fetch))
    evidence = reading.evidence
    assert len(reading.listings) <= evidence.rows
    if reading.coverage == "complete":
        assert (evidence.problem, evidence.unreadable_rows, evidence.ended_naturally) == (None, 0, True)
        assert evidence.rows == len(reading.listings) + evidence.repeated_rows
    for listing in reading.listings:
        json.loads(listing.record)
        place = PostingPlace(board="northwind", vendor_id=listing.vendor_id, page_url=listing.page_url or "")
        detail = asyncio.run(adapter.look(place, Told((200, data.draw(st.binary(max_size=80))), (404, b""))))
        assert detail.state == "unknown"


@pytest.mark.parametrize("platform", sorted(BODIES))
def test_an_unharmed_answer_is_read_whole(platform):
    fetch = Told((200, BODIES[platform]), (200, BODIES[platform]), (200, BODIES[platform]))
    if platform == "successfactors":
        fetch = Told((200, BODIES[platform]), (200, b""))
    reading = asyncio.run(ADAPTERS[platform].read("northwind", fetch))
    assert (reading.coverage, len(reading.listings), reading.evidence.odd_fields) == ("complete", 2, 0)
