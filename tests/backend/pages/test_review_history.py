"""What was decided: every kind of act, who, what it replaced, the way back; each line once."""

import httpx2
import pytest
from fixtures.html import Seen, follow, see, send, submit
from fixtures.matching import MatchRunner
from fixtures.review import Doubt, pair_of, press, proposed_status

UNDO = "/review/history/undo"


async def lines(client: httpx2.AsyncClient, query: str = "") -> list[str]:
    """The ids of every line, over all pages."""
    found: list[str] = []
    path = f"/review/history{query}"
    while path:
        page = await see(client, path)
        found += [str(node.attributes["data-row"]) for node in page.all("li[data-row]")]
        more = page.all("a[rel=next]")
        path = "/review/history" + str(more[0].attributes["href"]) if more else ""
    return found


async def test_a_decision_is_shown_with_what_it_replaced_and_taken_back(
    client: httpx2.AsyncClient, doubt: Doubt
):
    await press(client, await see(client, doubt.path), "confirm")
    page = await see(client, "/review/history")
    assert page.texts("#history strong") == ["Confirmed"]
    assert "you," in page.text("#history")
    assert "before that: waits for you" in page.text("#history")
    done = await follow(client, await submit(client, page, UNDO, within="#history"))
    assert "Taken back." in done.text(".flash")
    assert "taken back" in done.text("#history .badge")
    assert not done.has("#history form")
    assert (await see(client, "/review")).location == doubt.path


@pytest.fixture
async def everything(client: httpx2.AsyncClient, doubt: Doubt, match: MatchRunner) -> list[str]:
    """An answer of every kind."""
    proposed_status(doubt.samples, doubt.third)
    for number in range(4):
        doubt.add(f"Word {number}", sent=11 + number)
    await match()
    pair = pair_of(doubt.samples, doubt.first, doubt.second)
    await press(client, await see(client, f"/review/status/{doubt.third}"), "accept_status")
    await press(client, await see(client, f"/review/pair/{pair}"), "keep_apart")
    await press(client, await see(client, doubt.path), "reject")
    pattern = str((await see(client, "/review/list?common=1")).all("#patterns a")[0].attributes["href"])
    await press(client, await see(client, pattern), "not_an_application")
    return ["Not about an application, for", "Not this application", "Kept as two", "Followed the mail"]


async def test_every_kind_of_act_is_listed_the_latest_first(
    client: httpx2.AsyncClient, everything: list[str]
):
    said = (await see(client, "/review/history")).texts("#history strong")
    assert len(said) == len(everything)
    assert all(any(text.startswith(head) for text in said) for head in everything)


@pytest.mark.parametrize(
    ("show", "count"),
    [("message", 1), ("pattern", 1), ("status", 1), ("records", 1), ("ask", 0), ("undone", 0), ("x", 4)],
)
async def test_the_history_is_narrowed(
    client: httpx2.AsyncClient, everything: list[str], show: str, count: int
):
    assert len(await lines(client, f"?show={show}")) == count


async def test_what_attached_by_its_evidence_is_shown_on_demand(
    client: httpx2.AsyncClient, everything: list[str]
):
    page = await see(client, "/review/history?show=automatic")
    assert page.texts("#history strong") == ["Attached by its evidence"]
    assert page.texts("#history .badge") == ["automatic"]
    assert not page.has("#history form")


@pytest.mark.parametrize("rows", [1, 2, 3])
async def test_the_history_pages_without_gap(
    client: httpx2.AsyncClient, everything: list[str], monkeypatch: pytest.MonkeyPatch, rows: int
):
    whole = await lines(client)
    monkeypatch.setattr("backend.pages.review_history.ROWS", rows)
    assert await lines(client) == whole
    assert await lines(client, "?show=status") == [line for line in whole if line.startswith("act:")][-1:]


async def test_every_kind_of_act_is_taken_back(client: httpx2.AsyncClient, everything: list[str]):
    for _ in everything:
        page = await see(client, "/review/history")
        assert (await submit(client, page, UNDO, within="#history")).status == 303
    assert not (await see(client, "/review/history")).has("#history form")
    assert len(await lines(client, "?show=undone")) == len(everything)


async def test_an_undo_of_what_something_newer_stands_on_is_refused(client: httpx2.AsyncClient, doubt: Doubt):
    await press(client, await see(client, doubt.path), "confirm")
    page = await see(client, "/review/history")
    await press(client, await see(client, doubt.path), "not_job_mail")
    shown = await submit(client, page, UNDO)
    assert shown.status == 409
    assert "Nothing was undone." in shown.text("#refused")
    assert "take that back first" in shown.text("#history")


async def test_an_undo_is_taken_once(client: httpx2.AsyncClient, doubt: Doubt):
    await press(client, await see(client, doubt.path), "confirm")
    page = await see(client, "/review/history")
    assert (await submit(client, page, UNDO)).status == 303
    assert (await submit(client, page, UNDO)).status == 409


async def test_an_empty_history_says_where_decisions_are_made(client: httpx2.AsyncClient):
    assert (await see(client, "/review/history")).one(".empty a").attributes["href"] == "/review"
    nothing = await see(client, "/review/history?show=ask")
    assert nothing.one(".empty a").attributes["href"] == "/review/history"


@pytest.mark.parametrize(
    "entry", ["decision:1", "act:1", "act:x", "nothing", "decision:99999999999999999999"]
)
async def test_what_is_not_there_cannot_be_taken_back(client: httpx2.AsyncClient, entry: str):
    assert (await send(client, UNDO, entry=entry, version="x")).status == 404


async def test_nobody_takes_back_what_another_said(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient, doubt: Doubt
):
    await press(client, await see(client, doubt.path), "confirm")
    page = await see(client, "/review/history")
    theirs: Seen = await submit(other_client, page, UNDO)
    assert theirs.status == 404
    assert not (await see(other_client, "/review/history")).has("#history li")
