"""The postings pages' questions, on a real PostgreSQL and rows that a real pull wrote."""

from datetime import UTC, datetime

import psycopg
import pytest
from emulators.boards import Boards, Job, ashby_job, salary
from fixtures.people import FixedClock

from pipeline.catalog import store
from pipeline.catalog.rules import trail
from pipeline.catalog.search.store import count_postings, postings_page
from pipeline.catalog.types import After, Count, PostingsPage, Wanted
from pipeline.sources.add import add_source
from pipeline.sources.tasks import pull_handler
from pipeline.worker.types import TaskProgress, TaskRun
from schema.db import Database
from schema.errors import Missing
from schema.ids import AccountId, PostingId, SourceId, TaskId
from schema.settings import SourceSettings
from schema.tasks import PullSource

JOBS = [
    ashby_job("Harbour Pilot", publishedAt="2026-02-20T08:00:00Z", workplaceType="Hybrid"),
    ashby_job("Ship Cook", publishedAt="2026-02-22T08:00:00Z", workplaceType="Remote"),
    ashby_job("Chief Mate", publishedAt=None),
    ashby_job("Ghost", isListed=False),
]


class Catalog:
    """Boards that are shown, pulled and asked about in one line each."""

    def __init__(
        self, database: Database, clock: FixedClock, settings: SourceSettings, boards: Boards
    ) -> None:
        self.database, self.clock, self.settings, self.boards = database, clock, settings, boards

    async def pulled(self, board: str, *jobs: Job) -> SourceId:
        self.boards.show(board, *jobs)
        async with self.database.as_fleet() as unit:
            url = f"https://jobs.ashbyhq.com/{board}"
            source_id = (await add_source(unit, url, company="Northwind", now=self.clock.now())).source_id

        async def quiet(_: TaskProgress) -> None: ...

        task = TaskRun(
            db=self.database, clock=self.clock, task_id=TaskId(1), account_id=None, attempt=1, report=quiet
        )
        await pull_handler(self.settings)(task, PullSource(source_id=source_id))
        return source_id

    async def page(
        self, account: AccountId, *, after: After | None = None, rows: int = 50, **wanted
    ) -> PostingsPage:
        async with self.database.as_account(account) as unit:
            return await postings_page(unit, Wanted(**wanted), after=after, rows=rows)

    async def titles(self, account: AccountId, **wanted) -> list[str]:
        return [line.title for line in (await self.page(account, **wanted)).items]

    async def count(self, account: AccountId, **wanted) -> Count:
        async with self.database.as_account(account) as unit:
            return await count_postings(unit, Wanted(**wanted))

    async def called(self, account: AccountId, title: str) -> PostingId:
        page = await self.page(account, shelf="all", with_closed=True)
        return next(line.id for line in page.items if line.title == title)


@pytest.fixture
async def catalog(
    database: Database, clock: FixedClock, source_settings: SourceSettings, boards: Boards
) -> Catalog:
    return Catalog(database, clock, source_settings, boards)


async def test_the_list_is_newest_first_and_leaves_out_what_was_refused(catalog: Catalog, account: AccountId):
    await catalog.pulled("northwind", *JOBS)
    assert await catalog.titles(account) == ["Chief Mate", "Ship Cook", "Harbour Pilot"]
    assert await catalog.count(account) == Count(number=3, is_more=False)


async def test_an_unknown_date_is_none_and_not_the_day_it_was_seen(catalog: Catalog, account: AccountId):
    await catalog.pulled("northwind", *JOBS)
    mate = (await catalog.page(account)).items[0]
    assert (mate.title, mate.posted_at, mate.posted_on, mate.posted_meaning) == (
        "Chief Mate",
        None,
        None,
        None,
    )


async def test_words_narrow_by_title_company_and_board(catalog: Catalog, account: AccountId):
    await catalog.pulled("northwind", *JOBS)
    assert await catalog.titles(account, words="cook") == ["Ship Cook"]
    assert len(await catalog.titles(account, words="northwind -pilot")) == 2
    assert await catalog.titles(account, words='"harbour pilot"') == ["Harbour Pilot"]
    assert await catalog.count(account, words="cook") == Count(number=1, is_more=False)
    for odd in ("'", '"', "a:*", "!!", "\x00", "\ud800", "( | &", "x" * 5000, "%", "\\"):
        assert isinstance(await catalog.titles(account, words=odd), list)


