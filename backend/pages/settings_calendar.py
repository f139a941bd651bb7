"""Calendar: the secret address under which other programs read what is due and when interviews are."""

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from backend.calendar.feed import new_secret
from backend.calendar.store import Feed, FeedId, current_feed, revive_feed, revoke_feed, undated_asks
from backend.http.flash import Undo
from backend.http.forms import read_form
from backend.http.visits import Html, Visit

HERE = "/settings/calendar"


class CalendarView(msgspec.Struct, frozen=True, kw_only=True):
    """`secret_address` is told on the answer that made it, and nowhere else."""

    feed: Feed | None
    undated: int
    secret_address: str = ""


@get(HERE, include_in_schema=False)
async def show(visit: NamedDependency[Visit]) -> Html:
    return await _page(visit)


async def _page(visit: Visit, secret_address: str = "") -> Html:
    async with visit.unit() as unit:
        view = CalendarView(
            feed=await current_feed(unit), undated=await undated_asks(unit), secret_address=secret_address
        )
    return visit.page("settings_calendar.html", view)


@post(f"{HERE}/new", include_in_schema=False, status_code=200)
async def renew(visit: NamedDependency[Visit]) -> Html:
    """A new address, in place of the one there was."""
    async with visit.unit() as unit:
        secret = await new_secret(unit, now=visit.clock.now())
    return await _page(visit, f"{visit.address}/calendar/{secret}.ics")


@post(f"{HERE}/revoke", include_in_schema=False)
async def revoke(visit: NamedDependency[Visit]) -> Redirect:
    async with visit.unit() as unit:
        feed = await current_feed(unit)
        await revoke_feed(unit, now=visit.clock.now())
    if feed is None:
        return visit.leave(HERE, "There was no address to close.")
    undo = Undo(action=f"{HERE}/restore", fields={"feed": str(feed.feed_id)})
    return visit.leave(HERE, "The address opens nothing any more.", undo=undo)


@post(f"{HERE}/restore", include_in_schema=False)
async def restore(visit: NamedDependency[Visit]) -> Redirect:
    form = await read_form(visit.request)
    feed_id = FeedId(form.whole("feed", "Address"))
    form.require_ok()
    async with visit.unit() as unit:
        is_back = await revive_feed(unit, feed_id)
    if not is_back:
        return visit.leave(HERE, "That address cannot be opened again; make a new one.", tone="refused")
    return visit.leave(HERE, "The address works again.")


ROUTES = (show, renew, revoke, restore)
