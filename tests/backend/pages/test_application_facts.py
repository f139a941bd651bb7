"""What is known of an application and what it is from; correcting it; the people around it."""

import httpx2
import pytest
from fixtures.html import follow, see, send, submit
from fixtures.matching import MatchRunner
from fixtures.samples import Samples, day

from schema.ids import ApplicationId, MessageId

THANKS = "Thank you for applying to the Data Engineer role at Northwind, requisition R-100200."


@pytest.fixture
def which(samples: Samples) -> ApplicationId:
    return samples.application(applied=5, url="https://jobs.example.org/northwind/42")


@pytest.fixture
async def thanks(samples: Samples, which: ApplicationId, match: MatchRunner) -> MessageId:
    found = samples.message(
        "acknowledgement",
        sent=6,
        body=THANKS,
        sender="jo@northwind.example",
        sender_name="Jo Doe",
        employer="Northwind",
        role="Data Engineer",
        requisition="R-100200",
    )
    await match()
    return found


def path(which: ApplicationId, verb: str = "") -> str:
    return f"/applications/{which}/{verb}".rstrip("/")


async def test_every_fact_says_what_it_is_from(
    client: httpx2.AsyncClient, which: ApplicationId, thanks: MessageId
):
    page = await see(client, path(which))
    facts = page.text("#facts")
    assert "Company Northwind named by 1 message" in facts
    assert page.has(f"#facts a[href='#m-{thanks}']")
    assert "Messages also say R-100200" in facts
    assert "Address of the posting https://jobs.example.org/northwind/42 added by hand" in facts
    assert "Place unknown" in facts


async def test_a_posting_of_the_catalog_is_named_as_the_source(
    client: httpx2.AsyncClient, samples: Samples, which: ApplicationId
):
    posting = samples.rows(
        "INSERT INTO postings (platform, vendor_id, board, title, company, canonical_url, first_seen_at,"
        " locations) VALUES ('ashby', 'a', 'b', 'Data Engineer', 'Other', 'https://x.example/a', now(),"
        " '{Oslo,Bergen}') RETURNING id"
    )[0][0]
    samples.rows("UPDATE applications SET posting_id = %s WHERE id = %s", posting, which)
    facts = (await see(client, path(which))).text("#facts")
    assert "Role Data Engineer the posting in the catalog" in facts
    assert "Company Northwind added by hand" in facts
    assert "Place Oslo, Bergen the posting in the catalog" in facts


async def test_a_wrong_employer_is_corrected_said_and_undone(
    client: httpx2.AsyncClient, which: ApplicationId, thanks: MessageId
):
    page = await see(client, path(which, "edit"))
    done = await follow(client, await submit(client, page, path(which, "edit"), company="Fabrikam <b>"))
    assert done.title == "Data Engineer, Fabrikam <b>"
    assert "Company Fabrikam <b> corrected by you" in done.text("#facts")
    back = await follow(client, await submit(client, done, path(which, "edit/undo")))
    assert back.title == "Data Engineer, Northwind"
    assert "corrected by you" not in back.text("#facts")


async def test_a_form_that_was_overtaken_saves_nothing_and_keeps_what_was_typed(
    client: httpx2.AsyncClient, which: ApplicationId
):
    page = await see(client, path(which, "edit"))
    await submit(client, page, path(which, "edit"), company="Theirs")
    shown = await submit(client, page, path(which, "edit"), company="Mine")
    assert shown.status == 409
    assert "Theirs" in shown.text("main [role=alert]")
    assert shown.one("#f-company").attributes["value"] == "Mine"
    assert (await see(client, path(which))).title == "Data Engineer, Theirs"
    await submit(client, shown, path(which, "edit"))
    assert (await see(client, path(which))).title == "Data Engineer, Mine"


async def test_a_correction_that_was_overtaken_is_not_undone(
    client: httpx2.AsyncClient, which: ApplicationId
):
    page = await see(client, path(which, "edit"))
    first = await follow(client, await submit(client, page, path(which, "edit"), company="First"))
    again = await see(client, path(which, "edit"))
    await submit(client, again, path(which, "edit"), company="Second")
    done = await follow(client, await submit(client, first, path(which, "edit/undo")))
    assert "changed again since" in done.text(".flash.refused")
    assert done.title == "Data Engineer, Second"


