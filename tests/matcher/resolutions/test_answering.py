"""A person's answers on the real database: each verb, its undo, races, and what nobody may touch."""

import asyncio

import pytest
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.samples import Samples, day

from matcher.applications.store import application, dismiss, set_note
from matcher.resolutions.answering import resolve
from matcher.resolutions.former import Item, NewFromMessage, Resolved
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState, TargetRequired
from matcher.resolutions.store import confirm_rates, history, item, waiting
from schema.db import Database
from schema.errors import Invalid, Missing, Refusal
from schema.ids import AccountId, ApplicationId, DecisionId, MessageId
from schema.vocabulary import Choice

VERBS: list[Choice] = [
    "confirm",
    "reject",
    "assign",
    "create_application",
    "not_an_application",
    "not_job_mail",
]


class Desk:
    """One person at the review page."""

    def __init__(self, database: Database, account: AccountId, clock: FixedClock) -> None:
        self.database = database
        self.account = account
        self.clock = clock

    async def look(self, message_id: MessageId) -> Item:
        async with self.database.as_account(self.account) as unit:
            return await item(unit, message_id)

    async def answer(
        self,
        message_id: MessageId,
        choice: Choice,
        *,
        target: ApplicationId | None = None,
        version: DecisionId | None = None,
        new: NewFromMessage | None = None,
    ) -> Resolved:
        seen = (await self.look(message_id)).version if version is None else version
        async with self.database.as_account(self.account) as unit:
            return await resolve(
                unit, message_id, version=seen, choice=choice, target=target, new=new, now=self.clock.now()
            )


@pytest.fixture
def desk(database: Database, account: AccountId, clock: FixedClock) -> Desk:
    return Desk(database, account, clock)


class Doubt:
    """Two applications at one employer and a refusal that names neither role."""

    def __init__(self, samples: Samples) -> None:
        self.first = samples.application()
        self.second = samples.application(role="Designer")
        self.message = samples.message("rejection", employer="Northwind", body="Northwind will not go on.")


@pytest.fixture
async def doubt(samples: Samples, match: MatchRunner) -> Doubt:
    made = Doubt(samples)
    await match()
    return made


def target_of(choice: Choice, doubt: Doubt) -> ApplicationId | None:
    return doubt.second if choice in {"confirm", "reject", "assign"} else None


# The item


async def test_an_item_shows_spans_candidates_and_choices(desk: Desk, doubt: Doubt):
    shown = await desk.look(doubt.message)
    assert (shown.outcome, shown.application_id, shown.changes_stage) == ("asks", None, True)
    assert [candidate.application_id for candidate in shown.candidates] == [doubt.first, doubt.second]
    assert shown.candidates[0].evidence_for[0].says == "It names Northwind as the employer."
    assert shown.excerpt.text == "Northwind will not go on."
    marks = {(mark.says, shown.excerpt.text[mark.start : mark.end]) for mark in shown.excerpt.marks}
    assert ("It names Northwind as the employer.", "Northwind") in marks
    assert ("rejection", "Northwind will not go on.") in marks
    options = {option.choice: option for option in shown.options}
    assert options["confirm"].eligible and options["assign"].needs_target and options["reject"].needs_target
    assert (options["undo"].eligible, options["undo"].reason) == (
        False,
        "There is nothing of yours to take back.",
    )
    assert all(option.affects == [doubt.message] for option in shown.options)
    assert shown.confirm_rate is None


async def test_a_message_without_a_body_is_shown_as_such(desk: Desk, samples: Samples, match: MatchRunner):
    message = samples.message("rejection", body=None)
    await match()
    shown = await desk.look(message)
    assert (shown.excerpt.text, shown.candidates) == (None, [])
    options = {option.choice: option for option in shown.options}
    assert not options["confirm"].eligible and not options["assign"].eligible
    assert options["not_an_application"].eligible


async def test_an_unexamined_message_can_be_answered(desk: Desk, samples: Samples):
    applied = samples.application()
    message = samples.message("rejection")
    assert (await desk.look(message)).version == 0
    done = await desk.answer(message, "assign", target=applied)
    assert (done.outcome, done.application_id) == ("attached", applied)


# The queue


async def test_the_queue_ranks_what_moves_an_application_first(
    desk: Desk, samples: Samples, match: MatchRunner
):
    samples.application()
    samples.application(role="Designer")
    moving = [samples.message("rejection", employer="Northwind", subject=f"No {n}") for n in range(3)]
    resting = [
        samples.message("status_update", employer="Northwind", subject=f"News {n}", body="x")
        for n in range(2)
    ]
    await match()
    seen: list[MessageId] = []
    async with desk.database.as_account(desk.account) as unit:
        page = await waiting(unit, limit=2)
        total, changing = page.total, page.changing
        seen += [line.message_id for line in page.items]
        while page.next:
            page = await waiting(unit, after=page.next, limit=2)
            seen += [line.message_id for line in page.items]
    assert seen == [*reversed(moving), *(message for message in reversed(resting) if message in seen)]
    assert (total, changing) == (len(seen), 3)


