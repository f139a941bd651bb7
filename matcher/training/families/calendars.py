"""Appointments in the calendar: named once, then only known by the entry's own number."""

from datetime import timedelta

import msgspec

from matcher.training import senders
from matcher.training.families.register import situation
from matcher.training.invitations import Entry, Method, written
from matcher.training.letters import Facts
from matcher.training.naming import Person
from matcher.training.scene import Applied, Note, Scene, about, nothing, open_between
from matcher.training.senders import Sender
from matcher.training.types import Truth


@situation(
    2, "the invitation names employer and title; update and cancellation carry the same entry's number"
)
def calendar_chain(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(2, 15)
    by, shown = _host(scene, applied)
    _play(scene, applied, by, shown)


@situation(1, "two applications at one employer; the entry's number ties the later messages to the first")
def calendar_chain_among_two(scene: Scene) -> None:
    employer = scene.employer()
    both = [scene.apply(employer, role) for role in scene.roles(2)]
    scene.wait(2, 15)
    for applied in scene.chance.sample(both, scene.chance.randrange(1, 3)):
        by = senders.somebody(employer, scene.person(), scene.chance)
        _play(scene, applied, by, by)


@situation(3, "an appointment of two people's names and nothing else: it may be any application or none")
def calendar_people_only(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(2, 15)
    by = senders.stranger(scene.person(), scene.chance)
    entry = _entry(scene, by.person or scene.person(), by.address, "")
    _sent(scene, "people_only", by, entry, "REQUEST", open_between(applied), Facts())


@situation(1, "an appointment among friends")
def calendar_private(scene: Scene) -> None:
    by = senders.stranger(scene.person(), scene.chance)
    entry = _entry(scene, by.person or scene.person(), by.address, "")
    _sent(scene, "private", by, entry, "REQUEST", nothing(), Facts())


def _play(scene: Scene, applied: Applied, by: Sender, shown: Sender) -> None:
    """Invited by name, then changed, then perhaps called off, by the same entry."""
    facts = scene.facts(applied, "company", "role")
    summary = f"{applied.employer.short} - {applied.role}"
    entry = _entry(scene, by.person or scene.person(), by.address, summary)
    _sent(scene, "scheduled", shown, entry, "REQUEST", about(applied), facts)
    scene.wait(0.5, 4)
    quiet = msgspec.structs.replace(entry, summary=_between(scene, entry), sequence=1)
    _sent(scene, "calendar_change", shown, quiet, "REQUEST", about(applied), Facts())
    if scene.maybe(0.5):
        scene.wait(0.5, 3)
        gone = msgspec.structs.replace(quiet, sequence=2)
        _sent(scene, "calendar_cancel", shown, gone, "CANCEL", about(applied), Facts())


def _sent(
    scene: Scene, kind: str, by: Sender, entry: Entry, method: Method, truth: Truth, facts: Facts
) -> None:
    told = msgspec.structs.replace(facts, sender=entry.host.name, sender_first=entry.host.first)
    calendar = written(entry, method, scene.now)
    scene.send(Note(kind=kind, by=by, truth=truth, facts=told, calendar=calendar, method=method))


def _host(scene: Scene, applied: Applied) -> tuple[Sender, Sender]:
    """Who invites, and who the mail comes from: that person, or the calendar on their behalf."""
    by = senders.somebody(applied.employer, scene.person(), scene.chance)
    if scene.maybe(0.6):
        return by, by
    stranger = senders.stranger(by.person or scene.person(), scene.chance)
    return stranger, Sender(name=stranger.name, address="calendar-notification@google.com", person=by.person)


def _entry(scene: Scene, host: Person, address: str, summary: str) -> Entry:
    starts_at = scene.now.replace(minute=0, second=0) + timedelta(days=scene.chance.randrange(2, 9))
    entry = Entry(
        uid=f"{scene.chance.getrandbits(80):020x}@calendar.example",
        summary=summary,
        host=host,
        host_address=address,
        guest=scene.box.owner,
        guest_address=scene.box.address,
        starts_at=starts_at,
    )
    return entry if summary else msgspec.structs.replace(entry, summary=_between(scene, entry))


def _between(scene: Scene, entry: Entry) -> str:
    return scene.chance.choice(
        (
            f"{entry.host.name} / {entry.guest.name}",
            f"{entry.guest.first} <> {entry.host.first}",
            entry.host.name,
        )
    )
