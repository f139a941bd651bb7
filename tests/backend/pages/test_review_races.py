"""Stale pages: two tabs, a new match in between, and an answer to what is no longer so: never a silent one.

A hundred scripts, each from its seed: one tab looks, something happens or does not, the tab answers. When
what it looked at was superseded, the answer is refused, nothing at all has changed, and the fresh page says
what is different. When nothing happened, it is taken.
"""

import asyncio
import random

import httpx2
import pytest
from fixtures.app import browsing
from fixtures.html import Seen, see, submit
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.review import Doubt, answers, ask_of, open_ask, press

from backend.accounts import sessions
from schema.db import Database
from schema.ids import AccountId, MessageId

SCRIPTS = 100
BLOCKS = 10
VERBS = [
    "confirm",
    "confirm_all",
    "reject",
    "assign",
    "create_application",
    "not_an_application",
    "not_job_mail",
    "undo",
]
STATE = """SELECT (SELECT count(*) FROM match_decisions), (SELECT count(*) FROM acts),
  (SELECT count(*) FROM applications), (SELECT count(*) FROM readings),
  (SELECT array_agg((message_id, decision_id, outcome)::text ORDER BY message_id) FROM matches),
  (SELECT array_agg((application_id, message_id)::text ORDER BY application_id, message_id) FROM attachments),
  (SELECT array_agg((id, settled_at, settled_by)::text ORDER BY id) FROM asks),
  (SELECT array_agg((id, status, status_at, note, merged_into_id, dismissed_at)::text ORDER BY id)
   FROM applications)"""


class Race:
    """One account in two tabs, and what can happen between two looks."""

    def __init__(
        self,
        tabs: tuple[httpx2.AsyncClient, httpx2.AsyncClient],
        doubt: Doubt,
        match: MatchRunner,
        random_: random.Random,
    ) -> None:
        self.one, self.other = tabs
        self.doubt, self.match, self.random = doubt, match, random_
        self.samples = doubt.samples

    def state(self) -> list[tuple[object, ...]]:
        return self.samples.rows(STATE)

    async def script(self, number: int) -> bool:
        """One script; whether the page had been superseded when it was answered."""
        message = self.doubt.add(f"Word {number}", sent=10 + number / 100)
        await self.match()
        path = f"/review/{message}"
        if self.random.random() < 0.3:
            await self.answered_elsewhere(message)
        page = await see(self.one, path)
        between = self.random.choice(
            [self.nothing, self.answered_elsewhere, self.taken_back, self.matched_anew, self.read_anew]
        )
        await between(message)
        is_superseded = version(await see(self.one, path)) != version(page)
        await self.answer(page, is_superseded=is_superseded)
        return is_superseded

    async def answer(self, page: Seen, *, is_superseded: bool) -> None:
        open_ones = [verb for verb in VERBS if answers(page, verb)]
        verb = self.random.choice(open_ones)
        value = self.random.choice(answers(page, verb))
        before = self.state()
        shown = await press(self.one, page, verb, answer=value)
        if not is_superseded:
            assert shown.status == 303, (verb, shown.text("main"))
            return
        assert shown.status == 409, verb
        assert self.state() == before, verb
        notice = shown.text("#refused")
        assert "This changed since you looked at it" in notice
        assert "nothing was changed" in notice
        assert shown.texts("#refused li"), "it says what changed"
        assert version(shown) != version(page)

    async def nothing(self, message: MessageId) -> None:
        """Nobody does anything."""

    async def answered_elsewhere(self, message: MessageId) -> None:
        page = await see(self.other, f"/review/{message}")
        verb = self.random.choice([verb for verb in VERBS[:7] if answers(page, verb)])
        assert (await press(self.other, page, verb)).status == 303

    async def taken_back(self, message: MessageId) -> None:
        """Answered and taken back: it looks the same, and is not what was looked at."""
        await self.answered_elsewhere(message)
        page = await see(self.other, f"/review/{message}")
        assert (await press(self.other, page, "undo")).status == 303

    async def matched_anew(self, message: MessageId) -> None:
        """Another application at the employer was recorded, and the match ran again."""
        self.samples.application("Northwind", f"Role {self.random.random()}", applied=4)
        self.samples.rows("UPDATE matches SET stale = true WHERE NOT by_person")
        await self.match()

    async def read_anew(self, message: MessageId) -> None:
        """The message was read again as something else, and the match ran again."""
        self.samples.reading(message, "rejection", employer="Northwind", role="Product Designer")
        await self.match()


def version(page: Seen) -> str:
    return str(page.one("#stands").attributes["data-version"])


