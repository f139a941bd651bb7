"""Open asks as questions: done by the person, open again, settled by mail meanwhile."""

import asyncio

import pytest
from fixtures.matching import MatchRunner
from fixtures.reviewer import Reviewer
from fixtures.samples import Samples, day

from matcher.resolutions.refusals import ChoiceNotEligible, StaleState
from matcher.resolutions.types import AskItem, Resolved
from schema.errors import Missing, Refusal
from schema.ids import AccountId, AskId


@pytest.fixture
async def asked(samples: Samples, match: MatchRunner) -> AskId:
    samples.application()
    samples.message(
        "assessment_invite",
        employer="Northwind",
        role="Data Engineer",
        deadline="2026-03-20",
        body="Northwind: please do the test for Data Engineer by 2026-03-20.",
    )
    await match()
    return AskId(int(str(samples.rows("SELECT id FROM asks")[0][0])))


async def test_an_ask_is_shown_with_its_words(reviewer: Reviewer, asked: AskId):
    shown = await reviewer.ask(asked)
    assert (shown.ask, shown.waits, shown.rank, shown.at) == ("finish_assessment", True, 2, day(10))
    assert shown.application.role == "Data Engineer"
    assert "deadline" in {mark.says for mark in shown.excerpt.marks}
    assert shown.option("mark_done") and shown.options[0].touches.asks == [asked]
    line = (await reviewer.queue()).lines[0]
    assert (line.id, line.title, line.company) == (f"ask:{asked}", "Finish the assessment?", "Northwind")


async def test_done_settles_it_and_undo_opens_it_again(reviewer: Reviewer, asked: AskId):
    done = await reviewer.answer(f"ask:{asked}", "mark_done")
    assert (await reviewer.ask(asked)).settled_by == "person"
    assert (await reviewer.queue()).total == 0
    entry = (await reviewer.past())[0]
    assert (entry.id, entry.choice, entry.item, entry.can_undo) == (
        done.entry,
        "mark_done",
        f"ask:{asked}",
        True,
    )
    await reviewer.undo(done.entry, done.entry_version)
    assert (await reviewer.ask(asked)).waits
    assert (await reviewer.past())[0].undone_at is not None


async def test_the_item_itself_takes_it_back(reviewer: Reviewer, asked: AskId):
    await reviewer.answer(f"ask:{asked}", "mark_done")
    with pytest.raises(ChoiceNotEligible):
        await reviewer.answer(f"ask:{asked}", "mark_done")
    await reviewer.answer(f"ask:{asked}", "undo")
    assert (await reviewer.ask(asked)).waits
    with pytest.raises(ChoiceNotEligible):
        await reviewer.answer(f"ask:{asked}", "undo")


async def test_what_mail_settled_meanwhile_stays_settled(
    reviewer: Reviewer, asked: AskId, samples: Samples, match: MatchRunner
):
    done = await reviewer.answer(f"ask:{asked}", "mark_done")
    samples.message("rejection", employer="Northwind", role="Data Engineer", sent=12)
    await match()
    await reviewer.undo(done.entry)
    shown = await reviewer.ask(asked)
    assert (shown.settled_by, shown.waits) == ("message", False)
    assert shown.why == "A later message settled it."
    with pytest.raises(ChoiceNotEligible):
        await reviewer.answer(f"ask:{asked}", "mark_done")


@pytest.mark.parametrize("choice", ["mark_done", "undo"])
async def test_a_superseded_version_changes_nothing(
    choice: str, reviewer: Reviewer, asked: AskId, samples: Samples, match: MatchRunner
):
    seen = await reviewer.ask(asked)
    samples.message("rejection", employer="Northwind", role="Data Engineer", sent=12)
    await match()
    with pytest.raises(StaleState) as refused:
        await reviewer.answer(seen.id, choice, version=seen.version)  # type: ignore[arg-type]
    assert isinstance(refused.value.item, AskItem) and refused.value.item.settled_by == "message"
    assert not await reviewer.past()


async def test_of_two_answers_exactly_one_wins(reviewer: Reviewer, asked: AskId):
    seen = await reviewer.ask(asked)

    async def tab() -> Resolved | Refusal:
        try:
            return await reviewer.answer(seen.id, "mark_done", version=seen.version)
        except Refusal as refused:
            return refused

    done = await asyncio.gather(tab(), tab())
    assert sorted(type(result).__name__ for result in done) == ["Resolved", "StaleState"]
    assert len(await reviewer.past()) == 1


async def test_another_accounts_ask_is_missing(reviewer: Reviewer, asked: AskId, other_account: AccountId):
    with pytest.raises(Missing):
        await reviewer.of(other_account).item(f"ask:{asked}")
    with pytest.raises(Missing):
        await reviewer.of(other_account).answer(f"ask:{asked}", "mark_done", version="x")
