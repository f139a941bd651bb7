"""A row of a file as the application it would become, or the sentence why it becomes none. Pure.

Whatever the columns of an application cannot hold stays in its note, so that nothing of the row is lost.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import cast

from matcher.applications.rules import MAX_NAME_CHARS
from matcher.applications.types import NewApplication
from matcher.trackers.headers import OURS
from matcher.trackers.outgoing import BY_PERSON
from matcher.trackers.statuses import says_all, status_key
from matcher.trackers.types import Becoming, Field, Line, Mapping, Refused, Sheet
from matcher.trackers.values import ReadDay, is_two_ways, read_day, read_url, read_yes, undefused
from schema.text import grouped, shorten
from schema.vocabulary import Stage

NOTE_MAX = 20_000
_SHOWN = 60
_STATUS_BY = OURS.index("status_by")
_EARLIEST_ZONE = timezone(timedelta(hours=14))
"""Where on earth a day begins first: only a day that has not begun even there lies ahead."""


class _Unreadable(Exception):
    """A cell that decides what the row becomes cannot be read; the text says which and why."""


def becoming(sheet: Sheet, mapping: Mapping, *, now: datetime) -> list[Becoming | Refused]:
    """Every row in the order of the file."""
    return [_row(sheet, mapping, line, now) for line in sheet.rows]


def needs_order(sheet: Sheet, mapping: Mapping) -> str | None:
    """A day that can be read two ways while nothing says which comes first; None when all is clear."""
    if mapping.day_first is not None:
        return None
    places = [place for place, field in enumerate(mapping.columns) if field in {"applied", "status_date"}]
    texts = (row.cell(place).strip() for row in sheet.rows for place in places)
    return next((text for text in texts if text and is_two_ways(text)), None)


def _row(sheet: Sheet, mapping: Mapping, line: Line, now: datetime) -> Becoming | Refused:
    try:
        return _Reader(sheet, mapping, line, now).become()
    except _Unreadable as error:
        return Refused(line=line.number, reason=str(error), cells=line.cells)


class _Reader:
    """One row on its way; what does not fit elsewhere is collected for the note."""

    def __init__(self, sheet: Sheet, mapping: Mapping, line: Line, now: datetime) -> None:
        self._header = sheet.header
        self._mapping = mapping
        self._line = line
        self._now = now
        self._is_ours = sheet.header == OURS
        self._left_over: list[str] = []

    def become(self) -> Becoming:
        company, role = self._name("company"), self._name("role")
        if not company and not role:
            raise _Unreadable("It names neither an employer nor a position.")
        status = self._status()
        applied, stood = self._day("applied"), self._day("status_date")
        url, archived = self._url(), self._archived()
        new = NewApplication(
            origin="import",
            company=company or None,
            role=role or None,
            url=url,
            requisition_id=self._name("requisition") or None,
            applied_at=applied.at if applied else None,
            applied_on=applied.on if applied and applied.at is None else None,
            note=self._note(),
        )
        return Becoming(
            line=self._line.number,
            new=new,
            status=status,
            status_at=_instant(stood) if status and stood else None,
            archived=archived,
        )

    def _text(self, field: Field) -> str:
        place = self._mapping.place(field)
        return "" if place is None else self._cell(place)

    def _cell(self, place: int) -> str:
        return undefused(self._line.cell(place)).strip()

    def _note_it(self, field: Field, text: str) -> None:
        self._left_over.append(f"{self._header[self._mapping.columns.index(field)]}: {text}")

    def _name(self, field: Field) -> str:
        whole = self._text(field)
        name = " ".join(whole.split())
        if len(name) > MAX_NAME_CHARS:
            self._note_it(field, whole)
        return shorten(name, MAX_NAME_CHARS)

    def _status(self) -> Stage | None:
        """An application that is only applied to stays open to what the mail says."""
        text = self._text("status")
        if not text:
            return None
        meaning = self._mapping.statuses.get(status_key(text), "note")
        if meaning == "not_yet":
            raise _Unreadable(f"Not applied yet: {shorten(text, _SHOWN)}.")
        if not says_all(text, meaning) and not self._is_ours:
            self._note_it("status", text)
        if meaning == "applied" and self._is_ours and self._line.cell(_STATUS_BY) == BY_PERSON:
            return "applied"
        return None if meaning in {"note", "applied"} else cast("Stage", meaning)

    def _day(self, field: Field) -> ReadDay | None:
        text = self._text(field)
        if not text:
            return None
        found = read_day(text, day_first=self._mapping.day_first)
        name = self._header[self._mapping.columns.index(field)]
        if found is None:
            said = "can be read two ways" if is_two_ways(text) else "is no day"
            raise _Unreadable(f"{name}: “{shorten(text, _SHOWN)}” {said}.")
        if found.on > self._now.astimezone(_EARLIEST_ZONE).date():
            raise _Unreadable(f"{name}: {shorten(text, _SHOWN)} lies ahead.")
        if found.has_time:
            self._note_it(field, text)
        return found

    def _url(self) -> str | None:
        text = self._text("url")
        found = read_url(text) if text else None
        if text and text != found and not text.lower().startswith("=hyperlink("):
            self._note_it("url", text)
        return found

    def _archived(self) -> bool:
        text = self._text("archived")
        said = read_yes(text)
        if said is None and read_day(text, day_first=True) is None:
            self._note_it("archived", text)
        return said is not False

    def _note(self) -> str:
        note = "\n".join(text for text in (*self._own_notes(), *self._beside()) if text)
        if len(note) > NOTE_MAX:
            raise _Unreadable(
                f"Its note would have {grouped(len(note))} characters; at most {grouped(NOTE_MAX)} fit."
            )
        return note

    def _own_notes(self) -> Iterator[str]:
        """The first column of notes as it is; a further one says what it is called."""
        places = [place for place, field in enumerate(self._mapping.columns) if field == "note"]
        for number, place in enumerate(places):
            text = undefused(self._line.cell(place)) if self._is_ours else self._cell(place)
            yield text if number == 0 or not text else f"{self._header[place]}: {text}"

    def _beside(self) -> Iterator[str]:
        for place, field in enumerate(self._mapping.columns):
            if field in {"location", "salary", "contact", "extra"} and (text := self._cell(place)):
                yield f"{self._header[place]}: {text}"
        for place in range(len(self._mapping.columns), len(self._line.cells)):
            yield self._cell(place)
        yield from self._left_over


def _instant(found: ReadDay) -> datetime:
    """What a status is compared with mail by: a plain day counts from its first minute, in UTC."""
    return found.at or datetime.combine(found.on, time.min, UTC)


def day_of(new: NewApplication) -> date | None:
    return new.applied_at.date() if new.applied_at else new.applied_on
