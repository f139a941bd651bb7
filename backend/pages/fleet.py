"""Workers: which there are, what each does, and which release should run. For operators."""

from importlib.metadata import version

from litestar import get
from litestar.di import NamedDependency

from backend.http.visits import Html, Visit
from backend.operations.rules import TaskLooks, Verdict, verdicts
from pipeline.worker.operations.fleet.store import Member, UnknownWork, fleet, unsupported
from schema.tasks import CATALOGUE

RELEASE = version("jobtrail")
"""The release of this server, which is what its workers should run."""
STOPPED_SHOWN = 20


class FleetView(TaskLooks, frozen=True, kw_only=True):
    release: str
    verdicts: list[Verdict]
    present: list[Member]
    stopped: list[Member]
    stopped_count: int
    unknown: list[UnknownWork]


@get("/operations/fleet", include_in_schema=False)
async def shown(visit: NamedDependency[Visit]) -> Html:
    visit.require_operations()
    async with visit.database.as_fleet() as unit:
        members = await fleet(unit)
        # While nobody is alive nobody knows anything; then this server's own release is the measure.
        unknown = await unsupported(unit, kinds_alive(members) or set(CATALOGUE))
    stopped = [member for member in members if member.worker.state == "stopped"]
    view = FleetView(
        now=visit.clock.now(),
        release=RELEASE,
        verdicts=verdicts(members, RELEASE),
        present=[member for member in members if member.worker.state != "stopped"],
        stopped=stopped[:STOPPED_SHOWN],
        stopped_count=len(stopped),
        unknown=unknown,
    )
    return visit.page("fleet.html", view)


def kinds_alive(members: list[Member]) -> set[str]:
    """The kinds that some worker alive knows."""
    return {kind for member in members if member.worker.state == "alive" for kind in member.worker.kinds}


ROUTES = (shown,)
