"""One application added by hand, with a plain form."""

import httpx2
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, see, send, submit
from fixtures.matching import MatchRunner
from fixtures.samples import Samples


def companies(page: Seen) -> list[str]:
    return page.texts("tbody tr .company")


async def test_one_is_added_by_hand_with_a_plain_form(client: httpx2.AsyncClient):
    page = await see(client, "/applications/new")
    answer = await submit(
        client,
        page,
        "/applications",
        company=" Northwind ",
        role="Engineer",
        url="jobs.lever.co/northwind/5ac21346-8e0c-4494-8e7a-3eb92ff77902",
        applied_on="2026-02-20",
    )
    assert answer.status == 303
    assert answer.location.startswith("/applications/")
    listed = await see(client, "/applications")
    assert companies(listed) == ["Northwind"]
    assert "20 Feb 2026" in listed.text("tbody")


async def test_adding_names_every_fault_and_keeps_what_was_typed(client: httpx2.AsyncClient):
    page = await send(
        client,
        "/applications",
        company="",
        role="x" * 400,
        url="not an address",
        applied_on="2027-01-01",
        note="kept",
    )
    assert page.status == 400
    assert len(page.all("#faults li")) == 3
    assert {a.attributes["href"] for a in page.all("#faults a")} == {"#f-role", "#f-url", "#f-applied_on"}
    assert page.one("#f-note").text().strip() == "kept"
    assert page.one("#f-url").attributes["aria-invalid"] == "true"


async def test_adding_nothing_asks_for_one_of_three(client: httpx2.AsyncClient):
    page = await send(client, "/applications", company=" ", role="", url="")
    assert page.status == 400
    assert "company, the role or the address" in page.text("#faults")


async def test_a_day_before_all_reckoning_is_named_and_kept(client: httpx2.AsyncClient):
    page = await see(client, "/applications/new")
    refused = await submit(client, page, "/applications", company="Northwind", applied_on="0001-01-01")
    assert refused.status == 400
    assert refused.texts("#faults a") == ["Applied on lies before 1970."]
    assert refused.one("#f-applied_on").attributes["value"] == "0001-01-01"


async def test_a_megabyte_in_a_name_is_answered(client: httpx2.AsyncClient):
    page = await send(client, "/applications", company="x" * 1_000_000)
    assert page.status == 400
    assert "1 000 000 characters" in page.text("#faults")


async def test_a_nul_in_a_name_is_dropped(client: httpx2.AsyncClient):
    answer = await send(client, "/applications", company="North\x00wind", role="")
    assert answer.status == 303
    assert companies(await see(client, "/applications")) == ["Northwind"]


async def test_another_site_cannot_add_one(client: httpx2.AsyncClient):
    answer = await client.post(
        "/applications", data={"company": "Evil"}, headers=PAGE | {"sec-fetch-site": "cross-site"}
    )
    assert answer.status_code == 403
    assert (await see(client, "/applications")).has(".empty")


async def test_adding_the_same_posting_again_leads_to_the_one_known(client: httpx2.AsyncClient):
    fields = {"company": "Northwind", "url": "https://jobs.lever.co/n/5ac21346-8e0c-4494-8e7a-3eb92ff77902"}
    first = await send(client, "/applications", **fields)
    again = await send(client, "/applications", **fields)
    assert again.location == first.location
    assert len(companies(await see(client, "/applications"))) == 1


@pytest.mark.parametrize(
    "company",
    ["x" * 298, "ß" * 290, "ÄÖ " * 98 + "GmbH", "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 300],
)
async def test_a_name_that_grows_when_it_is_compared_is_recorded(
    client: httpx2.AsyncClient, match: MatchRunner, samples: Samples, company: str
):
    answer = await send(client, "/applications", company=company)
    assert answer.status == 303
    samples.application(company, "Imported")
    await match()
    assert companies(await see(client, "/applications")) == [company.strip()] * 2
