"""Postings: found, kept on shelves, applied to; facts with their source, and unknown said as unknown."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import httpx2
import psycopg
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, follow, see, send, submit

from backend.pages.postings import pay_of
from pipeline.catalog.types import PostingLine
from schema.ids import PostingId

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


class Catalog:
    """Postings of one board, written past the pulls."""

    def __init__(self, owner_url: str) -> None:
        self.owner_url = owner_url
        self.count = 0
        self.source = self.add_row(
            "sources",
            platform="ashby",
            board="engines",
            url="https://jobs.ashbyhq.com/engines",
            created_at=NOW,
        )
        self.pull = self.add_row(
            "pulls",
            source_id=self.source,
            started_at=NOW,
            finished_at=NOW,
            coverage="complete",
            evidence="{}",
            observed=1,
            refused=0,
            written=1,
        )

    def add_row(self, table: str, **columns: object) -> int:
        names, marks = ", ".join(columns), ", ".join(["%s"] * len(columns))
        with psycopg.connect(self.owner_url, autocommit=True) as connection:
            row = connection.execute(
                f"INSERT INTO {table} ({names}) VALUES ({marks}) RETURNING id",  # pyright: ignore
                list(columns.values()),
            ).fetchone()
        assert row
        return row[0]

    def add(self, title: str = "Programmer", **more: object) -> int:
        self.count += 1
        vendor_id = f"v{self.count}"
        columns: dict[str, object] = {
            "platform": "ashby",
            "vendor_id": vendor_id,
            "board": "engines",
            "title": title,
            "canonical_url": f"https://jobs.ashbyhq.com/engines/{vendor_id}",
            "apply_url": f"https://jobs.ashbyhq.com/engines/{vendor_id}/application",
            "first_seen_at": NOW,
        } | more
        made = self.add_row("postings", **columns)
        self.add_row(
            "listings",
            source_id=self.source,
            vendor_id=vendor_id,
            raw_hash="a" * 64,
            raw="{}",
            posting_id=made,
            verdict="admitted",
            rule="complete_record",
            rule_version=1,
            judged_at=NOW,
            first_pull_id=self.pull,
            changed_pull_id=self.pull,
            first_seen_at=NOW,
        )
        return made

    def describe(self, html: str) -> dict[str, object]:
        with psycopg.connect(self.owner_url, autocommit=True) as connection:
            connection.execute(
                "INSERT INTO descriptions (content_hash, raw, html, text) VALUES (%s, 'raw', %s, 'text')",
                ("d" * 64, html),
            )
        return {"description_state": "stored", "description_hash": "d" * 64, "described_at": NOW}


@pytest.fixture
def catalog(owner_url: str, empty_database: None) -> Catalog:
    return Catalog(owner_url)


def titles(page: Seen) -> list[str]:
    return page.texts("tbody .role")


def shelves(page: Seen) -> list[str]:
    return page.texts("nav[aria-label=Shelves] a")


async def test_an_empty_catalog_tells_the_owner_what_to_do(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient
):
    assert (await see(client, "/postings")).one(".empty a").attributes["href"] == "/sources"
    assert "owner" in (await see(other_client, "/postings")).text(".empty")
    await send(client, "/postings/own", title="Nurse")
    page = await see(client, "/postings")
    assert "1 that you saved stand" in page.text("#list")
    assert page.has("#list p a[href='?show=saved']")


async def test_the_newest_stand_first_and_words_narrow_the_list(client: httpx2.AsyncClient, catalog: Catalog):
    catalog.add("Old", posted_at=NOW - timedelta(days=9), posted_meaning="first_published")
    catalog.add("New designer", posted_at=NOW, posted_meaning="first_published", workplace="remote")
    assert titles(await see(client, "/postings")) == ["New designer", "Old"]
    assert titles(await see(client, "/postings?q=designer")) == ["New designer"]
    assert titles(await see(client, "/postings?workplace=remote")) == ["New designer"]
    page = await see(client, "/postings?q=zebra")
    assert page.text(".empty-title") == "No posting fits."


async def test_an_address_that_is_looked_for_leads_to_its_posting(
    client: httpx2.AsyncClient, catalog: Catalog
):
    known = "4aadaa13-338e-5573-b93b-960c3d4dd27b"
    made = catalog.add(vendor_id=known, canonical_url=f"https://jobs.ashbyhq.com/engines/{known}")
    catalog.add("Node.js developer")
    address = f"jobs.ashbyhq.com/engines/{known}"
    for typed in (f"https://{address}/application?src={'x' * 400}", address):
        sent = Seen(await client.get("/postings", params={"q": typed}, headers=PAGE))
        assert (sent.status, sent.location) == (303, f"/postings/{made}")
    unknown = "https://engines.example/jobs/1"
    page = await see(client, f"/postings?q={unknown}")
    assert "No board that is read" in page.text(".empty-title")
    form = await see(client, page.one(".empty a.button").attributes["href"] or "")
    kept = await submit(client, form, "/postings/save")
    again = Seen(await client.get("/postings", params={"q": unknown}, headers=PAGE))
    assert again.location == kept.location
    assert titles(await see(client, "/postings?q=node.js")) == ["Node.js developer"]
    assert (await see(client, f"/postings?q={'x' * 201}")).status == 400


async def test_an_address_keeps_the_fields_that_ask_something(client: httpx2.AsyncClient, catalog: Catalog):
    catalog.add("Designer")
    page = await see(client, "/postings")
    fields = {name: values[0] for name, values in page.form("/postings").fields.items()}
    sent = Seen(await client.get("/postings", params=fields | {"q": "designers"}, headers=PAGE))
    assert (sent.status, sent.location) == (303, "/postings?q=designers")
    assert titles(await follow(client, sent)) == ["Designer"]
    assert Seen(await client.get("/postings", params=fields, headers=PAGE)).location == "/postings"
    assert (await see(client, "/postings?q=&pay_from=x")).status == 400


async def test_closed_ones_are_shown_on_request(client: httpx2.AsyncClient, catalog: Catalog):
    catalog.add("Gone", closed_at=NOW, closed_reason="gone")
    catalog.add("Here")
    assert titles(await see(client, "/postings")) == ["Here"]
    assert set(titles(await see(client, "/postings?closed=1"))) == {"Gone", "Here"}


async def test_what_is_unknown_is_said_as_unknown(client: httpx2.AsyncClient, catalog: Catalog):
    catalog.add()
    page = await see(client, "/postings")
    assert page.texts("tbody .unknown") == ["unknown", "unknown", "unknown"]


async def walked(client: httpx2.AsyncClient) -> list[str]:
    found: list[str] = []
    path = "/postings"
    while path:
        page = await see(client, path)
        found += titles(page)
        more = page.all("a[rel=next]")
        path = "/postings" + str(more[0].attributes["href"]) if more else ""
    return found


async def test_pages_neither_skip_nor_repeat(
    client: httpx2.AsyncClient, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.pages.postings.ROWS", 2)
    for number in range(5):
        catalog.add(f"P{number}")
    assert await walked(client) == [f"P{number}" for number in range(4, -1, -1)]


async def test_saving_and_hiding_move_between_shelves_and_can_be_undone(
    client: httpx2.AsyncClient, catalog: Catalog
):
    made = catalog.add()
    page = await see(client, "/postings?q=programmer")
    assert shelves(page) == ["All 1", "Saved 0", "Hidden 0"]
    done = await submit(client, page, f"/postings/{made}/save")
    assert done.location == "/postings?q=programmer"
    page = await follow(client, done)
    assert shelves(page) == ["All 1", "Saved 1", "Hidden 0"]
    page = await follow(client, await submit(client, page, f"/postings/{made}/hide"))
    assert shelves(page) == ["All 0", "Saved 0", "Hidden 1"]
    page = await follow(client, await submit(client, page, f"/postings/{made}/unhide"))
    assert shelves(page) == ["All 1", "Saved 1", "Hidden 0"]
    page = await follow(client, await submit(client, page, f"/postings/{made}/unsave"))
    assert shelves(page) == ["All 1", "Saved 0", "Hidden 0"]


async def test_shelves_are_a_persons_own(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient, catalog: Catalog
):
    made = catalog.add()
    await send(client, f"/postings/{made}/hide")
    assert titles(await see(client, "/postings")) == []
    assert titles(await see(other_client, "/postings")) == ["Programmer"]


async def test_one_posting_shows_its_text_and_facts_with_their_source(
    client: httpx2.AsyncClient, catalog: Catalog
):
    made = catalog.add(
        company="Analytical Engines",
        pay_min=80_000,
        pay_max=95_000,
        pay_currency="GBP",
        pay_interval="year",
        pay_source="text",
        workplace="hybrid",
        workplace_signals=["workplaceType"],
        **catalog.describe("<h2>About</h2><p>We make <strong>engines</strong>.</p>"),
    )
    page = await see(client, f"/postings/{made}")
    assert page.title == "Programmer"
    assert page.text(".description strong") == "engines"
    facts = page.text("dl.facts")
    assert "GBP 80 000 to 95 000 a year read from the text" in facts
    assert "because: workplaceType" in facts
    assert page.one("a[data-key=o]").attributes["href"] == "https://jobs.ashbyhq.com/engines/v1/application"
    assert page.texts("#trail li strong") == [
        "Observed",
        "Admitted",
        "Described",
        "Judged by your filters",
        "Shown",
        "Open",
    ]
    assert page.texts("#trail ol p .unknown") == ["never looked", "unknown"]


async def test_a_posting_tells_its_history_its_twins_and_what_disagrees(
    client: httpx2.AsyncClient, catalog: Catalog
):
    made = catalog.add(
        closed_at=NOW,
        closed_reason="not_listed",
        workplace="remote",
        workplace_conflict=True,
        workplace_signals=["isRemote=true", "text=office days"],
        seniority="senior",
        countries=["DE"],
        pay_min=80_000,
        pay_source="text",
        pay_text="from 80k a year",
    )
    twin = catalog.add("Programmer (Berlin)", platform="lever")
    for event, reason in (("opened", "first_listed"), ("closed", "not_listed")):
        catalog.add_row(
            "posting_events",
            posting_id=made,
            at=NOW,
            event=event,
            reason=reason,
            source_id=catalog.source,
            pull_id=catalog.pull,
        )
    with psycopg.connect(catalog.owner_url, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO twin_suggestions VALUES (%s, %s, '{same_text}', now())",
            (min(made, twin), max(made, twin)),
        )
    page = await see(client, f"/postings/{made}")
    assert "its boards no longer show it" in page.text(".notice.warn")
    assert page.text("#boards summary") == "Seen on 1 board"
    facts = page.text("dl.facts")
    for said in ("the signs disagree", "Senior", "Germany", "“from 80k a year”"):
        assert said in facts
    assert [line.split(":")[0][:6] for line in page.texts("#history li")] == ["Opened", "Closed"]
    assert page.one(f"a[href='/postings/{twin}']").text() == "Programmer (Berlin)"
    assert "both have the same text" in page.text("section[aria-labelledby=twins-title]")
    assert (await see(client, f"/postings/{twin}")).has(f"a[href='/postings/{made}']")


async def test_filters_narrow_the_list_and_are_taken_away_one_by_one(
    client: httpx2.AsyncClient, catalog: Catalog
):
    catalog.add("Zürich pilot", countries=["CH"], locations=["Zürich"], seniority="senior")
    catalog.add("Hamburg pilot", countries=["DE"], locations=["Hamburg"], employment_type="intern")
    paid = {"pay_max": 52, "pay_currency": "EUR", "pay_interval": "hour", "pay_source": "field"}
    catalog.add("Paid pilot", platform="lever", **paid)
    for query, found in {
        "q=zurich": ["Zürich pilot"],
        "place=hamburg": ["Hamburg pilot"],
        "country=CH&level=senior": ["Zürich pilot"],
        "type=intern": ["Hamburg pilot"],
        "pay=1": ["Paid pilot"],
        "pay_from=108000&currency=EUR": ["Paid pilot"],
        "pay_from=109000&currency=EUR": [],
        "pay_from=1000&currency=CHF": [],
        "platform=lever&q=pilot+-hamburg": ["Paid pilot"],
        "board=ashby/Engines&q=pilot&country=DE": ["Hamburg pilot"],
        "days=1": ["Paid pilot", "Hamburg pilot", "Zürich pilot"],
        "show=saved&country=DE": [],
    }.items():
        assert titles(await see(client, f"/postings?{query}")) == found, query
    page = await see(client, "/postings?q=pilot&country=CH&pay_from=oops")
    assert page.status == 400
    assert titles(page) == ["Zürich pilot"]
    assert [chip.split()[0] for chip in page.texts(".chip")] == ["“pilot”", "Switzerland"]
    assert page.all(".chip")[1].attributes["href"] == "?q=pilot"


async def test_a_description_nobody_fetched_is_said_so(client: httpx2.AsyncClient, catalog: Catalog):
    page = await see(client, f"/postings/{catalog.add()}")
    assert page.text(".description .unknown") == "nobody has fetched the description yet"


async def test_i_applied_records_an_application_once(client: httpx2.AsyncClient, catalog: Catalog):
    made = catalog.add(company="Analytical Engines")
    page = await see(client, f"/postings/{made}")
    assert page.one("#f-applied_on").attributes["value"] == "2026-03-02"
    done = await submit(client, page, f"/postings/{made}/applied", applied_on="2026-02-27")
    application = await follow(client, done)
    assert application.title == "Programmer, Analytical Engines"
    assert "27 Feb 2026" in application.text("#timeline")
    assert "from a posting in the catalog" in application.text("dl.facts")
    again = await send(client, f"/postings/{made}/applied", applied_on="2026-03-01")
    assert again.location == done.location
    assert (await see(client, f"/postings/{made}")).has(f"a[href='{done.location}']")
    assert "applied" in (await see(client, "/postings")).text("tbody")


@pytest.mark.parametrize("applied_on", ["2026-03-03", "yesterday", "x" * 1_000_000, "2026-02-30"])
async def test_a_day_that_cannot_be_is_refused_beside_its_field(
    client: httpx2.AsyncClient, catalog: Catalog, applied_on: str
):
    made = catalog.add()
    page = await send(client, f"/postings/{made}/applied", applied_on=applied_on)
    assert page.status == 400
    assert page.has("#e-applied_on")
    assert page.one("main").attributes["data-at"] == f"/postings/{made}"


async def test_a_note_is_kept_and_undone(client: httpx2.AsyncClient, catalog: Catalog):
    made = catalog.add()
    page = await see(client, f"/postings/{made}")
    done = await follow(client, await submit(client, page, f"/postings/{made}/note", note="Ask J\x00o"))
    assert done.one("#f-note").text().strip() == "Ask Jo"
    back = await follow(client, await submit(client, done, f"/postings/{made}/note", within=".flash"))
    assert back.one("#f-note").text().strip() == ""


VERBS = ["save", "unsave", "hide", "unhide", "applied", "note"]


@pytest.mark.parametrize("verb", VERBS)
async def test_acting_on_nothing_is_missing_and_other_sites_act_on_nothing(
    client: httpx2.AsyncClient, catalog: Catalog, verb: str
):
    assert (await send(client, f"/postings/999999/{verb}", note="x")).status == 404
    headers = PAGE | {"sec-fetch-site": "cross-site"}
    made = catalog.add()
    assert (await client.post(f"/postings/{made}/{verb}", headers=headers)).status_code == 403
    assert shelves(await see(client, "/postings")) == ["All 1", "Saved 0", "Hidden 0"]


@pytest.mark.parametrize(
    "query", ["show=stolen", "workplace=moon", "after=zzz", f"q={'x' * 300}", "pay_from=much"]
)
async def test_a_broken_address_is_answered_calmly(client: httpx2.AsyncClient, query: str):
    assert (await see(client, f"/postings?{query}")).status == 400


async def test_acting_never_leads_to_another_site(client: httpx2.AsyncClient, catalog: Catalog):
    done = await send(client, f"/postings/{catalog.add()}/save", back="//evil.example/")
    assert done.location == "/"


@pytest.mark.parametrize(
    ("low", "high", "currency", "interval", "said"),
    [
        (None, None, None, None, None),
        (80_000, 95_000, "EUR", "year", "EUR 80\u202f000 to 95\u202f000 a year"),
        ("45.5", None, "EUR", "hour", "from EUR 45.50 an hour"),
        (None, 300, None, "day", "up to 300 a day"),
        (5000, 5000, "CHF", None, "CHF 5\u202f000"),
    ],
)
def test_pay_reads_as_a_person_says_it(low, high, currency, interval, said):
    row = PostingLine(
        id=PostingId(1),
        is_own=False,
        title="",
        company=None,
        platform="",
        board="",
        locations=[],
        workplace=None,
        employment_type=None,
        seniority=None,
        pay_min=None if low is None else Decimal(low),
        pay_max=None if high is None else Decimal(high),
        pay_currency=currency,
        pay_interval=interval,
        posted_at=None,
        posted_on=None,
        posted_meaning=None,
        first_seen_at=NOW,
        closed_at=None,
        newest_at=NOW,
        saved_at=None,
        hidden_at=None,
        application_id=None,
    )
    assert pay_of(row) == said


async def test_only_operators_see_and_change_boards(other_client: httpx2.AsyncClient, catalog: Catalog):
    assert (await see(other_client, "/sources")).status == 404
    assert (await send(other_client, "/sources", url="https://jobs.ashbyhq.com/x")).status == 404
    assert (await send(other_client, f"/sources/{catalog.source}/pull")).status == 404
