"""The board: columns as plain lists, statuses by a small form, several at once, each undone as one."""

import httpx2
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, follow, see, send, submit
from fixtures.samples import Samples, day

from matcher.applications.store import application, set_status
from schema.db import Database
from schema.ids import AccountId, ApplicationId
from schema.vocabulary import Stage

BOARD = "/applications?layout=board"


def columns(page: Seen) -> dict[str, list[str]]:
    """The roles of the cards by the heading of their column."""
    found: dict[str, list[str]] = {}
    for column in page.all("section.column"):
        heading, cards = column.css_first("h2"), column.css("[data-row] .role")
        assert heading
        found[" ".join(heading.text().split())] = [card.text() for card in cards]
    return found


def seen(which: ApplicationId, stage: Stage = "applied", by: str = "mail") -> str:
    return f"{which}:{stage}:{by}"


async def status_of(database: Database, account: AccountId, which: ApplicationId) -> Stage | None:
    async with database.as_account(account) as unit:
        return (await application(unit, which)).status


async def test_a_column_for_every_stage_that_moves_and_every_end_somebody_stands_in(
    client: httpx2.AsyncClient, samples: Samples
):
    samples.application("A", "First", applied=1)
    samples.application("B", "Second", applied=2)
    gone = samples.application("C", "Third")
    samples.rows("UPDATE standings SET stage = 'rejected' WHERE application_id = %s", gone)
    found = columns(await see(client, BOARD))
    assert found == {
        "Applied 2": ["Second", "First"],
        "Acknowledged 0": [],
        "Assessment 0": [],
        "Interviewing 0": [],
        "Offer 0": [],
        "Rejected 1": ["Third"],
    }


