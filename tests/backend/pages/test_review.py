"""Review without scripts: each answer, its undo, superseded items shown fresh, nobody else's messages."""

import httpx2
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, follow, see, send, submit
from fixtures.matching import MatchRunner
from fixtures.samples import Samples

from matcher.resolutions.answering import resolve
from matcher.resolutions.store import item
from schema.db import Database
from schema.ids import AccountId, MessageId

BODY = "Hello Ada, your application at Northwind is still under review."


class Doubt:
    """Two applications at one employer, and a message that could be about either."""

    def __init__(self, samples: Samples) -> None:
        self.samples = samples
        self.first = samples.application("Northwind", "Data Engineer", applied=5)
        self.second = samples.application("Northwind", "Product Designer", applied=6)
        self.third = samples.application("Contoso", "Writer", applied=7)
        self.message = self.add()

    def add(self, subject: str = "About your application") -> MessageId:
        return self.samples.message(
            "status_update", subject=subject, body=BODY, sender_name="Northwind", employer="Northwind"
        )

    @property
    def path(self) -> str:
        return f"/review/{self.message}"


@pytest.fixture
async def doubt(samples: Samples, match: MatchRunner) -> Doubt:
    made = Doubt(samples)
    await match()
    return made


def buttons(page: Seen) -> list[str]:
    return [" ".join(node.text(deep=False).split()) for node in page.all("main form.act button > span")]


def forms_to(page: Seen, choice: str) -> list[dict[str, str]]:
    """Every form that gives this answer: its hidden fields."""
    found: list[dict[str, str]] = []
    for form in page.all("form[method=post]"):
        fields = {
            str(field.attributes["name"]): str(field.attributes.get("value") or "")
            for field in form.css("input")
        }
        if fields.get("choice") == choice:
            found.append(fields)
    return found


async def answer(client: httpx2.AsyncClient, page: Seen, choice: str, place: int = 0, **more: str) -> Seen:
    """Press the `place`-th button of a page that gives this answer."""
    return await send(client, page.answer.url.path, **{**forms_to(page, choice)[place], **more})


async def outcome(database: Database, account: AccountId, message: MessageId) -> tuple[str, int | None]:
    async with database.as_account(account) as unit:
        found = await item(unit, message)
    return found.outcome, found.application_id


async def test_the_queue_leads_to_its_first_question(client: httpx2.AsyncClient, doubt: Doubt):
    answered = await see(client, "/review")
    assert (answered.status, answered.location) == (303, doubt.path)
    page = await see(client, doubt.path)
    assert page.title == "Which application is this about?"
    assert "Number 1 of 1 message" in page.text(".lede")
    assert "1 minute" in page.text(".lede")
    assert page.texts(".message mark")
    assert page.text("#m-subject") == "About your application"


async def test_each_candidate_shows_what_speaks_for_and_against_it(client: httpx2.AsyncClient, doubt: Doubt):
    page = await see(client, doubt.path)
    names = page.texts(".candidate h2")
    assert set(names) == {"Data Engineer, Northwind", "Product Designer, Northwind"}
    evidence = page.texts(".candidate .evidence li")
    assert any("names Northwind as the employer" in text for text in evidence)
    assert all(text[2:].startswith(("For:", "Against:", "Rules it out:")) for text in evidence)


async def test_an_empty_queue_says_so(client: httpx2.AsyncClient):
    page = await see(client, "/review")
    assert page.status == 200
    assert page.text(".empty-title") == "Nothing waits for you."


async def test_skipping_leads_on_and_around(client: httpx2.AsyncClient, doubt: Doubt, match: MatchRunner):
    other = doubt.add("Another word")
    await match()
    page = await see(client, f"/review/{other}")
    assert "Number 1 of 2" in page.text(".lede")
    assert page.texts("#ahead a") == ["About your application"]
    skip = str(page.one("a[data-key=n]").attributes["href"])
    assert (await see(client, skip)).location == doubt.path
    second = await see(client, doubt.path)
    assert "Number 2 of 2" in second.text(".lede")
    end = await see(client, str(second.one("a[data-key=n]").attributes["href"]))
    assert end.text(".empty-title") == "You have been through all of them."
    assert end.one(".empty a").attributes["href"] == "/review"


