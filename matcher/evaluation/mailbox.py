"""Brings one person's applications and mail into the database as the product does, and has them matched.

Everything goes through the doors the product uses: recording an application, reading and storing a message,
the handler of `match.account.v1`. Nothing is judged here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta
from typing import TypeVar

import msgspec

from mailsync.mailboxes.store import mailbox_of
from mailsync.messages.keeping import keep_messages
from mailsync.messages.rules import read_message
from mailsync.messages.store import ids_of_keys
from mailsync.messages.types import Read
from matcher.aliases.store import add_name
from matcher.applications.store import record_application, set_status
from matcher.applications.types import NewApplication
from matcher.evaluation.confirming import confirm
from matcher.evaluation.truth import Person, TrueApplication, TrueMessage
from matcher.evidence.tasks import match_account
from pipeline.worker.types import TaskRun
from schema.clock import Clock
from schema.db import Database, Unit
from schema.errors import Invalid
from schema.ids import AccountId, ApplicationId, MessageId, TaskId
from schema.live import TaskProgress
from schema.tasks import MatchAccount

BATCH = 100
RowT = TypeVar("RowT")
Tell = Callable[[str, int, int], None]
"""Hears what is being done, how much of it, of how much."""


class ReadMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message of the file as the mail floor read it; read once, however often it is matched."""

    true: TrueMessage
    read: Read


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """Where the rows of the file are in the database."""

    account_id: AccountId
    applications: Mapping[str, ApplicationId]
    messages: Mapping[str, MessageId]


def read_all(person: Person, messages: Sequence[TrueMessage], tell: Tell) -> Iterator[ReadMessage]:
    owners = frozenset(person.owners)
    for number, true in enumerate(messages, 1):
        yield ReadMessage(true=true, read=read_message(true.whole(), owners))
        if number % BATCH == 0 or number == len(messages):
            tell("Reading messages", number, len(messages))


class Mailbox:
    """One person's account on its way."""

    def __init__(self, database: Database, clock: Clock, account_id: AccountId, tell: Tell) -> None:
        self._db, self._clock, self._tell = database, clock, tell
        self._account_id = account_id
        self._applications: dict[str, ApplicationId] = {}
        self._messages: dict[str, MessageId] = {}

    @property
    def settled(self) -> Settled:
        return Settled(account_id=self._account_id, applications=self._applications, messages=self._messages)

    async def record(self, applications: Sequence[TrueApplication]) -> None:
        for done, batch in _batches(applications):
            async with self._db.as_account(self._account_id) as unit:
                for true in batch:
                    application_id = await record_application(unit, _new(true), now=self._clock.now())
                    await self._add_what_is_known(unit, true, application_id)
                    self._applications[true.id] = application_id
            self._tell("Recording applications", done, len(applications))

    async def _add_what_is_known(
        self, unit: Unit, true: TrueApplication, application_id: ApplicationId
    ) -> None:
        for state in true.states:
            await set_status(unit, application_id, state.stage, now=state.at)
        for alias in true.aliases if true.company else ():
            # Names that are written alike already are one without being told.
            with suppress(Invalid):
                await add_name(unit, alias, true.company or "", now=self._clock.now())

    async def keep(self, messages: Sequence[ReadMessage]) -> None:
        """Store them in this order. Of two with one key only one is stored, and both are that one."""
        async with self._db.as_account(self._account_id) as unit:
            mailbox_id = await mailbox_of(unit, "archive", "", now=self._clock.now())
        for done, batch in _batches(messages):
            now = self._clock.now()
            async with self._db.as_account(self._account_id) as unit:
                reads = [found.read for found in batch]
                kept = await keep_messages(unit, mailbox_id, reads, now=now, asking=False)
                ids = await ids_of_keys(unit, list(kept.read))
            for found in batch:
                self._messages[found.true.id] = ids[found.read.message.message_key]
            self._tell("Storing messages", done, len(messages))

    async def match(self) -> None:
        run = TaskRun(
            db=self._db,
            clock=self._clock,
            task_id=TaskId(1),
            account_id=self._account_id,
            attempt=1,
            report=self._report,
        )
        await match_account(run, MatchAccount())

    async def confirm(self, messages: Sequence[TrueMessage]) -> None:
        """Have the person attach each to the application it is about."""
        for true in messages:
            async with self._db.as_account(self._account_id) as unit:
                target = self._applications[true.truth[0]]
                await confirm(unit, self._messages[true.id], target, now=self._clock.now())

    async def _report(self, progress: TaskProgress) -> None:
        self._tell(progress.note, progress.done, progress.total or progress.done)


def known_mail(found: TrueApplication) -> Iterator[TrueMessage]:
    """Known threads and contacts, as what made them known: a message the person confirmed."""
    at = found.applied_at or (datetime.combine(found.applied_on, time(9), UTC) if found.applied_on else None)
    for number, thread in enumerate(found.threads):
        is_id = "@" in thread
        head = f"Message-ID: <{thread.strip('<>')}>\r\n" if is_id else f"X-GM-THRID: {thread[:40]}\r\n"
        yield _known(found, f"thread {number}", f"From: known-{number}@correspondent.invalid\r\n{head}", at)
    for number, contact in enumerate(found.contacts):
        yield _known(found, f"contact {number}", f"From: {' '.join(contact.split())}\r\n", at)


def _known(found: TrueApplication, name: str, head: str, at: datetime | None) -> TrueMessage:
    dated = f"Date: {at + timedelta(hours=1):%a, %d %b %Y %H:%M:%S +0000}\r\n" if at else ""
    about = f"your application for {found.role or 'the position'} at {found.company or 'our company'}"
    text = f"{head}{dated}Subject: About {about}\r\n\r\nHello, I write about {about}.\r\n"
    return TrueMessage(
        id=f"{found.id}: known {name}",
        person=found.person,
        raw=text.encode(),
        file=None,
        truth=(found.id,),
        confirmed=True,
    )


def _new(true: TrueApplication) -> NewApplication:
    return NewApplication(
        origin=true.origin,
        company=true.company,
        role=true.role,
        url=true.url,
        platform=true.platform,
        board=true.board,
        vendor_id=true.vendor_id,
        requisition_id=true.requisition,
        applied_at=true.applied_at,
        applied_on=true.applied_on,
    )


def _batches(rows: Sequence[RowT]) -> Iterator[tuple[int, Sequence[RowT]]]:
    """Each with how many rows are done at its end."""
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        yield start + len(batch), batch
