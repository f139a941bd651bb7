"""Whole patterns of evidence: looked at by a sample, answered as one act, and taken back as one."""

import asyncio

import pytest
from fixtures.matching import MatchRunner
from fixtures.reviewer import Reviewer
from fixtures.samples import Samples
from fixtures.waiting import LongQueue

from matcher.applications.store import application
from matcher.resolutions.bulk import answering, doing
from matcher.resolutions.bulk.store import patterns
from matcher.resolutions.bulk.tasks import match_bulk
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState
from matcher.resolutions.types import BulkChoice, BulkDone
from pipeline.worker.types import Done, TaskProgress, TaskRun
from schema.errors import Missing, Refusal
from schema.ids import AccountId, ActId, TaskId
from schema.tasks import BulkMatch

PATTERN = "close:employer+time"
CHOICES: list[BulkChoice] = ["confirm", "not_an_application", "not_job_mail"]


def outcomes(samples: Samples) -> dict[str, int]:
    rows = samples.rows("SELECT outcome, count(*) FROM matches GROUP BY outcome")
    return {str(outcome): int(str(count)) for outcome, count in rows}


async def run_task(reviewer: Reviewer, act_id: ActId) -> tuple[Done, list[TaskProgress]]:
    reports: list[TaskProgress] = []

    async def report(progress: TaskProgress) -> None:
        reports.append(progress)

    run = TaskRun(
        db=reviewer.database,
        clock=reviewer.clock,
        task_id=TaskId(1),
        account_id=reviewer.account,
        attempt=1,
        report=report,
    )
    return await match_bulk(run, BulkMatch(act_id=act_id)), reports


async def test_patterns_are_listed_by_how_many_wait(reviewer: Reviewer, long_queue: LongQueue):
    long_queue.fill(50)
    async with reviewer.database.as_account(reviewer.account) as unit:
        found = await patterns(unit)
    assert [(line.pattern, line.count, line.confirm_rate) for line in found] == [
        (PATTERN, 40, None),
        ("weak:employer", 10, None),
    ]
    assert found[0].why == "Two of your applications fit about equally well."


async def test_a_pattern_is_shown_by_a_sample_with_every_id_it_would_touch(
    reviewer: Reviewer, long_queue: LongQueue
):
    long_queue.fill(50)
    shown = await reviewer.bulk(PATTERN)
    touched = shown.option("confirm").touches
    assert (shown.count, len(shown.sample), len(touched.messages)) == (40, 10, 40)
    assert touched.applications == [long_queue.first]
    places = [touched.messages.index(item.message_id) for item in shown.sample]
    assert places == [0, 4, 8, 12, 16, 20, 24, 28, 32, 36], "spread over all"
    assert all(item.pattern == PATTERN and item.waits for item in shown.sample)
    assert all(option.eligible for option in shown.options)
    with pytest.raises(Missing):
        await reviewer.bulk("weak:nothing")


@pytest.mark.parametrize("choice", CHOICES)
async def test_one_act_answers_all_and_takes_all_back(
    choice: BulkChoice, reviewer: Reviewer, long_queue: LongQueue, samples: Samples
):
    long_queue.fill(25)
    done = await reviewer.answer_all(PATTERN, choice)
    expected = "attached" if choice == "confirm" else choice
    assert outcomes(samples) == {expected: 20, "asks": 5}
    assert (done.messages, done.is_done) == (20, True)
    [entry] = await reviewer.past()
    assert (entry.choice, entry.pattern, entry.messages, entry.can_undo) == (choice, PATTERN, 20, True)
    assert (entry.id, entry.version) == (done.entry, done.entry_version)
    undone = await reviewer.undo(done.entry, done.entry_version)
    assert len(undone.touched.messages) == 20
    assert outcomes(samples) == {"asks": 25}
    assert (await reviewer.bulk(PATTERN)).count == 20
    assert samples.rows("SELECT count(*) FROM attachments") == [(0,)]
    [entry] = await reviewer.past()
    assert (entry.undone_at is not None, entry.can_undo) == (True, False)


async def test_confirming_moves_the_applications(reviewer: Reviewer, long_queue: LongQueue):
    long_queue.fill(25)
    done = await reviewer.answer_all(PATTERN, "confirm")
    async with reviewer.database.as_account(reviewer.account) as unit:
        assert (await application(unit, long_queue.first)).stage == "rejected"
        assert (await application(unit, long_queue.first)).messages == 20
    await reviewer.undo(done.entry)
    async with reviewer.database.as_account(reviewer.account) as unit:
        assert (await application(unit, long_queue.first)).stage == "applied"


