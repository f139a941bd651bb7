"""The queue of all kinds: one order, no line twice or left out, true counts, and pages that cost the same
whatever waits behind them."""

import pytest
from fixtures.matching import MatchRunner
from fixtures.plans import explained
from fixtures.reviewer import Reviewer
from fixtures.samples import Samples
from fixtures.waiting import LongQueue

from matcher.applications.store import dismiss
from matcher.resolutions.items import items
from matcher.resolutions.queue.rules import place_of
from matcher.resolutions.queue.store import BEFORE, COUNTS, PAGE, waiting, waiting_before
from matcher.resolutions.types import Line, Place, WaitingKind
from schema.ids import AccountId


async def walk(reviewer: Reviewer, limit: int, kind: WaitingKind | None = None) -> list[Line]:
    seen: list[Line] = []
    after: Place | None = None
    while True:
        async with reviewer.database.as_account(reviewer.account) as unit:
            page = await waiting(unit, after=after, limit=limit, kind=kind)
        seen += page.lines
        after = page.next
        if after is None:
            return seen


async def test_what_moves_an_application_comes_first_and_within_that_the_newest(
    reviewer: Reviewer, samples: Samples, match: MatchRunner
):
    samples.application()
    samples.application(role="Designer")
    newest, oldest, between = (
        samples.message("rejection", employer="Northwind", sent=sent) for sent in (12, 10, 11)
    )
    resting = samples.message("info_request", sent=20)
    await match()
    seen = [line.id for line in (await reviewer.queue()).lines]
    assert seen == [f"message:{message}" for message in (newest, between, oldest, resting)]


async def test_pages_leave_out_and_repeat_nothing(reviewer: Reviewer, long_queue: LongQueue):
    long_queue.fill(40)
    long_queue.propose(9)
    whole = await walk(reviewer, 500)
    assert len(whole) == 40 + 9 + 9 + 8
    assert await walk(reviewer, 7) == whole
    keys = [(line.rank, line.at) for line in whole]
    assert keys == sorted(keys, reverse=True)
    page = await reviewer.queue(limit=1)
    assert (page.total, page.of_kind("message"), page.of_kind("pair")) == (66, 40, 8)
    assert page.of_rank(3) == sum(line.rank == 3 for line in whole)
    assert page.of_rank(1) == sum(line.rank == 1 for line in whole) > 0


@pytest.mark.parametrize("kind", ["message", "status", "ask", "pair"])
async def test_one_kind_alone_is_in_the_same_order(
    kind: WaitingKind, reviewer: Reviewer, long_queue: LongQueue
):
    long_queue.fill(10)
    long_queue.propose(5)
    whole = await walk(reviewer, 500)
    assert await walk(reviewer, 3, kind) == [line for line in whole if line.kind == kind]


async def test_an_item_knows_its_place(reviewer: Reviewer, long_queue: LongQueue):
    long_queue.fill(12)
    long_queue.propose(4)
    whole = await walk(reviewer, 500)
    async with reviewer.database.as_account(reviewer.account) as unit:
        found = await items(unit, [line.id for line in whole])
        assert [each.id for each in found] == [line.id for line in whole]
        assert all(each.waits for each in found)
        assert [await waiting_before(unit, place_of(each)) for each in found] == list(range(len(whole)))
        after = await waiting(unit, after=place_of(found[4]), limit=3)
    assert after.lines == whole[5:8]


async def test_what_is_dismissed_waits_no_longer(reviewer: Reviewer, long_queue: LongQueue, samples: Samples):
    long_queue.fill(3)
    long_queue.propose(2)
    gone = samples.rows("SELECT min(id) FROM applications WHERE origin = 'derived'")[0][0]
    async with reviewer.database.as_account(reviewer.account) as unit:
        await dismiss(unit, gone, now=reviewer.clock.now())  # type: ignore[arg-type]
    page = await reviewer.queue()
    assert not any(str(gone) in line.id for line in page.lines if line.kind in {"status", "ask"})
    assert len(page.lines) == page.total


async def test_another_account_has_its_own_queue(
    reviewer: Reviewer, long_queue: LongQueue, other_account: AccountId
):
    long_queue.fill(3)
    page = await reviewer.of(other_account).queue()
    assert (page.lines, page.counts) == ([], [])


@pytest.mark.parametrize("generic", [False, True])
async def test_a_page_reads_no_further_than_it_shows(
    generic: bool, owner_url: str, long_queue: LongQueue, samples: Samples, account: AccountId
):
    long_queue.fill(10_000)
    long_queue.propose(300)
    samples.rows("ANALYZE")
    middle = samples.rows(
        "SELECT message_id, queued_at FROM matches WHERE rank = 2 ORDER BY 2 OFFSET 1500 LIMIT 1"
    )
    message, at = middle[0]
    kinds = {"messages": True, "statuses": True, "asks": True, "pairs": True}
    for place in (
        {"rank": 9, "at": "9999-01-01 00:00:00+00", "number": 4, "first": 0, "second": 0},
        {"rank": 2, "at": str(at), "number": 4, "first": message, "second": 0},
    ):
        plan = explained(owner_url, PAGE, generic=generic, account=account, limit=11, **place, **kinds)
        assert "matches_waiting" in plan.indexes(), plan
        assert plan.read("matches") <= 100, plan
        assert plan.read("evidence") <= 50, plan
        assert not {"matches", "messages", "evidence"} & set(plan.whole_reads), plan
        assert plan.most_sorted() <= 4 * 11, plan


async def test_counting_reads_only_what_waits(
    owner_url: str, long_queue: LongQueue, samples: Samples, account: AccountId
):
    long_queue.fill(10_000)
    samples.rows("UPDATE matches SET outcome = 'none' WHERE message_id %% 100 <> 0")
    samples.rows("REINDEX INDEX matches_waiting")
    samples.rows("VACUUM ANALYZE")
    message = samples.rows("SELECT max(message_id) FROM matches")[0][0]
    place = {"rank": 2, "at": "2026-01-03 00:00:00+00", "number": 4, "first": message, "second": 0}
    kinds = {"messages": True, "statuses": True, "asks": True, "pairs": True}
    for plan in (
        explained(owner_url, COUNTS, account=account),
        explained(owner_url, BEFORE, account=account, **place, **kinds),
    ):
        assert "matches_waiting" in plan.indexes(), plan
        assert plan.read("matches") <= 100, plan
