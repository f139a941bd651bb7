"""One tracker that is brought in: what each column is, how its first rows would become, what became of it."""

import csv
import io
from typing import get_args
from urllib.parse import quote

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit
from backend.http.words import STAGES
from backend.pages.application_imports import HERE
from matcher.applications.store import application
from matcher.applications.types import Application
from matcher.trackers import store
from matcher.trackers.becoming import day_of
from matcher.trackers.guessing import remapped
from matcher.trackers.importing import (
    Opened,
    Preview,
    import_key,
    opened,
    preview,
    start,
    start_undo,
    two_ways,
)
from matcher.trackers.recording import first_of
from matcher.trackers.statuses import KNOWN, status_key
from matcher.trackers.store import RefusedRow
from matcher.trackers.types import FIELDS, SINGLE, Field, Mapping, Meaning, Planned, Sheet, TrackerImport
from matcher.trackers.values import defused, order_of
from schema.ids import ApplicationId, TrackerImportId
from schema.requests import UnderWay, under_way
from schema.text import shorten
from schema.vocabulary import Stage

FIELD_WORDS: dict[Field, str] = {
    "company": "Employer",
    "role": "Position",
    "url": "Link to the posting",
    "applied": "Applied on",
    "status": "Status",
    "status_date": "Day of the status",
    "requisition": "Number of the posting",
    "archived": "Archived: out of the list",
    "location": "Place, kept in the note",
    "salary": "Salary, kept in the note",
    "contact": "Contact, kept in the note",
    "note": "Note",
    "extra": "Something else, kept in the note",
    "skip": "Leave it out",
}
MEANINGS: tuple[tuple[Meaning, str], ...] = (
    ("note", "Only a word in the note"),
    *((stage, STAGES[stage].text) for stage in get_args(Stage)),
    ("not_yet", "Not applied yet: leave the row out"),
)
_MEANING_OF: dict[str, Meaning] = {meaning: meaning for meaning, _ in MEANINGS}
_FIELD_OF: dict[str, Field] = {field: field for field in FIELDS}
SHOWN = 10
LOOKED_AT = 2000
"""Rows that are worked out for showing what becomes of a file, well under a second."""
_CELL = 60
_REFUSED_SHOWN = 100


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """A column of the file; `field` is the name of its box."""

    field: str
    name: str
    sample: str


class WordRow(msgspec.Struct, frozen=True, kw_only=True):
    """A status word of the file. `asks`: nobody knows it, so it stands before the eye."""

    field: str
    key: str
    word: str
    rows: int
    asks: bool


class PreviewRow(msgspec.Struct, frozen=True, kw_only=True):
    planned: Planned
    status: str

    @property
    def day(self) -> object:
        return day_of(self.planned.row.new) if self.planned.row else None

    @property
    def recorded(self) -> list[ApplicationId]:
        """Those it may be the same as that have a page; what a row above becomes has none yet."""
        return [each for each in self.planned.maybe if each > 0]


class MappingView(msgspec.Struct, frozen=True, kw_only=True):
    found: TrackerImport
    form: Form
    columns: list[Column]
    words: list[WordRow]
    asks_order: bool
    two_ways: str | None
    rows: list[PreviewRow]
    new: int
    doubtful: int
    known: int
    refused: int
    left: int
    fields = tuple((name, FIELD_WORDS[name]) for name in FIELDS)
    meanings = MEANINGS

    @property
    def unknown_words(self) -> list[WordRow]:
        return [row for row in self.words if row.asks]

    @property
    def known_words(self) -> list[WordRow]:
        return [row for row in self.words if not row.asks]


class ResultView(msgspec.Struct, frozen=True, kw_only=True):
    """`task` None while the state says that something works on it: it stopped."""

    found: TrackerImport
    task: UnderWay | None
    refused: list[RefusedRow]
    made: list[Application]


