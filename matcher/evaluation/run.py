"""Runs every mailbox of a truth file through the product, on a real database, and keeps what became of it."""

import random
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from matcher.evaluation.judging import Judged, JudgedDerived, Result, judged, judged_derived
from matcher.evaluation.mailbox import Mailbox, ReadMessage, Tell, known_mail, read_all
from matcher.evaluation.store import decided, derived, proposed
from matcher.evaluation.truth import Person, TruthFile
from schema.clock import Clock
from schema.db import Database
from schema.ids import AccountId

NewAccount = Callable[[str], Awaitable[AccountId]]
"""A fresh account, by the address of its owner."""


class Speed(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds of the measured messages: parsed and classified, written, matched."""

    messages: int
    reading: float
    storing: float
    matching: float


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    judged: tuple[Judged, ...]
    derived: tuple[JudgedDerived, ...]
    speed: Speed
    notes: tuple[str, ...]


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """A truth file whose mail was read; it can be matched any number of times."""

    truth: TruthFile
    taught: dict[str, tuple[ReadMessage, ...]]
    measured: dict[str, tuple[ReadMessage, ...]]
    reading_seconds: float


def prepared(truth: TruthFile, tell: Tell, *, shuffle: int | None = None) -> Prepared:
    """Reads all mail. With `shuffle`, the measured messages come in the order that seed gives."""
    began = time.monotonic()
    taught: dict[str, tuple[ReadMessage, ...]] = {}
    measured: dict[str, tuple[ReadMessage, ...]] = {}
    for person in truth.people:
        own = [found for found in truth.messages if found.person == person.name]
        known = [
            each for found in truth.applications if found.person == person.name for each in known_mail(found)
        ]
        confirmed = [found for found in own if found.confirmed and len(found.truth) == 1]
        mail = list(read_all(person, [found for found in own if not found.confirmed], tell))
        if shuffle is not None:
            random.Random(shuffle).shuffle(mail)  # noqa: S311 - an order to try, no secret
        taught[person.name] = tuple(read_all(person, [*known, *confirmed], tell))
        measured[person.name] = tuple(mail)
    spent = time.monotonic() - began
    return Prepared(truth=truth, taught=taught, measured=measured, reading_seconds=spent)


async def evaluated(
    database: Database, clock: Clock, new_account: NewAccount, mail: Prepared, tell: Tell
) -> Outcome:
    results: list[Result] = []
    storing = matching = 0.0
    for person in mail.truth.people:
        box = Mailbox(database, clock, await new_account(_address(person)), tell)
        stored, matched = await run(box, mail, person)
        storing, matching = storing + stored, matching + matched
        results.append(await _result(database, box, mail, person))
    return _outcome(mail, results, storing, matching)


def _outcome(mail: Prepared, results: Sequence[Result], storing: float, matching: float) -> Outcome:
    found = tuple(each for result in results for each in judged(result))
    speed = Speed(messages=len(found), reading=mail.reading_seconds, storing=storing, matching=matching)
    drawn = tuple(each for result in results for each in judged_derived(result))
    return Outcome(judged=found, derived=drawn, speed=speed, notes=(*mail.truth.notes, *_notes(results)))


async def run(box: Mailbox, mail: Prepared, person: Person) -> tuple[float, float]:
    """One person's applications and mail, brought in and matched; the seconds storing and matching took."""
    await box.record([found for found in mail.truth.applications if found.person == person.name])
    if taught := mail.taught[person.name]:
        await box.keep(taught)
        await box.match()
        await box.confirm([found.true for found in taught])
    began = time.monotonic()
    await box.keep(mail.measured[person.name])
    kept = time.monotonic()
    await box.match()
    return kept - began, time.monotonic() - kept


async def _result(database: Database, box: Mailbox, mail: Prepared, person: Person) -> Result:
    settled = box.settled
    messages = mail.measured[person.name]
    ids = sorted({settled.messages[found.true.id] for found in messages})
    async with database.as_account(settled.account_id) as unit:
        rows = await decided(unit, ids)
        asked = [row.decision_id for row in rows.values()]
        return Result(
            messages=messages,
            settled=settled,
            decided=rows,
            proposed=await proposed(unit, asked),
            derived=tuple(await derived(unit)),
            tells_untracked=any(found.about for found in mail.truth.messages),
        )


def _address(person: Person) -> str:
    """Of the account. Whose mail is whose is told by the file alone."""
    return f"{secrets.token_hex(8)}@{person.name.encode().hex()[:40] or 'somebody'}.invalid"


def _notes(results: Sequence[Result]) -> list[str]:
    notes: list[str] = []
    for result in results:
        recorded = result.settled.applications
        joined = len(recorded) - len(set(recorded.values()))
        if joined:
            notes.append(f"{joined} applications were taken for another record of one recorded already.")
        kept = {found.true.id: result.settled.messages[found.true.id] for found in result.messages}
        if doubles := len(kept) - len(set(kept.values())):
            notes.append(f"{doubles} messages have the key of another one and count as that one.")
    return notes
