"""The list of applications: true counts, filters and orders in the address, keyset places, silence."""

from datetime import timedelta

import httpx2
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, see
from fixtures.people import FixedClock
from fixtures.samples import Samples, day

from matcher.applications.store import dismiss, record_application, set_note, set_status
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
    assert page.has("a[href='/applications/import']"), "moving in is not only for who has nothing yet"


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


async def test_a_visitor_is_sent_to_the_door(visitor: httpx2.AsyncClient):
    answer = await see(visitor, "/applications?stage=offer")
    assert answer.status == 303
    assert answer.location == "/sign-in?next=%2Fapplications%3Fstage%3Doffer"


async def test_several_stages_can_be_asked_for_and_the_count_is_of_those(
    client: httpx2.AsyncClient, mine: List
):
    for stage in ("offer", "rejected", "interviewing"):
        await mine.add(f"In {stage}", stage=stage)
    page = await see(client, "/applications?stage=rejected&stage=offer")
    assert companies(page) == ["In rejected", "In offer"]
    assert page.text("caption") == "2 applications. Latest news first."
    assert not page.has("nav[aria-label=Stages] a[aria-current]")
    assert [chip.split()[0] for chip in page.texts(".chip")] == ["Offer", "Rejected"]
    ticked = page.all("input[name=stage][checked]")
    assert {box.attributes["value"] for box in ticked} == {"offer", "rejected"}


async def test_the_filter_form_keeps_every_filter_it_was_sent(client: httpx2.AsyncClient, mine: List):
    await mine.add("A", stage="offer")
    query = (
        "q=a&stage=offer&stage=applied&origin=manual&applied_from=2026-02-01&applied_to=2026-03-02"
        "&news_from=2026-01-01&silent=3&asks=1&proposed=1&show=dismissed&sort=company&layout=board"
    )
    page = await see(client, f"/applications?{query}")
    fields = page.form("/applications").fields
    sent = [(name, value) for name, values in fields.items() for value in values if value]
    assert sorted(sent) == sorted(tuple(pair.split("=")) for pair in query.split("&"))


async def test_chips_take_one_filter_away_and_clear_all_takes_all(client: httpx2.AsyncClient, mine: List):
    await mine.add("Northwind", days_ago=40)
    page = await see(client, "/applications?q=zebra&silent=30&sort=company")
    assert page.text(".empty-title") == "No application fits."
    chip = page.all(".chip")[0]
    fewer = await see(client, f"/applications{chip.attributes['href']}")
    assert companies(fewer) == ["Northwind"]
    assert len(fewer.all(".chip")) == 1
    assert page.all(".chips a")[-1].attributes["href"] == "/applications?sort=company"


async def test_a_note_and_a_requisition_number_are_searched_too(
    client: httpx2.AsyncClient, mine: List, clock: FixedClock
):
    await mine.add("Other")
    noted = await mine.add("Northwind")
    async with mine.database.as_account(mine.account) as unit:
        await set_note(unit, noted, "They asked for travel", now=clock.now())
    assert companies(await see(client, "/applications?q=north+TRAVEL")) == ["Northwind"]


async def test_silence_is_days_beside_the_median_and_never_a_verdict(
    client: httpx2.AsyncClient, mine: List, samples: Samples, clock: FixedClock
):
    clock.at = day(20)
    rejected = "UPDATE standings SET stage = 'rejected', answered_at = %s WHERE application_id = %s"
    for number in range(5):
        samples.rows(rejected, day(5), samples.application(f"Answered {number}", applied=1))
    samples.application("Long", applied=3)
    samples.application("Short", applied=18)
    samples.application("Unknown", applied=None)
    page = await see(client, "/applications?sort=silence")
    assert companies(page)[:2] == ["Long", "Short"]
    assert page.text(".lede") == "Where each one stands. Half of 5 known answers came within 4 days."
    told = dict(zip(companies(page), page.texts("td[data-label=Silence]"), strict=True))
    assert told["Long"] == "17 days longer than usual"
    assert told["Short"] == "2 days"
    assert told["Unknown"] == "unknown"
    assert told["Answered 0"] == "ended"


async def test_with_few_answers_a_silence_is_only_days(
    client: httpx2.AsyncClient, samples: Samples, clock: FixedClock
):
    clock.at = day(20)
    samples.application("Long", applied=3)
    page = await see(client, "/applications")
    assert page.text(".lede") == "Where each one stands."
    assert page.text("td[data-label=Silence]") == "17 days"