@get(HERE + "/{tracker_import_id:int}", include_in_schema=False)
async def show(visit: NamedDependency[Visit], tracker_import_id: FromPath[int]) -> Html:
    import_id = TrackerImportId(tracker_import_id)
    async with visit.unit() as unit:
        found = await store.import_by_id(unit, import_id)
    return await (_mapping(visit, found) if found.state == "read" else _result(visit, found))


async def _mapping(visit: Visit, found: TrackerImport, form: Form | None = None, status: int = 200) -> Html:
    async with visit.unit() as unit:
        read = await opened(unit, found.id)
        shown = await preview(unit, read, now=visit.clock.now(), limit=LOOKED_AT)
    view = _view(found, form or _form(read), read, shown)
    return visit.page("application_import.html", view, status=status)


def _view(found: TrackerImport, form: Form, read: Opened, shown: Preview) -> MappingView:
    sheet, mapping = read.sheet, read.mapping
    return MappingView(
        found=found,
        form=form,
        columns=[
            Column(field=f"column_{place}", name=name, sample=_sample(sheet, place))
            for place, name in enumerate(sheet.header)
        ],
        words=_words(sheet, mapping),
        asks_order=_asks_order(sheet, mapping)
        and (shown.two_ways is not None or mapping.day_first is not None),
        two_ways=shown.two_ways,
        rows=[
            PreviewRow(planned=each, status=(each.row.status or "") if each.row else "")
            for each in first_of(shown.plan, SHOWN)
        ],
        new=shown.count("new"),
        doubtful=len(shown.doubtful),
        known=shown.count("known"),
        refused=shown.count("refused"),
        left=shown.left,
    )


def _sample(sheet: Sheet, place: int) -> str:
    texts = (row.cell(place).strip() for row in sheet.rows)
    return shorten(" ".join(next((text for text in texts if text), "").split()), _CELL)


def _asks_order(sheet: Sheet, mapping: Mapping) -> bool:
    """Whether the file itself leaves open which of day and month stands first."""
    places = [place for place, field in enumerate(mapping.columns) if field in {"applied", "status_date"}]
    return order_of(row.cell(place) for row in sheet.rows for place in places) is None


def _words(sheet: Sheet, mapping: Mapping) -> list[WordRow]:
    place = mapping.place("status")
    if place is None:
        return []
    texts = [text for row in sheet.rows if (text := row.cell(place).strip())]
    words: dict[str, str] = {}
    counts: dict[str, int] = {}
    for text in texts:
        key = status_key(text)
        words.setdefault(key, text)
        counts[key] = counts.get(key, 0) + 1
    ordered = sorted(words, key=lambda key: -counts[key])
    return [
        WordRow(
            field=f"means_{at}",
            key=key,
            word=shorten(words[key], _CELL),
            rows=counts[key],
            asks=key not in KNOWN,
        )
        for at, key in enumerate(ordered)
    ]


def _form(read: Opened) -> Form:
    """The form as the mapping stands."""
    values = {f"column_{place}": field for place, field in enumerate(read.mapping.columns)}
    values |= {
        word.field: read.mapping.statuses.get(word.key, "note") for word in _words(read.sheet, read.mapping)
    }
    order = read.mapping.day_first
    return Form.of(**values, order="" if order is None else "day" if order else "month")


@post(HERE + "/{tracker_import_id:int}", include_in_schema=False)
async def settle(visit: NamedDependency[Visit], tracker_import_id: FromPath[int]) -> Html | Redirect:
    """Save what each column is, and show again what would become of it, or have it done."""
    import_id = TrackerImportId(tracker_import_id)
    form = await read_form(visit.request)
    async with visit.unit() as unit:
        found = await store.import_by_id(unit, import_id)
        read = await opened(unit, import_id)
    mapping = _mapped(form, read)
    if not form.ok:
        return await _mapping(visit, found, form, status=400)
    async with visit.unit() as unit:
        await store.set_mapping(unit, import_id, mapping)
    here = f"{HERE}/{import_id}"
    if form.value("act") != "apply":
        return visit.leave(f"{here}#preview")
    if (open_date := two_ways(msgspec.structs.replace(read, mapping=mapping))) is not None:
        form.refuse("order", f"“{open_date}” can be read two ways. Say what stands first.")
        return await _mapping(visit, found, form, status=400)
    async with visit.unit() as unit:
        await start(unit, import_id, now=visit.clock.now())
    return visit.leave(here)


