"""A person's answers on the real database: each verb, its undo, races, and what nobody may touch."""

import asyncio

import pytest
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.reviewer import Reviewer
from fixtures.samples import Samples, day

from matcher.applications.store import application, dismiss, set_note
from matcher.resolutions.rates.store import confirm_rates
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState, TargetRequired
from matcher.resolutions.types import MessageItem, NewFromMessage, Resolved
from schema.errors import Invalid, Missing, Refusal
from schema.ids import AccountId, ApplicationId
from schema.vocabulary import Choice

VERBS: list[Choice] = [
    "confirm",
    "reject",
    "assign",
    "create_application",
    "not_an_application",
    "not_job_mail",
]


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


async def test_an_item_shows_spans_candidates_and_choices(reviewer: Reviewer, doubt: Doubt):
    shown = await reviewer.look(doubt.message)
    assert (shown.outcome, shown.application_ids, shown.rank, shown.waits) == ("asks", [], 3, True)
    assert shown.why == "Two of your applications fit about equally well."
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
    assert all(option.touches.messages == [doubt.message] for option in shown.options)
    assert options["confirm"].touches.applications == [doubt.first]
    assert (options["reject"].target_source, options["assign"].target_source) == (
        "candidates",
        "applications",
    )
    assert shown.confirm_rate is None


async def test_a_message_without_a_body_is_shown_as_such(
    reviewer: Reviewer, samples: Samples, match: MatchRunner
):
    message = samples.message("rejection", body=None)
    await match()
    shown = await reviewer.look(message)
    assert (shown.excerpt.text, shown.candidates) == (None, [])
    options = {option.choice: option for option in shown.options}
    assert not options["confirm"].eligible and not options["assign"].eligible
    assert options["not_an_application"].eligible


async def test_an_unexamined_message_can_be_answered(reviewer: Reviewer, samples: Samples):
    applied = samples.application()
    message = samples.message("rejection")
    assert (await reviewer.look(message)).outcome == "not_examined"
    done = await reviewer.answer(message, "assign", target=applied)
    assert (done.outcome, done.application_id) == ("attached", applied)


# Each verb


async def test_confirm_without_a_target_means_the_likeliest(reviewer: Reviewer, doubt: Doubt):
    done = await reviewer.answer(doubt.message, "confirm")
    assert (done.outcome, done.application_id, done.touched.messages) == (
        "attached",
        doubt.first,
        [doubt.message],
    )
    async with reviewer.database.as_account(reviewer.account) as unit:
        assert (await application(unit, doubt.first)).stage == "rejected"


async def test_assign_takes_any_application(reviewer: Reviewer, doubt: Doubt, samples: Samples):
    elsewhere = samples.application("Contoso", "Analyst")
    done = await reviewer.answer(doubt.message, "assign", target=elsewhere)
    assert done.application_id == elsewhere
    assert (await reviewer.look(doubt.message)).candidates[0].application_id == elsewhere


async def test_reject_leaves_the_others_and_the_machine_never_proposes_it_again(
    reviewer: Reviewer, doubt: Doubt, match: MatchRunner
):
    done = await reviewer.answer(doubt.message, "reject", target=doubt.second)
    assert (done.outcome, done.application_id) == ("asks", None)
    await match()
    shown = await reviewer.look(doubt.message)
    assert doubt.second not in [candidate.application_id for candidate in shown.candidates]
    assert shown.application_ids == [doubt.first]


async def test_rejecting_what_the_machine_attached_needs_no_target(
    reviewer: Reviewer, samples: Samples, match: MatchRunner
):
    applied = samples.application()
    message = samples.message("rejection", employer="Northwind", role="Data Engineer")
    await match()
    assert (await reviewer.answer(message, "reject")).outcome == "none"
    await match()
    shown = await reviewer.look(message)
    assert (shown.outcome, shown.candidates) == ("asks", [])
    async with reviewer.database.as_account(reviewer.account) as unit:
        assert (await application(unit, applied)).stage == "applied"


