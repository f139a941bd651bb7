"""A pass reads exactly what waits, overturns nobody who has the last word, and can be killed anywhere."""

import asyncio
import uuid

import pytest
from fixtures.passing import Passer, passing_process
from fixtures.samples import Samples

from mailsync.classify.language_model.asking import let_model_read
from mailsync.classify.stages import STAGES_VERSION
from mailsync.classify.store import correct, in_force
from mailsync.passes import reading
from mailsync.passes.rules import Wanted
from mailsync.passes.turn.store import take
from schema.db import Database
from schema.errors import HeldElsewhere
from schema.ids import AccountId, MessageId

REFUSAL = (
    "Dear Ada, thank you for your interest in the Baker position at Northwind. Unfortunately, we have "
    "decided not to move forward with your application."
)
UNTOLD = (
    "Unfortunately, we have decided not to move forward with your application. "
    "We would like to invite you to an interview."
)
ALERT = "job alert: 12 new jobs for you match your search. Unsubscribe from this job alert."


def refused(samples: Samples, **changed: object) -> MessageId:
    return samples.message(body=REFUSAL, sender="people@northwind.example", **changed)  # type: ignore[arg-type]


def untold(samples: Samples) -> MessageId:
    return samples.message(body=UNTOLD, sender="maria@northwind.example")


async def said(database: Database, account: AccountId, message_id: MessageId) -> tuple[str, str, list[str]]:
    async with database.as_account(account) as unit:
        found = await in_force(unit, message_id)
    assert found is not None
    return found.stage, found.state, list(found.kinds)


def matches_asked(samples: Samples) -> int:
    return samples.rows("SELECT count(*) FROM tasks WHERE kind = 'match.account.v1'")[0][0]  # type: ignore


def everything(samples: Samples) -> list[tuple[object, ...]]:
    return samples.rows(
        "SELECT m.id, m.examined_version, m.kept, r.stage, r.state, e.kind, e.span_text FROM messages m"
        " JOIN readings r ON r.message_id = m.id LEFT JOIN events e ON e.reading_id = r.id"
        " ORDER BY m.id, r.id, e.id"
    )


async def test_a_pass_tells_what_can_be_told_now_and_the_next_reads_nothing(
    database: Database, account: AccountId, samples: Samples, passing: Passer
):
    told, open_ = refused(samples), untold(samples)
    done = await passing()
    assert (done.examined, done.decided, done.changed, done.left, done.still_open) == (2, 1, 0, 0, 1)
    assert await said(database, account, told) == ("rules", "decided", ["rejection"])
    assert (await said(database, account, open_))[1] == "open"
    assert matches_asked(samples) == 1
    before = everything(samples)
    again = await passing()
    assert (again.examined, again.left, again.still_open) == (0, 0, 1)
    assert everything(samples) == before
    assert matches_asked(samples) == 1


async def test_an_open_reading_that_stays_the_same_is_not_written_down_again(
    samples: Samples, passing: Passer
):
    untold(samples)
    await passing()
    samples.rows("UPDATE messages SET examined_version = 1")
    readings = samples.rows("SELECT count(*) FROM readings")
    assert (await passing()).examined == 1
    assert samples.rows("SELECT count(*) FROM readings") == readings
    assert samples.rows("SELECT DISTINCT examined_version FROM messages") == [(STAGES_VERSION,)]


async def test_decided_messages_are_read_again_only_when_that_is_asked_for(
    database: Database, account: AccountId, samples: Samples, passing: Passer
):
    wrong = samples.message("acknowledgement", body=REFUSAL, sender="people@northwind.example")
    assert (await passing()).examined == 0
    assert await said(database, account, wrong) == ("rules", "decided", ["acknowledgement"])
    done = await passing(Wanted(recheck=True))
    assert (done.examined, done.decided, done.changed) == (1, 0, 1)
    assert await said(database, account, wrong) == ("rules", "decided", ["rejection"])
    assert (await passing(Wanted(recheck=True))).examined == 0


async def test_no_pass_overturns_a_person(
    database: Database, account: AccountId, samples: Samples, passing: Passer
):
    made = refused(samples)
    async with database.as_account(account) as unit:
        await correct(unit, made, ["offer"], now=passing.clock.now())
    assert (await passing()).examined == 0
    done = await passing(Wanted(recheck=True))
    assert (done.examined, done.decided, done.changed) == (1, 0, 0)
    assert await said(database, account, made) == ("person", "decided", ["offer"])