async def test_a_workplace_narrows_the_list(catalog: Catalog, account: AccountId):
    await catalog.pulled("northwind", *JOBS)
    assert await catalog.titles(account, workplace="remote") == ["Ship Cook"]


async def test_pages_neither_skip_nor_repeat_even_at_equal_times(catalog: Catalog, account: AccountId):
    await catalog.pulled(
        "northwind", *(ashby_job(f"Mate {number}", publishedAt=None) for number in range(23))
    )
    seen: list[int] = []
    after = None
    while True:
        page = await catalog.page(account, after=after, rows=5)
        seen += [line.id for line in page.items]
        after = page.next
        if after is None:
            break
    assert len(seen) == len(set(seen)) == 23


async def test_a_posting_has_its_facts_and_its_sanitised_text(catalog: Catalog, account: AccountId):
    await catalog.pulled(
        "northwind",
        ashby_job(
            "Harbour Pilot",
            descriptionHtml="<p>Steer.<script>x()</script></p>",
            shouldDisplayCompensationOnJobPostings=True,
            compensation=salary(10.5, 12, "EUR", "1 HOUR"),
        ),
    )
    async with catalog.database.as_account(account) as unit:
        found = await store.posting_by_id(unit, (await postings_page(unit, Wanted())).items[0].id)
    assert (found.html, found.text, found.description_state) == ("<p>Steer.</p>", "Steer.", "stored")
    assert (found.pay_min, found.pay_max, found.pay_currency, found.pay_interval, found.pay_source) == (
        10.5, 12, "EUR", "hour", "field",
    )  # fmt: skip
    assert found.workplace_signals == ["isRemote=false"]
    assert found.described_at == catalog.clock.now()
    assert (found.note, found.saved_at, found.application_id) == ("", None, None)


async def test_a_posting_that_is_not_there_is_missing(catalog: Catalog, account: AccountId):
    async with catalog.database.as_account(account) as unit:
        for asked in (
            store.posting_by_id(unit, PostingId(4711)),
            store.save(unit, PostingId(4711), now=catalog.clock.now()),
            store.write_note(unit, PostingId(4711), "x", now=catalog.clock.now()),
        ):
            with pytest.raises(Missing):
                await asked


@pytest.mark.parametrize(
    "spelling",
    ["{page}", "{page}/application?utm_source=mail", "http://JOBS.ashbyhq.com/NorthWind/{id}#top",
     "https://www.northwind.example/careers?ashby_jid={id}",
     "https://click.mailer.example/track?url=https%3A%2F%2Fjobs.ashbyhq.com%2Fnorthwind%2F{id}"],
)  # fmt: skip
async def test_any_spelling_of_its_address_leads_to_the_posting(
    catalog: Catalog, account: AccountId, spelling: str
):
    await catalog.pulled("northwind", *JOBS)
    cook = JOBS[1]
    url = spelling.format(page=cook["jobUrl"], id=cook["id"])
    async with catalog.database.as_account(account) as unit:
        found = await store.posting_at(unit, url)
        assert found is not None
        assert (await store.posting_by_id(unit, found)).title == "Ship Cook"


async def test_an_address_of_no_known_posting_leads_nowhere(catalog: Catalog, account: AccountId):
    await catalog.pulled("northwind", *JOBS)
    async with catalog.database.as_account(account) as unit:
        for url in (
            "",
            "nonsense",
            "https://jobs.ashbyhq.com/northwind",
            "https://northwind.example/\x00",
            "\ud800",
        ):
            assert await store.posting_at(unit, url) is None


async def test_the_trail_tells_when_it_was_seen_and_by_which_rule(
    catalog: Catalog, account: AccountId, clock: FixedClock
):
    first = clock.now()
    await catalog.pulled("northwind", *JOBS)
    clock.move(days=1)
    await catalog.pulled("northwind-labs", ashby_job("Ship Cook", board="northwind-labs"))
    cook = await catalog.called(account, "Ship Cook")
    async with catalog.database.as_account(account) as unit:
        sightings = await store.sightings_of(unit, cook)
        posting = await store.posting_by_id(unit, cook)
    steps = {step.name: step for step in trail(posting, sightings)}
    assert [each.board for each in sightings] == ["northwind", "northwind-labs"]
    assert (steps["observed"].state, steps["observed"].at) == ("yes", first)
    assert steps["observed"].why == "on Ashby northwind, Ashby northwind-labs"
    assert (steps["admitted"].state, steps["admitted"].why) == ("yes", "rule all, version 2")
    assert (steps["fetched"].state, steps["reviewed"].state, steps["shown"].state) == (
        "yes",
        "not_looked",
        "yes",
    )
    assert "closed" not in steps