async def test_create_uses_the_words_of_the_message(reviewer: Reviewer, samples: Samples, match: MatchRunner):
    message = samples.message(
        "interview_invite",
        body="Contoso would like to talk about Analyst, R-81234.",
        employer="Contoso",
        role="Analyst",
        requisition="R-81234",
    )
    await match()
    done = await reviewer.answer(message, "create_application", new=NewFromMessage(role="Senior Analyst"))
    async with reviewer.database.as_account(reviewer.account) as unit:
        made = await application(unit, done.application_id or ApplicationId(0))
    assert done.created
    assert (made.company, made.role, made.requisition_id) == ("Contoso", "Senior Analyst", "R-81234")
    assert (made.origin, made.stage, made.applied_at) == ("manual", "interviewing", None)


async def test_create_needs_a_name_from_somewhere(reviewer: Reviewer, samples: Samples, match: MatchRunner):
    message = samples.message("interview_invite")
    await match()
    with pytest.raises(Invalid) as refused:
        await reviewer.answer(message, "create_application")
    assert refused.value.field == "company"


@pytest.mark.parametrize("choice", ["not_an_application", "not_job_mail"])
async def test_saying_that_it_is_nothing_settles_it(
    choice: Choice, reviewer: Reviewer, doubt: Doubt, match: MatchRunner, samples: Samples
):
    assert (await reviewer.answer(doubt.message, choice)).outcome == choice
    samples.rows("UPDATE matches SET stale = true")
    await match()
    assert (await reviewer.look(doubt.message)).outcome == choice
    with pytest.raises(ChoiceNotEligible):
        await reviewer.answer(doubt.message, choice)


async def test_not_job_mail_is_said_to_the_mail_page_as_well_and_undone_there(
    reviewer: Reviewer, doubt: Doubt, samples: Samples, match: MatchRunner
):
    await reviewer.answer(doubt.message, "not_job_mail")
    assert (await reviewer.look(doubt.message)).excerpt.kinds == ["not_job_related"]
    await reviewer.answer(doubt.message, "undo")
    assert (await reviewer.look(doubt.message)).excerpt.kinds == ["rejection"]


async def test_undo_leaves_a_later_correction_of_the_reading_alone(
    reviewer: Reviewer, doubt: Doubt, samples: Samples
):
    await reviewer.answer(doubt.message, "not_job_mail")
    samples.reading(doubt.message, "offer", stage="person", actor=samples.account)
    await reviewer.answer(doubt.message, "undo")
    assert (await reviewer.look(doubt.message)).excerpt.kinds == ["offer"]


@pytest.mark.parametrize("choice", VERBS)
async def test_every_verb_is_undone_to_what_was_before(
    choice: Choice, reviewer: Reviewer, doubt: Doubt, match: MatchRunner
):
    before = await reviewer.look(doubt.message)
    await reviewer.answer(doubt.message, choice, target=target_of(choice, doubt))
    undone = await reviewer.answer(doubt.message, "undo")
    await match()
    after = await reviewer.look(doubt.message)
    assert (undone.outcome, undone.application_id) == ("asks", None)
    assert (after.outcome, after.application_ids, after.candidates) == (
        before.outcome,
        before.application_ids,
        before.candidates,
    )
    assert not after.by_person
    assert {option.choice for option in after.options if option.eligible} == {
        option.choice for option in before.options if option.eligible
    }


async def test_undo_of_an_undone_answer_goes_one_answer_further_back(reviewer: Reviewer, doubt: Doubt):
    await reviewer.answer(doubt.message, "assign", target=doubt.first)
    await reviewer.answer(doubt.message, "assign", target=doubt.second)
    assert (await reviewer.answer(doubt.message, "undo")).application_id == doubt.first
    assert (await reviewer.look(doubt.message)).by_person
    assert (await reviewer.answer(doubt.message, "undo")).outcome == "asks"
    with pytest.raises(ChoiceNotEligible):
        await reviewer.answer(doubt.message, "undo")


