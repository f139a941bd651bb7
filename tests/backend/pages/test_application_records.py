"""One application in two records, and two in one: put together, taken apart, split, each with a way back."""

import asyncio

import httpx2
import pytest
from fixtures.html import Seen, follow, see, send, submit
from fixtures.matching import MatchRunner
from fixtures.samples import Samples

from matcher.applications.store import application
from matcher.applications.types import Application
from schema.db import Database
from schema.ids import AccountId, ApplicationId, MessageId

THANKS = "Thank you for applying to the Data Engineer role at Northwind."
REFUSED = "We will not move forward with your application for Data Engineer at Northwind."
NAMED = {"employer": "Northwind", "role": "Data Engineer"}


class Story:
    """An application at Northwind with two messages, and another record there, with a note each."""

    def __init__(self, samples: Samples, database: Database, account: AccountId) -> None:
        self.samples, self.database, self.account = samples, database, account
        self.one = samples.application(applied=5)
        self.thanks = samples.message("acknowledgement", sent=6, subject="Thanks", body=THANKS, **NAMED)
        self.refused = samples.message("rejection", sent=20, subject="News", body=REFUSED, **NAMED)
        self.two = ApplicationId(0)

    def second(self, company: str = "Fabrikam", role: str = "Analyst") -> ApplicationId:
        self.two = self.samples.application(company, role, applied=3)
        return self.two

    def note(self, which: ApplicationId, note: str) -> None:
        self.samples.rows("UPDATE applications SET note = %s WHERE id = %s", note, which)

    async def now(self, which: ApplicationId) -> Application:
        async with self.database.as_account(self.account) as unit:
            return await application(unit, which)

    def attached(self) -> dict[int, int]:
        return dict(self.samples.rows("SELECT message_id, application_id FROM attachments"))  # type: ignore[arg-type]


@pytest.fixture
async def story(samples: Samples, database: Database, account: AccountId, match: MatchRunner) -> Story:
    made = Story(samples, database, account)
    await match()
    made.second()
    return made


def path(which: ApplicationId, verb: str = "") -> str:
    return f"/applications/{which}/{verb}".rstrip("/")


def subjects(page: Seen) -> list[str]:
    return page.texts("#timeline .moment > p > a")


async def merged(client: httpx2.AsyncClient, story: Story) -> Seen:
    """Put together; the one with the mail stands."""
    page = await see(client, f"{path(story.one, 'merge')}?with={story.two}")
    return await follow(client, await submit(client, page, path(story.one, "merge")))


async def test_the_same_employers_applications_are_offered_first(client: httpx2.AsyncClient, story: Story):
    story.second("Northwind", "Writer")
    page = await see(client, path(story.one, "merge"))
    assert page.texts("#found li a")[0] == "Writer, Northwind"
    assert "Data Engineer, Northwind" not in page.texts("#found li a")
    found = await see(client, path(story.one, "merge") + "?find=analyst")
    assert found.texts("#found li a") == ["Analyst, Fabrikam"]


async def test_both_are_laid_side_by_side_with_what_they_would_be(client: httpx2.AsyncClient, story: Story):
    story.note(story.one, "Call Jo")
    story.note(story.two, "Ask for <b>pay</b>")
    page = await see(client, f"{path(story.one, 'merge')}?with={story.two}")
    assert [len(page.all(f"[aria-labelledby=side-{number}]")) for number in (1, 2)] == [1, 1]
    together = page.text("#together")
    assert "Rejected" in together
    assert "Messages 2" in together
    assert "Call Jo" in together
    assert "Ask for <b>pay</b>" in together
    assert "Both are kept." in together
    assert len(page.all("#together form")) == 2


async def test_put_together_nothing_is_lost_and_the_other_record_leads_here(
    client: httpx2.AsyncClient, story: Story
):
    story.note(story.two, "Ask for pay")
    page = await merged(client, story)
    assert "Both are one application now." in page.text(".flash")
    assert subjects(page) == ["Thanks", "News"]
    assert "Ask for pay" in page.text(f"#note-{story.two}")
    assert "stands for 2 records" in page.text("#records")
    gone = await see(client, path(story.two))
    assert gone.status == 200
    assert gone.one("#merged .button").attributes["href"] == path(story.one)
    assert "Ask for pay" in gone.text()
    assert (await see(client, "/applications")).texts(".role") == ["Data Engineer"]


