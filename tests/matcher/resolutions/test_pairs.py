"""Pairs of records as questions, and applications put together by hand: merged, kept apart, taken back."""

import asyncio

import pytest
from fixtures.people import FixedClock
from fixtures.reviewer import Reviewer
from fixtures.samples import DAY_ONE, Samples, day

from matcher.applications.store import application, dismiss
from matcher.merging import CannotMerge
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState, TargetRequired
from matcher.resolutions.types import PairItem, Resolved
from schema.errors import Missing, Refusal
from schema.ids import AccountId, ApplicationId


class Two:
    """A record the person made, and one concluded from mail, proposed as one."""

    def __init__(self, samples: Samples) -> None:
        self.derived = samples.application(origin="derived", applied=None)
        self.manual = samples.application()
        samples.rows(
            "INSERT INTO pairs (account_id, application_id, other_application_id, says, found_at)"
            " VALUES (%s, %s, %s, 'Both are at Northwind.', %s)",
            samples.account,
            self.derived,
            self.manual,
            day(12),
        )

    @property
    def id(self) -> str:
        return f"pair:{self.derived}-{self.manual}"


@pytest.fixture
def two(samples: Samples) -> Two:
    return Two(samples)


async def merged_into(reviewer: Reviewer, record: ApplicationId) -> ApplicationId | None:
    async with reviewer.database.as_account(reviewer.account) as unit:
        return (await application(unit, record)).merged_into_id


async def test_a_pair_is_shown_with_both_records(reviewer: Reviewer, two: Two):
    shown = await reviewer.pair(two.manual, two.derived)
    assert (shown.waits, shown.why, shown.rank) == (True, "Both are at Northwind.", 2)
    assert [shown.first.application_id, shown.second.application_id] == [two.derived, two.manual]
    merge = shown.option("merge")
    assert merge and merge.eligible and not merge.needs_target
    assert merge.target == two.manual, "what the person made stands for what was concluded"
    assert merge.touches.applications == [two.derived, two.manual]
    line = (await reviewer.queue()).lines[0]
    assert (line.id, line.kind, line.title) == (two.id, "pair", "One application or two?")


async def test_merging_and_back(reviewer: Reviewer, two: Two):
    done = await reviewer.answer(two.id, "merge")
    assert (await merged_into(reviewer, two.derived), done.application_id) == (two.manual, two.manual)
    shown = await reviewer.pair(two.derived, two.manual)
    assert (shown.answer, shown.waits, shown.why) == ("merged", False, "You put them together.")
    assert (await reviewer.queue()).total == 0
    await reviewer.undo(done.entry, done.entry_version)
    assert await merged_into(reviewer, two.derived) is None
    assert (await reviewer.past())[0].undone_at is not None


async def test_the_person_says_which_record_stands_for_both(reviewer: Reviewer, two: Two, samples: Samples):
    other = samples.application("Contoso")
    with pytest.raises(ChoiceNotEligible):
        await reviewer.answer(two.id, "merge", target=other)
    await reviewer.answer(two.id, "merge", target=two.derived)
    assert await merged_into(reviewer, two.manual) == two.derived


async def test_kept_apart_and_back(reviewer: Reviewer, two: Two):
    await reviewer.answer(two.id, "keep_apart")
    assert (await reviewer.pair(two.derived, two.manual)).answer == "kept_apart"
    with pytest.raises(ChoiceNotEligible):
        await reviewer.answer(two.id, "keep_apart")
    await reviewer.answer(two.id, "undo")
    assert (await reviewer.pair(two.derived, two.manual)).waits


async def test_what_is_dismissed_is_not_merged(
    reviewer: Reviewer, two: Two, clock: FixedClock, samples: Samples
):
    samples.rows("UPDATE applications SET dismissed_at = %s WHERE id = %s", DAY_ONE, two.derived)
    shown = await reviewer.pair(two.derived, two.manual)
    assert not shown.waits
    assert {option.choice for option in shown.options if option.eligible} == set()
    with pytest.raises(ChoiceNotEligible):
        await reviewer.answer(two.id, "merge")


@pytest.mark.parametrize("choice", ["merge", "keep_apart", "undo"])
async def test_a_superseded_version_changes_nothing(choice: str, reviewer: Reviewer, two: Two):
    seen = await reviewer.pair(two.derived, two.manual)
    await reviewer.answer(two.id, "keep_apart")
    with pytest.raises(StaleState) as refused:
        await reviewer.answer(two.id, choice, version=seen.version)  # type: ignore[arg-type]
    assert isinstance(refused.value.item, PairItem) and refused.value.item.answer == "kept_apart"
    assert await merged_into(reviewer, two.derived) is None
    assert len(await reviewer.past()) == 1


async def test_of_two_answers_exactly_one_wins(reviewer: Reviewer, two: Two):
    seen = await reviewer.pair(two.derived, two.manual)

    async def tab(choice: str) -> Resolved | Refusal:
        try:
            return await reviewer.answer(two.id, choice, version=seen.version)  # type: ignore[arg-type]
        except Refusal as refused:
            return refused

    done = await asyncio.gather(tab("merge"), tab("keep_apart"))
    assert sorted(type(result).__name__ for result in done) == ["Resolved", "StaleState"]


async def test_any_two_applications_are_put_together_by_hand(reviewer: Reviewer, samples: Samples):
    mine, other = samples.application(), samples.application("Contoso", "Analyst")
    with pytest.raises(TargetRequired):
        await reviewer.answer(f"application:{mine}", "merge")
    with pytest.raises(Missing):
        await reviewer.answer(f"application:{mine}", "merge", target=ApplicationId(999_999))
    with pytest.raises(CannotMerge):
        await reviewer.answer(f"application:{mine}", "merge", target=mine)
    done = await reviewer.answer(f"application:{mine}", "merge", target=other)
    assert await merged_into(reviewer, other) == mine
    shown = await reviewer.application(mine)
    assert (shown.merged_ids, shown.version, shown.undoes) == ([other], done.version, done.entry)
    assert not (await reviewer.application(other)).options[0].eligible
    await reviewer.answer(f"application:{mine}", "undo")
    assert await merged_into(reviewer, other) is None


async def test_a_merge_is_not_taken_back_under_another_one(reviewer: Reviewer, samples: Samples):
    one, two, three = samples.application(), samples.application("B", "b"), samples.application("C", "c")
    first = await reviewer.answer(f"application:{two}", "merge", target=one)
    await reviewer.answer(f"application:{three}", "merge", target=two)
    with pytest.raises(StaleState):
        await reviewer.undo(first.entry, first.entry_version)
    with pytest.raises(ChoiceNotEligible):
        await reviewer.undo(first.entry)
    assert await merged_into(reviewer, one) == three


async def test_another_accounts_pair_is_missing(reviewer: Reviewer, two: Two, other_account: AccountId):
    theirs = reviewer.of(other_account)
    for item_id in (two.id, f"application:{two.manual}", f"pair:{two.manual}-{two.manual + 1}"):
        with pytest.raises(Missing):
            await theirs.item(item_id)
        with pytest.raises(Missing):
            await theirs.answer(item_id, "merge", version="x", target=two.manual)


async def test_a_dismissed_application_offers_nothing(reviewer: Reviewer, two: Two, clock: FixedClock):
    async with reviewer.database.as_account(reviewer.account) as unit:
        await dismiss(unit, two.manual, now=clock.now())
    shown = await reviewer.application(two.manual)
    assert [option.eligible for option in shown.options] == [False, False, False]
