"""The page of remembered answers: found, corrected, taken away, and each of it undone."""

import httpx2
import pytest
from fixtures.html import Seen, follow, see, send, submit
from fixtures.people import FixedClock

from extension_api.answers.memory import Memory
from extension_api.answers.rules import Known, plan
from extension_api.profiles.types import Profile
from extension_api.protocol import FieldDescription
from extension_api.remembered.rules import question_of
from extension_api.remembered.store import all_answers, answers_page, edit_answer, remember
from extension_api.remembered.types import Remembered
from schema.db import Database
from schema.ids import AccountId

RELOCATE = FieldDescription(
    key="r", label="Are you willing to <relocate>?", kind="radio", options=["Yes", "No"]
)
TOOLS = FieldDescription(key="t", label="Which tools do you use?", kind="checkboxes", options=["Git", "Vim"])


@pytest.fixture
async def kept(database: Database, account: AccountId, clock: FixedClock) -> Remembered:
    async with database.as_account(account) as unit:
        await remember(
            unit, question_of(TOOLS), ["Git", "Vim"], company="Acme", origin="form", now=clock.now()
        )
        return await remember(
            unit, question_of(RELOCATE), ["Yes"], company=None, origin="form", now=clock.now()
        )


def listed(page: Seen) -> list[str]:
    return page.texts("#answers li strong")


async def test_without_answers_the_page_says_how_they_come(client: httpx2.AsyncClient):
    page = await see(client, "/profile/answers")
    assert (page.title, page.has("#answers li")) == ("Remembered answers", False)
    assert "Nothing is remembered yet" in page.text()


async def test_answers_are_listed_and_found_by_their_words(client: httpx2.AsyncClient, kept: Remembered):
    page = await see(client, "/profile/answers")
    assert sorted(listed(page)) == ["Git, Vim", "Yes"]
    assert "For Acme" in page.text("#answers")
    assert listed(await see(client, "/profile/answers?find=ACME%20tools")) == ["Git, Vim"]
    assert listed(await see(client, "/profile/answers?find=%25")) == []


async def test_a_change_is_saved_and_can_be_undone_and_done_again(
    client: httpx2.AsyncClient, kept: Remembered
):
    path = f"/profile/answers/{kept.id}"
    page = await see(client, path)
    page = await follow(
        client, await submit(client, page, path, given="No", scope="employer", company="Initech")
    )
    assert "For Initech" in page.text("#answers")
    for there, given in (("Everywhere", "Yes"), ("For Initech", "No")):
        page = await follow(client, await submit(client, page, f"{path}/revert"))
        assert there in page.text(f"[data-row='{kept.id}']")
        assert given in listed(page)


async def test_a_stale_change_overwrites_nothing_unseen(
    client: httpx2.AsyncClient, kept: Remembered, database: Database, account: AccountId, clock: FixedClock
):
    path = f"/profile/answers/{kept.id}"
    page = await see(client, path)
    async with database.as_account(account) as unit:
        await edit_answer(unit, kept.id, revision=1, given=["No"], company=None, now=clock.now())
    page = await submit(client, page, path, given="Yes", scope="employer", company="Initech")
    assert page.status == 409
    assert "It now reads No" in page.text("section.stale")
    await submit(client, page, path)
    async with database.as_account(account) as unit:
        (found, *_) = (await answers_page(unit, find="relocate", after=None, limit=9)).answers
    assert (found.revision, found.given, found.company) == (3, ["Yes"], "Initech")


async def test_a_removed_answer_can_come_back_once(client: httpx2.AsyncClient, kept: Remembered):
    path = f"/profile/answers/{kept.id}"
    page = await submit(client, await see(client, "/profile/answers"), f"{path}/delete")
    page = await follow(client, page)
    assert listed(page) == ["Git, Vim"]
    assert (await see(client, path)).status == 404
    page = await follow(client, await submit(client, page, f"{path}/restore"))
    assert sorted(listed(page)) == ["Git, Vim", "Yes"]
    assert (await send(client, f"{path}/restore")).status == 404


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"given": ""}, "Answer"),
        ({"given": "4111 1111 1111 1111"}, "number of a card"),
        ({"scope": "employer", "company": "..."}, "employer's name"),
        ({"scope": "employer", "company": ""}, "Employer"),
    ],
)
async def test_what_cannot_be_kept_is_said_beside_its_field(
    client: httpx2.AsyncClient, kept: Remembered, fields: dict[str, str], said: str
):
    values = {"revision": "1", "given": "Yes", "scope": "everywhere", "company": ""} | fields
    page = await send(client, f"/profile/answers/{kept.id}", **values)
    assert page.status == 400
    assert said in page.text("#faults")


async def test_boxes_that_were_ticked_stand_one_on_each_line(client: httpx2.AsyncClient, kept: Remembered):
    page = await see(client, "/profile/answers?find=tools")
    path = str(page.one("#answers li a").attributes["href"])
    page = await follow(client, await submit(client, await see(client, path), path, given="Git\nEmacs\nGit"))
    assert "Git, Emacs" in listed(page)


async def test_an_answer_is_written_by_hand_and_goes_into_the_next_form(
    client: httpx2.AsyncClient, database: Database, account: AccountId
):
    path = "/profile/answers/new"
    page = await see(client, path)
    refused = await submit(client, page, path, question="Passport number", given="X1", scope="everywhere")
    assert (refused.status, "never remembered" in refused.text("#e-question")) == (400, True)
    asked = {"question": "Are you willing to relocate?", "scope": "everywhere"}
    page = await follow(client, await submit(client, page, path, **asked, given="no"))
    assert listed(page) == ["no"]
    again = await follow(client, await submit(client, await see(client, path), path, **asked, given="Yes"))
    assert "it reads so now" in again.text(".flash") and listed(again) == ["Yes"]
    async with database.as_account(account) as unit:
        memory = Memory(await all_answers(unit))
    line = plan([RELOCATE], Profile(), [], Known(memory=memory))[0]
    assert (line.action, line.option) == ("fill", "Yes")
