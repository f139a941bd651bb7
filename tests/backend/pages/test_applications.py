"""The list of applications: true counts, filters in the address, keyset places, and adding by hand."""

from datetime import timedelta

import httpx2
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, see, send, submit
from fixtures.people import FixedClock

from matcher.applications.store import dismiss, record_application, set_status
from matcher.applications.types import NewApplication
from schema.db import Database
from schema.ids import AccountId, ApplicationId
from schema.vocabulary import Stage


class List:
    """Puts applications into one account's list."""

    def __init__(self, database: Database, clock: FixedClock, account: AccountId) -> None:
        self.database, self.clock, self.account = database, clock, account

    async def add(
        self,
        company: str | None,
        role: str | None = "Engineer",
        *,
        days_ago: int = 0,
        stage: Stage | None = None,
    ) -> ApplicationId:
        at = self.clock.now() - timedelta(days=days_ago)
        new = NewApplication(origin="manual", company=company, role=role, applied_at=at)
        async with self.database.as_account(self.account) as unit:
            made = await record_application(unit, new, now=at)
            if stage:
                await set_status(unit, made, stage, now=at)
        return made


@pytest.fixture
def mine(database: Database, clock: FixedClock, account: AccountId) -> List:
    return List(database, clock, account)


def companies(page: Seen) -> list[str]:
    return page.texts("tbody tr .company")


def tabs(page: Seen) -> dict[str, int]:
    found = (text.rpartition(" ") for text in page.texts("nav[aria-label=Stages] a"))
    return {name: int(number) for name, _, number in found}


async def test_an_empty_list_says_what_to_do_next(client: httpx2.AsyncClient):
    page = await see(client, "/applications")
    assert page.status == 200
    assert page.text(".empty-title") == "No applications yet."
    assert {"/applications/new", "/mail/import"} <= {a.attributes["href"] for a in page.all("main a")}
    assert not page.has("table")


async def test_the_list_shows_the_latest_news_first_with_true_counts(client: httpx2.AsyncClient, mine: List):
    await mine.add("Old", days_ago=9)
    await mine.add("New", days_ago=1)
    await mine.add("Gone", days_ago=5, stage="rejected")
    page = await see(client, "/applications")
    assert companies(page) == ["New", "Gone", "Old"]
    assert tabs(page) == {"All": 3, "Applied": 2, "Rejected": 1}
    assert page.texts("tbody tr .badge") == ["Applied", "Rejected", "Applied"]
    assert not page.has(".badge.bad")


async def test_a_stage_is_a_filter_in_the_address_and_marks_its_tab(client: httpx2.AsyncClient, mine: List):
    await mine.add("A", stage="offer")
    await mine.add("B")
    page = await see(client, "/applications?stage=offer")
    assert companies(page) == ["A"]
    assert page.texts("nav[aria-label=Stages] a[aria-current]") == ["Offer 1"]
    assert page.form("/applications").fields["stage"] == ["offer"]


async def test_counts_follow_the_search_but_not_the_stage(client: httpx2.AsyncClient, mine: List):
    await mine.add("Northwind", "Data Engineer")
    await mine.add("Northwind", "Designer", stage="offer")
    await mine.add("Contoso", "Data Engineer")
    page = await see(client, "/applications?q=northwind&stage=offer")
    assert companies(page) == ["Northwind"]
    assert tabs(page) == {"All": 2, "Applied": 1, "Offer": 1}
    assert page.one("#f-q").attributes["value"] == "northwind"


async def test_a_search_without_a_hit_says_how_to_get_back(client: httpx2.AsyncClient, mine: List):
    await mine.add("Northwind")
    page = await see(client, "/applications?q=zebra")
    assert page.text(".empty-title") == "No application fits."
    assert page.one(".empty a").attributes["href"] == "/applications"


@pytest.mark.parametrize("words", ["100%", "a_b", "\\", "<script>", "'; --", "\x00", "é" * 200])
async def test_a_search_takes_any_text(client: httpx2.AsyncClient, mine: List, words: str):
    await mine.add("Northwind")
    answer = await client.get("/applications", params={"q": words}, headers=PAGE)
    assert answer.status_code == 200
    assert "<script>" not in answer.text.replace('<script type="module"', "")


async def test_what_is_unknown_has_its_own_look(client: httpx2.AsyncClient, mine: List):
    await mine.add(None, "Analyst")
    page = await see(client, "/applications")
    assert page.texts("tbody .unknown") == ["company unknown", "no news yet"]


async def walked(client: httpx2.AsyncClient, path: str) -> list[str]:
    found: list[str] = []
    while path:
        page = await see(client, path)
        found += companies(page)
        more = page.all("a[rel=next]")
        path = "/applications" + str(more[0].attributes["href"]) if more else ""
    return found