async def test_confirming_attaches_and_can_be_taken_back(
    client: httpx2.AsyncClient, doubt: Doubt, database: Database, account: AccountId
):
    page = await see(client, doubt.path)
    target = int(forms_to(page, "confirm")[0]["target"])
    answered = await answer(client, page, "confirm")
    assert answered.location.startswith("/review?after=")
    assert await outcome(database, account, doubt.message) == ("attached", target)
    done = await follow(client, answered)
    assert "Attached to" in done.text(".flash")
    assert "Northwind" in done.text(".flash")
    back = await submit(client, done, doubt.path)
    assert back.location == doubt.path
    assert await outcome(database, account, doubt.message) == ("asks", None)
    assert (await follow(client, back)).title == "Which application is this about?"


async def test_the_second_candidate_can_be_chosen(
    client: httpx2.AsyncClient, doubt: Doubt, database: Database, account: AccountId
):
    page = await see(client, doubt.path)
    target = int(forms_to(page, "assign")[0]["target"])
    await answer(client, page, "assign")
    assert await outcome(database, account, doubt.message) == ("attached", target)
    shown = await see(client, doubt.path)
    assert "decided by you" in shown.text(".review")
    assert not forms_to(shown, "confirm")


async def test_rejecting_a_candidate_leaves_the_other(client: httpx2.AsyncClient, doubt: Doubt):
    page = await see(client, doubt.path)
    refused = page.texts(".candidate h2")[0]
    await answer(client, page, "reject")
    assert refused not in (await see(client, doubt.path)).texts(".candidate h2")


async def test_another_application_is_found_by_words_and_assigned(
    client: httpx2.AsyncClient, doubt: Doubt, database: Database, account: AccountId
):
    page = await see(client, f"{doubt.path}?find=contoso")
    assert page.texts("#another ~ .rows a") == ["Writer, Contoso"]
    found = [fields for fields in forms_to(page, "assign") if fields["target"] == str(doubt.third)]
    await send(client, doubt.path, **found[0])
    assert await outcome(database, account, doubt.message) == ("attached", doubt.third)


async def test_words_that_find_nothing_say_so(client: httpx2.AsyncClient, doubt: Doubt):
    page = await see(client, f"{doubt.path}?find=%00zebra%25")
    assert "No other application fits" in page.text(".rows")


async def test_a_new_application_is_made_from_the_message(client: httpx2.AsyncClient, doubt: Doubt):
    page = await see(client, doubt.path)
    fields = forms_to(page, "create_application")[0]
    assert fields["company"] == "Northwind"
    done = await follow(client, await send(client, doubt.path, **{**fields, "role": "Pilot"}))
    assert "Added as a new application: Pilot, Northwind." in done.text(".flash")
    assert "Pilot" in (await see(client, "/applications")).text("tbody")


async def test_a_new_application_without_a_name_keeps_the_form(
    client: httpx2.AsyncClient, samples: Samples, match: MatchRunner
):
    message = samples.message("acknowledgement", subject="Thanks", body="Thanks for applying.")
    await match()
    page = await see(client, f"/review/{message}")
    shown = await answer(client, page, "create_application", company="", role="")
    assert shown.status == 400
    assert shown.has("details#new[open] .fault")


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("not_an_application", "Not about any of your applications."),
        ("not_job_mail", "Marked as not job mail."),
    ],
)
async def test_a_message_can_be_about_none_of_them(
    client: httpx2.AsyncClient, doubt: Doubt, database: Database, account: AccountId, choice: str, said: str
):
    done = await follow(client, await answer(client, await see(client, doubt.path), choice))
    assert said in done.text(".flash")
    assert await outcome(database, account, doubt.message) == (choice, None)
    shown = await see(client, doubt.path)
    assert not forms_to(shown, choice)
    assert "You said so already." in shown.text("#closed")


ANSWERS = ["confirm", "reject", "assign", "create_application", "not_an_application", "not_job_mail", "undo"]


@pytest.mark.parametrize("choice", ANSWERS)
async def test_an_answer_to_a_superseded_item_changes_nothing_and_shows_the_fresh_one(
    client: httpx2.AsyncClient, doubt: Doubt, database: Database, account: AccountId, clock, choice: str
):
    page = await see(client, doubt.path)
    fields = forms_to(page, "confirm")[0] | {"choice": choice, "company": "Northwind"}
    async with database.as_account(account) as unit:
        await resolve(
            unit,
            doubt.message,
            version=(await item(unit, doubt.message)).version,
            choice="assign",
            target=doubt.third,
            now=clock.now(),
        )
    shown = await send(client, doubt.path, **fields)
    assert shown.status == 409
    assert "This changed since you looked at it" in shown.text("main [role=alert]")
    assert "nothing was changed" in shown.text("main [role=alert]")
    assert "Writer, Contoso" in shown.texts(".candidate h2")
    assert await outcome(database, account, doubt.message) == ("attached", doubt.third)
    assert forms_to(shown, "undo")[0]["version"] != fields["version"]


