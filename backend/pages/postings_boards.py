"""Which boards the postings come from, how new each is, and why one is missing. For everyone."""

from datetime import datetime
from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from backend.http.paging import cursor, key_of
from backend.http.visits import Html, Visit
from backend.listing.board_standing import Standing, standing
from pipeline.catalog.boards.store import boards_page
from pipeline.catalog.boards.types import BoardAfter, BoardLine
from pipeline.closing.store import incidents
from pipeline.closing.types import Incident
from pipeline.sources.registry import (
    ADAPTERS,
    CLOSING,
    POLICY,
    RETIRED,
    NotABoard,
    PlatformForbidsReading,
    PlatformNotRead,
    place_of,
)
from schema.identity.spelling import spelled
from schema.text import clean

ROWS = 100
WORDS_MAX = 500


class Missed(msgspec.Struct, frozen=True, kw_only=True):
    """An address somebody looked for: the board it names, or why there can be none."""

    board: str | None
    why: str


class BoardsView(msgspec.Struct, frozen=True, kw_only=True):
    """`missed` is None where no address was looked for."""

    rows: list[BoardLine]
    next: str | None
    q: str
    is_behind: bool
    missed: Missed | None
    incidents: dict[str, Incident]
    now: datetime

    @property
    def readable(self) -> list[str]:
        return [spelled(name) for name in sorted(ADAPTERS)]

    @property
    def unread(self) -> list[tuple[str, str]]:
        closed = {name: each.reason for name, each in CLOSING.items() if self.now >= each.since}
        return [(spelled(name), reason) for name, reason in sorted({**POLICY, **RETIRED, **closed}.items())]

    def standing(self, row: BoardLine) -> Standing:
        return standing(row, self.incidents, self.now)


@get("/postings/boards", include_in_schema=False)
async def listed(
    visit: NamedDependency[Visit],
    q: Annotated[str, QueryParameter(max_length=WORDS_MAX)] = "",
    show: Annotated[str, QueryParameter(max_length=20)] = "",
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
) -> Html:
    now = visit.clock.now()
    asked = clean(q).strip()
    words, missed = _meant(asked, now)
    async with visit.unit() as unit:
        page = await boards_page(
            unit,
            words=words,
            shown="behind" if show == "behind" else "all",
            after=key_of(after, BoardAfter),
            rows=ROWS,
            now=now,
        )
        troubles = {each.platform: each for each in await incidents(unit)}
    view = BoardsView(
        rows=page.items,
        next=cursor(page.next) if page.next else None,
        q=asked,
        is_behind=show == "behind",
        missed=missed,
        incidents=troubles,
        now=now,
    )
    return visit.page("postings_boards.html", view)


def _meant(asked: str, now: datetime) -> tuple[str, Missed | None]:
    """What to look for among the boards; an address is looked for by the board it names."""
    if "://" not in asked and not asked.lower().startswith("www."):
        return asked, None
    try:
        place = place_of(asked, now)
    except (NotABoard, PlatformForbidsReading, PlatformNotRead) as refusal:
        return asked, Missed(board=None, why=refusal.detail)
    return f"{place.platform} {place.board}", Missed(
        board=f"{place.board} at {spelled(place.platform)}", why=""
    )


ROUTES = (listed,)