async def test_a_refused_listing_is_found_by_its_address_with_the_reason(
    catalog: Catalog, account: AccountId
):
    await catalog.pulled("northwind", *JOBS)
    async with catalog.database.as_account(account) as unit:
        sightings = await store.sightings_at(unit, str(JOBS[3]["jobUrl"]))
        never = await store.sightings_at(unit, "https://jobs.ashbyhq.com/northwind")
    observed, admitted = trail(None, sightings)
    assert (observed.state, admitted.state) == ("yes", "no")
    assert admitted.why == "rule is_listed, version 2: the employer does not list it"
    assert [step.state for step in trail(None, never)] == ["unknown", "unknown"]


async def test_saving_hiding_and_noting_are_one_persons_own(
    catalog: Catalog, account: AccountId, other_account: AccountId, clock: FixedClock
):
    await catalog.pulled("northwind", *JOBS)
    cook, pilot = await catalog.called(account, "Ship Cook"), await catalog.called(account, "Harbour Pilot")
    saved_at = clock.now()
    async with catalog.database.as_account(account) as unit:
        await store.save(unit, cook, now=saved_at)
        await store.write_note(unit, cook, " ask about\x00 shifts ", now=saved_at)
        await store.hide(unit, pilot, now=saved_at)
    clock.move(hours=1)
    async with catalog.database.as_account(account) as unit:
        await store.save(unit, cook, now=clock.now())
        found = await store.posting_by_id(unit, cook)
    assert (found.saved_at, found.note) == (saved_at, "ask about shifts")
    assert await catalog.titles(account) == ["Chief Mate", "Ship Cook"]
    assert await catalog.titles(account, shelf="saved") == ["Ship Cook"]
    assert await catalog.titles(account, shelf="hidden") == ["Harbour Pilot"]
    assert await catalog.titles(account, shelf="saved", words="pilot") == []
    assert await catalog.count(account, shelf="saved") == Count(number=1, is_more=False)
    assert len(await catalog.titles(other_account)) == 3
    assert await catalog.titles(other_account, shelf="saved") == []


async def test_each_act_on_a_posting_can_be_taken_back(
    catalog: Catalog, account: AccountId, clock: FixedClock
):
    await catalog.pulled("northwind", *JOBS)
    cook = await catalog.called(account, "Ship Cook")
    async with catalog.database.as_account(account) as unit:
        await store.save(unit, cook, now=clock.now())
        await store.hide(unit, cook, now=clock.now())
        await store.write_note(unit, cook, "kept", now=clock.now())
        await store.unhide(unit, cook, now=clock.now())
        shown = await store.posting_by_id(unit, cook)
        await store.unsave(unit, cook, now=clock.now())
        left = await store.posting_by_id(unit, cook)
    assert (shown.saved_at, shown.hidden_at) == (clock.now(), None)
    assert (left.saved_at, left.note) == (None, "kept")


async def test_a_note_beyond_the_limit_is_refused(catalog: Catalog, account: AccountId, clock: FixedClock):
    await catalog.pulled("northwind", *JOBS)
    cook = await catalog.called(account, "Ship Cook")
    async with catalog.database.as_account(account) as unit:
        with pytest.raises(store.NoteTooLong):
            await store.write_note(unit, cook, "x" * (store.MOST_NOTE_CHARS + 1), now=clock.now())


async def test_closed_postings_are_left_out_unless_asked_for(
    catalog: Catalog, account: AccountId, owner_url: str
):
    await catalog.pulled("northwind", *JOBS)
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(
            "UPDATE postings SET closed_at = %s, closed_reason = 'filled' WHERE title = 'Ship Cook'",
            (datetime(2026, 3, 1, tzinfo=UTC),),
        )
    assert "Ship Cook" not in await catalog.titles(account)
    assert "Ship Cook" in await catalog.titles(account, with_closed=True)
    cook = await catalog.called(account, "Ship Cook")
    async with catalog.database.as_account(account) as unit:
        posting = await store.posting_by_id(unit, cook)
        steps = trail(posting, await store.sightings_of(unit, cook))
    assert (steps[-1].name, steps[-1].why) == ("closed", "its platform says that it is filled")