async def test_undoing_a_creation_dismisses_what_it_made_unless_it_was_used(
    reviewer: Reviewer, samples: Samples, match: MatchRunner
):
    unused = samples.message("interview_invite", employer="Contoso", role="Analyst")
    used = samples.message("interview_invite", employer="Fabrikam", role="Analyst")
    await match()
    first = (await reviewer.answer(unused, "create_application")).application_id
    second = (await reviewer.answer(used, "create_application")).application_id
    assert first and second
    async with reviewer.database.as_account(reviewer.account) as unit:
        await set_note(unit, second, "They called", now=reviewer.clock.now())
    await reviewer.answer(unused, "undo")
    await reviewer.answer(used, "undo")
    async with reviewer.database.as_account(reviewer.account) as unit:
        assert (await application(unit, first)).dismissed_at is not None
        assert (await application(unit, second)).dismissed_at is None


async def test_mail_that_came_to_a_creation_by_itself_does_not_keep_it(
    reviewer: Reviewer, samples: Samples, match: MatchRunner
):
    invite = samples.message("interview_invite", employer="Contoso", role="Analyst")
    await match()
    made = (await reviewer.answer(invite, "create_application")).application_id
    assert made
    later = samples.message("status_update", sent=25, employer="Contoso", role="Analyst")
    await match()
    assert (await reviewer.look(later)).application_ids == [made]
    await reviewer.answer(invite, "undo")
    async with reviewer.database.as_account(reviewer.account) as unit:
        assert (await application(unit, made)).dismissed_at is not None
    await match()
    assert made not in (await reviewer.look(later)).application_ids


async def test_an_undone_link_is_decided_by_the_machine_again(
    reviewer: Reviewer, samples: Samples, match: MatchRunner
):
    applied = samples.application()
    other = samples.application("Contoso", "Analyst")
    message = samples.message("rejection", employer="Northwind", role="Data Engineer")
    await match()
    await reviewer.answer(message, "assign", target=other)
    undone = await reviewer.answer(message, "undo")
    assert (undone.outcome, undone.application_id) == ("attached", applied)
    assert await match()
    shown = await reviewer.look(message)
    assert (shown.application_ids, shown.by_person) == ([applied], False)


# Several applications of one message


@pytest.fixture
async def both(samples: Samples, match: MatchRunner) -> Doubt:
    """A refusal that names two applications."""
    made = Doubt(samples)
    made.message = samples.message(
        "rejection",
        employer="Northwind",
        role=["Data Engineer", "Designer"],
        body="Northwind: neither Data Engineer nor Designer.",
        sent=11,
    )
    await match()
    return made


async def test_confirm_all_attaches_to_every_application_it_names(reviewer: Reviewer, both: Doubt):
    option = (await reviewer.look(both.message)).option("confirm_all")
    assert option and option.eligible and option.touches.applications == [both.first, both.second]
    done = await reviewer.answer(both.message, "confirm_all")
    assert (done.outcome, done.touched.applications) == ("attached", [both.first, both.second])
    assert (await reviewer.look(both.message)).application_ids == [both.first, both.second]
    async with reviewer.database.as_account(reviewer.account) as unit:
        for one in (both.first, both.second):
            found = await application(unit, one)
            assert (found.stage, found.messages) == ("rejected", 1)


async def test_confirm_all_is_undone_everywhere_and_lends_to_nobody(
    reviewer: Reviewer, both: Doubt, samples: Samples, match: MatchRunner
):
    done = await reviewer.answer(both.message, "confirm_all")
    assert samples.rows("SELECT anchor_application_id FROM matches WHERE message_id = %s", both.message) == [
        (None,)
    ]
    with pytest.raises(ChoiceNotEligible):
        await reviewer.answer(both.message, "confirm_all")
    await reviewer.undo(done.entry, done.entry_version)
    await match()
    assert samples.rows("SELECT count(*) FROM attachments") == [(0,)]
    async with reviewer.database.as_account(reviewer.account) as unit:
        assert (await application(unit, both.second)).stage == "applied"


async def test_confirm_all_needs_several_that_it_names(reviewer: Reviewer, doubt: Doubt):
    option = (await reviewer.look(doubt.message)).option("confirm_all")
    assert option and option.reason == "It does not name several of your applications."
    with pytest.raises(ChoiceNotEligible):
        await reviewer.answer(doubt.message, "confirm_all")


# What an answer would touch


