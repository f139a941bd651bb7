"""Real job mail, read by the mail floor and matched: right links, no wrong ones, the same on every run."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.samples import Samples

from mailsync.classify.store import append
from mailsync.messages.rules import read_message
from mailsync.messages.store import store_messages
from schema.db import Database
from schema.ids import AccountId


@pytest.fixture
async def mailbox(
    shared_data: Path, database: Database, account: AccountId, samples: Samples, clock: FixedClock
) -> dict[str, int]:
    """Every message of the folder, by its file name."""
    folder = shared_data / "mail" / "findajob-eml"
    read = {
        str(path.relative_to(folder)): read_message(path.read_bytes(), frozenset())
        for path in sorted(folder.rglob("*.eml"))
    }
    messages = [found.message for found in read.values()]
    async with database.as_account(account) as unit:
        stored = await store_messages(unit, samples.mailbox(), messages, now=clock.now())
        ids = {row.message_key: row.id for row in stored}
        readings = {ids[found.message.message_key]: found.reading for found in read.values() if found.reading}
        await append(unit, readings, now=clock.now())
    return {name: ids[found.message.message_key] for name, found in read.items()}


def links(samples: Samples) -> list[tuple[object, ...]]:
    return samples.rows(
        "SELECT m.message_id, m.outcome, a.company, a.role FROM matches m"
        " LEFT JOIN applications a ON a.id = m.application_id ORDER BY m.message_id"
    )


async def test_receipts_and_refusals_find_the_application(
    mailbox: dict[str, int], samples: Samples, match: MatchRunner
):
    applied = datetime(2026, 4, 1, tzinfo=UTC)
    recorded = samples.application("ExampleCo", "Datacenter Operations Manager", applied=applied)
    samples.application("ExampleCo", "Senior Deployment Engineer", applied=applied)
    await match()
    rows = samples.rows("SELECT message_id FROM matches WHERE application_id = %s", recorded)
    attached = {name for name, number in mailbox.items() if (number,) in rows}
    about = "rejection_emails"
    assert attached == {
        f"{about}/acks/linkedin.eml",
        f"{about}/acks/smartrecruiters.eml",
        f"{about}/greenhouse/ack.eml",
        f"{about}/greenhouse/rejection.eml",
        f"{about}/html_only/smartrecruiters.eml",
    } & set(mailbox)


async def test_an_untracked_search_is_derived_and_never_mixed_up(
    mailbox: dict[str, int], samples: Samples, match: MatchRunner
):
    await match()
    told = samples.rows(
        "SELECT m.message_id FROM matches m JOIN applications a ON a.id = m.application_id"
        " JOIN facts e ON e.message_id = m.message_id AND e.name = 'employer' AND e.value <> a.company"
    )
    assert told == []
    noise = mailbox["gmail/linkedin_alert.eml"]
    assert (noise, "none", None, None) in links(samples)
    assert samples.rows("SELECT count(*) > 8 FROM applications WHERE origin = 'derived'") == [(True,)]


async def test_a_second_run_over_real_mail_changes_nothing(
    mailbox: dict[str, int], samples: Samples, match: MatchRunner
):
    await match()
    before = links(samples), samples.rows("SELECT count(*) FROM match_decisions")
    samples.rows("UPDATE matches SET stale = true")
    await match()
    assert (links(samples), samples.rows("SELECT count(*) FROM match_decisions")) == before
