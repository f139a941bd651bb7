"""What the commands about the catalog read and say: a posting's way, and rows that contradict each other."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import msgspec

from backend.cli.task_words import at, plain
from pipeline.catalog.rules import reason_said, trail
from pipeline.catalog.store import (
    events_of,
    posting_at,
    posting_by_id,
    sightings_at,
    sightings_of,
    twins_of,
)
from pipeline.catalog.types import Event, Posting, Sighting, State, Step, Twin
from pipeline.keeping.reconcile import Drift
from pipeline.sources.registry import spelled_out
from schema.db import Database
from schema.identity.spelling import spelled
from schema.identity.urls import posting_url

_STATES: dict[State, str] = {
    "yes": "yes",
    "no": "no",
    "failed": "failed",
    "unknown": "unknown",
    "not_looked": "never looked",
}
_DRIFTS = {
    "mislinked": "listings stand at another posting",
    "unshown": "open postings stand on no board that is read",
    "shown_but_closed": "closed postings are shown by a board",
    "untold": "postings have events that say something else",
}


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """`posting` None: it was observed, and the rules refused it."""

    posting: Posting | None
    steps: list[Step]
    sightings: list[Sighting]
    events: list[Event] = []
    twins: list[Twin] = []


def is_address(url: str) -> bool:
    """Whether it names a page of a site."""
    found = posting_url(spelled_out(url))
    return found is not None and "." in (urlsplit(found.canonical).hostname or "")


async def known_of(database: Database, url: str) -> Known | None:
    """All that is known of the posting an address names; None when nothing is."""
    url = spelled_out(url)
    async with database.as_presenter("") as unit:  # the pages' questions, as nobody's own
        posting_id = await posting_at(unit, url)
        if posting_id is None:
            sightings = await sightings_at(unit, url)
            return (
                Known(posting=None, steps=trail(None, sightings), sightings=sightings) if sightings else None
            )
        posting = await posting_by_id(unit, posting_id)
        sightings = await sightings_of(unit, posting_id)
        return Known(
            posting=posting,
            steps=trail(posting, sightings),
            sightings=sightings,
            events=await events_of(unit, posting_id),
            twins=await twins_of(unit, posting_id),
        )


def lines_of(known: Known) -> Iterator[str]:
    posting = known.posting
    if posting is not None:
        yield f"{posting.id}  {plain(posting.title)}, {plain(posting.company or 'company unknown')}"
        yield plain(posting.canonical_url)
    for step in known.steps:
        when = at(step.at) or "at no known time"
        yield f"{step.name:<10}{_STATES[step.state]:<14}{when:<21}{plain(step.why)}".rstrip()
    for seen in known.sightings:
        missing = f", missing from {seen.missed} complete reads since" if seen.missed else ""
        last = at(seen.last_seen_at) or "not since"
        yield (
            f"  on {spelled(seen.platform)} {plain(seen.board)}: first {at(seen.first_seen_at)}, "
            f"last {last}{missing}"
        )
    for event in known.events:
        board = f", {spelled(event.platform)} {plain(event.board)}" if event.platform else ""
        read = f", read {event.pull_id}" if event.pull_id else ""
        yield f"  {event.event:<10}{at(event.at)}  {reason_said(event.reason)}{board}{read}"
    for twin in known.twins:
        said, board = ", ".join(twin.evidence).replace("_", " "), plain(twin.board)
        yield f"  probably the same opening: {twin.id} at {spelled(twin.platform)} {board} ({said})"


def drift_lines(drift: Drift, *, mended: bool) -> Iterator[str]:
    for name, words in _DRIFTS.items():
        number: int = getattr(drift, name)
        if number:
            yield f"{number:>8}  {words}"
    if not drift.total:
        yield "Everything agrees."
    elif mended:
        yield "All of it is mended."
    else:
        yield "Nothing was changed. Say --mend to mend it; nothing is deleted."