async def test_an_option_names_the_asks_it_settles_opens_or_drops(
    reviewer: Reviewer, samples: Samples, match: MatchRunner
):
    applied = samples.application()
    samples.application(role="Designer")
    samples.message("assessment_invite", employer="Northwind", role="Data Engineer", sent=9)
    message = samples.message("rejection", employer="Northwind", body="Northwind will not go on.")
    await match()
    [ask] = [row[0] for row in samples.rows("SELECT id FROM asks")]
    shown = await reviewer.look(message)
    options = {option.choice: option for option in shown.options}
    assert (options["confirm"].target, options["confirm"].touches.asks) == (applied, [ask])
    assert options["not_an_application"].touches.asks == []
    done = await reviewer.answer(message, "confirm")
    assert done.touched.asks == [ask]
    options = {option.choice: option for option in (await reviewer.look(message)).options}
    assert options["not_job_mail"].touches.asks == [ask], "taken away, it settles it no longer"
    assert options["not_job_mail"].touches.applications == [applied]


# Other names


async def test_a_confirmed_message_teaches_another_name_until_it_is_taken_back(
    reviewer: Reviewer, samples: Samples, match: MatchRunner
):
    applied = samples.application("Northwind", "Data Engineer")
    message = samples.message(
        "rejection",
        employer="Nordwind Holding",
        body="Nordwind Holding will not go on.",
        sender="hr@nw.example",
    )
    await match()
    names = "SELECT alias FROM aliases WHERE removed_at IS NULL"
    done = await reviewer.answer(message, "assign", target=applied)
    assert samples.rows(names) == [("Nordwind Holding",)]
    await reviewer.answer(message, "not_an_application")
    assert samples.rows(names) == []
    await reviewer.answer(message, "undo")
    assert samples.rows(names) == [("Nordwind Holding",)]
    await reviewer.undo(done.entry)
    assert samples.rows(names) == []


# Persons before machines


@pytest.mark.parametrize("choice", ["confirm", "assign", "not_an_application", "not_job_mail"])
async def test_no_run_overturns_a_person(
    choice: Choice, reviewer: Reviewer, doubt: Doubt, match: MatchRunner, samples: Samples
):
    done = await reviewer.answer(doubt.message, choice, target=target_of(choice, doubt))
    samples.reading(doubt.message, "rejection", employer="Northwind", role="Data Engineer")
    samples.rows("UPDATE matches SET stale = true")
    await match()
    shown = await reviewer.look(doubt.message)
    assert (shown.outcome, shown.by_person, shown.application_ids) == (
        done.outcome,
        True,
        [done.application_id] if done.application_id else [],
    )


async def test_an_answer_lends_to_the_conversation(reviewer: Reviewer, samples: Samples, match: MatchRunner):
    applied = samples.application()
    first = samples.message("info_request", rfc_id="<q@x>", sender="jo@mail.example")
    reply = samples.message("interview_invite", references=["<q@x>"], sender="kim@mail.example", sent=12)
    await match()
    assert (await reviewer.look(reply)).outcome == "asks"
    await reviewer.answer(first, "assign", target=applied)
    await match()
    assert (await reviewer.look(reply)).application_ids == [applied]
    await reviewer.answer(first, "undo")
    await match()
    assert (await reviewer.look(reply)).outcome == "asks"


# Versions


@pytest.mark.parametrize("choice", [*VERBS, "undo"])
async def test_an_answer_to_a_superseded_item_changes_nothing_and_gets_the_fresh_one(
    choice: Choice, reviewer: Reviewer, doubt: Doubt, samples: Samples
):
    seen = await reviewer.look(doubt.message)
    await reviewer.answer(doubt.message, "assign", target=doubt.second)
    count = samples.rows("SELECT count(*), (SELECT count(*) FROM applications) FROM match_decisions")
    with pytest.raises(StaleState) as refused:
        await reviewer.answer(doubt.message, choice, target=target_of(choice, doubt), version=seen.version)
    assert isinstance(refused.value.item, MessageItem)
    assert (refused.value.item.application_ids, refused.value.item.by_person) == ([doubt.second], True)
    assert (refused.value.code, refused.value.kind) == ("stale_state", "conflict")
    assert samples.rows("SELECT count(*), (SELECT count(*) FROM applications) FROM match_decisions") == count


