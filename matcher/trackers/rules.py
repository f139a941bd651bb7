"""Which rows are applications the person has already, and what such a row adds to them. Pure.

A row is known when an earlier import brought the same row, when `record_application` would call it the same
application, or when employer, title and day are the same and nothing contradicts. An unknown day is no other
day: where it is open on one side, the only application of that employer and title is the one; where there are
several, the row is new and says which it may be. Nothing known is overwritten: what is open is filled in, and
what the note does not say yet is added to it.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta

import msgspec
from msgspec.structs import replace

from matcher.applications.rules import SAME_APPLICATION, twin
from matcher.applications.types import Complete, Existing, Kept
from matcher.trackers.becoming import NOTE_MAX
from matcher.trackers.types import Becoming, Planned, Refused
from schema.ids import ApplicationId
from schema.vocabulary import Stage


class Face(Existing, frozen=True, kw_only=True):
    """An application there is, with everything an import can change.

    `received_at`: when a receipt says it had come in, while nobody knows the day; `heard_at`: the last news.
    """

    company: str | None
    role: str | None
    board: str | None
    requisition_id: str | None
    status: Stage | None
    status_at: datetime | None
    note: str
    dismissed_at: datetime | None
    updated_at: datetime
    merged_into_id: ApplicationId | None = None
    received_at: datetime | None = None
    heard_at: datetime | None = None


class Read(msgspec.Struct, frozen=True, kw_only=True):
    """A row with what its address and the catalog add."""

    row: Becoming
    complete: Complete


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What a known application becomes; `updated_at` says which state of it was looked at."""

    before: Kept
    after: Kept
    updated_at: datetime


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What happens to each row. A new application has a negative id until it is recorded."""

    planned: list[Planned]
    new: dict[ApplicationId, Kept]
    changed: dict[ApplicationId, Change]


def identity(complete: Complete) -> str:
    """What makes a row the same row in a later file: 64 hexadecimal digits."""
    parts = (
        complete.company_key or complete.company,
        complete.role_key or complete.role,
        complete.canonical_url,
        complete.requisition_key,
        _day(complete),
    )
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


_Key = tuple[str | int | None, ...]
_A_DAY = timedelta(days=1)


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """The application a row is known as; of none, those it may be the same as."""

    known: ApplicationId | None = None
    maybe: tuple[ApplicationId, ...] = ()


class Register:
    """The applications that rows are compared with; rows of this file join them as they come."""

    def __init__(
        self,
        faces: Iterable[Face],
        brought: Mapping[str, ApplicationId],
        taken: Iterable[ApplicationId] = (),
    ) -> None:
        """`brought`: the application of each row that an import brought and nobody took back.

        `taken`: those that rows of this file are known as already.
        """
        self.faces: dict[ApplicationId, Face] = {}
        self._brought = dict(brought)
        self._taken = set(taken)
        self._shared: dict[_Key, list[ApplicationId]] = defaultdict(list)
        for face in faces:
            self.add(face)

    def add(self, face: Face) -> None:
        self.faces[face.application_id] = face
        for key in _kept_under(face):
            self._shared[key].append(face.application_id)

    def bring(self, row_identity: str, application_id: ApplicationId) -> None:
        self._brought.setdefault(row_identity, application_id)
        self._taken.add(application_id)

    def find(self, read: Read, row_identity: str, now: datetime) -> Found:
        """A dismissed application is known only to a row that says so itself."""
        complete = read.complete
        if (brought := self._brought.get(row_identity)) is not None:
            return Found(known=brought)
        near = {each: self.faces[each] for key in _sought_under(complete) for each in self._shared[key]}
        present = [face for face in near.values() if face.dismissed_at is None]
        alike = [face for face in near.values() if _is_same_job(complete, face)]
        alike = alike if read.row.archived else [face for face in alike if face.dismissed_at is None]
        same = [face.application_id for face in alike if _day(complete) == _day(face)]
        known = twin(complete, present, now) or min(same, key=abs, default=None)
        return Found(known=known) if known is not None else self._of_open_day(complete, alike)

    def _of_open_day(self, complete: Complete, alike: Iterable[Face]) -> Found:
        """Two rows of one file are two applications: what another row is known as is only named."""
        whole = {face.application_id: face for face in map(self._standing_for, alike)}
        fitting = [each for each, face in whole.items() if _leaves_day_open(complete, face)]
        is_told = complete.role_key is not None and len(whole) == 1 and self._taken.isdisjoint(fitting)
        if is_told and fitting:
            return Found(known=fitting[0])
        return Found(maybe=tuple(sorted(fitting)))

    def _standing_for(self, face: Face) -> Face:
        return face if face.merged_into_id is None else self.faces.get(face.merged_into_id, face)


def plan(rows: Iterable[Read | Refused], register: Register, *, now: datetime) -> Plan:
    """The rows in the order of the file; an earlier row can be the application a later one is known as."""
    found = Plan(planned=[], new={}, changed={})
    for number, read in enumerate(rows, start=1):
        if isinstance(read, Refused):
            found.planned.append(Planned(line=read.line, outcome="refused", refused=read))
            continue
        row_identity = identity(read.complete)
        sought = register.find(read, row_identity, now)
        known = sought.known
        if known is None:
            known = ApplicationId(-number)
            found.new[known] = _made(read, now)
            register.add(_face(known, found.new[known], now))
            outcome = "new"
        else:
            _fill(found, register, known, read, now)
            outcome = "known"
        register.bring(row_identity, known)
        found.planned.append(
            Planned(
                line=read.row.line,
                outcome=outcome,
                row=read.row,
                identity=row_identity,
                known=known,
                maybe=sought.maybe,
            )
        )
    return found


def _fill(found: Plan, register: Register, known: ApplicationId, read: Read, now: datetime) -> None:
    face = register.faces.get(known)
    if face is None or face.dismissed_at is not None:
        return
    before = msgspec.convert(face, Kept, from_attributes=True)
    after = filled(before, read, now)
    if after == before:
        return
    if known < 0:
        found.new[known] = after
    else:
        first = found.changed.get(known)
        found.changed[known] = Change(
            before=first.before if first else before, after=after, updated_at=face.updated_at
        )
    register.add(replace(face, **msgspec.structs.asdict(after)))


def filled(kept: Kept, read: Read, now: datetime) -> Kept:
    """`kept` with what it left open, and what the row says more in its note."""
    complete, is_guess = read.complete, kept.origin == "derived"
    company = (complete.company, complete.company_key) if complete.company else None
    role = (complete.role, complete.role_key) if complete.role else None
    takes_company = company is not None and (is_guess or kept.company is None)
    takes_role = role is not None and (is_guess or kept.role is None)
    at, on = _applied(kept, complete)
    status, status_at = _status(kept, read, now)
    return replace(
        kept,
        origin="import" if is_guess else kept.origin,
        company=complete.company if takes_company else kept.company,
        company_key=complete.company_key if takes_company else kept.company_key,
        role=complete.role if takes_role else kept.role,
        role_key=complete.role_key if takes_role else kept.role_key,
        applied_at=at,
        applied_on=on,
        status=status,
        status_at=status_at,
        note=_note(kept.note, complete.note),
        **_open_ones(kept, complete),
    )


def _open_ones(kept: Kept, complete: Complete) -> dict[str, str | int | None]:
    """The address and its numbers go together: two records of a posting are never mixed."""
    found: dict[str, str | int | None] = {}
    if kept.canonical_url is None and kept.vendor_id is None and kept.posting_id is None:
        found |= {
            "canonical_url": complete.canonical_url,
            "posting_id": complete.posting_id,
            "platform": kept.platform or complete.platform,
            "board": kept.board or complete.board,
            "vendor_id": complete.vendor_id,
        }
    if kept.requisition_id is None:
        found |= {"requisition_id": complete.requisition_id, "requisition_key": complete.requisition_key}
    return found


def _applied(kept: Kept, complete: Complete) -> tuple[datetime | None, date | None]:
    """A day is completed by an instant of that day only."""
    if kept.applied_at is not None:
        return kept.applied_at, None
    if kept.applied_on is None:
        return complete.applied_at, complete.applied_on
    fits = complete.applied_at is not None and complete.applied_at.date() == kept.applied_on
    return (complete.applied_at, None) if fits else (None, kept.applied_on)


def _status(kept: Kept, read: Read, now: datetime) -> tuple[Stage | None, datetime | None]:
    """What the person set here stands, unless the file says that they set another later."""
    said = read.row
    if said.status is None:
        return kept.status, kept.status_at
    is_newer = said.status_at is not None and kept.status_at is not None and said.status_at > kept.status_at
    if kept.status is None or (is_newer and said.status != kept.status):
        return said.status, said.status_at or now
    return kept.status, kept.status_at


def _note(note: str, more: str) -> str:
    """Only lines that are not there yet; none when they no longer fit."""
    if not more or more in note:
        return note
    there = {line.strip() for line in note.splitlines()}
    added = "\n".join(line for line in more.splitlines() if line.strip() and line.strip() not in there)
    whole = "\n".join(part for part in (note, added) if part)
    return whole if len(whole) <= NOTE_MAX else note


def _made(read: Read, now: datetime) -> Kept:
    row = read.row
    return Kept(
        **msgspec.structs.asdict(read.complete),
        status=row.status,
        status_at=(row.status_at or now) if row.status else None,
        dismissed_at=now if row.archived else None,
    )


def _face(application_id: ApplicationId, kept: Kept, now: datetime) -> Face:
    """An archived row is only out of the list: a second row of the file is still the same application."""
    fields = msgspec.structs.asdict(replace(kept, dismissed_at=None))
    return Face(**fields, application_id=application_id, created_at=now, first_mail_at=None, updated_at=now)


def _kept_under(face: Face) -> list[_Key]:
    """The keys of an application; a row that is another record of it is sought under at least one of them."""
    found = _shared_keys(face)
    if face.canonical_url is not None:
        found += [("url", face.canonical_url, face.role_key), ("url of any role", face.canonical_url)]
    return found


def _sought_under(complete: Complete) -> list[_Key]:
    """One address can carry many openings: a row that names its title is no other one of them."""
    found = _shared_keys(complete)
    if complete.canonical_url is not None and complete.role_key is None:
        found.append(("url of any role", complete.canonical_url))
    elif complete.canonical_url is not None:
        found += [("url", complete.canonical_url, complete.role_key), ("url", complete.canonical_url, None)]
    return found


def _shared_keys(found: Complete | Face) -> list[_Key]:
    keys: list[_Key] = []
    if found.vendor_id is not None:
        keys.append(("vendor", found.vendor_id))
    if found.posting_id is not None:
        keys.append(("posting", found.posting_id))
    if found.company_key is not None or found.role_key is not None:
        keys.append(("job", found.company_key, found.role_key))
    return keys


def _is_same_job(complete: Complete, face: Face) -> bool:
    """Employer and title agree, nothing with nothing, and no address or number contradicts."""
    if (complete.company_key, complete.role_key) != (face.company_key, face.role_key):
        return False
    if complete.company_key is None and (complete.role_key is None or _day(complete) is None):
        return False
    pairs = (
        (complete.canonical_url, face.canonical_url),
        (complete.vendor_id, face.vendor_id),
        (complete.requisition_key, face.requisition_key),
    )
    return not any(mine and other and mine != other for mine, other in pairs)


def _leaves_day_open(complete: Complete, face: Face) -> bool:
    """One side knows the day, and the mail of the other can be about an application of that day."""
    mine, other = _day(complete), _day(face)
    if complete.company_key is None or (mine is None) == (other is None):
        return False
    applied = _from(complete)
    if applied is None:
        return True
    if face.heard_at is not None and face.heard_at < applied - _A_DAY:
        return False
    return face.received_at is None or -_A_DAY <= face.received_at - applied <= SAME_APPLICATION


def _day(found: Complete | Face) -> str | None:
    day = found.applied_at.date() if found.applied_at else found.applied_on
    return day.isoformat() if day else None


def _from(complete: Complete) -> datetime | None:
    """For comparing only: a plain day counts from its first minute."""
    day = complete.applied_on
    return complete.applied_at or (datetime.combine(day, time.min, UTC) if day else None)
