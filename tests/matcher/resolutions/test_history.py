"""The history: decisions and acts in one list, who decided, what it replaced, and the way back of each."""

import asyncio

import pytest
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.plans import explained
from fixtures.reviewer import Reviewer
from fixtures.samples import Samples, day
from fixtures.waiting import LongQueue

from matcher.resolutions.history.store import TOLD, history
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState
from matcher.resolutions.types import EntryId, HistoryEntry, HistoryPlace, MessageItem, Resolved
from schema.errors import Missing, Refusal
from schema.ids import AccountId


class Doubt:
    def __init__(self, samples: Samples) -> None:
        self.first = samples.application()
        self.second = samples.application(role="Designer")
        self.message = samples.message("rejection", employer="Northwind", body="Northwind will not go on.")


@pytest.fixture
async def doubt(samples: Samples, match: MatchRunner) -> Doubt:
    made = Doubt(samples)
    await match()
    return made


async def test_it_says_what_was_decided_and_what_it_replaced(reviewer: Reviewer, doubt: Doubt):
    first = await reviewer.answer(doubt.message, "assign", target=doubt.first)
    second = await reviewer.answer(doubt.message, "assign", target=doubt.second)
    newer, older = await reviewer.past()
    assert (newer.id, older.id) == (second.entry, first.entry)
    assert (newer.choice, newer.application_id, newer.role) == ("assign", doubt.second, "Designer")
    assert (newer.replaced_outcome, newer.replaced_application_id) == ("attached", doubt.first)
    assert (older.replaced_outcome, older.replaced_application_id) == ("asks", None)
    assert (newer.by_person, newer.item, newer.messages) == (True, f"message:{doubt.message}", 1)
    assert (newer.can_undo, older.can_undo) == (True, False)
    assert older.reason == "You decided about it anew since; take that back first."


async def test_taken_back_it_is_told_so_and_the_one_before_can_be(reviewer: Reviewer, doubt: Doubt):
    first = await reviewer.answer(doubt.message, "assign", target=doubt.first)
    second = await reviewer.answer(doubt.message, "assign", target=doubt.second)
    undone = await reviewer.undo(second.entry, second.entry_version)
    assert (undone.application_id, undone.entry) == (doubt.first, None)
    newer, older = await reviewer.past()
    assert (newer.undone_at is not None, newer.can_undo) == (True, False)
    assert (older.undone_at, older.can_undo) == (None, True)
    await reviewer.undo(first.entry)
    assert (await reviewer.look(doubt.message)).waits


async def test_a_line_with_something_newer_on_top_is_refused_with_how_it_stands(
    reviewer: Reviewer, doubt: Doubt, samples: Samples
):
    first = await reviewer.answer(doubt.message, "assign", target=doubt.first)
    await reviewer.answer(doubt.message, "not_an_application")
    count = samples.rows("SELECT count(*) FROM match_decisions")
    with pytest.raises(StaleState) as refused:
        await reviewer.undo(first.entry, first.entry_version)
    assert refused.value.entry and not refused.value.entry.can_undo
    assert isinstance(refused.value.item, MessageItem)
    assert refused.value.item.outcome == "not_an_application"
    with pytest.raises(ChoiceNotEligible):
        await reviewer.undo(first.entry)
    assert samples.rows("SELECT count(*) FROM match_decisions") == count


async def test_a_refusal_is_taken_back_whatever_the_machine_said_since(
    reviewer: Reviewer, doubt: Doubt, match: MatchRunner
):
    done = await reviewer.answer(doubt.message, "reject", target=doubt.second)
    await match()
    assert (await reviewer.look(doubt.message)).application_ids == [doubt.first]
    await reviewer.undo(done.entry, done.entry_version)
    await match()
    shown = await reviewer.look(doubt.message)
    assert [found.application_id for found in shown.candidates] == [doubt.first, doubt.second]


