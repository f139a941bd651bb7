"""Saved views over HTTP: kept, opened, renamed, replaced, deleted, and each of it taken back."""

import httpx2
import pytest
from fixtures.html import Seen, follow, see, send, submit
from fixtures.samples import Samples

VIEWS = "/applications/views"


def names(page: Seen) -> list[str]:
    return page.texts("nav[aria-label='Saved views'] a")


def action_of(page: Seen, verb: str) -> str:
    actions = [str(form.attributes["action"]) for form in page.all("#kept form")]
    return next(action for action in actions if action.endswith(f"/{verb}"))


def here(page: Seen) -> str:
    return str(page.one("nav[aria-label='Saved views'] a[aria-current]").attributes["href"])


async def kept(client: httpx2.AsyncClient, name: str, query: str) -> Seen:
    page = await see(client, f"/applications?{query}")
    return await follow(client, await submit(client, page, VIEWS, name=name))


@pytest.fixture(autouse=True)
def one(samples: Samples) -> None:
    samples.application("Northwind")


async def test_the_filters_in_force_are_kept_and_open_again(client: httpx2.AsyncClient):
    assert not (await see(client, "/applications")).has("nav[aria-label='Saved views'] a")
    page = await kept(client, " Long  silent ", "stage=applied&silent=14&sort=silence")
    assert names(page) == ["Everything", "Long silent", "Arrange…"]
    assert here(page) == "/applications?stage=applied&silent=14&sort=silence"
    elsewhere = await see(client, "/applications?q=x")
    assert not elsewhere.has("nav[aria-label='Saved views'] a[aria-current]")


async def test_keeping_is_undone(client: httpx2.AsyncClient):
    page = await kept(client, "Offers", "stage=offer")
    undo = str(page.one(".flash form").attributes["action"])
    page = await follow(client, await submit(client, page, undo))
    assert page.has(".empty")


async def test_a_name_that_is_taken_asks_before_it_replaces(client: httpx2.AsyncClient):
    await kept(client, "Mine", "stage=offer")
    page = await see(client, "/applications?q=north")
    asked = await submit(client, page, VIEWS, name="MINE")
    assert asked.status == 409
    assert "There is a view called “Mine”" in asked.text("#faults")
    assert asked.one("#f-name").attributes["value"] == "MINE"
    page = await follow(client, await submit(client, asked, VIEWS, replace="1"))
    assert here(page) == "/applications?q=north"
    undo = str(page.one(".flash form").attributes["action"])
    back = await follow(client, await submit(client, page, undo))
    assert here(back) == "/applications?stage=offer"


async def test_the_page_of_views_says_what_each_shows(client: httpx2.AsyncClient):
    await kept(client, "Late", "stage=applied&silent=30&sort=silence&layout=board")
    page = await see(client, VIEWS)
    told = page.text("#kept .soft")
    assert told == "Applied · No news for 30 days or more · Longest silence first · As a board"


async def test_a_view_is_renamed_and_back(client: httpx2.AsyncClient):
    await kept(client, "Old", "stage=offer")
    page = await see(client, VIEWS)
    action = action_of(page, "name")
    page = await follow(client, await submit(client, page, action, name="New"))
    assert page.texts("#kept strong") == ["New"]
    page = await follow(client, await submit(client, page, action, within=".flash"))
    assert page.texts("#kept strong") == ["Old"]


async def test_a_rename_to_a_taken_or_empty_name_keeps_what_was_typed(client: httpx2.AsyncClient):
    await kept(client, "A", "stage=offer")
    await kept(client, "B", "q=b")
    page = await see(client, VIEWS)
    actions = [str(form.attributes["action"]) for form in page.all("#kept form")]
    second = [action for action in actions if action.endswith("/name")][1]
    refused = await submit(client, page, second, name="a")
    assert refused.status == 409
    assert refused.one("#f-name").attributes["value"] == "a"
    assert refused.has("details[open]")
    empty = await send(client, second, name=" ")
    assert (empty.status, empty.text("#faults li")) == (400, "Name is missing.")
    assert (await send(client, second, name="x" * 81)).status == 400


async def test_a_view_is_deleted_and_comes_back(client: httpx2.AsyncClient):
    await kept(client, "Offers", "stage=offer")
    page = await see(client, VIEWS)
    action = action_of(page, "delete")
    page = await follow(client, await submit(client, page, action))
    assert page.text(".empty-title") == "No view is kept yet."
    page = await follow(client, await submit(client, page, VIEWS, within=".flash"))
    assert "Offers" in names(page)


async def test_nonsense_in_a_kept_address_is_left_out(client: httpx2.AsyncClient):
    answer = await send(client, VIEWS, name="x", query="stage=hired&q=x&after=zzz&evil=%00&stage=offer")
    assert answer.location == "/applications?q=x&stage=offer"
    assert (await follow(client, answer)).status == 200


async def test_another_accounts_view_is_missing_to_every_verb(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient
):
    await send(other_client, VIEWS, name="Theirs", query="stage=offer")
    theirs = await see(other_client, VIEWS)
    actions = {str(f.attributes["action"]) for f in theirs.all("#kept form")}
    assert len(actions) == 2
    view = next(iter(actions)).rsplit("/", 1)[0]
    for verb in ("name", "filters", "delete"):
        assert (await send(client, f"{view}/{verb}", name="Mine", query="q=x")).status == 404
    assert not (await see(client, VIEWS)).has("#kept")
    assert (await see(other_client, VIEWS)).texts("#kept strong") == ["Theirs"]


@pytest.mark.parametrize("name", [" ", "\u200b", "\u202e\u2066"])
async def test_a_name_that_nobody_could_see_is_missing(client: httpx2.AsyncClient, name: str):
    refused = await send(client, VIEWS, name=name, query="stage=offer")
    assert refused.status == 400
    assert "Name is missing." in refused.text("#faults")