async def test_messages_of_the_merged_record_are_shown_and_told_apart(
    client: httpx2.AsyncClient, story: Story
):
    page = await see(client, f"{path(story.two, 'merge')}?with={story.one}")
    done = await follow(client, await submit(client, page, path(story.two, "merge")))
    assert done.title == "Analyst, Fabrikam"
    assert subjects(done) == ["Thanks", "News"]
    assert path(story.one) in done.one(f"#why-{story.thanks}").html  # type: ignore[operator]
    assert "Rejected" in done.text(".lede")


@pytest.mark.parametrize("way", [".flash", "#records"])
async def test_taken_apart_everything_is_as_before(client: httpx2.AsyncClient, story: Story, way: str):
    before = [await story.now(which) for which in (story.one, story.two)]
    page = await merged(client, story)
    if way == "#records":
        page = await see(client, path(story.one))
    back = await submit(client, page, "/review/history/undo", within=way)
    assert back.location == path(story.one)
    after = [await story.now(which) for which in (story.one, story.two)]
    kept = ("company", "role", "note", "status", "applied_at", "messages", "stage", "merged_into_id")
    for old, new in zip(before, after, strict=True):
        assert all(getattr(old, name) == getattr(new, name) for name in kept)
    assert (await see(client, path(story.two))).title == "Analyst, Fabrikam"


async def test_of_two_merges_at_the_same_moment_one_is_shown_again(client: httpx2.AsyncClient, story: Story):
    third = story.samples.application("Contoso", "Pilot", applied=4)
    above = await see(client, f"{path(story.one, 'merge')}?with={story.two}")
    below = await see(client, f"{path(story.two, 'merge')}?with={third}")
    answers = await asyncio.gather(
        submit(client, above, path(story.one, "merge")), submit(client, below, path(story.two, "merge"))
    )
    assert sorted(answer.status for answer in answers) == [303, 409]


async def test_a_note_typed_while_the_record_was_merged_is_shown_again(
    client: httpx2.AsyncClient, story: Story
):
    tab = await see(client, path(story.two))
    await submit(client, tab, path(story.two, "note"), note="From another tab.")
    await merged(client, story)
    refused = await submit(client, tab, path(story.two, "note"), note="A long thought.")
    assert refused.status == 409
    assert "A long thought." in refused.text("#unsaved")
    assert (await story.now(story.two)).note == "From another tab."


async def test_a_merged_record_is_taken_apart_from_its_own_page(client: httpx2.AsyncClient, story: Story):
    await merged(client, story)
    page = await see(client, path(story.two))
    back = await follow(client, await submit(client, page, "/review/history/undo"))
    assert back.title == "Analyst, Fabrikam"
    assert (await story.now(story.two)).merged_into_id is None


@pytest.mark.parametrize("whose", ["one", "two"])
async def test_what_changed_meanwhile_is_not_put_together(
    client: httpx2.AsyncClient, story: Story, whose: str
):
    page = await see(client, f"{path(story.one, 'merge')}?with={story.two}")
    await send(client, path(getattr(story, whose), "dismiss"))
    shown = await submit(client, page, path(story.one, "merge"))
    assert shown.status == 409
    assert (await story.now(story.two)).merged_into_id is None
    assert (await story.now(story.one)).merged_into_id is None


async def test_an_application_is_not_put_together_with_itself_or_with_nothing(
    client: httpx2.AsyncClient, story: Story
):
    page = await see(client, f"{path(story.one, 'merge')}?with={story.one}")
    assert not page.has("#together")
    assert (await see(client, f"{path(story.one, 'merge')}?with=999999")).status == 404
    form = (await see(client, f"{path(story.one, 'merge')}?with={story.two}")).form(path(story.one, "merge"))
    own = {**form.fields, "goes": str(story.one)}
    assert (await send(client, path(story.one, "merge"), **own)).status == 409
    strange = {**form.fields, "stays": "7", "goes": "8"}
    assert (await send(client, path(story.one, "merge"), **strange)).status == 400


async def test_what_may_be_the_same_is_said_on_its_page(client: httpx2.AsyncClient, story: Story):
    low, high = sorted((story.one, story.two))
    story.samples.rows(
        "INSERT INTO pairs (account_id, application_id, other_application_id, says, found_at)"
        " VALUES (%s, %s, %s, 'Both are alike.', now())",
        story.account,
        low,
        high,
    )
    for here, other in ((story.one, story.two), (story.two, story.one)):
        page = await see(client, path(here))
        assert "Both are alike." in page.text("#pairs")
        assert page.one("#pairs .button").attributes["href"] == f"{path(here, 'merge')}?with={other}"