async def test_not_job_mail_is_said_to_the_mail_page_and_unsaid_there(
    reviewer: Reviewer, long_queue: LongQueue, samples: Samples
):
    long_queue.fill(5)
    message = (await reviewer.bulk(PATTERN)).sample[0].message_id
    done = await reviewer.answer_all(PATTERN, "not_job_mail")
    assert (await reviewer.look(message)).excerpt.kinds == ["not_job_related"]
    corrected = (await reviewer.bulk("weak:employer")).sample[0].message_id
    assert (await reviewer.look(corrected)).excerpt.kinds == ["rejection"]
    await reviewer.undo(done.entry)
    assert (await reviewer.look(message)).excerpt.kinds == ["rejection"]


async def test_what_was_decided_anew_since_stays(reviewer: Reviewer, long_queue: LongQueue, samples: Samples):
    long_queue.fill(10)
    message = (await reviewer.bulk(PATTERN)).sample[0].message_id
    done = await reviewer.answer_all(PATTERN, "confirm")
    await reviewer.answer(message, "assign", target=long_queue.second)
    undone = await reviewer.undo(done.entry)
    assert len(undone.touched.messages) == 7
    assert (await reviewer.look(message)).application_ids == [long_queue.second]


async def test_one_message_of_it_can_be_taken_back_alone(reviewer: Reviewer, long_queue: LongQueue):
    long_queue.fill(10)
    message = (await reviewer.bulk(PATTERN)).sample[0].message_id
    done = await reviewer.answer_all(PATTERN, "confirm")
    await reviewer.answer(message, "undo")
    assert (await reviewer.look(message)).waits
    assert len((await reviewer.undo(done.entry)).touched.messages) == 7


async def test_a_changed_set_is_refused_with_the_fresh_one(
    reviewer: Reviewer, long_queue: LongQueue, samples: Samples
):
    long_queue.fill(10)
    seen = await reviewer.bulk(PATTERN)
    await reviewer.answer(seen.sample[0].message_id, "not_an_application")
    for choice in CHOICES:
        with pytest.raises(StaleState) as refused:
            await reviewer.answer_all(PATTERN, choice, seen.version)
        assert refused.value.bulk and refused.value.bulk.count == seen.count - 1
    assert outcomes(samples) == {"asks": 9, "not_an_application": 1}
    assert samples.rows("SELECT count(*) FROM acts") == [(0,)]


async def test_nothing_left_is_a_changed_set_too(reviewer: Reviewer, long_queue: LongQueue):
    long_queue.fill(5)
    seen = await reviewer.bulk(PATTERN)
    await reviewer.answer_all(PATTERN, "confirm")
    with pytest.raises(StaleState) as refused:
        await reviewer.answer_all(PATTERN, "confirm", seen.version)
    assert refused.value.bulk and refused.value.bulk.count == 0


async def test_of_two_tabs_exactly_one_wins(reviewer: Reviewer, long_queue: LongQueue, samples: Samples):
    long_queue.fill(10)
    seen = await reviewer.bulk(PATTERN)

    async def tab(choice: BulkChoice) -> BulkDone | Refusal:
        try:
            return await reviewer.answer_all(PATTERN, choice, seen.version)
        except Refusal as refused:
            return refused

    done = await asyncio.gather(tab("confirm"), tab("not_job_mail"))
    assert sorted(type(result).__name__ for result in done) == ["BulkDone", "StaleState"]
    assert samples.rows("SELECT count(*) FROM match_decisions WHERE actor = 'person'") == [(8,)]


async def test_only_what_has_a_candidate_can_be_confirmed(
    reviewer: Reviewer, samples: Samples, match: MatchRunner
):
    for sent in range(10, 13):
        samples.message("rejection", sent=sent)
    await match()
    shown = await reviewer.bulk("alone")
    assert (shown.count, shown.option("confirm").eligible) == (3, False)
    assert shown.option("confirm").reason == "None of them has a candidate to confirm."
    with pytest.raises(ChoiceNotEligible):
        await reviewer.answer_all("alone", "confirm")
    await reviewer.answer_all("alone", "not_an_application")
    assert outcomes(samples) == {"not_an_application": 3}


