"""The match run on the real database: what it writes, what it leaves alone, and any order."""

import asyncio
import itertools
from collections.abc import Callable

from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.samples import Samples, day

from matcher.applications.store import dismiss, record_application, set_status
from matcher.applications.types import NewApplication
from pipeline.worker.types import Done
from schema.db import Database
from schema.ids import AccountId, ApplicationId, MessageId

URL = "https://job-boards.greenhouse.io/northwind/jobs/4001"


def links(samples: Samples) -> dict[MessageId, tuple[str, ApplicationId | None]]:
    rows = samples.rows("SELECT message_id, outcome, application_id FROM matches ORDER BY message_id")
    return {row[0]: (row[1], row[2]) for row in rows}  # type: ignore[misc]


def decisions(samples: Samples) -> int:
    return int(samples.rows("SELECT count(*) FROM match_decisions")[0][0])  # type: ignore[call-overload]


async def test_a_sure_message_attaches_and_moves_the_application(match: MatchRunner, samples: Samples):
    applied = samples.application()
    message = samples.message("rejection", employer="Northwind", role="Data Engineer")
    assert await match() == Done("matched")
    assert links(samples) == {message: ("attached", applied)}
    stands = samples.rows("SELECT stage, messages, last_event_at, activity_at FROM standings")
    assert stands == [("rejected", 1, day(10), day(10))]
    evidence = samples.rows("SELECT name, direction, application_id FROM evidence ORDER BY name")
    assert evidence == [("employer", "for", applied), ("role", "for", applied), ("time", "for", applied)]
    assert match.reports[-1].done == 1


async def test_a_doubtful_message_waits_with_its_candidates(match: MatchRunner, samples: Samples):
    first = samples.application()
    second = samples.application(role="Designer")
    message = samples.message("rejection", employer="Northwind")
    await match()
    assert links(samples) == {message: ("asks", None)}
    ranked = samples.rows("SELECT DISTINCT rank, application_id FROM evidence ORDER BY rank")
    assert ranked == [(1, first), (2, second)]


async def test_an_application_without_an_employer_is_found_by_its_title_whichever_came_first(
    match: MatchRunner, samples: Samples
):
    early = samples.message("acknowledgement", employer="Northwind", role="Data Engineer")
    other = samples.message("acknowledgement", employer="Contoso", role="Head Gardener")
    applied = samples.application(None, "Data Engineer")
    asked = samples.application(None, "Baker")
    unread = samples.message(employer="Northwind", role="Baker", subject="Weekly: Baker and 40 more jobs")
    late = samples.message("rejection", employer="Northwind", role="Data Engineer")
    await match()
    told = links(samples)
    assert (told[early], told[late]) == (("attached", applied), ("attached", applied))
    assert told[other][1] not in {applied, asked}
    assert told[unread][0] != "attached"
    later = samples.message("acknowledgement", employer="Fabrikam", role="Head Baker")
    await match()
    assert links(samples)[later][1] != asked
    derived = samples.rows("SELECT role FROM applications WHERE origin = 'derived' ORDER BY role")
    assert ("Data Engineer",) not in derived


async def test_one_recorded_later_without_an_employer_finds_the_mail_that_was_there(
    match: MatchRunner, samples: Samples, database: Database, account: AccountId
):
    message = samples.message("interview_invite", employer="Northwind", role="Data Engineer")
    await match()
    assert links(samples)[message][1] is None
    async with database.as_account(account) as unit:
        new = NewApplication(origin="manual", role="Data Engineer", applied_at=day(5))
        applied = await record_application(unit, new, now=day(20))
    await match()
    assert links(samples) == {message: ("attached", applied)}


async def test_a_second_run_writes_nothing(match: MatchRunner, samples: Samples):
    samples.application()
    samples.application(role="Designer")
    samples.message("rejection", employer="Northwind", role="Data Engineer")
    samples.message("rejection", employer="Northwind")
    samples.message("not_job_related")
    await match()
    before = decisions(samples)
    assert await match() == Done("nothing_new")
    samples.rows("UPDATE matches SET stale = true")
    assert await match() == Done("nothing_new")
    assert decisions(samples) == before == 3
    assert samples.rows("SELECT count(*) FROM matches WHERE stale") == [(0,)]


async def test_a_message_nobody_read_yet_is_not_examined(match: MatchRunner, samples: Samples):
    samples.application()
    samples.message(read=False, body="Northwind, Data Engineer")
    assert await match() == Done("nothing_new")
    assert links(samples) == {}


