"""The same links whatever came first, twice or after a crash; and a person's word is never overturned.

Generated mailboxes go through the product's own doors. Runs are compared by what the applications are, since
ids differ from run to run.
"""

import asyncio
import contextlib
import random
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from fixtures.people import FixedClock, insert_account

from matcher.evaluation.mailbox import Mailbox, ReadMessage
from matcher.evaluation.reading import read_truth
from matcher.evaluation.run import Prepared, prepared
from matcher.training.generate import generate
from matcher.training.truth_file import lines
from schema.db import Database
from schema.ids import AccountId

MESSAGES = 70
Links = dict[str, tuple[str, str]]
"""Of each message the outcome, and what the application is that it is attached to."""


def quiet(_note: str, _done: int, _total: int) -> None:
    """Nobody watches."""


class Life:
    """One account to which the events of a generated mailbox happen."""

    def __init__(
        self, database: Database, owner_url: str, clock: FixedClock, mail: Prepared, name: str
    ) -> None:
        (self.person,) = mail.truth.people
        self.mail = mail
        self.owner_url = owner_url
        self.account: AccountId = insert_account(owner_url, f"{name}@post.example")
        self.box = Mailbox(database, clock, self.account, quiet)

    @property
    def messages(self) -> list[ReadMessage]:
        return list(self.mail.measured[self.person.name])

    async def record(self) -> None:
        await self.box.record(self.mail.truth.applications)

    async def match(self) -> None:
        await self.box.match()

    async def settle(self) -> None:
        """What came before its conversation was known is kept when the source is read again."""
        for _ in range(2):
            await self.box.keep(self.messages)
            await self.match()

    async def crash(self, chance: random.Random) -> None:
        """A run that is killed at any of its waits, in the middle of a transaction or between two."""
        run = asyncio.create_task(self.box.match())
        for _ in range(chance.randrange(1, 120)):
            await asyncio.sleep(0)
        run.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await run

    async def two_at_once(self) -> None:
        await asyncio.gather(self.box.match(), self.box.match())

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.owner_url, autocommit=True) as connection:
            cursor = connection.execute(sql, (self.account,))  # pyright: ignore
            return cursor.fetchall() if cursor.description else []

    def links(self) -> Links:
        # Two copies of one mail are one message, named for the copy that comes first in the alphabet.
        names = {number: name for name, number in sorted(self.box.settled.messages.items(), reverse=True)}
        recorded = {number: name for name, number in self.box.settled.applications.items()}
        rows = self.rows(
            "SELECT m.message_id, m.outcome, a.id,"
            " concat_ws('|', a.company_key, a.role_key, a.requisition_key) FROM matches m"
            " LEFT JOIN applications a ON a.account_id = m.account_id AND a.id = m.application_id"
            " WHERE m.account_id = %s"
        )
        return {
            names[message]: (str(outcome), recorded.get(application, str(spelled)))  # type: ignore[index, call-overload]
            for message, outcome, application, spelled in rows
        }


@pytest.fixture(scope="module")
def mail() -> Prepared:
    """One mailbox, read once."""
    written = b"".join(lines(generate(2, messages=MESSAGES, split="fit")))
    return prepared(read_truth(written, Path()), quiet)


@pytest.fixture
def live(database: Database, owner_url: str, clock: FixedClock, mail: Prepared) -> Callable[[str], Life]:
    return lambda name: Life(database, owner_url, clock, mail, name)


async def lived_through(live: Callable[[str], Life]) -> Life:
    """Applications first, then all mail in order, and the source read once more."""
    life = live("plain")
    await life.record()
    await life.settle()
    return life


async def test_mail_in_any_order_with_crashes_repeats_and_two_workers_gives_the_same_links(
    live: Callable[[str], Life],
):
    expected = (await lived_through(live)).links()
    assert {outcome for outcome, _ in expected.values()} >= {"attached", "asks", "none"}
    for seed in range(3):
        chance = random.Random(seed)
        life = live(f"order{seed}")
        await life.record()
        await in_any_order(life, chance)
        assert life.links() == expected, f"order {seed}"


async def in_any_order(life: Life, chance: random.Random) -> None:
    mail = life.messages
    chance.shuffle(mail)
    while mail:
        size = chance.randrange(1, 25)
        batch, mail = mail[:size], mail[size:]
        await life.box.keep(batch)
        if chance.random() < 0.3:
            await life.box.keep(batch)  # the same mail once more
        await chance.choice([life.match, life.two_at_once, lambda: life.crash(chance)])()
    await life.settle()


async def test_a_replay_of_everything_appends_nothing(live: Callable[[str], Life]):
    life = await lived_through(live)
    expected, decided = life.links(), life.rows("SELECT count(*) FROM match_decisions WHERE account_id = %s")
    life.rows("UPDATE matches SET stale = true WHERE account_id = %s")
    await life.two_at_once()
    assert life.links() == expected
    assert life.rows("SELECT count(*) FROM match_decisions WHERE account_id = %s") == decided
    assert life.rows("SELECT count(*) FROM matches WHERE stale AND account_id = %s") == [(0,)]


async def test_every_message_is_decided_once_at_a_time(live: Callable[[str], Life]):
    """Each decision replaces the one before it: no two workers answered the same question."""
    life = live("workers")
    await life.record()
    for start in range(0, MESSAGES, 35):
        await life.box.keep(life.messages[start : start + 35])
        await asyncio.gather(*(life.box.match() for _ in range(3)))
    forks = life.rows(
        "SELECT message_id FROM match_decisions WHERE account_id = %s"
        " GROUP BY message_id, coalesce(replaces_id, 0) HAVING count(*) > 1"
    )
    assert forks == []


async def test_what_a_person_decided_stands_through_every_run(live: Callable[[str], Life]):
    life = await lived_through(live)
    life.rows(
        "UPDATE matches m SET by_person = true FROM messages g WHERE m.account_id = %s"
        " AND g.account_id = m.account_id AND g.id = m.message_id AND m.message_id %% 3 = 0"
    )
    theirs = "SELECT message_id, decision_id, application_id FROM matches WHERE by_person AND account_id = %s"
    before = life.rows(theirs)
    assert before
    life.rows("UPDATE matches SET stale = true WHERE account_id = %s")
    await in_any_order(life, random.Random(7))
    assert sorted(life.rows(theirs)) == sorted(before)  # type: ignore[type-var]
