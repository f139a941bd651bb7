"""Bringing in a tracker by the pages: chosen, told what its columns are, shown, applied, taken back."""

import httpx2
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, follow, see, submit
from fixtures.people import FixedClock
from fixtures.samples import Samples
from fixtures.site import Opener

TABLE = """Company,Role,Applied,Status,Mood
Northwind,Data Engineer,2026-01-05,Rejected,glad
Contoso,Writer,2026-01-06,Blue sky,
Fabrikam,Pilot,2 weeks ago,Applied,
"""
HERE = "/applications/import"


async def choose(client: httpx2.AsyncClient, text: str, name: str = "jobs.csv") -> Seen:
    return Seen(await client.post(HERE, files={"table": (name, text.encode())}, headers=PAGE))


async def opened(client: httpx2.AsyncClient, text: str) -> Seen:
    return await follow(client, await choose(client, text))


def place_of(page: Seen) -> str:
    return page.answer.url.path


async def test_a_file_is_shown_before_anything_is_written(client: httpx2.AsyncClient, tasks):
    page = await opened(client, TABLE)
    assert page.title == "jobs.csv"
    assert "New applications 2 Known already 0 Refused 1" in page.text("dl.facts")
    assert page.texts("tbody tr")[0] == "2 Northwind Data Engineer 5 Jan 2026 Rejected Mood: glad new"
    assert "Applied: “2 weeks ago” is no day." in page.text("tbody")
    assert page.form(place_of(page)).fields["column_0"] == ["company"]
    assert "“Blue sky”" in page.text("main")
    assert await tasks.fetch("SELECT count(*) FROM applications") == [(0,)]


async def test_a_row_that_may_be_one_of_several_says_which(client: httpx2.AsyncClient, samples: Samples):
    first = samples.application("Northwind", "Data Engineer", applied=None)
    samples.application("Contoso", "Writer", applied=None)
    second = samples.application("Northwind", "Data Engineer", applied=None)
    page = await opened(client, TABLE)
    assert (
        "New applications 1, 1 of them may be the same as one you have; Review asks you about each"
        in page.text("dl.facts")
    )
    assert page.texts("tbody tr")[0].endswith(
        f"may be the same as application {first} , application {second}"
    )
    assert page.texts("tbody tr")[1].endswith("known")


async def test_columns_and_words_are_what_the_person_says(client: httpx2.AsyncClient, tasks):
    page = await opened(client, TABLE)
    word = next(
        name for name, value in page.form(place_of(page)).fields.items() if value == ["blue sky"]
    ).removeprefix("key_")
    shown = await submit(client, page, place_of(page), act="show", column_4="skip", **{word: "offer"})
    assert shown.location.endswith("#preview")
    page = await follow(client, shown)
    assert "Offer" in page.texts("tbody tr")[1]
    assert "Mood" not in page.text("tbody")
    done = await follow(client, await submit(client, page, place_of(page), act="apply"))
    assert "Rows 3 New applications 2 Known already 0 Refused 1" in done.text("dl.facts")
    assert "Line 4: Applied: “2 weeks ago” is no day." in done.text("#refused")
    assert await tasks.fetch("SELECT company, status, note FROM applications ORDER BY id") == [
        ("Northwind", "rejected", ""),
        ("Contoso", "offer", "Status: Blue sky"),
    ]


async def test_a_mapping_that_cannot_be_is_refused_beside_its_column(client: httpx2.AsyncClient):
    page = await opened(client, TABLE)
    again = await submit(client, page, place_of(page), act="apply", column_1="company")
    assert again.status == 400
    assert again.text("#e-column_1") == "Error: Only one column can be “Employer”."
    nobody = await submit(client, page, place_of(page), act="apply", column_0="skip", column_1="skip")
    assert "Say which column is the employer or the position." in nobody.text("#faults")


async def test_dates_that_can_be_read_two_ways_are_asked_about(client: httpx2.AsyncClient, tasks):
    page = await opened(client, "Company,Applied\nAcme,03/04/2025\n")
    assert page.has("#f-order")
    refused = await submit(client, page, place_of(page), act="apply")
    assert refused.status == 400
    assert "can be read two ways" in refused.text("#e-order")
    await submit(client, page, place_of(page), act="apply", order="day")
    assert await tasks.fetch("SELECT applied_on::text FROM applications") == [("2025-04-03",)]


async def test_dates_that_the_file_settles_are_not_asked_about(client: httpx2.AsyncClient):
    assert not (await opened(client, "Company,Applied\nAcme,03/04/2025\nBeta,25/04/2025\n")).has("#f-order")
    assert not (await opened(client, "Company,Applied\nAcme,2025-04-03\n")).has("#f-order")