async def test_what_waits_is_shown_and_can_be_asked_for(
    client: httpx2.AsyncClient, mine: List, samples: Samples
):
    asked, proposed = samples.application("Asks"), samples.application("Says")
    message = samples.message("info_request")
    samples.insert(
        "asks", application_id=asked, message_id=message, kind="send_information", opened_at=day(1)
    )
    samples.rows(
        "UPDATE standings SET proposal = 'offer', proposal_message_id = %s, proposal_at = %s"
        " WHERE application_id = %s",
        message,
        day(1),
        proposed,
    )
    page = await see(client, "/applications?asks=1")
    assert companies(page) == ["Asks"]
    assert "1 thing to do" in page.texts("tbody .badge")
    page = await see(client, "/applications?proposed=1")
    assert companies(page) == ["Says"]
    assert "Mail says offer" in page.texts("tbody .badge")


async def test_a_merged_record_is_neither_listed_nor_counted(client: httpx2.AsyncClient, samples: Samples):
    stands, merged = samples.application("Stands"), samples.application("Merged")
    samples.merge(merged, into=stands)
    for layout in ("", "?layout=board"):
        page = await see(client, f"/applications{layout}")
        assert page.texts("[data-row] .company") == ["Stands"]
        assert tabs(page) == {"All": 1, "Applied": 1}


async def test_heads_of_columns_are_orders_and_tell_the_one_in_force(client: httpx2.AsyncClient, mine: List):
    await mine.add("Zeta", days_ago=1)
    await mine.add("alpha", days_ago=9)
    page = await see(client, "/applications?q=engineer&sort=company")
    assert companies(page) == ["alpha", "Zeta"]
    sorted_by = page.one("th[aria-sort]")
    assert (sorted_by.text().split()[0], sorted_by.attributes["aria-sort"]) == ("Application", "ascending")
    assert {a.attributes["href"] for a in page.all("thead a")} == {
        "?q=engineer",
        "?q=engineer&sort=silence",
        "?q=engineer&sort=applied",
    }
    assert companies(await see(client, "/applications?q=engineer&sort=applied")) == ["Zeta", "alpha"]


@pytest.mark.parametrize("sort", ["news", "applied", "company", "silence"])
async def test_every_order_goes_on_where_it_stopped(
    client: httpx2.AsyncClient, samples: Samples, monkeypatch: pytest.MonkeyPatch, sort: str
):
    monkeypatch.setattr("backend.pages.applications.ROWS", 2)
    for number in range(7):
        samples.application(
            None if number % 3 == 0 else "Same", str(number), applied=None if number % 2 else 3
        )
    found: list[str] = []
    path = f"/applications?sort={sort}"
    while path:
        page = await see(client, path)
        found += page.texts("tbody tr .role")
        more = page.all("a[rel=next]")
        path = "/applications" + str(more[0].attributes["href"]) if more else ""
    assert sorted(found) == [str(number) for number in range(7)]


async def test_a_place_of_another_order_is_answered_calmly(
    client: httpx2.AsyncClient, mine: List, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.pages.applications.ROWS", 1)
    await mine.add("A")
    await mine.add("B")
    more = str((await see(client, "/applications")).one("a[rel=next]").attributes["href"])
    assert (await see(client, f"/applications{more}&sort=company")).status == 400


async def test_a_filter_that_makes_no_sense_is_named_and_the_rest_is_shown(
    client: httpx2.AsyncClient, mine: List
):
    await mine.add("Northwind")
    await mine.add("Contoso")
    page = await see(client, "/applications?q=north&silent=soon&applied_from=2026-13-01")
    assert page.status == 400
    assert companies(page) == ["Northwind"]
    assert [a.attributes["href"] for a in page.all("#faults a")] == ["#f-applied_from", "#f-silent"]
    assert page.one("#f-silent").attributes["value"] == "soon"
    assert not page.has("[data-live]#list")


async def test_only_platforms_that_were_used_are_offered(client: httpx2.AsyncClient, samples: Samples):
    samples.application("A", url="https://jobs.lever.co/a/5ac21346-8e0c-4494-8e7a-3eb92ff77902")
    samples.application("B")
    page = await see(client, "/applications")
    assert page.texts("#f-platform option") == ["Any", "lever (1)"]
    page = await see(client, "/applications?platform=lever")
    assert companies(page) == ["A"]
    gone = await see(client, "/applications?platform=ashby")
    assert "ashby" in gone.texts("#f-platform option")


async def test_days_are_those_of_the_persons_zone(
    client: httpx2.AsyncClient, samples: Samples, account: AccountId
):
    samples.application("Late", applied=day(1) + timedelta(hours=14, minutes=30))  # 23:30 UTC
    assert companies(await see(client, "/applications?applied_to=2026-03-01")) == ["Late"]
    samples.rows("UPDATE accounts SET time_zone = 'Europe/Berlin' WHERE id = %s", account)
    assert companies(await see(client, "/applications?applied_from=2026-03-02")) == ["Late"]
    assert companies(await see(client, "/applications?applied_to=2026-03-01")) == []
