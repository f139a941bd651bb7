"""Proposed statuses as questions: taken over, declined, taken back, and never twice."""

import asyncio

import pytest
from fixtures.matching import MatchRunner
from fixtures.reviewer import Reviewer
from fixtures.samples import Samples, day

from matcher.applications.store import application, set_status
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState
from matcher.resolutions.types import Resolved, StatusItem
from schema.errors import Missing, Refusal
from schema.ids import AccountId, ApplicationId
from schema.vocabulary import Stage


async def say(reviewer: Reviewer, applied: ApplicationId, stage: Stage | None, at: float) -> None:
    async with reviewer.database.as_account(reviewer.account) as unit:
        await set_status(unit, applied, stage, now=day(at))


async def status_of(reviewer: Reviewer, applied: ApplicationId) -> tuple[Stage | None, object, Stage]:
    async with reviewer.database.as_account(reviewer.account) as unit:
        found = await application(unit, applied)
    return found.status, found.status_at, found.stage


@pytest.fixture
async def proposed(reviewer: Reviewer, samples: Samples, match: MatchRunner) -> ApplicationId:
    """The person set interviewing on the 8th; a refusal came on the 10th."""
    applied = samples.application()
    await say(reviewer, applied, "interviewing", 8)
    samples.message("rejection", employer="Northwind", role="Data Engineer", body="Northwind: no.")
    await match()
    return applied


async def test_newer_mail_asks_whether_it_is_so(reviewer: Reviewer, proposed: ApplicationId):
    shown = await reviewer.status(proposed)
    assert (shown.waits, shown.rank, shown.proposal, shown.at) == (True, 3, "rejected", day(10))
    assert shown.why == "Newer mail says otherwise than you set."
    assert shown.application.status == "interviewing"
    assert shown.excerpt and shown.excerpt.kinds == ["rejection"] and shown.excerpt.marks
    assert [option.choice for option in shown.options if option.eligible] == [
        "accept_status",
        "decline_status",
    ]
    assert all(option.touches.applications == [proposed] for option in shown.options)
    assert [line.id for line in (await reviewer.queue()).lines] == [shown.id]


async def test_accepting_takes_it_over_dated_by_its_mail(reviewer: Reviewer, proposed: ApplicationId):
    done = await reviewer.answer(f"status:{proposed}", "accept_status")
    assert await status_of(reviewer, proposed) == ("rejected", day(10), "rejected")
    assert done.touched.applications == [proposed]
    shown = await reviewer.status(proposed)
    assert (shown.waits, shown.proposal, shown.version) == (False, None, done.version)
    assert (await reviewer.queue()).total == 0


async def test_declining_keeps_what_was_set_and_is_not_asked_again(
    reviewer: Reviewer, proposed: ApplicationId, samples: Samples, match: MatchRunner
):
    await reviewer.answer(f"status:{proposed}", "decline_status")
    samples.rows("UPDATE matches SET stale = true")
    await match()
    assert (await status_of(reviewer, proposed))[0] == "interviewing"
    assert not (await reviewer.status(proposed)).waits


@pytest.mark.parametrize("choice", ["accept_status", "decline_status"])
@pytest.mark.parametrize("through", ["item", "history"])
async def test_undo_asks_again(choice: str, through: str, reviewer: Reviewer, proposed: ApplicationId):
    before = await status_of(reviewer, proposed)
    done = await reviewer.answer(f"status:{proposed}", choice)  # type: ignore[arg-type]
    if through == "item":
        await reviewer.answer(f"status:{proposed}", "undo")
    else:
        await reviewer.undo(done.entry, done.entry_version)
    assert await status_of(reviewer, proposed) == before
    shown = await reviewer.status(proposed)
    assert (shown.waits, shown.proposal) == (True, "rejected")
    entry = (await reviewer.past())[0]
    assert (entry.choice, entry.undone_at is not None, entry.can_undo) == (choice, True, False)


async def test_an_answer_that_is_not_open_is_refused(reviewer: Reviewer, samples: Samples):
    applied = samples.application()
    for choice in ("accept_status", "decline_status", "undo", "mark_done", "confirm"):
        with pytest.raises(ChoiceNotEligible):
            await reviewer.answer(f"status:{applied}", choice)  # type: ignore[arg-type]
    assert not await reviewer.past()


@pytest.mark.parametrize("choice", ["accept_status", "decline_status", "undo"])
async def test_a_superseded_version_changes_nothing(choice: str, reviewer: Reviewer, proposed: ApplicationId):
    seen = await reviewer.status(proposed)
    await say(reviewer, proposed, "offer", 9)
    with pytest.raises(StaleState) as refused:
        await reviewer.answer(seen.id, choice, version=seen.version)  # type: ignore[arg-type]
    assert isinstance(refused.value.item, StatusItem)
    assert refused.value.item.application.status == "offer"
    assert (await status_of(reviewer, proposed))[0] == "offer"
    assert not await reviewer.past()


async def test_what_was_set_by_hand_since_is_not_undone(reviewer: Reviewer, proposed: ApplicationId):
    done = await reviewer.answer(f"status:{proposed}", "accept_status")
    await say(reviewer, proposed, "withdrawn", 12)
    with pytest.raises(StaleState) as refused:
        await reviewer.undo(done.entry, done.entry_version)
    assert refused.value.entry and not refused.value.entry.can_undo
    with pytest.raises(ChoiceNotEligible):
        await reviewer.undo(done.entry)
    assert (await status_of(reviewer, proposed))[0] == "withdrawn"


async def test_of_two_answers_exactly_one_wins(reviewer: Reviewer, proposed: ApplicationId):
    seen = await reviewer.status(proposed)

    async def tab(choice: str) -> Resolved | Refusal:
        try:
            return await reviewer.answer(seen.id, choice, version=seen.version)  # type: ignore[arg-type]
        except Refusal as refused:
            return refused

    done = await asyncio.gather(tab("accept_status"), tab("decline_status"))
    assert sorted(type(result).__name__ for result in done) == ["Resolved", "StaleState"]
    assert len(await reviewer.past()) == 1


async def test_another_accounts_application_is_missing(
    reviewer: Reviewer, proposed: ApplicationId, other_account: AccountId
):
    for item_id in (f"status:{proposed}", "status:999999"):
        with pytest.raises(Missing):
            await reviewer.of(other_account).item(item_id)
        with pytest.raises(Missing):
            await reviewer.of(other_account).answer(item_id, "accept_status", version="x")