async def test_an_answered_item_leaves_the_queue(desk: Desk, doubt: Doubt):
    await desk.answer(doubt.message, "confirm", target=doubt.second)
    async with desk.database.as_account(desk.account) as unit:
        page = await waiting(unit)
    assert (page.items, page.total) == ([], 0)


# Each verb


async def test_confirm_without_a_target_means_the_likeliest(desk: Desk, doubt: Doubt):
    done = await desk.answer(doubt.message, "confirm")
    assert (done.outcome, done.application_id, done.message_ids) == ("attached", doubt.first, [doubt.message])
    async with desk.database.as_account(desk.account) as unit:
        assert (await application(unit, doubt.first)).stage == "rejected"


async def test_assign_takes_any_application(desk: Desk, doubt: Doubt, samples: Samples):
    elsewhere = samples.application("Contoso", "Analyst")
    done = await desk.answer(doubt.message, "assign", target=elsewhere)
    assert done.application_id == elsewhere
    assert (await desk.look(doubt.message)).candidates[0].application_id == elsewhere


async def test_reject_leaves_the_others_and_the_machine_never_proposes_it_again(
    desk: Desk, doubt: Doubt, match: MatchRunner
):
    done = await desk.answer(doubt.message, "reject", target=doubt.second)
    assert (done.outcome, done.application_id) == ("asks", None)
    await match()
    shown = await desk.look(doubt.message)
    assert doubt.second not in [candidate.application_id for candidate in shown.candidates]
    assert shown.application_id == doubt.first


async def test_rejecting_what_the_machine_attached_needs_no_target(
    desk: Desk, samples: Samples, match: MatchRunner
):
    applied = samples.application()
    message = samples.message("rejection", employer="Northwind", role="Data Engineer")
    await match()
    assert (await desk.answer(message, "reject")).outcome == "none"
    await match()
    shown = await desk.look(message)
    assert (shown.outcome, shown.candidates) == ("asks", [])
    async with desk.database.as_account(desk.account) as unit:
        assert (await application(unit, applied)).stage == "applied"


async def test_create_uses_the_words_of_the_message(desk: Desk, samples: Samples, match: MatchRunner):
    message = samples.message("interview_invite", employer="Contoso", role="Analyst", requisition="R-81234")
    await match()
    done = await desk.answer(message, "create_application", new=NewFromMessage(role="Senior Analyst"))
    async with desk.database.as_account(desk.account) as unit:
        made = await application(unit, done.application_id or ApplicationId(0))
    assert done.created
    assert (made.company, made.role, made.requisition_id) == ("Contoso", "Senior Analyst", "R-81234")
    assert (made.origin, made.stage, made.applied_at) == ("manual", "interviewing", None)


async def test_create_needs_a_name_from_somewhere(desk: Desk, samples: Samples, match: MatchRunner):
    message = samples.message("interview_invite")
    await match()
    with pytest.raises(Invalid) as refused:
        await desk.answer(message, "create_application")
    assert refused.value.field == "company"


@pytest.mark.parametrize("choice", ["not_an_application", "not_job_mail"])
async def test_saying_that_it_is_nothing_settles_it(
    choice: Choice, desk: Desk, doubt: Doubt, match: MatchRunner, samples: Samples
):
    assert (await desk.answer(doubt.message, choice)).outcome == choice
    samples.rows("UPDATE matches SET stale = true")
    await match()
    assert (await desk.look(doubt.message)).outcome == choice
    with pytest.raises(ChoiceNotEligible):
        await desk.answer(doubt.message, choice)


async def test_not_job_mail_is_said_to_the_mail_page_as_well_and_undone_there(
    desk: Desk, doubt: Doubt, samples: Samples, match: MatchRunner
):
    await desk.answer(doubt.message, "not_job_mail")
    assert (await desk.look(doubt.message)).kinds == ["not_job_related"]
    await desk.answer(doubt.message, "undo")
    assert (await desk.look(doubt.message)).kinds == ["rejection"]


async def test_undo_leaves_a_later_correction_of_the_reading_alone(
    desk: Desk, doubt: Doubt, samples: Samples
):
    await desk.answer(doubt.message, "not_job_mail")
    samples.reading(doubt.message, "offer", stage="person", actor=samples.account)
    await desk.answer(doubt.message, "undo")
    assert (await desk.look(doubt.message)).kinds == ["offer"]


