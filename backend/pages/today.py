"""Today: what needs me, what changed, is everything running."""

from datetime import timedelta
from typing import Literal

import msgspec
from litestar import get
from litestar.di import NamedDependency

from backend.http.rendering import count
from backend.http.visits import Html, Visit
from backend.mail.briefs import Brief, briefs
from backend.mail.rules import told
from backend.pages.setup import Step, steps
from backend.today import store
from backend.today.needs import Ask, Silent, asks, silent
from mailsync.imports import import_key
from schema.db import Unit
from schema.ids import ImportId
from schema.requests import UnderWay, under_way

CHANGES = 8
RECENT = timedelta(days=14)
"""Older news is no news: an import of last year's mail shall not read as if it came today."""

Health = Literal["good", "warn", "bad", "quiet"]


class Sign(msgspec.Struct, frozen=True, kw_only=True):
    """One line about the machinery: what it is, how it is, and since when or how far."""

    name: str
    tone: Health
    state: str
    detail: str = ""


class TodayView(msgspec.Struct, frozen=True, kw_only=True):
    needs: store.Needs
    asks: list[Ask]
    silent: Silent | None
    changes: list[store.Change]
    followed: int
    """How many statuses followed the mail by themselves lately."""
    signs: list[Sign]
    last_import: store.Import | None
    import_task: UnderWay | None
    """What works on the last import."""
    steps: list[Step]
    mailboxes: list[Brief]

    @property
    def runs_well(self) -> bool:
        """Whether every part of the machinery is as it should be, so that one line says it."""
        return all(sign.tone in {"good", "quiet"} for sign in self.signs)

    @property
    def is_importing(self) -> bool:
        return self.last_import is not None and self.import_task is not None

    @property
    def is_calm(self) -> bool:
        """Whether nothing needs the person."""
        return not (self.needs.questions or self.asks or self.lost or self.silent)

    @property
    def lost(self) -> list[Brief]:
        """Mailboxes that only the person can bring back."""
        return [brief for brief in self.mailboxes if brief.needs_person]

    @property
    def steps_done(self) -> int:
        return sum(step.done for step in self.steps)


@get("/", include_in_schema=False)
async def today(visit: NamedDependency[Visit]) -> Html:
    now = visit.clock.now()
    async with visit.database.as_fleet() as fleet:
        workers = await store.workers(fleet)
    async with visit.unit() as unit:
        setup = [] if visit.account.setup_ended_at else await steps(unit)
        imported = await store.last_import(unit)
        mailboxes = await briefs(unit, now)
        signs = [worker_sign(workers), work_sign(await store.work(unit))]
        if mailboxes:
            signs.append(daemon_sign(await store.mail_daemons(unit)))
        task = await _task_of(unit, imported)
        view = TodayView(
            needs=await store.needs(unit),
            asks=await asks(unit, now=now),
            silent=await silent(unit, now=now),
            changes=await store.changes(unit, since=now - RECENT, limit=CHANGES),
            followed=await store.followed(unit, since=now - RECENT),
            signs=[*signs, *mail_signs(imported, task, mailboxes)],
            last_import=imported,
            import_task=task,
            steps=setup if any(not step.done for step in setup) else [],
            mailboxes=mailboxes,
        )
    return visit.page("today.html", view)


async def _task_of(unit: Unit, last: store.Import | None) -> UnderWay | None:
    if last is None or last.finished_at is not None:
        return None
    key = import_key(ImportId(last.id))
    return (await under_way(unit, [key])).get(key)


def worker_sign(workers: store.Workers) -> Sign:
    if workers.present:
        return Sign(name="Worker", tone="good", state="Running")
    if workers.last_seen_at is None:
        return Sign(
            name="Worker",
            tone="warn",
            state="Never seen",
            detail="Start it with jobtrail worker; make run starts everything.",
        )
    return Sign(
        name="Worker",
        tone="bad",
        state="Not running",
        detail="What you ask for is kept and done when it is back.",
    )


def work_sign(work: store.Work) -> Sign:
    if work.failed_lately:
        failed = f"{count(work.failed_lately)} failed in the last day"
        return Sign(name="Tasks", tone="warn", state=failed)
    if work.running or work.waiting:
        detail = f"{count(work.running)} running, {count(work.waiting)} waiting"
        return Sign(name="Tasks", tone="good", state="At work", detail=detail)
    return Sign(name="Tasks", tone="quiet", state="Nothing to do")


def daemon_sign(daemons: store.Workers) -> Sign:
    """Only where there is a mailbox that it has to read."""
    if daemons.present:
        return Sign(name="Mail daemon", tone="good", state="Running")
    detail = "Start it with jobtrail mailsync; make run starts everything. Nothing is lost meanwhile."
    return Sign(name="Mail daemon", tone="bad", state="Not running", detail=detail)


def mail_signs(last: store.Import | None, task: UnderWay | None, mailboxes: list[Brief]) -> list[Sign]:
    """Each mailbox, and the last archive; that there is none is told only where nothing is connected."""
    signs = [mailbox_sign(brief) for brief in mailboxes]
    return signs if last is None and signs else [*signs, mail_sign(last, task)]


def mailbox_sign(brief: Brief) -> Sign:
    if brief.needs_person:
        return Sign(name=brief.address, tone="bad", state="Not read any more", detail=brief.told)
    if brief.paused_until:
        return Sign(name=brief.address, tone="quiet", state="Pauses", detail="It goes on by itself.")
    if brief.is_reading:
        read = f"{count(brief.done)} of {count(brief.total) if brief.total else 'an unknown number'} read"
        return Sign(name=brief.address, tone="good", state="Being read", detail=read)
    return Sign(name=brief.address, tone="good", state="In step with Gmail")


def mail_sign(last: store.Import | None, task: UnderWay | None) -> Sign:
    if last is None:
        return Sign(name="Mail", tone="quiet", state="None brought in yet")
    if last.finished_at is None and task is None:
        return Sign(name="Mail", tone="warn", state="Import stopped before its end", detail=told(last))
    words: dict[str, tuple[Health, str]] = {
        "queued": ("quiet", "Import waits for its turn"),
        "running": ("good", "Import is running"),
        "done": ("good", "Last import is done"),
        "failed": ("warn", "Last import failed"),
    }
    tone, state = words[last.state]
    return Sign(name="Mail", tone=tone, state=state, detail=told(last))


ROUTES = (today,)