async def test_no_pass_overturns_what_a_language_model_decided(
    database: Database, account: AccountId, samples: Samples, passing: Passer
):
    made = refused(samples)
    samples.reading(made, "offer", stage="language_model")
    await passing()
    await passing(Wanted(recheck=True))
    assert await said(database, account, made) == ("language_model", "decided", ["offer"])


async def test_where_a_language_model_could_not_tell_a_rule_that_can_is_heard(
    database: Database, account: AccountId, samples: Samples, passing: Passer
):
    made = refused(samples)
    samples.reading(made, stage="language_model")
    assert (await passing()).decided == 1
    assert await said(database, account, made) == ("rules", "decided", ["rejection"])


async def test_what_the_local_model_told_stands_in_a_pass_without_it(
    database: Database, account: AccountId, samples: Samples, passing: Passer
):
    made = untold(samples)
    samples.reading(made, "status_update", stage="local_model")
    await passing(Wanted(recheck=True, with_model=False))
    assert await said(database, account, made) == ("local_model", "decided", ["status_update"])


async def test_a_pass_with_the_model_reads_what_one_without_it_read(samples: Samples, passing: Passer):
    untold(samples)
    assert (await passing(Wanted(with_model=False))).examined == 1
    assert (await passing(Wanted(with_model=False))).examined == 0
    assert (await passing()).examined == 1
    assert (await passing(Wanted(with_model=False))).examined == 0


async def test_a_dry_pass_tells_what_it_would_do_and_writes_nothing(samples: Samples, passing: Passer):
    refused(samples)
    before = everything(samples)
    done = await passing(Wanted(is_dry=True, until_done=True))
    assert (done.examined, done.decided, done.left) == (1, 1, 1)
    assert everything(samples) == before
    assert matches_asked(samples) == 0
    assert samples.rows("SELECT count(*) FROM mail_passes") == [(0,)]


async def test_a_limit_leaves_the_rest_for_later(samples: Samples, passing: Passer):
    ids = [refused(samples) for _ in range(5)]
    done = await passing(Wanted(most=2))
    assert (done.examined, done.left) == (2, 3)
    read = samples.rows("SELECT id FROM messages WHERE examined_version > 1 ORDER BY id DESC")
    assert read == [(each,) for each in reversed(ids[-2:])]


async def test_a_pass_is_committed_batch_by_batch(
    samples: Samples, passing: Passer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reading, "BATCH", 2)
    for _ in range(5):
        refused(samples)
    assert (await passing(Wanted(until_done=True))).examined == 5
    assert passing.reports == [(2, 5), (4, 5), (5, 5)]
    assert matches_asked(samples) == 1


async def test_a_pass_stops_when_what_waits_no_longer_shrinks(
    samples: Samples, passing: Passer, monkeypatch: pytest.MonkeyPatch
):
    async def nothing(unit: object, examined: object) -> None:
        return None

    monkeypatch.setattr(reading, "mark_examined", nothing)
    untold(samples)
    done = await passing(Wanted(until_done=True))
    assert (done.examined, done.left) == (1, 1)


async def test_what_turns_out_to_be_no_job_mail_keeps_only_subject_and_sender(
    samples: Samples, passing: Passer
):
    samples.message(body=ALERT, subject="12 new jobs for you", sender="jobalerts-noreply@linkedin.com")
    done = await passing()
    assert (done.decided, done.dropped) == (1, 1)
    assert samples.rows("SELECT kept, not_kept_reason, body, parsed FROM messages") == [
        ("headers", "job_alert", None, None)
    ]


async def test_what_a_person_had_a_say_in_stays_whole(
    database: Database, account: AccountId, samples: Samples, passing: Passer
):
    made = samples.message(body=ALERT, subject="12 new jobs", sender="jobalerts-noreply@linkedin.com")
    async with database.as_account(account) as unit:
        await correct(unit, made, ["status_update"], now=passing.clock.now())
    await passing(Wanted(recheck=True))
    assert samples.rows("SELECT kept, body FROM messages") == [("whole", ALERT)]


async def test_what_a_person_said_while_a_pass_was_reading_counts(
    database: Database, account: AccountId, samples: Samples, passing: Passer, monkeypatch: pytest.MonkeyPatch
):
    made = refused(samples)
    whole = reading.verdicts_of

    def slow(*args: object) -> object:
        asyncio.run_coroutine_threadsafe(say(), loop).result()
        return whole(*args)  # type: ignore[arg-type]

    async def say() -> None:
        async with database.as_account(account) as unit:
            await correct(unit, made, ["offer"], now=passing.clock.now())

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(reading, "verdicts_of", slow)
    assert (await passing()).examined == 0
    assert await said(database, account, made) == ("person", "decided", ["offer"])
    assert samples.rows("SELECT examined_version FROM messages") == [(1,)]


