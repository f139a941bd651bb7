"""Lists on the real database, held against a plain reading of the same rows in Python."""

import random
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, time

import msgspec
import pytest
from fixtures.samples import DAY_ONE, Samples, day

from matcher.listing.rules import days
from matcher.listing.store import applications, board, platforms
from matcher.listing.types import Lens, ListedApplication, Place, Sort
from schema.db import Database
from schema.ids import AccountId
from schema.vocabulary import Stage

STAGES: tuple[Stage, ...] = (
    "applied",
    "acknowledged",
    "assessment",
    "interviewing",
    "offer",
    "rejected",
    "withdrawn",
    "closed",
)
ENDED = {"rejected", "withdrawn", "closed"}
SORTS: tuple[Sort, ...] = ("news", "applied", "company", "silence")
FAR = datetime(9999, 1, 1, tzinfo=UTC)
LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """One application as it was written, for the plain reading."""

    id: int
    words: str
    company_key: str | None
    origin: str
    platform: str | None
    applied: datetime | date | None
    stage: Stage
    last: datetime | None
    activity: datetime
    ask: bool
    proposal: bool
    dismissed: bool

    @property
    def began(self) -> datetime | None:
        if isinstance(self.applied, datetime) or self.applied is None:
            return self.applied
        return datetime.combine(self.applied, time.min, UTC)

    @property
    def since(self) -> datetime | None:
        return self.last or self.began


@pytest.fixture
def many(samples: Samples) -> list[Kept]:
    """Rows of every kind with ties and unknowns, from one seed; every tenth is merged and shown nowhere."""
    chance = random.Random(20260302)
    made = [one_of(samples, chance) for _ in range(120)]
    for merged in made[1::10]:
        samples.merge(merged.id, into=made[0].id)
    return [kept for kept in made if kept not in made[1::10]]


def one_of(samples: Samples, chance: random.Random) -> Kept:
    company = chance.choice(["Acme", "ACME Inc.", "Äther 100%", "Bolt_y", "zeta", None])
    role = chance.choice(["Engineer", "Designer", None])
    applied = chance.choice([None, day(chance.randint(1, 5)), day(chance.randint(1, 5)).date()])
    origin = chance.choice(["manual", "extension", "derived"])
    made = samples.application(company, role, applied=applied, origin=origin)
    stage = chance.choice(STAGES)
    last = day(chance.randint(1, 8)) if chance.random() < 0.6 else None
    activity = day(chance.randint(1, 4))
    platform = chance.choice(["lever", "ashby", None])
    note = chance.choice(["", "asked for 50% travel"])
    proposal, dismissed, ask = (chance.random() < share for share in (0.1, 0.2, 0.2))
    samples.rows(
        "UPDATE applications SET platform = %s, note = %s, dismissed_at = %s WHERE id = %s",
        platform,
        note,
        DAY_ONE if dismissed else None,
        made,
    )
    message = samples.message("info_request") if proposal or ask else None
    samples.rows(
        "UPDATE standings SET stage = %s, last_event_at = %s, last_event_kind = %s, activity_at = %s,"
        " dismissed = %s WHERE application_id = %s",
        stage,
        last,
        "offer" if last else None,
        activity,
        dismissed,
        made,
    )
    if proposal:
        samples.rows(
            "UPDATE standings SET proposal = 'offer', proposal_message_id = %s, proposal_at = %s"
            " WHERE application_id = %s",
            message,
            DAY_ONE,
            made,
        )
    if ask:
        samples.insert("asks", application_id=made, message_id=message, kind="choose_time", opened_at=DAY_ONE)
    key = samples.rows("SELECT company_key FROM applications WHERE id = %s", made)[0][0]
    return Kept(
        id=made,
        words=" ".join(filter(None, (company, role, note))).casefold(),
        company_key=str(key) if key else None,
        origin=origin,
        platform=platform,
        applied=applied,
        stage=stage,
        last=last,
        activity=activity,
        ask=ask,
        proposal=proposal,
        dismissed=dismissed,
    )


