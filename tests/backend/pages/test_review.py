"""Review without scripts, message by message: each answer, its undo, what is shown, and to whom."""

import httpx2
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, follow, see, send, submit
from fixtures.matching import MatchRunner
from fixtures.review import Doubt, answers, carried, offered, press
from fixtures.samples import Samples

from matcher.resolutions.items import item
from matcher.resolutions.names import message_item
from matcher.resolutions.types import MessageItem
from schema.db import Database
from schema.ids import AccountId, ApplicationId, MessageId


async def outcome(
    database: Database, account: AccountId, message: MessageId
) -> tuple[str, list[ApplicationId]]:
    async with database.as_account(account) as unit:
        found = await item(unit, message_item(message))
    assert isinstance(found, MessageItem)
    return found.outcome, found.application_ids


def target(value: str) -> int:
    return int(value.partition(":")[2])


async def test_the_queue_leads_to_its_first_question(client: httpx2.AsyncClient, doubt: Doubt):
    answered = await see(client, "/review")
    assert (answered.status, answered.location) == (303, doubt.path)
    page = await see(client, doubt.path)
    assert page.title == "Which application is this about?"
    assert page.text(".lede") == "1 waits for you: about 1 minute, at 20 seconds each."
    assert page.texts(".message mark")
    assert page.text("#m-subject") == "About your application"
    assert page.text("#why").endswith(".")


async def test_each_candidate_shows_what_speaks_for_and_against_it(client: httpx2.AsyncClient, doubt: Doubt):
    page = await see(client, doubt.path)
    assert set(offered(page)) == {"Data Engineer, Northwind", "Product Designer, Northwind"}
    evidence = page.texts(".candidate .evidence li")
    assert any("names Northwind as the employer" in text for text in evidence)
    assert all(text[2:].startswith(("For:", "Against:", "Rules it out:")) for text in evidence)


async def test_each_answer_says_what_it_would_touch(client: httpx2.AsyncClient, doubt: Doubt):
    page = await see(client, doubt.path)
    assert page.texts(".effect")[0].startswith("Yes attaches 1 message.")
    assert "hides 1 message" in page.text("section[aria-labelledby=none]")
    assert "not measured yet" in page.text(".review")


async def test_of_a_message_that_fits_none_no_agreement_is_told(
    client: httpx2.AsyncClient, doubt: Doubt, match: MatchRunner
):
    alone = doubt.samples.message("rejection", body="Fabrikam says no.", employer="Fabrikam", sent=12)
    await match()
    page = await see(client, f"/review/{alone}")
    assert "none of yours fits" in page.text("#why")
    assert "agree" not in page.text("main")
    assert "agree" in (await see(client, doubt.path)).text("main")
    same = str(page.one("a[data-key=p]").attributes["href"])
    assert "None of them has an application to agree with." in (await see(client, same)).text("main")


async def test_an_empty_queue_says_so(client: httpx2.AsyncClient):
    page = await see(client, "/review")
    assert page.status == 200
    assert page.text(".empty-title") == "Nothing waits for you."


async def test_skipping_leads_on_and_tells_what_was_skipped(
    client: httpx2.AsyncClient, doubt: Doubt, match: MatchRunner
):
    other = doubt.add("Another word", sent=11)
    await match()
    page = await see(client, f"/review/{other}")
    assert page.text(".lede").startswith("2 wait for you: about 1 minute")
    assert page.texts("#ahead li a") == ["About your application"]
    skip = str(page.one("a[data-key=n]").attributes["href"])
    assert (await see(client, skip)).location == doubt.path
    second = await see(client, doubt.path)
    assert second.text(".lede").startswith("2 wait for you, this is number 2:")
    end = await see(client, str(second.one("a[data-key=n]").attributes["href"]))
    assert end.text(".empty-title") == "You have been through all of them."
    assert "2 are left that you skipped" in end.text(".empty")
    assert end.one(".empty a").attributes["href"] == "/review"