async def test_it_is_taken_back_by_one_button(client: httpx2.AsyncClient, clock: FixedClock, tasks):
    page = await opened(client, TABLE)
    done = await follow(client, await submit(client, page, place_of(page), act="apply"))
    clock.move(minutes=1)
    back = await follow(client, await submit(client, done, f"{place_of(page)}/undo"))
    assert "taken back" in back.text("#result")
    assert await tasks.fetch("SELECT count(*) FROM applications WHERE dismissed_at IS NULL") == [(0,)]
    assert "taken back" in (await see(client, HERE)).text("#imports")


async def test_a_file_is_dropped_before_it_is_applied_and_not_after(client: httpx2.AsyncClient, tasks):
    page = await opened(client, TABLE)
    await submit(client, page, f"{place_of(page)}/drop")
    assert await tasks.fetch("SELECT count(*) FROM tracker_imports") == [(0,)]
    page = await opened(client, TABLE)
    await submit(client, page, place_of(page), act="apply")
    late = await submit(client, page, f"{place_of(page)}/drop")
    assert late.location == place_of(page)
    assert await tasks.fetch("SELECT count(*) FROM tracker_imports") == [(1,)]


async def test_refused_rows_are_downloaded_with_line_and_reason_and_no_formula(client: httpx2.AsyncClient):
    page = await opened(client, 'Company,Applied,Notes\nAcme,2026-01-05,\n=1+1,"soon",@x\n')
    await submit(client, page, place_of(page), act="apply")
    answer = await client.get(f"{place_of(page)}/refused.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.text.splitlines() == [
        "Line,Why,What stood there",
        "3,Applied: “soon” is no day.,'=1+1,soon,'@x",
    ]


@pytest.mark.browser
async def test_a_refused_row_with_a_long_address_fits_a_phone(client: httpx2.AsyncClient, site: Opener):
    page = await opened(client, f"Company,Applied,Notes\nAcme,soon,https://example.org/{'x' * 130}\n")
    await submit(client, page, place_of(page), act="apply")
    async with site(width=390) as seen:
        shown = await seen.open(place_of(page))
        assert await shown.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


async def test_a_long_file_is_left_to_a_task(client: httpx2.AsyncClient, tasks):
    rows = "".join(f"Company {n},Engineer\n" for n in range(300))
    page = await opened(client, "Company,Role\n" + rows)
    done = await follow(client, await submit(client, page, place_of(page), act="apply"))
    assert "Waits for a worker" in done.text("#result")
    assert "Worked out for" not in page.text("#preview")
    assert await tasks.fetch("SELECT kind FROM tasks") == [("tracker.apply.v1",)]


async def test_of_a_very_long_file_the_first_rows_are_worked_out_and_it_says_so(
    client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.pages.application_import.LOOKED_AT", 2)
    page = await opened(client, "Company,Role,Applied\nA,B,\nC,D,\nE,F,03/02/2026\nG,H,\n")
    assert "for the first 2 rows. The 2 below them are read when" in page.text("#preview")
    assert page.texts("dl.facts dd")[0] == "2"
    assert page.text("#preview button") == "Bring it in"
    refused = await submit(client, page, place_of(page), act="apply")
    assert "“03/02/2026” can be read two ways" in refused.text("#faults")
    done = await follow(client, await submit(client, refused, place_of(page), act="apply", order="day"))
    assert done.texts("dl.facts dd")[:2] == ["4", "4"]


@pytest.mark.parametrize(
    ("text", "said"), [("", "The file is empty."), ("%PDF-1.7 x", "This is a PDF, not CSV")]
)
async def test_what_is_no_table_is_refused_in_words(client: httpx2.AsyncClient, text: str, said: str):
    page = await choose(client, text)
    assert page.status == 400
    assert said in page.text("#e-table")


@pytest.mark.parametrize(
    "text",
    [
        "From ada@example.org Mon Nov 02 09:00:00 2026\nFrom: ada@example.org\nSubject: Hi\n\nCompany,Role\n",
        "From: ada@example.org\nSubject: Hi, you\n\nCompany,Role\nAcme,Pilot\n",
    ],
)
async def test_mail_is_sent_where_mail_is_brought_in(client: httpx2.AsyncClient, text: str, tasks):
    page = await choose(client, text, "mail.mbox")
    assert page.status == 400
    assert page.text("#e-table") == "Error: This looks like mail; bring it in under Mail."
    assert page.one("main a[href='/mail/import']").text() == "Bring it in under Mail"
    assert await tasks.fetch("SELECT count(*) FROM tracker_imports") == [(0,)]


async def test_another_accounts_file_is_not_there(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient
):
    page = await opened(client, TABLE)
    for path in (place_of(page), f"{place_of(page)}/refused.csv"):
        assert (await other_client.get(path, headers=PAGE)).status_code == 404
    for path in (place_of(page), f"{place_of(page)}/undo", f"{place_of(page)}/drop"):
        answer = await other_client.post(
            path, headers=PAGE | {"content-type": "application/x-www-form-urlencoded"}
        )
        assert answer.status_code == 404
