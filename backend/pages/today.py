"""Today: what needs me, what changed, is everything running."""

import msgspec
from litestar import get
from litestar.di import NamedDependency

from backend.http.visits import Html, Visit


class TodayView(msgspec.Struct, frozen=True, kw_only=True):
    waiting: int


@get("/", include_in_schema=False)
async def today(visit: NamedDependency[Visit]) -> Html:
    return visit.page("today.html", TodayView(waiting=0))


ROUTES = (today,)