async def test_an_answer_that_is_not_open_is_refused_with_the_reason(
    client: httpx2.AsyncClient, doubt: Doubt
):
    page = await see(client, doubt.path)
    fields = forms_to(page, "confirm")[0] | {"choice": "undo"}
    shown = await send(client, doubt.path, **fields)
    assert shown.status == 409
    assert "There is nothing of yours to take back." in shown.text("main [role=alert]")


async def test_an_answer_from_another_page_leads_back_there(client: httpx2.AsyncClient, doubt: Doubt):
    page = await see(client, f"{doubt.path}?back=/applications/{doubt.first}")
    assert (await answer(client, page, "confirm")).location == f"/applications/{doubt.first}"
    evil = await see(client, f"{doubt.path}?back=https://evil.example/")
    assert "evil" not in evil.answer.text


async def test_history_shows_what_was_decided_and_takes_it_back(
    client: httpx2.AsyncClient, doubt: Doubt, database: Database, account: AccountId
):
    await follow(client, await answer(client, await see(client, doubt.path), "confirm"))
    page = await see(client, "/review/history")
    assert page.texts("ol.rows strong") == ["Confirmed"]
    assert "before that: waits for you" in page.text("ol.rows")
    done = await follow(client, await submit(client, page, doubt.path))
    assert "Taken back." in done.text(".flash")
    assert done.has("h1")
    assert "taken back" in done.text("ol.rows")
    assert not done.has("ol.rows form")
    assert await outcome(database, account, doubt.message) == ("asks", None)


async def test_history_pages_without_gap(
    client: httpx2.AsyncClient, doubt: Doubt, match: MatchRunner, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.pages.review_history.ROWS", 2)
    messages = [doubt.message, *(doubt.add(f"Word {number}") for number in range(4))]
    await match()
    for message in messages:
        await answer(client, await see(client, f"/review/{message}"), "not_job_mail")
    seen: list[str] = []
    path = "/review/history"
    while path:
        page = await see(client, path)
        seen += page.texts("ol.rows .soft a")
        more = page.all("a[rel=next]")
        path = "/review/history" + str(more[0].attributes["href"]) if more else ""
    assert seen == [f"Word {number}" for number in (3, 2, 1, 0)] + ["About your application"]


async def test_an_empty_history_says_where_decisions_are_made(client: httpx2.AsyncClient):
    assert (await see(client, "/review/history")).one(".empty a").attributes["href"] == "/review"


async def test_another_accounts_message_is_as_missing_as_none(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient, doubt: Doubt
):
    fields = forms_to(await see(client, doubt.path), "confirm")[0]
    theirs, none = await see(other_client, doubt.path), await see(other_client, "/review/999999")
    assert (theirs.status, theirs.title) == (none.status, none.title) == (404, none.title)
    posted = [await send(other_client, path, **fields) for path in (doubt.path, "/review/999999")]
    assert [page.status for page in posted] == [404, 404]
    assert (await see(other_client, "/review")).has(".empty")


@pytest.mark.parametrize(
    "fields",
    [
        {"choice": "delete", "version": "1"},
        {"choice": "confirm", "version": "one"},
        {"choice": "confirm", "version": "1", "target": "x"},
        {"choice": "create_application", "version": "1", "company": "x" * 1_000_000},
        {},
    ],
)
async def test_a_broken_form_is_answered_calmly(
    client: httpx2.AsyncClient, doubt: Doubt, fields: dict[str, str]
):
    page = await send(client, doubt.path, **fields)
    assert page.status == 400
    assert page.has("h1")


async def test_another_site_cannot_answer(
    client: httpx2.AsyncClient, doubt: Doubt, database: Database, account: AccountId
):
    fields = forms_to(await see(client, doubt.path), "confirm")[0]
    headers = PAGE | {"sec-fetch-site": "cross-site"}
    assert (await client.post(doubt.path, data=fields, headers=headers)).status_code == 403
    assert await outcome(database, account, doubt.message) == ("asks", None)