ORDERS: dict[Sort, Callable[[Kept], tuple[object, ...]]] = {
    "news": lambda kept: (-kept.activity.timestamp(), -kept.id),
    "applied": lambda kept: (-(kept.began or LONG_AGO).timestamp(), -kept.id),
    "company": lambda kept: (kept.company_key is None, (kept.company_key or "").encode(), kept.id),
    "silence": lambda kept: ((None if kept.stage in ENDED else kept.since) or FAR, kept.id),
}
LENSES = [
    Lens(),
    Lens(dismissed=True),
    Lens(stages=("applied", "rejected")),
    Lens(search="engineer 50%"),
    Lens(search="bolt_y"),
    Lens(search="äTHER"),
    Lens(search="acme zebra"),
    Lens(origins=("derived", "extension"), stages=("offer",)),
    Lens(platform="lever"),
    Lens(applied=days(date(2026, 3, 2), date(2026, 3, 3), UTC)),
    Lens(applied=days(None, date(2026, 3, 2), UTC), news=days(date(2026, 3, 4), None, UTC)),
    Lens(silent_since=day(4)),
    Lens(asks=True),
    Lens(proposed=True, dismissed=True),
    Lens(asks=True, silent_since=day(7), origins=("manual",), search="e"),
]


def fits(kept: Kept, lens: Lens) -> bool:
    """The plain reading, stages left out."""
    silent = lens.silent_since is None or (
        kept.stage not in ENDED and kept.since is not None and kept.since <= lens.silent_since
    )
    return (
        kept.dismissed == lens.dismissed
        and all(word in kept.words for word in lens.search.casefold().split())
        and (not lens.origins or kept.origin in lens.origins)
        and (lens.platform is None or kept.platform == lens.platform)
        and (lens.applied is None or within(kept.began, lens.applied.first, lens.applied.last))
        and (lens.news is None or within(kept.last, lens.news.first, lens.news.last))
        and silent
        and (not lens.asks or kept.ask)
        and (not lens.proposed or kept.proposal)
    )


def within(at: datetime | None, first: date | None, last: date | None) -> bool:
    return at is not None and (first or date.min) <= at.date() <= (last or date.max)


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("lens", LENSES, ids=range(len(LENSES)))
async def test_pages_and_counts_are_those_of_a_plain_reading(
    database: Database, account: AccountId, many: list[Kept], lens: Lens, sort: Sort
):
    asked = msgspec.structs.replace(lens, sort=sort)
    under = [kept for kept in many if fits(kept, asked)]
    wanted = [kept for kept in under if not asked.stages or kept.stage in asked.stages]
    seen: list[ListedApplication] = []
    async with database.as_account(account) as unit:
        page = await applications(unit, asked, limit=7)
        while True:
            seen += page.rows
            assert {count.stage: count.count for count in page.counts} == Counter(k.stage for k in under)
            if page.next is None:
                break
            # A place survives the address it travels in.
            after = msgspec.json.decode(msgspec.json.encode(page.next), type=Place)
            page = await applications(unit, asked, after=after, limit=7)
    assert [row.application_id for row in seen] == [kept.id for kept in sorted(wanted, key=ORDERS[sort])]


def test_the_lenses_find_something_and_leave_something_out(many: list[Kept]):
    found = [sum(fits(kept, lens) for kept in many) for lens in LENSES]
    assert sum(number > 7 for number in found) > 6
    assert min(found) == 0


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("lens", [Lens(), Lens(search="e"), Lens(dismissed=True)], ids=range(3))
async def test_a_board_holds_the_first_of_every_stage(
    database: Database, account: AccountId, many: list[Kept], sort: Sort, lens: Lens
):
    under = sorted((kept for kept in many if fits(kept, lens)), key=ORDERS[sort])
    async with database.as_account(account) as unit:
        found = await board(unit, msgspec.structs.replace(lens, sort=sort), each=3)
    for stage in STAGES:
        shown = [row.application_id for row in found.rows if row.stage == stage]
        assert shown == [kept.id for kept in under if kept.stage == stage][:3]
    assert {count.stage: count.count for count in found.counts} == Counter(kept.stage for kept in under)


async def test_a_line_tells_what_waits_and_since_when(
    database: Database, account: AccountId, many: list[Kept]
):
    async with database.as_account(account) as unit:
        rows = (await applications(unit, Lens(), limit=200)).rows
    by_id = {kept.id: kept for kept in many}
    for row in rows:
        kept = by_id[row.application_id]
        assert (row.open_asks, row.proposal is not None) == (int(kept.ask), kept.proposal)
        assert (row.silent_since, row.stage) == (kept.since, kept.stage)


async def test_only_the_persons_own_platforms_are_offered(
    database: Database, account: AccountId, other_account: AccountId, many: list[Kept]
):
    wanted = Counter(kept.platform for kept in many if kept.platform and not kept.dismissed)
    async with database.as_account(account) as unit:
        assert {found.platform: found.count for found in await platforms(unit)} == wanted
    async with database.as_account(other_account) as unit:
        assert await platforms(unit) == []
        assert (await applications(unit, Lens())).rows == []
