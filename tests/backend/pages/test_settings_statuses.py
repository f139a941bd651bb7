"""Statuses that follow the mail: chosen on a page of their own, told and undone on the application's."""

import httpx2
import pytest
from fixtures.html import Seen, follow, see, send, submit
from fixtures.matching import MatchRunner
from fixtures.samples import Samples

from schema.ids import ApplicationId

HERE = "/settings/statuses"
REFUSED = "We will not move forward with your application for Data Engineer at Northwind."


def ticked(page: Seen) -> set[str]:
    return {str(box.attributes["value"]) for box in page.all("input[name=stage][checked]")}


async def test_nothing_follows_until_somebody_says_so(client: httpx2.AsyncClient):
    page = await see(client, HERE)
    assert ticked(page) == set()
    assert not page.has("input[value=applied]")


async def test_a_choice_is_kept_and_undone(client: httpx2.AsyncClient):
    page = await see(client, HERE)
    done = await follow(client, await submit(client, page, HERE, stage=["rejected", "offer"]))
    assert ticked(done) == {"rejected", "offer"}
    assert "offer, rejected" in done.text(".flash")
    back = await follow(client, await submit(client, done, f"{HERE}/restore"))
    assert ticked(back) == set()


@pytest.mark.parametrize("stage", ["applied", "hired", "", "x" * 100_000, "\x00"])
async def test_what_is_no_stage_is_not_chosen(client: httpx2.AsyncClient, stage: str):
    assert (await send(client, HERE, stage=stage)).status in {303, 400}
    assert (await send(client, f"{HERE}/restore", stages=stage)).status in {303, 400}
    assert ticked(await see(client, HERE)) == set()


async def test_somebody_elses_choice_is_theirs(client: httpx2.AsyncClient, other_client: httpx2.AsyncClient):
    await send(client, HERE, stage="offer")
    assert ticked(await see(other_client, HERE)) == set()


@pytest.fixture
async def moved(client: httpx2.AsyncClient, samples: Samples, match: MatchRunner) -> ApplicationId:
    """An application the person called interviewing, and a refusal that it followed."""
    found = samples.application(applied=5)
    await send(client, f"/applications/{found}/status", status="interviewing")
    await send(client, HERE, stage="rejected")
    samples.message("rejection", sent=20, body=REFUSED, employer="Northwind", role="Data Engineer")
    await match()
    return found


async def test_the_application_says_that_it_followed_and_why(
    client: httpx2.AsyncClient, moved: ApplicationId
):
    page = await see(client, f"/applications/{moved}")
    assert "Rejected followed the mail" in page.text(".lede")
    assert "You had set interviewing" in page.text("#followed")
    assert page.has("#followed .why[href^='#m-']")
    assert not page.has("#proposal")


async def test_undone_the_persons_word_is_back_and_stays(
    client: httpx2.AsyncClient, moved: ApplicationId, match: MatchRunner
):
    here = f"/applications/{moved}"
    page = await see(client, here)
    back = await submit(client, page, f"/review/status/{moved}", within="#followed", answer="undo")
    assert back.location == here
    await match()
    after = await see(client, here)
    assert "Interviewing set by you" in after.text(".lede")
    assert not after.has("#followed")
    assert not after.has("#proposal")


async def test_an_undo_of_what_changed_since_changes_nothing(
    client: httpx2.AsyncClient, moved: ApplicationId
):
    here = f"/applications/{moved}"
    page = await see(client, here)
    await send(client, f"{here}/status", status="offer")
    shown = await submit(client, page, f"/review/status/{moved}", within="#followed", answer="undo")
    assert shown.status == 409
    assert "Offer set by you" in (await see(client, here)).text(".lede")
