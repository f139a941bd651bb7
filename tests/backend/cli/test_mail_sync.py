"""What `jobtrail mail sync` does, on the emulator."""

from pathlib import Path
from uuid import uuid4

import pytest
from fixtures.mailroom import Mailroom, job_mail, other_mail

from backend.cli.mail_sync import NoMailbox, sync_mail, told
from mailsync.gmail.turns.store import take_turns
from schema.errors import HeldElsewhere
from schema.settings import HomeSettings, Settings

WHOSE = "ada@example.org"


@pytest.fixture
def rows(owner_url: str):
    import psycopg

    def asked(sql: str, *values: object) -> list[tuple[object, ...]]:
        with psycopg.connect(owner_url, autocommit=True) as connection:
            return connection.execute(sql, values).fetchall()  # pyright: ignore

    return asked


@pytest.fixture
def settings(mailroom: Mailroom, tmp_path: Path) -> Settings:
    return Settings(home=HomeSettings(home=str(tmp_path)), gmail=mailroom.settings)


async def test_a_sync_ends_in_step_and_says_what_it_came_to(mailroom: Mailroom, settings: Settings):
    mailroom.deliver(3, job_mail)
    mailroom.deliver(2, other_mail)
    await mailroom.connect()
    done = await sync_mail(mailroom.database, settings, WHOSE, screen_again=False)
    assert [told(each) for each in done.mailboxes] == [
        "sam.carter@gmail.example: 3 kept, 2 not about jobs, 0 still to read, 0 unreadable"
    ]


async def test_a_mailbox_that_has_to_be_connected_anew_is_named(mailroom: Mailroom, settings: Settings):
    await mailroom.connect()
    mailroom.control.revoke()
    done = await sync_mail(mailroom.database, settings, WHOSE, screen_again=False)
    assert told(done.mailboxes[0]).endswith("it has to be connected anew (grant_lost)")


async def test_a_mailbox_somebody_else_is_at_is_left_alone(mailroom: Mailroom, settings: Settings):
    await mailroom.connect()
    async with mailroom.database.as_fleet() as unit:
        await take_turns(unit, uuid4(), "the other machine", lease=60, limit=5)
    with pytest.raises(HeldElsewhere, match="is being synced by the other machine"):
        await sync_mail(mailroom.database, settings, WHOSE, screen_again=False)


async def test_without_a_mailbox_there_is_nothing_to_sync(mailroom: Mailroom, settings: Settings):
    with pytest.raises(NoMailbox):
        await sync_mail(mailroom.database, settings, WHOSE, screen_again=False)


async def test_what_another_screen_dropped_is_fetched_again_on_request(
    mailroom: Mailroom, settings: Settings
):
    mailroom.deliver(2, other_mail)
    await mailroom.connect()
    await mailroom.sync()
    mailroom.rows("UPDATE gmail_messages SET screen_version = 1 RETURNING 1")
    await sync_mail(mailroom.database, settings, WHOSE, screen_again=True)
    assert set(mailroom.control.fetches().values()) == {2}