async def test_a_newer_reading_is_looked_at_and_a_detached_message_leaves(
    match: MatchRunner, samples: Samples
):
    applied = samples.application()
    message = samples.message("rejection", employer="Northwind", role="Data Engineer")
    await match()
    samples.reading(message, "not_job_related")
    await match()
    assert links(samples) == {message: ("none", None)}
    stands = samples.rows("SELECT stage, messages FROM standings WHERE application_id = %s", applied)
    assert stands == [("applied", 0)]
    assert decisions(samples) == 2


async def test_a_corrected_reading_moves_the_stage_without_a_new_decision(
    match: MatchRunner, samples: Samples
):
    samples.application()
    message = samples.message("rejection", employer="Northwind", role="Data Engineer")
    await match()
    samples.reading(message, "interview_invite", stage="person", actor=samples.account)
    await match()
    assert samples.rows("SELECT stage FROM standings") == [("interviewing",)]
    assert decisions(samples) == 1


async def test_a_later_application_finds_the_message_that_waited(
    match: MatchRunner, samples: Samples, database: Database, account: AccountId, clock: FixedClock
):
    message = samples.message("interview_invite", employer="Northwind", role="Data Engineer")
    await match()
    assert links(samples) == {message: ("asks", None)}
    async with database.as_account(account) as unit:
        new = NewApplication(origin="extension", company="Northwind", role="Data Engineer", applied_at=day(9))
        made = await record_application(unit, new, now=clock.now())
    await match()
    assert links(samples) == {message: ("attached", made)}


async def test_a_later_sibling_puts_a_loose_link_in_doubt(
    match: MatchRunner, samples: Samples, database: Database, account: AccountId, clock: FixedClock
):
    samples.application()
    message = samples.message("rejection", employer="Northwind")
    await match()
    assert links(samples)[message][0] == "attached"
    async with database.as_account(account) as unit:
        new = NewApplication(origin="manual", company="Northwind", role="Designer", applied_at=day(6))
        await record_application(unit, new, now=clock.now())
    await match()
    assert links(samples)[message] == ("asks", None)


async def test_a_dismissed_application_lets_its_messages_go(
    match: MatchRunner, samples: Samples, database: Database, account: AccountId, clock: FixedClock
):
    applied = samples.application()
    message = samples.message("interview_invite", employer="Northwind", role="Data Engineer")
    await match()
    async with database.as_account(account) as unit:
        await dismiss(unit, applied, now=clock.now())
    await match()
    assert links(samples) == {message: ("asks", None)}


async def test_what_the_person_ended_sends_later_mail_to_the_new_application(
    match: MatchRunner, samples: Samples, database: Database, account: AccountId
):
    old = samples.application(applied=5)
    new = samples.application(applied=30)
    message = samples.message("rejection", employer="Northwind", role="Data Engineer", sent=40)
    await match()
    assert links(samples)[message] == ("asks", None)
    async with database.as_account(account) as unit:
        await set_status(unit, old, "withdrawn", now=day(20))
    await match()
    assert links(samples)[message] == ("attached", new)


async def test_quoted_history_is_no_evidence(match: MatchRunner, samples: Samples):
    samples.application()
    message = samples.message("interview_invite", body="See you then.")
    samples.rows("UPDATE messages SET quoted = 'Northwind, Data Engineer' WHERE id = %s", message)
    await match()
    assert links(samples) == {message: ("asks", None)}
    assert samples.rows("SELECT count(*) FROM evidence") == [(0,)]


async def test_a_run_reports_how_far_it_is(match: MatchRunner, samples: Samples):
    for _ in range(3):
        samples.message("not_job_related")
    await match()
    assert [(report.done, report.total) for report in match.reports] == [(3, 3)]


# Derived applications


async def test_mail_that_proves_an_application_derives_one(match: MatchRunner, samples: Samples):
    receipt = samples.message("acknowledgement", employer="Contoso Ltd", role="Analyst", sent=3)
    refusal = samples.message("rejection", employer="Contoso", role="Analyst", sent=9)
    await match()
    rows = samples.rows("SELECT id, origin, company, role, applied_at, applied_on FROM applications")
    assert [row[1:] for row in rows] == [("derived", "Contoso Ltd", "Analyst", None, None)]
    assert links(samples) == {receipt: ("attached", rows[0][0]), refusal: ("attached", rows[0][0])}
    assert samples.rows("SELECT stage FROM standings") == [("rejected",)]


async def test_an_invitation_or_outreach_derives_nothing(match: MatchRunner, samples: Samples):
    samples.message("interview_invite", employer="Contoso", role="Analyst")
    samples.message("recruiter_outreach", employer="Fabrikam", role="Analyst")
    await match()
    assert samples.rows("SELECT id FROM applications") == []


