"""Review, history: what the person decided about which message, what it replaced, and the way back."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from backend.http.paging import Page, cursor, key_of
from backend.http.visits import Html, Visit
from matcher.resolutions.former import HistoryEntry
from matcher.resolutions.store import history
from schema.ids import DecisionId, MessageId

ROWS = 50


class Before(msgspec.Struct, frozen=True, kw_only=True):
    decision_id: DecisionId


class HistoryView(msgspec.Struct, frozen=True, kw_only=True):
    rows: Page[HistoryEntry]
    last: frozenset[DecisionId]
    """The last standing decision about each message: the one that can be taken back."""


@get("/review/history", include_in_schema=False)
async def decided(
    visit: NamedDependency[Visit],
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
) -> Html:
    place = key_of(after, Before)
    async with visit.unit() as unit:
        found = await history(unit, before=place and place.decision_id, limit=ROWS + 1)
    shown = found[:ROWS]
    more = cursor(Before(decision_id=shown[-1].decision_id)) if len(found) > ROWS else None
    view = HistoryView(rows=Page(items=shown, next=more), last=last_standing(shown))
    return visit.page("review_history.html", view)


def last_standing(entries: list[HistoryEntry]) -> frozenset[DecisionId]:
    """Of each message the newest decision that was not taken back. A choice that is in force is always one;
    a refusal is followed by the machine's next word, so it is the newest of its message on this page."""
    newest: dict[MessageId, HistoryEntry] = {}
    for entry in entries:
        if entry.choice != "undo" and entry.undone_at is None:
            newest.setdefault(entry.message_id, entry)
    return frozenset(
        entry.decision_id
        for entry in newest.values()
        if entry.decision_id == entry.version or entry.choice == "reject"
    )


ROUTES = (decided,)