@pytest.fixture
async def tabs(app, database: Database, clock: FixedClock, account: AccountId):
    tokens = [await sessions.start(database, clock, account, f"tab {n}") for n in range(2)]
    async with browsing(app, tokens[0]) as one, browsing(app, tokens[1]) as other:
        yield one, other


@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.timeout(120)
async def test_no_answer_to_a_superseded_page_is_taken(
    tabs: tuple[httpx2.AsyncClient, httpx2.AsyncClient], doubt: Doubt, match: MatchRunner, block: int
):
    race = Race(tabs, doubt, match, random.Random(block))
    superseded = [await race.script(number) for number in range(SCRIPTS // BLOCKS)]
    # A block in which nothing was superseded, or everything was, would hold nothing.
    assert 0 < sum(superseded) < len(superseded)


@pytest.mark.parametrize("seed", range(10))
async def test_of_two_answers_at_once_one_is_taken(
    tabs: tuple[httpx2.AsyncClient, httpx2.AsyncClient], doubt: Doubt, seed: int
):
    one, other = tabs
    chosen = random.Random(seed).choices(["confirm", "reject", "not_job_mail", "not_an_application"], k=2)
    pages = [await see(tab, doubt.path) for tab in tabs]
    answered = await asyncio.gather(
        *(press(tab, page, verb) for tab, page, verb in zip((one, other), pages, chosen, strict=True))
    )
    assert sorted(page.status for page in answered) == [303, 409]
    assert doubt.samples.rows("SELECT count(*) FROM match_decisions WHERE actor = 'person'") == [(1,)]


async def test_an_ask_is_settled_and_opened_again_only_as_it_was_looked_at(
    tabs: tuple[httpx2.AsyncClient, httpx2.AsyncClient], doubt: Doubt, match: MatchRunner
):
    one, other = tabs
    message = open_ask(doubt.samples)
    await match()
    path = f"/review/ask/{ask_of(doubt.samples, message)}"
    places = [path, "/", f"/applications/{doubt.third}"]
    pages = [await see(one, place) for place in places]
    assert (await press(other, await see(other, path), "mark_done")).status == 303
    for place, page in zip(places, pages, strict=True):
        await refused(one, doubt, page, path, "mark_done", place=place)
    settled, told = await see(one, path), await see(one, "/review/history")
    assert (await submit(other, told, "/review/history/undo")).status == 303
    await refused(one, doubt, settled, path, "undo", place=path)
    before = doubt.samples.rows(STATE)
    assert (await submit(one, told, "/review/history/undo")).status == 409
    assert doubt.samples.rows(STATE) == before
    # Done and opened again: it looks the same as on the first pages, and is not what they showed.
    for place, page in zip(places, pages, strict=True):
        await refused(one, doubt, page, path, "mark_done", place=place)
    assert (await submit(one, await see(one, "/"), path, answer="mark_done")).status == 303


async def refused(
    tab: httpx2.AsyncClient, doubt: Doubt, page: Seen, path: str, verb: str, *, place: str
) -> None:
    before = doubt.samples.rows(STATE)
    shown = await submit(tab, page, path, answer=verb)
    assert (shown.status, doubt.samples.rows(STATE) == before) == (409, True), place
    assert "nothing was changed" in shown.text("#refused"), place


async def test_the_own_words_about_an_application_are_written_only_over_what_was_shown(
    tabs: tuple[httpx2.AsyncClient, httpx2.AsyncClient], doubt: Doubt, match: MatchRunner
):
    one, other = tabs
    path = f"/applications/{doubt.third}"
    page = await see(one, path)
    fresh = await see(other, path)
    await submit(other, fresh, f"{path}/status", status="offer")
    await submit(other, fresh, f"{path}/note", note="Theirs")
    open_ask(doubt.samples)
    await match()
    before = doubt.samples.rows(STATE)
    for form, fields in (("status", {"status": "closed"}), ("note", {"note": "Mine"}), ("dismiss", {})):
        shown = await submit(one, page, f"{path}/{form}", within="main", **fields)
        assert (shown.status, doubt.samples.rows(STATE) == before) == (409, True), form
        assert shown.texts("main .stale"), form
    again = await see(one, path)
    assert (await submit(one, again, f"{path}/dismiss")).status == 303


async def test_of_two_notes_saved_at_once_one_is_kept_and_the_other_told(
    tabs: tuple[httpx2.AsyncClient, httpx2.AsyncClient], doubt: Doubt
):
    path = f"/applications/{doubt.third}"
    for number in range(5):
        pages = [await see(tab, path) for tab in tabs]
        saved = await asyncio.gather(
            *(
                submit(tab, page, f"{path}/note", within="main", note=f"{number} of tab {tab_number}")
                for tab_number, (tab, page) in enumerate(zip(tabs, pages, strict=True))
            )
        )
        assert sorted(page.status for page in saved) == [303, 409]