async def test_confirming_attaches_and_can_be_taken_back(
    client: httpx2.AsyncClient, doubt: Doubt, database: Database, account: AccountId
):
    page = await see(client, doubt.path)
    chosen = target(answers(page, "confirm")[0])
    answered = await press(client, page, "confirm")
    assert answered.location.startswith("/review?after=")
    assert await outcome(database, account, doubt.message) == ("attached", [chosen])
    done = await follow(client, answered)
    assert "Attached to" in done.text(".flash")
    assert "Northwind" in done.text(".flash")
    back = await submit(client, done, "/review/history/undo")
    assert back.location == doubt.path
    assert await outcome(database, account, doubt.message) == ("asks", [])
    again = await follow(client, back)
    assert again.title == "Which application is this about?"
    assert "Taken back." in again.text(".flash")


async def test_the_second_candidate_can_be_chosen_and_moved_from(
    client: httpx2.AsyncClient, doubt: Doubt, database: Database, account: AccountId
):
    page = await see(client, doubt.path)
    chosen = target(answers(page, "confirm")[1])
    await press(client, page, "confirm", 1)
    assert await outcome(database, account, doubt.message) == ("attached", [chosen])
    shown = await see(client, doubt.path)
    assert shown.title == "What this message is about"
    assert not answers(shown, "confirm")
    assert "attached now" in shown.text(".candidates")
    other = target(answers(shown, "assign")[0])
    await press(client, shown, "assign")
    assert await outcome(database, account, doubt.message) == ("attached", [other])


async def test_rejecting_a_candidate_leaves_the_other(client: httpx2.AsyncClient, doubt: Doubt):
    page = await see(client, doubt.path)
    refused = offered(page)[0]
    done = await follow(client, await press(client, page, "reject"))
    assert "Not that one." in done.text(".flash")
    assert refused not in offered(await see(client, doubt.path))


async def test_another_application_is_found_by_words_and_assigned(
    client: httpx2.AsyncClient, doubt: Doubt, database: Database, account: AccountId
):
    form = (await see(client, doubt.path)).form(f"{doubt.path}/find")
    query = {name: values[0] for name, values in form.fields.items()} | {"find": "contoso"}
    page = Seen(await client.get(f"{doubt.path}/find", params=query, headers=PAGE))
    assert page.texts("#found .rows a") == ["Writer, Contoso"]
    assert "Applied, applied" in page.text("#found")
    answered = await press(client, page, "assign")
    assert answered.location.startswith("/review?after=")
    assert await outcome(database, account, doubt.message) == ("attached", [doubt.third])