async def test_a_match_in_between_makes_the_item_stale(
    reviewer: Reviewer, doubt: Doubt, match: MatchRunner, samples: Samples
):
    seen = await reviewer.look(doubt.message)
    samples.reading(doubt.message, "rejection", employer="Northwind", role="Designer")
    await match()
    with pytest.raises(StaleState) as refused:
        await reviewer.answer(doubt.message, "confirm", version=seen.version)
    assert isinstance(refused.value.item, MessageItem)
    assert refused.value.item.application_ids == [doubt.second]


async def test_of_two_tabs_exactly_one_wins(reviewer: Reviewer, doubt: Doubt, samples: Samples):
    seen = await reviewer.look(doubt.message)

    async def tab(target: ApplicationId) -> Resolved | Refusal:
        try:
            return await reviewer.answer(doubt.message, "confirm", target=target, version=seen.version)
        except Refusal as refused:
            return refused

    done = await asyncio.gather(tab(doubt.first), tab(doubt.second))
    won = [result for result in done if isinstance(result, Resolved)]
    lost = [result for result in done if isinstance(result, StaleState)]
    assert len(won) == len(lost) == 1
    assert isinstance(lost[0].item, MessageItem)
    assert lost[0].item.version == won[0].version
    assert lost[0].item.application_ids == [won[0].application_id]
    assert samples.rows("SELECT count(*) FROM match_decisions WHERE actor = 'person'") == [(1,)]


# Refusals


async def test_targets_are_required_and_checked(
    reviewer: Reviewer, doubt: Doubt, samples: Samples, other_account: AccountId, clock: FixedClock
):
    theirs = samples.of(other_account).application("Contoso", "Analyst")
    mine = samples.application("Fabrikam", "Cook")
    gone = samples.application("Gone", "Cook")
    async with reviewer.database.as_account(reviewer.account) as unit:
        await dismiss(unit, gone, now=clock.now())
    with pytest.raises(TargetRequired):
        await reviewer.answer(doubt.message, "assign")
    with pytest.raises(TargetRequired):
        await reviewer.answer(doubt.message, "reject")
    with pytest.raises(Missing):
        await reviewer.answer(doubt.message, "assign", target=theirs)
    with pytest.raises(Missing):
        await reviewer.answer(doubt.message, "assign", target=ApplicationId(999_999))
    for choice in ("confirm", "reject"):
        with pytest.raises(ChoiceNotEligible):
            await reviewer.answer(doubt.message, choice, target=mine)
    with pytest.raises(ChoiceNotEligible):
        await reviewer.answer(doubt.message, "assign", target=gone)
    assert samples.rows("SELECT count(*) FROM match_decisions WHERE actor = 'person'") == [(0,)]


async def test_another_accounts_message_is_missing(
    reviewer: Reviewer, samples: Samples, other_account: AccountId
):
    theirs = samples.of(other_account).message("rejection")
    for version in ("", "0"):
        with pytest.raises(Missing):
            await reviewer.answer(theirs, "not_job_mail", version=version)
    with pytest.raises(Missing):
        await reviewer.look(theirs)


# What is remembered


async def test_confirm_rates_are_unknown_until_measured(
    reviewer: Reviewer, samples: Samples, match: MatchRunner, doubt: Doubt
):
    again = samples.message("rejection", employer="Northwind", sent=11)
    third = samples.message("rejection", employer="Northwind", sent=12)
    await match()
    assert (await reviewer.look(again)).confirm_rate is None
    await reviewer.answer(doubt.message, "confirm")
    await reviewer.answer(again, "assign", target=doubt.second)
    pattern = (await reviewer.look(third)).pattern
    async with reviewer.database.as_account(reviewer.account) as unit:
        rates = await confirm_rates(unit, [pattern])
    assert [(rate.answered, rate.confirmed, rate.rate) for rate in rates.values()] == [(2, 1, 0.5)]
    assert (await reviewer.look(third)).confirm_rate == 0.5
    await reviewer.answer(again, "undo")
    assert (await reviewer.look(third)).confirm_rate == 1.0


async def test_times_come_from_the_clock(reviewer: Reviewer, doubt: Doubt, clock: FixedClock):
    clock.at = day(25)
    await reviewer.answer(doubt.message, "not_an_application")
    assert (await reviewer.past())[0].decided_at == day(25)
