"""Review without scripts, of what is no message: a proposed status, an open ask, two records."""

import httpx2
import pytest
from fixtures.html import follow, see, submit
from fixtures.matching import MatchRunner
from fixtures.review import answers, ask_of, open_ask, pair_of, press, proposed_status
from fixtures.samples import Samples

from schema.ids import ApplicationId


@pytest.fixture
async def writer(samples: Samples, match: MatchRunner) -> ApplicationId:
    """An application that the person said is at interviews, and that was refused since."""
    application = samples.application("Contoso", "Writer", applied=5)
    proposed_status(samples, application)
    await match()
    return application


async def test_a_proposed_status_is_taken_over_and_taken_back(
    client: httpx2.AsyncClient, writer: ApplicationId
):
    assert (await see(client, "/review")).location == f"/review/status/{writer}"
    page = await see(client, f"/review/status/{writer}")
    assert page.title == "Should the status change?"
    assert page.texts(".facts dd") == ["Interviewing", "Rejected"]
    assert page.texts(".message mark")
    assert "changes 1 application" in page.text(".review")
    done = await follow(client, await press(client, page, "accept_status"))
    assert "The status follows the mail." in done.text(".flash")
    settled = await see(client, f"/review/status/{writer}")
    assert settled.title == "A status that was proposed"
    assert not answers(settled, "accept_status")
    await submit(client, done, "/review/history/undo")
    assert answers(await see(client, f"/review/status/{writer}"), "accept_status")


async def test_a_declined_status_does_not_come_back(
    client: httpx2.AsyncClient, writer: ApplicationId, match: MatchRunner
):
    page = await see(client, f"/review/status/{writer}")
    assert page.texts("button[name=answer] > span")[1] == "No, keep interviewing"
    done = await follow(client, await press(client, page, "decline_status"))
    assert "The status stays as you set it." in done.text(".flash")
    await match()
    assert (await see(client, "/review")).has(".empty")


async def test_an_ask_is_marked_done_and_opened_again(
    client: httpx2.AsyncClient, samples: Samples, match: MatchRunner
):
    samples.application("Contoso", "Writer", applied=5)
    message = open_ask(samples)
    await match()
    path = f"/review/ask/{ask_of(samples, message)}"
    assert (await see(client, "/review")).location == path
    page = await see(client, path)
    assert page.title == "Is this done?"
    assert page.text("#about") == "Finish the assessment : Writer, Contoso".replace(" :", ":")
    assert "no date named" in page.texts(".facts")[0]
    done = await follow(client, await press(client, page, "mark_done"))
    assert "Marked as done." in done.text(".flash")
    settled = await see(client, path)
    assert "by you" in settled.texts(".facts")[0]
    await press(client, settled, "undo")
    assert answers(await see(client, path), "mark_done")


@pytest.fixture
def two(samples: Samples) -> tuple[ApplicationId, ApplicationId, str]:
    one = samples.application("Northwind", "Data Engineer", applied=5)
    other = samples.application("Northwind", "Data Engineer", applied=None, origin="derived")
    return one, other, f"/review/pair/{pair_of(samples, one, other)}"


async def test_two_records_become_one_and_come_apart_again(
    client: httpx2.AsyncClient, two: tuple[ApplicationId, ApplicationId, str], samples: Samples
):
    one, other, path = two
    page = await see(client, path)
    assert page.title == "Are these one application?"
    assert "Both are at Northwind." in page.text("#why")
    assert answers(page, "merge") == [f"merge:{one}", f"merge:{other}"]
    done = await follow(client, await press(client, page, "merge", 0))
    assert "Made one application." in done.text(".flash")
    merged = "SELECT id, merged_into_id FROM applications WHERE merged_into_id IS NOT NULL"
    assert samples.rows(merged) == [(other, one)]
    assert "You said: one application." in (await see(client, path)).text("main")
    await submit(client, done, "/review/history/undo")
    assert samples.rows(merged) == []


async def test_an_undo_leads_to_no_question_that_is_gone(
    client: httpx2.AsyncClient, two: tuple[ApplicationId, ApplicationId, str], samples: Samples
):
    _, other, path = two
    done = await follow(client, await press(client, await see(client, path), "merge", 0))
    samples.rows("UPDATE applications SET role = 'Baker', role_key = 'baker' WHERE id = %s", other)
    taken = await follow(client, await submit(client, done, "/review/history/undo"))
    assert taken.status == 200
    assert "Taken back." in taken.text(".flash")


async def test_two_records_are_kept_apart(
    client: httpx2.AsyncClient, two: tuple[ApplicationId, ApplicationId, str]
):
    _, _, path = two
    done = await follow(client, await press(client, await see(client, path), "keep_apart"))
    assert "Kept as two applications." in done.text(".flash")
    assert (await see(client, "/review")).has(".empty")


@pytest.mark.parametrize("path", ["status/1", "ask/1", "pair/1-2", "pair/2-1", "pair/x", "pair/1-1"])
async def test_what_is_not_there_is_missing(client: httpx2.AsyncClient, path: str):
    assert (await see(client, f"/review/{path}")).status == 404


async def test_nobody_sees_or_answers_what_is_anothers(
    client: httpx2.AsyncClient,
    other_client: httpx2.AsyncClient,
    writer: ApplicationId,
    two: tuple[ApplicationId, ApplicationId, str],
):
    for path, choice in ((f"/review/status/{writer}", "accept_status"), (two[2], "keep_apart")):
        page = await see(client, path)
        assert (await see(other_client, path)).status == 404
        assert (await press(other_client, page, choice)).status == 404
        assert answers(await see(client, path), choice)


async def test_a_stale_answer_is_refused_whatever_the_kind(
    client: httpx2.AsyncClient, writer: ApplicationId, two: tuple[ApplicationId, ApplicationId, str]
):
    for path, first, second in (
        (f"/review/status/{writer}", "accept_status", "decline_status"),
        (two[2], "keep_apart", "merge"),
    ):
        page = await see(client, path)
        assert (await press(client, page, first)).status == 303
        shown = await press(client, page, second)
        assert shown.status == 409
        assert "nothing was changed" in shown.text("#refused")
        assert shown.texts("#refused li")
