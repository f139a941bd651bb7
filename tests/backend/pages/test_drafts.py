"""Drafts on their pages: begun, edited, accepted, had written, gone back, deleted; nothing is ever lost."""

from collections.abc import AsyncGenerator

import httpx2
import pytest
from fixtures.app import app_of, browsing, running
from fixtures.drafting import QUESTION, URL
from fixtures.html import Seen, follow, see, send, submit
from fixtures.people import FixedClock
from fixtures.samples import Samples
from msgspec.structs import replace
from psycopg.types.json import Jsonb

from backend.pages.drafts import FAILURES
from extension_api.drafts.acting import WRITINGS
from extension_api.drafts.store import may_write
from extension_api.drafts.types import Failure
from schema.db import Database
from schema.ids import AccountId
from schema.settings import ModelSettings, Settings

HERE = "/profile/drafts"


@pytest.fixture
async def asker(
    settings: Settings, clock: FixedClock, session_token: str
) -> AsyncGenerator[httpx2.AsyncClient]:
    """Somebody on an installation that has a model."""
    made = app_of(replace(settings, model=ModelSettings(key="k", name="small-one")), clock)
    async with running(made), browsing(made, session_token) as client:
        yield client


async def begun(client: httpx2.AsyncClient, max_chars: str = "20") -> tuple[str, Seen]:
    """A draft begun on the page: its address, and its page."""
    answer = await send(client, HERE, url=URL, question=QUESTION, max_chars=max_chars)
    return answer.location, await follow(client, answer)


async def saved(client: httpx2.AsyncClient, page: Seen, place: str, text: str, act: str = "save") -> Seen:
    return await follow(client, await submit(client, page, place, text=text, act=act))


def written(samples: Samples, draft: str, text: str, *doubts: str) -> None:
    """A machine's version, in force as the worker leaves it."""
    draft_id = int(draft.rpartition("/")[2])
    samples.rows(
        "INSERT INTO draft_versions (account_id, draft_id, generation, author, text, rests_on,"
        " not_in_sources, ask, model, prompt_version, created_at)"
        " VALUES (%s, %s, 1, 'machine', %s, '[\"Skills\"]', %s, 1,"
        " 'small-one', 1, now())",
        samples.account,
        draft_id,
        text,
        Jsonb(list(doubts)),
    )
    samples.rows(
        "UPDATE drafts SET generation = 1, state = %s, failure = %s WHERE id = %s",
        "failed" if doubts else "ready",
        "not_in_sources" if doubts else None,
        draft_id,
    )


async def test_without_a_model_there_is_a_plain_editor_with_the_posting_and_the_profile_beside_it(
    client: httpx2.AsyncClient, writer: AccountId, described_posting: int
):
    assert "No draft yet" in (await see(client, HERE)).text()
    place, page = await begun(client)
    assert page.text(".lede") == QUESTION
    assert "We build engines." in page.text("details .excerpt")
    assert "Programmer, Difference Ltd" in page.text("section:has(#me-title)")
    assert not page.has(f'form[action="{place}/write"]')
    page = await saved(client, page, place, "I like engines.")
    assert page.text("#budget") == "15 of 20"
    assert page.text("#standing .badge") == "yours"
    listed = await see(client, HERE)
    assert "Engineer, Engines Inc" in listed.text("#drafts")
    assert "15 characters of 20" in listed.text("#drafts")


async def test_a_text_too_long_is_kept_whole_and_said_to_be(client: httpx2.AsyncClient):
    place, page = await begun(client)
    page = await saved(client, page, place, "x" * 25)
    assert "5 characters more than the form takes" in page.text(".flash")
    assert "Nothing is cut off" in page.text("#standing")
    assert page.text("#f-text") == "x" * 25


async def test_each_save_has_a_way_back(client: httpx2.AsyncClient):
    place, page = await begun(client)
    page = await saved(client, page, place, "One.")
    page = await saved(client, page, place, "Two.", act="accept")
    assert "Saved and accepted." in page.text(".flash")
    page = await follow(client, await submit(client, page, f"{place}/choose", within=".flash"))
    assert page.text("#f-text") == "One."
    assert [each.split()[1] for each in page.texts("#versions li strong")] == ["2", "1"]


async def test_an_edit_of_a_changed_draft_shows_both_texts_and_loses_none(client: httpx2.AsyncClient):
    place, stale = await begun(client)
    await saved(client, stale, place, "Theirs.")
    answer = await submit(client, stale, place, text="Mine.", act="save")
    assert answer.status == 409
    assert (answer.text("#theirs"), answer.text("#f-text")) == ("Theirs.", "Mine.")
    page = await saved(client, answer, place, "Mine.")
    assert page.text("#f-text") == "Mine."
    assert "Theirs." in page.text("#versions")