async def test_the_day_stands_as_it_was_unless_it_is_changed(
    client: httpx2.AsyncClient, samples: Samples, which: ApplicationId
):
    page = await see(client, path(which, "edit"))
    assert page.one("#f-applied_on").attributes["value"] == "2026-03-05"
    samples.rows("SELECT 1")
    await submit(client, page, path(which, "edit"), role="Analyst")
    assert samples.rows("SELECT applied_at, applied_on FROM applications") == [(day(5), None)]
    page = await see(client, path(which, "edit"))
    await submit(client, page, path(which, "edit"), applied_on="")
    assert samples.rows("SELECT applied_at, applied_on FROM applications") == [(None, None)]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("company", "x" * 301),
        ("url", "not an address"),
        ("url", "javascript:alert(1)"),
        ("url", "https://x.example/" + "a" * 3000),
        ("applied_on", "2026-02-30"),
        ("applied_on", "9999-12-31"),
        ("applied_on", "0001-01-01"),
        ("requisition", "9" * 400),
    ],
)
async def test_what_cannot_be_is_named_by_its_field(
    client: httpx2.AsyncClient, samples: Samples, which: ApplicationId, field: str, value: str
):
    page = await see(client, path(which, "edit"))
    shown = await submit(client, page, path(which, "edit"), **{field: value})
    assert shown.status == 400
    assert shown.has(f"#e-{field}")
    assert not samples.rows("SELECT id FROM application_edits")


async def test_neither_company_nor_role_is_no_application(client: httpx2.AsyncClient, which: ApplicationId):
    page = await see(client, path(which, "edit"))
    shown = await submit(client, page, path(which, "edit"), company=" ", role="")
    assert shown.status == 400
    assert "Name the company or the role" in shown.text("#faults")


async def test_who_wrote_is_shown_and_machines_apart(
    client: httpx2.AsyncClient, samples: Samples, which: ApplicationId, thanks: MessageId, match: MatchRunner
):
    samples.message(
        "status_update",
        sent=8,
        body="Your application for Data Engineer at Northwind is read.",
        sender="no-reply@relay.example",
        employer="Northwind",
        role="Data Engineer",
    )
    await match()
    page = await see(client, path(which))
    assert "Jo Doe jo@northwind.example 1 message" in page.text("#contacts")
    assert "no-reply@relay.example" in page.text("#machines")


async def test_somebody_is_added_taken_off_and_brought_back(client: httpx2.AsyncClient, which: ApplicationId):
    page = await see(client, path(which))
    sent = await submit(
        client,
        page,
        path(which, "contacts"),
        name="Kim <i>",
        address="kim@x.example",
        contact_note="Met\nonce",
    )
    done = await follow(client, sent)
    assert "Kim <i> added by you" in done.text("#contacts")
    remove = next(
        str(form.attributes["action"])
        for form in done.all("#contacts form")
        if "remove" in str(form.attributes["action"])
    )
    gone = await follow(client, await submit(client, done, remove, within="#contacts"))
    assert "Kim" not in gone.text("#contacts")
    back = await follow(client, await submit(client, gone, remove.replace("remove", "restore")))
    assert "Kim <i>" in back.text("#contacts")


@pytest.mark.parametrize(
    ("field", "value"), [("name", ""), ("name", "x" * 201), ("address", "no address"), ("phone", "1" * 61)]
)
async def test_a_contact_that_cannot_be_is_named_and_kept(
    client: httpx2.AsyncClient, which: ApplicationId, field: str, value: str
):
    shown = await send(client, path(which, "contacts"), **({"name": "Kim", "phone": "1"} | {field: value}))
    assert shown.status == 400
    assert shown.has(f"#e-{field}")
    assert shown.has("#add-contact[open]")


async def test_another_account_corrects_and_adds_nothing(
    other_client: httpx2.AsyncClient, client: httpx2.AsyncClient, samples: Samples, which: ApplicationId
):
    page = await see(client, path(which, "edit"))
    await submit(client, page, path(which, "edit"), company="Mine")
    (edit,) = samples.rows("SELECT max(id) FROM application_edits")[0]
    for number in (which, 999999):
        assert (await see(other_client, f"/applications/{number}/edit")).status == 404
        for verb in ("edit", "contacts", "edit/undo"):
            fields = {"company": "Theirs", "name": "Eve", "edit": str(edit)}
            assert (await send(other_client, f"/applications/{number}/{verb}", **fields)).status == 404
    assert (await see(client, path(which))).title == "Data Engineer, Mine"