async def test_of_two_undos_exactly_one_wins(reviewer: Reviewer, doubt: Doubt):
    done = await reviewer.answer(doubt.message, "confirm")

    async def tab() -> Resolved | Refusal:
        try:
            return await reviewer.undo(done.entry, done.entry_version)
        except Refusal as refused:
            return refused

    ended = await asyncio.gather(tab(), tab())
    assert sorted(type(result).__name__ for result in ended) == ["Resolved", "StaleState"]


async def test_what_the_machine_attached_is_told_when_asked_for(
    reviewer: Reviewer, samples: Samples, match: MatchRunner
):
    applied = samples.application()
    message = samples.message("rejection", employer="Northwind", role="Data Engineer")
    await match()
    assert await reviewer.past() == []
    [entry] = await reviewer.past(automatic=True)
    assert (entry.by_person, entry.message_id, entry.application_id) == (False, message, applied)
    assert (entry.can_undo, entry.reason) == (
        False,
        "Its evidence decided it; open the message to say otherwise.",
    )
    with pytest.raises(ChoiceNotEligible):
        await reviewer.undo(entry.id)


async def test_pages_of_both_logs_leave_out_and_repeat_nothing(
    reviewer: Reviewer, long_queue: LongQueue, clock: FixedClock
):
    long_queue.fill(12)
    long_queue.propose(6)
    # Some at the very same instant, some apart.
    for place, line in enumerate(reversed((await reviewer.queue()).lines)):
        clock.at = day(20 + place // 3)
        match line.kind:
            case "message":
                await reviewer.answer(line.id, "not_an_application")
            case "status":
                await reviewer.answer(line.id, "decline_status")
            case "ask":
                await reviewer.answer(line.id, "mark_done")
            case "pair":
                await reviewer.answer(line.id, "keep_apart")
    whole = await reviewer.past()
    assert len(whole) == 12 + 6 + 6 + 5
    seen: list[HistoryEntry] = []
    after: HistoryPlace | None = None
    while True:
        async with reviewer.database.as_account(reviewer.account) as unit:
            page = await history(unit, after=after, limit=4)
        seen += page.entries
        after = page.next
        if after is None:
            break
    assert seen == whole
    assert [entry.decided_at for entry in whole] == sorted((e.decided_at for e in whole), reverse=True)


@pytest.mark.parametrize("generic", [False, True])
async def test_a_page_reads_no_further_than_it_shows(
    generic: bool, reviewer: Reviewer, owner_url: str, long_queue: LongQueue, samples: Samples
):
    long_queue.fill(3_000)
    samples.rows(
        "UPDATE match_decisions SET actor = 'person', choice = 'not_an_application',"
        " outcome = 'not_an_application', created_at = '2026-02-01'::timestamptz + id * interval '1 second'"
    )
    samples.rows(
        "INSERT INTO acts (account_id, about, choice, actor, created_at)"
        " SELECT %s, 'pattern', 'confirm', 'person', '2026-02-01'::timestamptz + n * interval '3 seconds'"
        " FROM generate_series(1, 3000) n",
        reviewer.account,
    )
    samples.rows("ANALYZE")
    for at in ("9999-01-01 00:00:00+00", "2026-02-01 00:20:00+00"):
        plan = explained(
            owner_url,
            TOLD,
            generic=generic,
            account=reviewer.account,
            at=at,
            is_act=True,
            id=0,
            automatic=True,
            limit=51,
        )
        assert {"match_decisions_told", "acts_newest"} <= plan.indexes(), plan
        assert plan.read("match_decisions") <= 110, plan
        assert plan.read("acts") <= 60, plan


async def test_another_accounts_line_is_missing(
    reviewer: Reviewer, doubt: Doubt, other_account: AccountId, samples: Samples
):
    done = await reviewer.answer(doubt.message, "confirm")
    theirs = reviewer.of(other_account)
    for entry_id in (done.entry, EntryId("decision:999999"), EntryId("act:999999"), EntryId("note:1")):
        assert entry_id
        with pytest.raises(Missing):
            await theirs.undo(entry_id, done.entry_version)
    assert await theirs.past(automatic=True) == []
    assert (await reviewer.look(doubt.message)).application_ids == [doubt.first]
