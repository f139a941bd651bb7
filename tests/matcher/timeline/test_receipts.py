"""A day of applying nobody knows is at the latest the first receipt's: shown, counted, never written."""

from pathlib import Path
from zoneinfo import ZoneInfo

from fixtures.matching import MatchRunner
from fixtures.samples import Samples, day

from matcher.applications.store import application
from matcher.figures.store import figures
from matcher.listing.rules import days
from matcher.listing.store import applications
from matcher.listing.types import Lens
from schema.db import Database
from schema.ids import AccountId

UTC = ZoneInfo("UTC")
MIGRATION = Path(__file__).parents[3] / "schema" / "migrations" / "0027_began_by_receipt.sql"
BEGAN = "SELECT application_id, began_at FROM standings ORDER BY application_id"


async def test_the_first_receipt_says_by_when_an_application_came_in(
    database: Database, account: AccountId, samples: Samples, match: MatchRunner
):
    received = samples.application("Contoso", "Writer", applied=None)
    dated = samples.application("Fabrikam", "Pilot", applied=5)
    refused_first = samples.application("Initech", "Clerk", applied=None)
    unheard = samples.application("Umbrella", "Chemist", applied=None)
    for employer, role, receipts, answer in (
        ("Contoso", "Writer", (6, 8), 9),
        ("Fabrikam", "Pilot", (6,), 10),
        ("Initech", "Clerk", (9,), 7),
    ):
        for sent in receipts:
            samples.message("acknowledgement", sent=sent, employer=employer, role=role)
        samples.message("rejection", sent=answer, employer=employer, role=role)
    await match()
    began = [(received, day(6)), (dated, day(5)), (refused_first, None), (unheard, None)]
    assert samples.rows(BEGAN) == began
    async with database.as_account(account) as unit:
        one = await application(unit, received)
        other = await application(unit, dated)
        found = await figures(unit, now=day(20), zone=UTC)
        within = Lens(applied=days(day(6).date(), day(6).date(), UTC))
        shown = [row.application_id for row in (await applications(unit, within)).rows]
        pages: list[tuple[int, object]] = []
        after = None
        for _ in range(4):
            page = await applications(unit, Lens(sort="applied"), after=after, limit=1)
            pages += [(row.application_id, row.received_at) for row in page.rows]
            after = page.next
    assert (one.applied_at, one.applied_on, one.received_at) == (None, None, day(6))
    assert (other.applied_at, other.received_at) == (day(5), None)
    assert shown == [received]
    assert pages == [(received, day(6)), (dated, None), (unheard, None), (refused_first, None)]
    totals = found.totals
    assert (totals.applications, totals.dated, totals.received) == (4, 2, 1)
    assert (totals.answered, totals.timed, totals.timed_by_receipt) == (3, 2, 1)
    assert [week.sent for week in found.weeks if week.sent] == [2]

    samples.rows("UPDATE standings SET began_at = NULL WHERE application_id <> %s", dated)
    samples.connection.execute(MIGRATION.read_bytes())
    assert samples.rows(BEGAN) == began