async def test_a_dismissed_derived_application_does_not_come_back(
    match: MatchRunner, samples: Samples, database: Database, account: AccountId, clock: FixedClock
):
    message = samples.message("acknowledgement", employer="Contoso", role="Analyst")
    await match()
    derived = links(samples)[message][1]
    assert derived
    async with database.as_account(account) as unit:
        await dismiss(unit, derived, now=clock.now())
    await match()
    assert links(samples) == {message: ("asks", None)}
    assert samples.rows("SELECT count(*) FROM applications") == [(1,)]


async def test_too_many_at_one_employer_are_not_derived(match: MatchRunner, samples: Samples):
    for number in range(18):
        samples.message("acknowledgement", employer="Contoso", role=f"Analyst Region{number}")
    await match()
    assert samples.rows("SELECT count(*) FROM applications") == [(15,)]


# Conversations


async def test_an_answer_in_a_settled_thread_attaches_whichever_came_first(
    match: MatchRunner, samples: Samples
):
    answer = samples.message("interview_invite", sender="jane@mail.example", references=["<a@x>"], sent=12)
    await match()
    assert links(samples)[answer] == ("asks", None)
    applied = samples.application()
    samples.message("acknowledgement", employer="Northwind", role="Data Engineer", rfc_id="<a@x>", sent=6)
    await match()
    assert links(samples)[answer] == ("attached", applied)


async def test_a_thread_with_two_of_one_employer_decides_nothing(match: MatchRunner, samples: Samples):
    first = samples.application(requisition="R-70011")
    second = samples.application(role="Designer", requisition="R-70012")
    one = samples.message("acknowledgement", requisition="R-70011", employer="Northwind", thread="t")
    two = samples.message("acknowledgement", requisition="R-70012", employer="Northwind", thread="t")
    neither = samples.message("rejection", employer="Northwind", thread="t", sent=20)
    await match()
    assert links(samples) == {one: ("attached", first), two: ("attached", second), neither: ("asks", None)}


# Isolation, order, workers


async def test_a_run_sees_only_its_account(match: MatchRunner, samples: Samples, other_account: AccountId):
    others = samples.of(other_account)
    others.application()
    others.message("rejection", employer="Northwind", role="Data Engineer")
    message = samples.message("interview_invite", employer="Northwind", role="Data Engineer")
    await match()
    assert links(samples) == {message: ("asks", None)}


async def test_any_order_of_arrival_gives_the_same_links(
    match: MatchRunner, samples: Samples, database: Database, account: AccountId, clock: FixedClock
):
    """Applications recorded and messages read in every order, with a run after each step."""

    async def apply(role: str, on: float) -> None:
        async with database.as_account(account) as unit:
            new = NewApplication(origin="manual", company="Northwind", role=role, applied_at=day(on))
            await record_application(unit, new, now=clock.now())

    steps: dict[str, Callable[[], object]] = {
        "first": lambda: apply("Data Engineer", 5),
        "second": lambda: apply("Data Engineer", 30),
        "refusal": lambda: samples.message(
            "rejection",
            subject="refusal",
            employer="Northwind",
            role="Data Engineer",
            sent=12,
            rfc_id="<r@x>",
        ),
        "late": lambda: samples.message(
            "interview_invite", subject="late", employer="Northwind", role="Data Engineer", sent=40
        ),
        "answer": lambda: samples.message(
            "info_request", subject="answer", sender="jo@mail.example", references=["<r@x>"], sent=13
        ),
    }
    seen: set[frozenset[tuple[object, ...]]] = set()
    orders = list(itertools.permutations(steps))
    for order in orders[::7]:
        for name in order:
            done = steps[name]()
            if asyncio.iscoroutine(done):
                await done
            await match()
        rows = samples.rows(
            "SELECT g.subject, m.outcome, a.applied_at FROM matches m JOIN messages g ON g.id = m.message_id"
            " LEFT JOIN applications a ON a.id = m.application_id"
        )
        seen.add(frozenset(rows))
        samples.rows("DELETE FROM messages")
        samples.rows("DELETE FROM match_decisions")
        samples.rows("DELETE FROM standings")
        samples.rows("DELETE FROM applications")
    assert seen == {
        frozenset(
            {
                ("refusal", "attached", day(5)),
                ("late", "attached", day(30)),
                ("answer", "attached", day(5)),
            }
        )
    }


async def test_two_workers_decide_each_message_once(
    database: Database, account: AccountId, clock: FixedClock, samples: Samples
):
    samples.application()
    for number in range(120):
        samples.message("rejection", employer="Northwind", role="Data Engineer", subject=f"No {number}")
    one, two = (MatchRunner(database, account, clock) for _ in range(2))
    await asyncio.gather(one(), two())
    assert decisions(samples) == 120
    assert samples.rows("SELECT count(*) FROM matches WHERE outcome = 'attached'") == [(120,)]