async def test_pages_neither_skip_nor_repeat_while_the_list_grows(
    client: httpx2.AsyncClient, mine: List, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.pages.applications.ROWS", 3)
    for number in range(8):
        # The same instant for all: the id alone keeps the order.
        await mine.add(f"C{number}", f"Role {number}")
    first = await see(client, "/applications")
    await mine.add("Late")
    rest = await walked(client, "/applications" + str(first.one("a[rel=next]").attributes["href"]))
    assert companies(first) + rest == [f"C{number}" for number in range(7, -1, -1)]


async def test_the_next_page_keeps_the_filters(
    client: httpx2.AsyncClient, mine: List, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.pages.applications.ROWS", 1)
    await mine.add("A & B", "One", stage="offer")
    await mine.add("A & B", "Two", stage="offer")
    await mine.add("A & B", "Three")
    assert await walked(client, "/applications?q=a+%26+b&stage=offer") == ["A & B", "A & B"]


@pytest.mark.parametrize("query", ["after=nonsense", "after=e30", "stage=hired", f"q={'x' * 300}"])
async def test_a_broken_address_is_answered_calmly(client: httpx2.AsyncClient, query: str):
    page = await see(client, f"/applications?{query}")
    assert page.status == 400
    assert page.has("h1")


async def test_dismissed_ones_are_a_list_of_their_own(
    client: httpx2.AsyncClient, mine: List, clock: FixedClock
):
    gone = await mine.add("Gone")
    await mine.add("Here")
    async with mine.database.as_account(mine.account) as unit:
        await dismiss(unit, gone, now=clock.now())
    assert companies(await see(client, "/applications")) == ["Here"]
    page = await see(client, "/applications?show=dismissed")
    assert companies(page) == ["Gone"]
    assert page.title == "Dismissed applications"


async def test_another_account_sees_nothing_of_it(other_client: httpx2.AsyncClient, mine: List):
    await mine.add("Secret Company")
    page = await see(other_client, "/applications?q=secret")
    assert "Secret" not in page.text("tbody") if page.has("tbody") else True
    assert page.has(".empty")


async def test_one_is_added_by_hand_with_a_plain_form(client: httpx2.AsyncClient):
    page = await see(client, "/applications/new")
    answer = await submit(
        client,
        page,
        "/applications",
        company=" Northwind ",
        role="Engineer",
        url="jobs.lever.co/northwind/5ac21346-8e0c-4494-8e7a-3eb92ff77902",
        applied_on="2026-02-20",
    )
    assert answer.status == 303
    assert answer.location.startswith("/applications/")
    listed = await see(client, "/applications")
    assert companies(listed) == ["Northwind"]
    assert "20 Feb 2026" in listed.text("tbody")


async def test_adding_names_every_fault_and_keeps_what_was_typed(client: httpx2.AsyncClient):
    page = await send(
        client,
        "/applications",
        company="",
        role="x" * 400,
        url="not an address",
        applied_on="2027-01-01",
        note="kept",
    )
    assert page.status == 400
    assert len(page.all("#faults li")) == 3
    assert {a.attributes["href"] for a in page.all("#faults a")} == {"#f-role", "#f-url", "#f-applied_on"}
    assert page.one("#f-note").text().strip() == "kept"
    assert page.one("#f-url").attributes["aria-invalid"] == "true"


async def test_adding_nothing_asks_for_one_of_three(client: httpx2.AsyncClient):
    page = await send(client, "/applications", company=" ", role="", url="")
    assert page.status == 400
    assert "company, the role or the address" in page.text("#faults")


async def test_a_megabyte_in_a_name_is_answered(client: httpx2.AsyncClient):
    page = await send(client, "/applications", company="x" * 1_000_000)
    assert page.status == 400
    assert "1 000 000 characters" in page.text("#faults")


async def test_a_nul_in_a_name_is_dropped(client: httpx2.AsyncClient):
    answer = await send(client, "/applications", company="North\x00wind", role="")
    assert answer.status == 303
    assert companies(await see(client, "/applications")) == ["Northwind"]


async def test_another_site_cannot_add_one(client: httpx2.AsyncClient):
    answer = await client.post(
        "/applications", data={"company": "Evil"}, headers=PAGE | {"sec-fetch-site": "cross-site"}
    )
    assert answer.status_code == 403
    assert (await see(client, "/applications")).has(".empty")


async def test_a_visitor_is_sent_to_the_door(visitor: httpx2.AsyncClient):
    answer = await see(visitor, "/applications?stage=offer")
    assert answer.status == 303
    assert answer.location == "/sign-in?next=%2Fapplications%3Fstage%3Doffer"


async def test_adding_the_same_posting_again_leads_to_the_one_known(client: httpx2.AsyncClient):
    fields = {"company": "Northwind", "url": "https://jobs.lever.co/n/5ac21346-8e0c-4494-8e7a-3eb92ff77902"}
    first = await send(client, "/applications", **fields)
    again = await send(client, "/applications", **fields)
    assert again.location == first.location
    assert len(companies(await see(client, "/applications"))) == 1