async def test_the_same_employer_comes_first_and_the_rest_is_paged(
    client: httpx2.AsyncClient, doubt: Doubt, samples: Samples, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.pages.review_find.ROWS", 2)
    page = await see(client, f"{doubt.path}/find")
    assert page.texts("#found .rows .badge") == ["same employer", "same employer"]
    more = str(page.one("a[rel=next]").attributes["href"])
    rest = await see(client, more)
    assert rest.texts("#found .rows a") == ["Writer, Contoso"]
    assert carried(rest, answers(rest, "assign")[0])[1] == carried(page, answers(page, "assign")[0])[1]


async def test_words_that_find_nothing_say_so(client: httpx2.AsyncClient, doubt: Doubt):
    page = await see(client, f"{doubt.path}/find?find=%00zebra%25")
    assert "No application fits" in page.text("#found")


async def test_a_new_application_is_made_from_the_message(client: httpx2.AsyncClient, doubt: Doubt):
    page = await see(client, doubt.path)
    assert carried(page, "create_application")[1]["company"] == "Northwind"
    done = await follow(client, await press(client, page, "create_application", role="Pilot"))
    assert "Added as a new application: Pilot, Northwind." in done.text(".flash")
    assert "Pilot" in (await see(client, "/applications")).text("tbody")


async def test_a_new_application_without_a_name_keeps_the_form(
    client: httpx2.AsyncClient, samples: Samples, match: MatchRunner
):
    message = samples.message("acknowledgement", subject="Thanks", body="Thanks for applying.")
    await match()
    page = await see(client, f"/review/{message}")
    shown = await press(client, page, "create_application", company="", role="")
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
    done = await follow(client, await press(client, await see(client, doubt.path), choice))
    assert said in done.text(".flash")
    assert await outcome(database, account, doubt.message) == (choice, [])
    shown = await see(client, doubt.path)
    assert not answers(shown, choice)
    assert "You said so already." in shown.text("#closed")


async def test_an_answer_that_is_not_open_is_refused_with_the_reason(
    client: httpx2.AsyncClient, doubt: Doubt
):
    page = await see(client, doubt.path)
    shown = await press(client, page, "confirm", answer="undo")
    assert shown.status == 409
    assert "There is nothing of yours to take back." in shown.text("main [role=alert]")


async def test_an_answer_from_another_page_leads_back_there(client: httpx2.AsyncClient, doubt: Doubt):
    page = await see(client, f"{doubt.path}?back=/applications/{doubt.first}")
    assert (await press(client, page, "confirm")).location == f"/applications/{doubt.first}"
    evil = await see(client, f"{doubt.path}?back=https://evil.example/")
    assert "evil" not in evil.answer.text


async def test_minutes_left_follow_the_persons_own_pace(
    client: httpx2.AsyncClient, doubt: Doubt, match: MatchRunner, clock
):
    messages = [doubt.add(f"Word {number}", sent=11 + number) for number in range(12)]
    await match()
    for message in messages[:10]:
        clock.move(seconds=6)
        await press(client, await see(client, f"/review/{message}"), "not_an_application")
    page = await see(client, f"/review/{messages[-1]}")
    assert page.text(".lede") == "3 wait for you: about 1 minute, at your own pace."


async def test_another_accounts_message_is_as_missing_as_none(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient, doubt: Doubt
):
    _, fields = carried(await see(client, doubt.path), "not_job_mail")
    theirs, none = await see(other_client, doubt.path), await see(other_client, "/review/999999")
    assert (theirs.status, theirs.title) == (none.status, none.title) == (404, none.title)
    assert (await see(other_client, f"{doubt.path}/find")).status == 404
    sent = {**fields, "answer": "not_job_mail"}
    posted = [await send(other_client, path, **sent) for path in (doubt.path, "/review/999999")]
    assert [page.status for page in posted] == [404, 404]
    assert (await see(other_client, "/review")).has(".empty")


@pytest.mark.parametrize(
    "fields",
    [
        {"answer": "delete", "version": "1"},
        {"answer": "confirm"},
        {"answer": "confirm:x", "version": "1"},
        {"answer": "confirm:1", "version": "1" * 1000},
        {"answer": "confirm", "version": "1", "place": "no place"},
        {"answer": "create_application", "version": "1", "company": "x" * 1_000_000},
        {},
    ],
)
async def test_a_broken_form_is_answered_calmly(
    client: httpx2.AsyncClient, doubt: Doubt, fields: dict[str, str]
):
    page = await send(client, doubt.path, **fields)
    assert page.status == 400
    assert page.has("h1")


async def test_what_was_seen_may_be_anything(client: httpx2.AsyncClient, doubt: Doubt):
    page = await see(client, doubt.path)
    for seen in ("no struct", "e30", ""):
        shown = await press(client, page, "not_job_mail", version="old", seen=seen)
        assert shown.status == 409
        assert "nothing was changed" in shown.text("main [role=alert]")


async def test_another_site_cannot_answer(
    client: httpx2.AsyncClient, doubt: Doubt, database: Database, account: AccountId
):
    _, fields = carried(await see(client, doubt.path), "not_job_mail")
    headers = PAGE | {"sec-fetch-site": "cross-site"}
    sent = {**fields, "answer": "not_job_mail"}
    assert (await client.post(doubt.path, data=sent, headers=headers)).status_code == 403
    assert await outcome(database, account, doubt.message) == ("asks", [])