@pytest.mark.parametrize("choice", VERBS)
async def test_every_verb_is_undone_to_what_was_before(
    choice: Choice, desk: Desk, doubt: Doubt, match: MatchRunner
):
    before = await desk.look(doubt.message)
    await desk.answer(doubt.message, choice, target=target_of(choice, doubt))
    undone = await desk.answer(doubt.message, "undo")
    await match()
    after = await desk.look(doubt.message)
    assert (undone.outcome, undone.application_id) == ("asks", None)
    assert (after.outcome, after.application_id, after.candidates) == (
        before.outcome,
        before.application_id,
        before.candidates,
    )
    assert not after.by_person
    assert {option.choice for option in after.options if option.eligible} == {
        option.choice for option in before.options if option.eligible
    }


async def test_undo_of_an_undone_answer_goes_one_answer_further_back(desk: Desk, doubt: Doubt):
    await desk.answer(doubt.message, "assign", target=doubt.first)
    await desk.answer(doubt.message, "assign", target=doubt.second)
    assert (await desk.answer(doubt.message, "undo")).application_id == doubt.first
    assert (await desk.look(doubt.message)).by_person
    assert (await desk.answer(doubt.message, "undo")).outcome == "asks"
    with pytest.raises(ChoiceNotEligible):
        await desk.answer(doubt.message, "undo")


async def test_undoing_a_creation_dismisses_what_it_made_unless_it_was_used(
    desk: Desk, samples: Samples, match: MatchRunner
):
    unused = samples.message("interview_invite", employer="Contoso", role="Analyst")
    used = samples.message("interview_invite", employer="Fabrikam", role="Analyst")
    await match()
    first = (await desk.answer(unused, "create_application")).application_id
    second = (await desk.answer(used, "create_application")).application_id
    assert first and second
    async with desk.database.as_account(desk.account) as unit:
        await set_note(unit, second, "They called", now=desk.clock.now())
    await desk.answer(unused, "undo")
    await desk.answer(used, "undo")
    async with desk.database.as_account(desk.account) as unit:
        assert (await application(unit, first)).dismissed_at is not None
        assert (await application(unit, second)).dismissed_at is None


async def test_an_undone_link_is_decided_by_the_machine_again(
    desk: Desk, samples: Samples, match: MatchRunner
):
    applied = samples.application()
    other = samples.application("Contoso", "Analyst")
    message = samples.message("rejection", employer="Northwind", role="Data Engineer")
    await match()
    await desk.answer(message, "assign", target=other)
    undone = await desk.answer(message, "undo")
    assert (undone.outcome, undone.application_id) == ("attached", applied)
    assert await match()
    shown = await desk.look(message)
    assert (shown.application_id, shown.by_person, shown.version) == (applied, False, undone.version)


# Persons before machines


@pytest.mark.parametrize("choice", ["confirm", "assign", "not_an_application", "not_job_mail"])
async def test_no_run_overturns_a_person(
    choice: Choice, desk: Desk, doubt: Doubt, match: MatchRunner, samples: Samples
):
    done = await desk.answer(doubt.message, choice, target=target_of(choice, doubt))
    samples.reading(doubt.message, "rejection", employer="Northwind", role="Data Engineer")
    samples.rows("UPDATE matches SET stale = true")
    await match()
    shown = await desk.look(doubt.message)
    assert (shown.version, shown.by_person, shown.application_id) == (done.version, True, done.application_id)


async def test_an_answer_lends_to_the_conversation(desk: Desk, samples: Samples, match: MatchRunner):
    applied = samples.application()
    first = samples.message("info_request", rfc_id="<q@x>", sender="jo@mail.example")
    reply = samples.message("interview_invite", references=["<q@x>"], sender="kim@mail.example", sent=12)
    await match()
    assert (await desk.look(reply)).outcome == "asks"
    await desk.answer(first, "assign", target=applied)
    await match()
    assert (await desk.look(reply)).application_id == applied
    await desk.answer(first, "undo")
    await match()
    assert (await desk.look(reply)).outcome == "asks"


# Versions


@pytest.mark.parametrize("choice", [*VERBS, "undo"])
async def test_an_answer_to_a_superseded_item_changes_nothing_and_gets_the_fresh_one(
    choice: Choice, desk: Desk, doubt: Doubt, samples: Samples
):
    seen = await desk.look(doubt.message)
    await desk.answer(doubt.message, "assign", target=doubt.second)
    count = samples.rows("SELECT count(*), (SELECT count(*) FROM applications) FROM match_decisions")
    with pytest.raises(StaleState) as refused:
        await desk.answer(doubt.message, choice, target=target_of(choice, doubt), version=seen.version)
    assert (refused.value.item.application_id, refused.value.item.by_person) == (doubt.second, True)
    assert (refused.value.code, refused.value.kind) == ("stale_state", "conflict")
    assert samples.rows("SELECT count(*), (SELECT count(*) FROM applications) FROM match_decisions") == count