async def test_what_was_not_looked_at_one_by_one_measures_nothing(reviewer: Reviewer, long_queue: LongQueue):
    long_queue.fill(10)
    some = (await reviewer.bulk(PATTERN)).sample
    await reviewer.answer(some[0].message_id, "confirm")
    await reviewer.answer(some[1].message_id, "not_an_application")
    shown = await reviewer.bulk(PATTERN)
    assert (shown.confirm_rate, shown.answered) == (0.5, 2)
    done = await reviewer.answer_all(PATTERN, "confirm")
    assert (await reviewer.look(some[2].message_id)).confirm_rate == 0.5
    await reviewer.undo(done.entry)
    assert (await reviewer.bulk(PATTERN)).answered == 2


async def test_another_account_touches_nothing(
    reviewer: Reviewer, long_queue: LongQueue, other_account: AccountId, samples: Samples
):
    long_queue.fill(5)
    theirs = reviewer.of(other_account)
    seen = await reviewer.bulk(PATTERN)
    with pytest.raises(Missing):
        await theirs.bulk(PATTERN)
    with pytest.raises(StaleState):
        await theirs.answer_all(PATTERN, "confirm", seen.version)
    done = await reviewer.answer_all(PATTERN, "confirm")
    with pytest.raises(Missing):
        await theirs.undo(done.entry, done.entry_version)
    assert outcomes(samples) == {"asks": 1, "attached": 4}


# Many


@pytest.fixture
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doing, "AT_ONCE", 3)
    monkeypatch.setattr(answering, "AT_ONCE", 3)


@pytest.mark.usefixtures("few_at_once")
async def test_many_are_left_to_a_task(reviewer: Reviewer, long_queue: LongQueue, samples: Samples):
    long_queue.fill(10)
    done = await reviewer.answer_all(PATTERN, "confirm")
    assert (done.is_done, outcomes(samples)) == (False, {"asks": 10})
    assert samples.rows("SELECT kind, payload->>'act_id' FROM tasks WHERE kind = 'match.bulk.v1'") == [
        ("match.bulk.v1", str(done.act_id))
    ]
    ended, reports = await run_task(reviewer, done.act_id)
    assert (ended.word, outcomes(samples)) == ("decided", {"asks": 2, "attached": 8})
    assert (reports[-1].done, reports[-1].total) == (8, 8)
    assert (await run_task(reviewer, done.act_id))[0].word == "decided"
    assert samples.rows("SELECT count(*) FROM match_decisions WHERE actor = 'person'") == [(8,)]
    assert (await reviewer.past())[0].messages == 8
    await reviewer.undo(done.entry)
    assert (await run_task(reviewer, done.act_id))[0].word == "taken_back"
    assert outcomes(samples) == {"asks": 10}


@pytest.mark.usefixtures("few_at_once")
async def test_the_task_approves_only_what_was_looked_at(
    reviewer: Reviewer, long_queue: LongQueue, samples: Samples
):
    long_queue.fill(10)
    message = (await reviewer.bulk(PATTERN)).sample[0].message_id
    done = await reviewer.answer_all(PATTERN, "confirm")
    await reviewer.answer(message, "assign", target=long_queue.second)
    later = samples.message("rejection")
    await run_task(reviewer, done.act_id)
    assert (await reviewer.look(message)).application_ids == [long_queue.second]
    assert (await reviewer.look(later)).outcome == "not_examined"
    assert (await reviewer.line(done.entry)).messages == 7


@pytest.mark.usefixtures("few_at_once")
async def test_taken_back_before_it_was_done_it_is_never_done(
    reviewer: Reviewer, long_queue: LongQueue, samples: Samples
):
    long_queue.fill(10)
    done = await reviewer.answer_all(PATTERN, "not_an_application")
    await reviewer.undo(done.entry, done.entry_version)
    assert (await run_task(reviewer, done.act_id))[0].word == "taken_back"
    assert outcomes(samples) == {"asks": 10}


async def test_batches_are_one_act(
    reviewer: Reviewer, long_queue: LongQueue, samples: Samples, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("matcher.resolutions.messages.many.BATCH", 7)
    long_queue.fill(50)
    done = await reviewer.answer_all(PATTERN, "confirm")
    assert outcomes(samples) == {"asks": 10, "attached": 40}
    assert len((await reviewer.undo(done.entry)).touched.messages) == 40
    assert outcomes(samples) == {"asks": 50}
