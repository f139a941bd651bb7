"""The applications as a table or for programs, sent while they are read: all, or under the filters."""

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.response import Stream

from backend.http import times
from backend.http.streaming import Make, begun, streamed
from backend.http.visits import Visit
from backend.leaving.archive import Send
from backend.leaving.export import write_applications
from backend.listing.filters import Filters, filters_of, form_in, lens_of
from matcher.listing.rules import place_of
from matcher.listing.store import listed
from matcher.listing.types import Lens
from matcher.trackers.outgoing import csv_header, csv_lines
from matcher.trackers.store import exported
from schema.db import Unit

_BATCH = 500


@get("/applications/export.csv", include_in_schema=False)
async def as_csv(visit: NamedDependency[Visit]) -> Stream:
    lenses = lenses_of(visit)

    async def make(send: Send) -> None:
        async with visit.database.as_reader(visit.account.id) as unit:
            await write_csv(unit, lenses, send)

    return await _download(visit, make, "csv", "text/csv")


@get("/applications/export.json", include_in_schema=False)
async def as_json(visit: NamedDependency[Visit]) -> Stream:
    lenses = lenses_of(visit)

    async def make(send: Send) -> None:
        async with visit.database.as_reader(visit.account.id) as unit:
            await send(b'{"version": 1, "exported_at": ' + msgspec.json.encode(visit.clock.now()))
            await send(b', "applications": ')
            await write_applications(unit, lenses, send)
            await send(b"}\n")

    return await _download(visit, make, "json", "application/json")


def lenses_of(visit: Visit) -> list[Lens]:
    """What the address asks for in the list's own words; without any, everything, dismissed ones last.

    Raises `Invalid`: a file that shows more than was asked for would say so nowhere.
    """
    form = form_in(visit.request.query_params.multi_items())
    filters = filters_of(form)
    form.require_ok()
    lens = lens_of(filters, visit.clock.now(), times.zone(visit.account.time_zone))
    everything = filters == Filters(sort=filters.sort, layout=filters.layout)
    return [lens, msgspec.structs.replace(lens, dismissed=True)] if everything else [lens]


async def write_csv(unit: Unit, lenses: list[Lens], send: Send) -> None:
    await send(csv_header())
    for lens in lenses:
        after = None
        while rows := await listed(unit, lens, after=after, limit=_BATCH):
            await send(csv_lines(await exported(unit, [row.application_id for row in rows])))
            after = place_of(rows[-1], lens.sort)


async def _download(visit: Visit, make: Make, suffix: str, media_type: str) -> Stream:
    name = f"applications-{visit.clock.now():%Y-%m-%d}.{suffix}"
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Stream(await begun(streamed(make)), media_type=media_type, headers=headers)


ROUTES = (as_csv, as_json)
