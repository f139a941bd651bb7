"""After an upgrade the workers read again by themselves what was left open, each account once."""

import uuid

import pytest
from fixtures.people import FixedClock
from fixtures.samples import Samples

from mailsync.passes.tasks import classify_mail, sweep_mail
from mailsync.passes.turn.store import take
from pipeline.worker.ticks import TICKS
from pipeline.worker.types import Deferred, TaskProgress, TaskRun
from schema.db import Database
from schema.ids import AccountId, TaskId
from schema.tasks import ClassifyMail, SweepMail

UNTOLD = (
    "Unfortunately, we have decided not to move forward with your application. "
    "We would like to invite you to an interview."
)


def run_of(database: Database, clock: FixedClock, account: AccountId | None) -> TaskRun:
    async def report(progress: TaskProgress) -> None:
        return None

    return TaskRun(db=database, clock=clock, task_id=TaskId(7), account_id=account, attempt=1, report=report)


async def test_each_account_with_mail_of_an_earlier_release_is_read_again_once(
    database: Database, account: AccountId, other_account: AccountId, samples: Samples, clock: FixedClock
):
    samples.message(body=UNTOLD)
    samples.of(other_account).message("rejection")
    fleet = run_of(database, clock, None)
    assert (await sweep_mail(fleet, SweepMail())).word == "asked"
    assert (await sweep_mail(fleet, SweepMail())).word == "nothing_new"
    asked = samples.rows("SELECT account_id, kind FROM tasks WHERE kind = %s", ClassifyMail.KIND)
    assert asked == [(account, "mail.classify.v1")]
    ours = run_of(database, clock, account)
    assert (await classify_mail(ours, ClassifyMail())).word == "read_again"
    assert (await classify_mail(ours, ClassifyMail())).word == "nothing_new"
    samples.rows("DELETE FROM tasks")
    assert (await sweep_mail(fleet, SweepMail())).word == "nothing_new"


async def test_a_worker_comes_again_when_somebody_else_reads(
    database: Database, account: AccountId, samples: Samples, clock: FixedClock
):
    async with database.as_account(account) as unit:
        await take(unit, uuid.uuid4(), "Ada at the terminal")
    with pytest.raises(Deferred) as held:
        await classify_mail(run_of(database, clock, account), ClassifyMail())
    assert held.value.until > clock.now()


def test_the_sweep_is_asked_for_by_the_clock():
    assert any(isinstance(tick.payload, SweepMail) for tick in TICKS)
