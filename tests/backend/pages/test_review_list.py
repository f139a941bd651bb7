"""The whole queue as a list: true counts, filters in the address, every item once however it is paged."""

import httpx2
import pytest
from fixtures.html import see
from fixtures.matching import MatchRunner
from fixtures.review import Doubt, pair_of, proposed_status


@pytest.fixture
async def queue(doubt: Doubt, match: MatchRunner) -> list[str]:
    """Nine things of all four kinds; the addresses in the order of the queue."""
    for number in range(5):
        doubt.add(f"Word {number}", sent=11 + number)
    proposed_status(doubt.samples, doubt.third)
    doubt.samples.application("Fabrikam", "Baker", applied=5)
    doubt.samples.message(
        "assessment_invite",
        subject="Assessment",
        body="Please finish the assessment for Baker at Fabrikam.",
        employer="Fabrikam",
        role="Baker",
        sent=30,
    )
    await match()
    pair_of(doubt.samples, doubt.first, doubt.second)
    return []


async def every_page(client: httpx2.AsyncClient, query: str) -> list[str]:
    found: list[str] = []
    path = f"/review/list{query}"
    while path:
        page = await see(client, path)
        found += [str(node.attributes["data-row"]) for node in page.all("li[data-row]")]
        more = page.all("a[rel=next]")
        path = "/review/list" + str(more[0].attributes["href"]) if more else ""
    return found


def numbers(texts: list[str]) -> dict[str, int]:
    return {text.rpartition(" ")[0]: int(text.rpartition(" ")[2]) for text in texts}


async def test_counts_are_those_of_what_is_listed(client: httpx2.AsyncClient, queue: list[str]):
    page = await see(client, "/review/list")
    kinds = numbers(page.texts("#kinds a"))
    ranks = numbers(page.texts("#ranks a"))
    rows = await every_page(client, "")
    assert kinds["Everything"] == ranks["any"] == len(rows) == len(set(rows))
    assert kinds == {
        "Everything": len(rows),
        **{
            label: sum(row.startswith(kind) for row in rows)
            for label, kind in (
                ("Messages", "message:"),
                ("Statuses", "status:"),
                ("Asks", "ask:"),
                ("Pairs of records", "pair:"),
            )
        },
    }
    assert min(kinds.values()) > 0
    for rank, label in ((3, "moves an application"), (2, "can be answered"), (1, "can only be refused")):
        assert len(await every_page(client, f"?rank={rank}")) == ranks[label]


@pytest.mark.parametrize("query", ["", "?kind=message", "?rank=2", "?rank=3", "?kind=message&rank=2"])
async def test_every_item_is_listed_once_however_it_is_paged(
    client: httpx2.AsyncClient, queue: list[str], query: str, monkeypatch: pytest.MonkeyPatch
):
    whole = await every_page(client, query)
    monkeypatch.setattr("backend.pages.review_list.ROWS", 2)
    assert await every_page(client, query) == whole


async def test_filters_are_kept_from_page_to_page(
    client: httpx2.AsyncClient, queue: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.pages.review_list.ROWS", 1)
    page = await see(client, "/review/list?kind=message&rank=2")
    assert page.texts("#kinds [aria-current]")[0].startswith("Messages")
    assert page.texts("#ranks [aria-current]")[0].startswith("can be answered")
    assert "kind=message&rank=2&after=" in str(page.one("a[rel=next]").attributes["href"])


@pytest.mark.parametrize("query", ["?kind=nonsense", "?rank=7", "?kind=message:1&rank=x"])
async def test_what_an_address_spells_wrong_narrows_nothing(
    client: httpx2.AsyncClient, queue: list[str], query: str
):
    assert await every_page(client, query) == await every_page(client, "")


async def test_a_row_opens_its_item(client: httpx2.AsyncClient, queue: list[str]):
    page = await see(client, "/review/list")
    for link in page.all("#queue li a"):
        assert (await see(client, str(link.attributes["href"]))).status == 200


async def test_patterns_lead_to_all_messages_with_one_doubt(client: httpx2.AsyncClient, queue: list[str]):
    page = await see(client, "/review/list?common=1")
    link = page.all("#patterns a")[0]
    found = await see(client, str(link.attributes["href"]))
    assert found.title == link.text().strip()
    count = page.texts("#patterns .number")[0].split()[0]
    assert found.text("#all").split()[0] == count


async def test_an_empty_list_says_what_appears_here(client: httpx2.AsyncClient, doubt: Doubt):
    assert "Nothing of this kind waits." in (await see(client, "/review/list?kind=pair")).text("#queue")


async def test_nothing_of_anothers_is_listed_or_counted(other_client: httpx2.AsyncClient, queue: list[str]):
    page = await see(other_client, "/review/list")
    assert page.text(".empty-title") == "Nothing waits for you."
    assert set(numbers(page.texts("#kinds a")).values()) == {0}