async def test_what_a_machine_wrote_is_marked_until_somebody_accepts_it(
    client: httpx2.AsyncClient, samples: Samples
):
    place, _ = await begun(client)
    written(samples, place, "I like Python.")
    page = await see(client, place)
    assert page.text("#standing .badge") == "written by a machine"
    assert page.texts("#rests-on li") == ["Skills"]
    page = await saved(client, page, place, "I like Python.", act="accept")
    assert page.text("#standing .badge") == "accepted"
    assert not page.has("#rests-on")


async def test_what_stands_in_no_source_is_shown_before_it_is_used(
    client: httpx2.AsyncClient, samples: Samples
):
    place, _ = await begun(client)
    written(samples, place, "I worked at Google.", "Google")
    page = await see(client, place)
    assert page.texts("#doubts li") == ["Google"]
    assert page.text("#standing .badge") == "needs a look"
    page = await saved(client, page, place, "I worked.")
    assert not page.has("#doubts")


async def test_a_version_is_had_written_once_the_person_lets_a_model(
    asker: httpx2.AsyncClient, samples: Samples, database: Database, account: AccountId
):
    place, page = await begun(asker)
    assert page.has('#standing a[href="/settings/model"]')
    settings = await see(asker, "/settings/model")
    settings = await follow(asker, await submit(asker, settings, "/settings/model/drafts"))
    assert "may write drafts for you" in settings.text(".flash")
    page = await saved(asker, await see(asker, place), place, "Mine.")
    page = await follow(asker, await submit(asker, page, f"{place}/write", replace="1"))
    assert page.text("#standing .badge") == "being written"
    assert samples.rows("SELECT ask_replaces, asks FROM drafts") == [(True, 1)]
    assert samples.rows("SELECT count(*) FROM tasks WHERE kind = 'draft.write.v1'") == [(1,)]
    settings = await see(asker, "/settings/model")
    assert settings.text("#drafts .badge") == "Yes"
    assert settings.text("#model .badge") == "No"
    await submit(asker, settings, "/settings/model/drafts")
    async with database.as_account(account) as unit:
        assert not await may_write(unit)
    refused = await follow(asker, await send(asker, f"{place}/write", generation="1"))
    assert "No language model may write for you" in refused.text(".flash")


async def test_writing_can_be_asked_for_so_often_only(asker: httpx2.AsyncClient):
    place, _ = await begun(asker)
    answers = [await send(asker, f"{place}/write", generation="0") for _ in range(WRITINGS.burst + 1)]
    assert [answer.status for answer in answers].count(429) == 1


async def test_a_deleted_draft_comes_back(client: httpx2.AsyncClient):
    place, page = await begun(client)
    page = await follow(client, await submit(client, page, f"{place}/delete"))
    assert "No draft yet" in page.text()
    assert (await see(client, place)).status == 404
    page = await follow(client, await submit(client, page, f"{place}/restore"))
    assert page.text(".lede") == QUESTION


async def test_a_list_goes_on_after_its_last_row(client: httpx2.AsyncClient, samples: Samples):
    for number in range(52):
        samples.rows(
            "INSERT INTO drafts (account_id, canonical_url, question, question_key, state, created_at,"
            " updated_at) VALUES (%s, 'https://example.org/', %s, %s, 'empty', now(), now())",
            samples.account,
            f"Question {number}",
            f"question {number}",
        )
    first = await see(client, HERE)
    second = await see(client, HERE + first.one("a[rel=next]").attributes["href"])  # type: ignore[operator]
    shown = [page.texts("#drafts li a") for page in (first, second)]
    assert [len(each) for each in shown] == [50, 2]
    assert len({*shown[0], *shown[1]}) == 52


@pytest.mark.parametrize(
    ("url", "question", "max_chars", "field"),
    [
        ("about:blank", "Why?", "", "url"),
        ("", "Why?", "", "url"),
        (URL, "", "", "question"),
        (URL, "Why?", "many", "max_chars"),
        (URL, "Why?", "0", "max_chars"),
    ],
)
async def test_what_cannot_begin_is_shown_again_with_its_fault(
    client: httpx2.AsyncClient, url: str, question: str, max_chars: str, field: str
):
    answer = await send(client, HERE, url=url, question=question, max_chars=max_chars)
    assert answer.status == 400
    assert answer.one(f"#e-{field}")


async def test_anothers_draft_is_not_there(
    client: httpx2.AsyncClient, samples: Samples, other_account: AccountId
):
    place, _ = await begun(client)
    samples.rows("UPDATE drafts SET account_id = %s", other_account)
    missing = await see(client, f"{HERE}/999999")
    for path in (place, f"{HERE}/{2**70}"):
        answer = await see(client, path)
        assert (answer.status, answer.title) == (404, missing.title)
    for act in ("", "/choose", "/delete", "/restore"):
        answer = await send(client, f"{place}{act}", generation="0", version="1", text="x")
        assert answer.status == 404


def test_every_reason_has_its_words():
    assert set(FAILURES) == set(Failure.__args__)