def _mapped(form: Form, read: Opened) -> Mapping:
    columns: tuple[Field, ...] = tuple(
        _field(form, f"column_{place}", name) for place, name in enumerate(read.sheet.header)
    )
    for place, field in enumerate(columns):
        if field in SINGLE and field in columns[:place]:
            form.refuse(f"column_{place}", f"Only one column can be “{FIELD_WORDS[field]}”.")
    if not {"company", "role"} & set(columns):
        form.refuse("column_0", "Say which column is the employer or the position.")
    day_first = {"day": True, "month": False}.get(form.value("order"))
    return remapped(read.sheet, columns, day_first=day_first, chosen=_meant(form))


def _meant(form: Form) -> dict[str, Meaning]:
    """What the person says about each status word; a hidden field beside its box tells the word."""
    found: dict[str, Meaning] = {}
    for name, key in form.values.items():
        said = form.value(name.removeprefix("key_"))
        meaning = _MEANING_OF.get(said)
        if name.startswith("key_") and meaning is not None:
            found[key] = meaning
    return found


def _field(form: Form, field: str, name: str) -> Field:
    given = form.value(field)
    found = _FIELD_OF.get(given)
    if found is None:
        form.refuse(field, f"{name}: choose one of the list.")
    return found or "extra"


async def _result(visit: Visit, found: TrackerImport) -> Html:
    key = import_key(found.id)
    async with visit.unit() as unit:
        task = (await under_way(unit, [key])).get(key)
        refused = await store.refused_rows(unit, found.id, limit=_REFUSED_SHOWN) if found.rows_refused else []
        made = [await application(unit, each) for each in await store.made(unit, found.id, limit=SHOWN)]
    view = ResultView(found=found, task=task, refused=refused, made=made)
    return visit.page("application_imported.html", view)


@post(HERE + "/{tracker_import_id:int}/undo", include_in_schema=False)
async def undo(visit: NamedDependency[Visit], tracker_import_id: FromPath[int]) -> Redirect:
    import_id = TrackerImportId(tracker_import_id)
    async with visit.unit() as unit:
        await start_undo(unit, import_id, now=visit.clock.now())
    return visit.leave(f"{HERE}/{import_id}")


@post(HERE + "/{tracker_import_id:int}/drop", include_in_schema=False)
async def drop(visit: NamedDependency[Visit], tracker_import_id: FromPath[int]) -> Redirect:
    """A file that was not applied is of no use to anybody."""
    import_id = TrackerImportId(tracker_import_id)
    async with visit.unit() as unit:
        await store.import_by_id(unit, import_id)
        dropped = await store.forget(unit, import_id)
    if not dropped:
        return visit.leave(f"{HERE}/{import_id}", "It was applied already; undo it instead.", tone="refused")
    return visit.leave(HERE, "The file was dropped. Nothing of it was taken over.")


@get(HERE + "/{tracker_import_id:int}/refused.csv", include_in_schema=False)
async def refused_rows(visit: NamedDependency[Visit], tracker_import_id: FromPath[int]) -> Response[str]:
    """The rows that became nothing, each with its line and the reason, for mending and bringing in again."""
    import_id = TrackerImportId(tracker_import_id)
    async with visit.unit() as unit:
        found = await store.import_by_id(unit, import_id)
        rows = await store.refused_rows(unit, import_id, limit=found.rows_total)
    name = quote(f"refused rows of {found.name}")
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{name}.csv"}
    return Response(_csv_of(rows), media_type="text/csv", headers=headers)


def _csv_of(rows: list[RefusedRow]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(("Line", "Why", "What stood there"))
    for row in rows:
        writer.writerow((row.line, defused(row.reason), *map(defused, row.cells)))
    return text.getvalue()


ROUTES = (show, settle, undo, drop, refused_rows)