async def test_a_language_model_is_asked_about_what_is_newly_open_where_it_may_read(
    database: Database, account: AccountId, samples: Samples, passing: Passer
):
    samples.message("acknowledgement", body=UNTOLD, sender="maria@northwind.example")
    await passing(Wanted(recheck=True, is_dry=True))
    asked = "SELECT count(*) FROM tasks WHERE kind = 'mail.interpret.v1'"
    async with database.as_account(account) as unit:
        await let_model_read(unit, allowed=True, now=passing.clock.now())
    assert samples.rows(asked) == [(0,)]
    await passing(Wanted(recheck=True))
    assert samples.rows(asked) == [(1,)]


async def test_a_second_pass_is_told_who_has_the_turn_and_since_when(
    database: Database, account: AccountId, samples: Samples, passing: Passer
):
    refused(samples)
    async with database.as_account(account) as unit:
        await take(unit, uuid.uuid4(), "Ben at work")
    with pytest.raises(HeldElsewhere, match=r"Ben at work \(since 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC\)"):
        await passing()
    samples.rows("UPDATE mail_passes SET lease_until = clock_timestamp() - interval '1 second'")
    assert (await passing()).examined == 1
    assert samples.rows("SELECT count(*) FROM mail_passes") == [(0,)]


async def test_a_pass_that_lost_its_turn_writes_nothing_more(
    database: Database, account: AccountId, samples: Samples, passing: Passer, monkeypatch: pytest.MonkeyPatch
):
    refused(samples)
    whole = reading.verdicts_of

    def robbed(*args: object) -> object:
        samples.rows("UPDATE mail_passes SET holder = gen_random_uuid(), holder_name = 'Ben'")
        return whole(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(reading, "verdicts_of", robbed)
    before = everything(samples)
    with pytest.raises(HeldElsewhere):
        await passing()
    assert everything(samples) == before
    assert samples.rows("SELECT holder_name FROM mail_passes") == [("Ben",)]


async def test_one_account_does_not_hold_up_another(
    database: Database, other_account: AccountId, samples: Samples, passing: Passer
):
    refused(samples)
    async with database.as_account(other_account) as unit:
        await take(unit, uuid.uuid4(), "Ben")
    assert (await passing()).examined == 1


@pytest.mark.timeout(120)
async def test_a_pass_that_was_killed_is_ended_by_the_next_as_if_nothing_had_been(
    login_url: str, account: AccountId, samples: Samples, passing: Passer
):
    for number in range(9):
        refused(samples, sent=number) if number % 2 else untold(samples)
    process = passing_process(login_url, account)
    assert process.stdout is not None
    with process, process.stdout as told:
        assert await asyncio.to_thread(told.readline) == "2\n"
        process.kill()
    read = samples.rows("SELECT count(*)::int FROM messages WHERE examined_version > 1")[0][0]
    assert read in range(2, 9)
    with pytest.raises(HeldElsewhere, match="the other"):
        await passing()
    samples.rows("UPDATE mail_passes SET lease_until = clock_timestamp() - interval '1 second'")
    await passing()
    assert matches_asked(samples) >= 1
    assert samples.rows("SELECT count(DISTINCT examined_version), min(examined_version) FROM messages") == [
        (1, STAGES_VERSION)
    ]
    told_now = samples.rows(
        "SELECT count(*), count(DISTINCT message_id) FROM events WHERE kind = 'rejection'"
    )
    assert told_now == [(4, 4)]


@pytest.mark.parametrize("kept_because", [None, "application"])
async def test_what_was_kept_for_its_names_is_read_again_by_rules_and_stays(
    database: Database, account: AccountId, samples: Samples, passing: Passer, kept_because: str | None
):
    """The model takes this letter for something else: that counts only for mail that was kept by itself."""
    body = "Your order has been shipped and will arrive on Tuesday. The invoice is attached."
    letter = samples.message(
        subject="Your order",
        body=body,
        sender="recruiting@northwind.example",
        sender_name="Northwind People",
    )
    samples.rows("UPDATE messages SET kept_because = %s WHERE id = %s", kept_because, letter)
    await passing()
    kept = samples.rows("SELECT kept, body FROM messages WHERE id = %s", letter)
    told = (await said(database, account, letter))[:2]
    if kept_because is None:
        assert (kept, told) == ([("headers", None)], ("local_model", "decided"))
    else:
        assert (kept, told) == ([("whole", body)], ("rules", "open"))