async def split(client: httpx2.AsyncClient, story: Story, *messages: MessageId, **fields: str) -> Seen:
    page = await see(client, path(story.one, "split"))
    ticked = [str(message) for message in messages]
    return await submit(client, page, path(story.one, "split"), message=ticked, **fields)


async def test_ticked_messages_become_an_application_of_their_own(client: httpx2.AsyncClient, story: Story):
    done = await split(client, story, story.refused, company="Northwind Labs", role="Analyst")
    made = await follow(client, done)
    assert made.title == "Analyst, Northwind Labs"
    assert subjects(made) == ["News"]
    assert "Rejected" in made.text(".lede")
    left = await see(client, path(story.one))
    assert subjects(left) == ["Thanks"]
    assert "Acknowledged" in left.text(".lede")


async def test_ticked_messages_move_to_an_application_there_is(client: httpx2.AsyncClient, story: Story):
    done = await split(client, story, story.thanks, story.refused, target=str(story.two))
    assert done.location == path(story.two)
    assert subjects(await follow(client, done)) == ["Thanks", "News"]
    assert set(story.attached().values()) == {story.two}


async def test_one_undo_brings_all_of_them_back_and_leaves_the_other_one(
    client: httpx2.AsyncClient, story: Story
):
    before = story.attached()
    there = await follow(
        client, await split(client, story, story.thanks, story.refused, target=str(story.two))
    )
    await submit(client, there, "/review/history/undo", within=".flash")
    assert story.attached() == before
    assert (await story.now(story.two)).dismissed_at is None


async def test_undoing_puts_the_new_application_away(client: httpx2.AsyncClient, story: Story):
    before = story.attached()
    made = await follow(client, await split(client, story, story.refused, role="Analyst"))
    await submit(client, made, "/review/history/undo", within=".flash")
    assert story.attached() == before
    assert len((await see(client, "/applications")).texts(".role")) == 2


async def test_nothing_ticked_moves_nothing_and_says_so(client: httpx2.AsyncClient, story: Story):
    before = story.attached()
    shown = await split(client, story, role="Analyst")
    assert shown.status == 400
    assert "Tick the messages" in shown.text("#faults")
    assert shown.one("#f-role").attributes["value"] == "Analyst"
    assert story.attached() == before


@pytest.mark.parametrize("target", ["self", "0", "x", "999999", "9" * 30])
async def test_a_target_that_is_none_moves_nothing(client: httpx2.AsyncClient, story: Story, target: str):
    before = story.attached()
    to = str(story.one) if target == "self" else target
    shown = await split(client, story, story.refused, target=to)
    assert shown.status in {400, 404, 409}
    assert story.attached() == before


async def test_what_was_moved_meanwhile_is_not_moved_again(client: httpx2.AsyncClient, story: Story):
    page = await see(client, path(story.one, "split"))
    await split(client, story, story.thanks, target=str(story.two))
    before = story.attached()
    shown = await submit(client, page, path(story.one, "split"), message=[str(story.thanks)])
    assert shown.status == 409
    assert "Nothing was moved" in shown.text("main [role=alert]")
    assert story.attached() == before


async def test_searching_for_the_other_one_keeps_what_was_ticked(client: httpx2.AsyncClient, story: Story):
    page = await see(client, f"{path(story.one, 'split')}?message={story.refused}&role=Boss&find=fabrikam")
    assert page.has(f"#f-message-{story.refused}[checked]")
    assert not page.has(f"#f-message-{story.thanks}[checked]")
    assert page.one("#f-role").attributes["value"] == "Boss"
    assert page.has(f"#f-target-{story.two}")


@pytest.mark.parametrize("query", ["message=x", "message=-1", "message=" + "9" * 40, "find=%00%ff&message="])
async def test_a_hostile_search_is_only_a_search(client: httpx2.AsyncClient, story: Story, query: str):
    assert (await see(client, f"{path(story.one, 'split')}?{query}")).status == 200


async def test_another_account_puts_nothing_together_and_apart(
    other_client: httpx2.AsyncClient, story: Story
):
    for verb in ("merge", "split"):
        answers = [await see(other_client, path(which, verb)) for which in (story.one, ApplicationId(999999))]
        assert [answer.status for answer in answers] == [404, 404]
    sent = await send(
        other_client,
        path(story.one, "merge"),
        stays=str(story.one),
        goes=str(story.two),
        stays_version="x",
        goes_version="y",
    )
    assert sent.status == 404
    sent = await send(other_client, path(story.one, "split"), message=str(story.thanks), version="x")
    assert sent.status == 404