async def test_a_column_shows_its_first_cards_and_leads_to_the_rest(
    client: httpx2.AsyncClient, samples: Samples, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.pages.applications.CARDS", 2)
    for number in range(5):
        samples.application("A", str(number), applied=1 + number)
    page = await see(client, f"{BOARD}&q=a")
    assert columns(page)["Applied 5"] == ["4", "3"]
    rest = await see(client, f"/applications{page.one('section.column > p a').attributes['href']}")
    assert rest.texts("tbody .role") == ["4", "3", "2", "1", "0"]
    assert rest.one("#f-q").attributes["value"] == "a"


async def test_a_narrow_screen_switches_columns_by_links(client: httpx2.AsyncClient, samples: Samples):
    offered = samples.application("A", "Offered")
    samples.rows("UPDATE standings SET stage = 'offer' WHERE application_id = %s", offered)
    page = await see(client, BOARD)
    assert page.one("section.column.here").attributes["aria-labelledby"] == "c-offer"
    other = next(a for a in page.all(".switcher a") if "assessment" in str(a.attributes["href"]))
    page = await see(client, f"/applications{other.attributes['href']}")
    assert page.one("section.column.here").attributes["aria-labelledby"] == "c-assessment"
    assert (await see(client, f"{BOARD}&column=%00nonsense")).status == 200


async def test_a_card_is_set_by_a_plain_form_and_undone(
    client: httpx2.AsyncClient, samples: Samples, database: Database, account: AccountId
):
    made = samples.application("A", "First")
    page = await see(client, f"{BOARD}&q=a")
    answer = await submit(client, page, "/applications/statuses", within="[data-row]", status="offer")
    assert answer.location == "/applications?q=a&layout=board&column=applied"
    assert not page.has("[data-row] option[value=follow]")
    assert page.one("[data-row] select").attributes["aria-label"] == "Status of First, A"
    page = await follow(client, answer)
    assert columns(page)["Offer 1"] == ["First"]
    assert page.has("[data-row] option[value=follow]")
    assert page.text(".flash").startswith("The status of 1 application is set: offer.")
    back = await follow(client, await submit(client, page, "/applications/statuses/undo"))
    assert columns(back)["Applied 1"] == ["First"]
    assert await status_of(database, account, made) is None


async def test_several_are_set_at_once_and_undone_to_what_each_was(
    client: httpx2.AsyncClient, samples: Samples, database: Database, account: AccountId
):
    made = [samples.application("A", str(number)) for number in range(3)]
    await send(client, "/applications/statuses", id=seen(made[0]), status="interviewing")
    page = await see(client, "/applications?q=a")
    assert [box.attributes["value"] for box in page.all("tbody input[form=several]")]
    answer = await submit(
        client,
        page,
        "/applications/statuses",
        id=[str(box.attributes["value"]) for box in page.all("tbody input[form=several]")],
        status="withdrawn",
    )
    assert answer.location == "/applications?q=a"
    page = await follow(client, answer)
    assert page.texts("tbody tr .badge") == ["Withdrawn"] * 3
    await submit(client, page, "/applications/statuses/undo")
    assert [await status_of(database, account, which) for which in made] == ["interviewing", None, None]


async def test_an_undo_leaves_alone_what_was_set_otherwise_since(
    client: httpx2.AsyncClient, samples: Samples, database: Database, account: AccountId
):
    made = [samples.application("A", str(number)) for number in range(2)]
    answer = await send(client, "/applications/statuses", id=[seen(which) for which in made], status="offer")
    page = await follow(client, answer)
    await send(client, "/applications/statuses", id=seen(made[0], "offer", "you"), status="rejected")
    page = await follow(client, await submit(client, page, "/applications/statuses/undo"))
    assert page.text(".flash").startswith("Undone for 1. 1 changed since and stay as they are.")
    assert [await status_of(database, account, which) for which in made] == ["rejected", None]


async def test_an_undo_gives_the_time_back_at_which_the_person_had_set_it(
    client: httpx2.AsyncClient, samples: Samples, database: Database, account: AccountId
):
    made = samples.application("A")
    async with database.as_account(account) as unit:
        await set_status(unit, made, "assessment", now=day(1.25))
    standing = seen(made, "assessment", "you")
    answer = await send(client, "/applications/statuses", id=standing, status="offer")
    await submit(client, await follow(client, answer), "/applications/statuses/undo")
    async with database.as_account(account) as unit:
        found = await application(unit, made)
    assert (found.status, found.status_at) == ("assessment", day(1.25))


async def test_an_old_board_and_an_old_list_overwrite_nothing(
    client: httpx2.AsyncClient, samples: Samples, database: Database, account: AccountId
):
    made = [samples.application("A", str(number)) for number in range(3)]
    board, table = await see(client, f"{BOARD}&q=a&column=applied"), await see(client, "/applications?q=a")
    samples.rows("UPDATE standings SET stage = 'rejected' WHERE application_id = %s", made[2])
    late = await submit(client, board, "/applications/statuses", within="[data-row]", status="offer")
    assert late.status == 409
    told = "One of these changed since the list was shown, so no status was set. 2, A: rejected, by the mail."
    assert any(told in notice for notice in late.texts(".notice.stale"))
    assert columns(late)["Rejected 1"] == ["2"]
    assert not late.has("#list[data-live]")
    chosen = [str(box.attributes["value"]) for box in table.all("tbody input[form=several]")]
    late = await submit(client, table, "/applications/statuses", id=chosen, status="offer")
    assert (late.status, late.one("#f-q").attributes["value"]) == (409, "a")
    assert [await status_of(database, account, which) for which in made] == [None] * 3
    boxes = late.all("tbody input[form=several]")
    again = await submit(
        client,
        late,
        "/applications/statuses",
        id=[str(box.attributes["value"]) for box in boxes],
        status="offer",
    )
    assert again.status == 303
    samples.merge(made[0], into=made[1])
    answer = await send(client, "/applications/statuses", id=seen(made[0], "offer", "you"), status="closed")
    assert answer.status == 409


@pytest.mark.parametrize(
    "was", ["1", "x:offer:0", "1:hired:0", "1:offer:", "1:offer:y", "1:offer:" + "9" * 40]
)
async def test_an_undo_nobody_was_offered_is_refused(client: httpx2.AsyncClient, was: str):
    answer = await send(client, "/applications/statuses/undo", was=was, status="follow")
    assert answer.status in {400, 404}


async def test_nothing_chosen_changes_nothing_and_says_so(client: httpx2.AsyncClient, samples: Samples):
    samples.application("A")
    page = await follow(client, await send(client, "/applications/statuses", status="offer", back="q=a"))
    assert "Nothing was chosen" in page.text(".flash")
    assert page.texts("tbody tr .badge") == ["Applied"]


@pytest.mark.parametrize(
    "fields",
    [
        {"id": "1", "status": "hired"},
        {"id": "x", "status": "offer"},
        {"id": ":applied:mail", "status": "offer"},
        {"id": "9" * 30, "status": "offer"},
        {"id": [str(number) for number in range(60)], "status": "offer"},
    ],
)
async def test_what_the_form_never_sends_is_refused(client: httpx2.AsyncClient, fields: dict[str, str]):
    assert (await send(client, "/applications/statuses", **fields)).status == 400


async def test_the_way_back_stays_on_this_server(client: httpx2.AsyncClient, samples: Samples):
    made = samples.application("A")
    for back in ("//evil.example", "https://evil.example/?a=b", "\r\nx: y", "a=b#x&c=/../"):
        answered = seen(made) if back.startswith("//") else seen(made, "offer", "you")
        answer = await send(client, "/applications/statuses", id=answered, status="offer", back=back)
        assert answer.location.split("?")[0] == "/applications"


async def test_another_accounts_application_is_missing_and_nothing_is_set(
    client: httpx2.AsyncClient,
    samples: Samples,
    database: Database,
    account: AccountId,
    other_account: AccountId,
):
    mine, theirs = samples.application("A"), samples.of(other_account).application("B")
    answer = await send(client, "/applications/statuses", id=[seen(mine), seen(theirs)], status="offer")
    assert answer.status == 404
    undo = await send(client, "/applications/statuses/undo", was=f"{theirs}:offer:0", status="follow")
    assert undo.status == 404
    assert await status_of(database, account, mine) is None
    assert await status_of(database, other_account, theirs) is None


async def test_another_site_cannot_set_a_status(client: httpx2.AsyncClient, samples: Samples):
    fields = {"id": str(samples.application("A")), "status": "offer"}
    headers = PAGE | {"sec-fetch-site": "cross-site"}
    assert (await client.post("/applications/statuses", data=fields, headers=headers)).status_code == 403


async def test_a_status_set_before_is_shown_as_the_persons_own(
    client: httpx2.AsyncClient, samples: Samples, database: Database, account: AccountId
):
    made = samples.application("A")
    async with database.as_account(account) as unit:
        await set_status(unit, made, "closed", now=day(1))
    page = await see(client, "/applications")
    assert page.text("td[data-label=Stage]") == "Closed set by you"
