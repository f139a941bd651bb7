"""Figures: applications and answers by week, and how long answers took, drawn and as tables."""

import msgspec
from litestar import get
from litestar.di import NamedDependency

from backend.http import times
from backend.http.visits import Html, Visit
from backend.listing.bars import HEIGHT, Picture, histogram, weekly
from matcher.figures.store import Figures, figures
from matcher.silence.rules import KNOWN_LEAST, Pace
from matcher.silence.store import pace


class FiguresView(msgspec.Struct, frozen=True, kw_only=True):
    figures: Figures
    pace: Pace
    by_week: Picture
    by_days: Picture

    height = HEIGHT
    known_least = KNOWN_LEAST

    @property
    def sent(self) -> int:
        return sum(week.sent for week in self.figures.weeks)

    @property
    def answered(self) -> int:
        return sum(week.answered for week in self.figures.weeks)


@get("/applications/figures", include_in_schema=False)
async def show(visit: NamedDependency[Visit]) -> Html:
    zone = times.zone(visit.chrome.zone)
    async with visit.unit() as unit:
        found = await figures(unit, now=visit.clock.now(), zone=zone)
        usual = await pace(unit)
    view = FiguresView(
        figures=found,
        pace=usual,
        by_week=weekly(found.weeks),
        by_days=histogram(found.steps, usual.median_days if usual.usual_days is not None else None),
    )
    return visit.page("figures.html", view)


ROUTES = (show,)