async def test_a_match_in_between_makes_the_item_stale(
    desk: Desk, doubt: Doubt, match: MatchRunner, samples: Samples
):
    seen = await desk.look(doubt.message)
    samples.reading(doubt.message, "rejection", employer="Northwind", role="Designer")
    await match()
    with pytest.raises(StaleState) as refused:
        await desk.answer(doubt.message, "confirm", version=seen.version)
    assert refused.value.item.application_id == doubt.second


async def test_of_two_tabs_exactly_one_wins(desk: Desk, doubt: Doubt, samples: Samples):
    seen = await desk.look(doubt.message)

    async def tab(target: ApplicationId) -> Resolved | Refusal:
        try:
            return await desk.answer(doubt.message, "confirm", target=target, version=seen.version)
        except Refusal as refused:
            return refused

    done = await asyncio.gather(tab(doubt.first), tab(doubt.second))
    won = [result for result in done if isinstance(result, Resolved)]
    lost = [result for result in done if isinstance(result, StaleState)]
    assert len(won) == len(lost) == 1
    assert lost[0].item.version == won[0].version
    assert lost[0].item.application_id == won[0].application_id
    assert samples.rows("SELECT count(*) FROM match_decisions WHERE actor = 'person'") == [(1,)]


# Refusals


async def test_targets_are_required_and_checked(
    desk: Desk, doubt: Doubt, samples: Samples, other_account: AccountId, clock: FixedClock
):
    theirs = samples.of(other_account).application("Contoso", "Analyst")
    mine = samples.application("Fabrikam", "Cook")
    gone = samples.application("Gone", "Cook")
    async with desk.database.as_account(desk.account) as unit:
        await dismiss(unit, gone, now=clock.now())
    with pytest.raises(TargetRequired):
        await desk.answer(doubt.message, "assign")
    with pytest.raises(TargetRequired):
        await desk.answer(doubt.message, "reject")
    with pytest.raises(Missing):
        await desk.answer(doubt.message, "assign", target=theirs)
    with pytest.raises(Missing):
        await desk.answer(doubt.message, "assign", target=ApplicationId(999_999))
    for choice in ("confirm", "reject"):
        with pytest.raises(ChoiceNotEligible):
            await desk.answer(doubt.message, choice, target=mine)
    with pytest.raises(ChoiceNotEligible):
        await desk.answer(doubt.message, "assign", target=gone)
    assert samples.rows("SELECT count(*) FROM match_decisions WHERE actor = 'person'") == [(0,)]


async def test_another_accounts_message_is_missing(desk: Desk, samples: Samples, other_account: AccountId):
    theirs = samples.of(other_account).message("rejection")
    for version in (DecisionId(0), DecisionId(1)):
        with pytest.raises(Missing):
            await desk.answer(theirs, "not_job_mail", version=version)
    with pytest.raises(Missing):
        await desk.look(theirs)


# What is remembered


async def test_history_says_what_was_decided_and_what_it_replaced(desk: Desk, doubt: Doubt):
    await desk.answer(doubt.message, "assign", target=doubt.first)
    await desk.answer(doubt.message, "assign", target=doubt.second)
    await desk.answer(doubt.message, "undo")
    async with desk.database.as_account(desk.account) as unit:
        entries = await history(unit)
        older = await history(unit, before=entries[0].decision_id, limit=1)
    assert [(entry.choice, entry.application_id, entry.undone_at is None) for entry in entries] == [
        ("undo", doubt.first, True),
        ("assign", doubt.second, False),
        ("assign", doubt.first, True),
    ]
    assert entries[2].replaced_outcome == "asks"
    assert (entries[1].replaced_application_id, entries[1].role) == (doubt.first, "Designer")
    assert older == [entries[1]]


async def test_confirm_rates_are_unknown_until_measured(
    desk: Desk, samples: Samples, match: MatchRunner, doubt: Doubt
):
    again = samples.message("rejection", employer="Northwind", sent=11)
    third = samples.message("rejection", employer="Northwind", sent=12)
    await match()
    assert (await desk.look(again)).confirm_rate is None
    await desk.answer(doubt.message, "confirm")
    await desk.answer(again, "assign", target=doubt.second)
    async with desk.database.as_account(desk.account) as unit:
        rates = await confirm_rates(unit)
    assert [(rate.answered, rate.confirmed, rate.rate) for rate in rates] == [(2, 1, 0.5)]
    assert (await desk.look(third)).confirm_rate == 0.5
    await desk.answer(again, "undo")
    assert (await desk.look(third)).confirm_rate == 1.0


async def test_times_come_from_the_clock(desk: Desk, doubt: Doubt, clock: FixedClock):
    clock.at = day(25)
    await desk.answer(doubt.message, "not_an_application")
    async with desk.database.as_account(desk.account) as unit:
        assert (await history(unit))[0].decided_at == day(25)
