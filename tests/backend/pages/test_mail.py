"""Mail: every message stands somewhere with a true count, is shown as text, and its kind can be corrected."""

import httpx2
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, follow, see, send, submit
from fixtures.matching import MatchRunner
from fixtures.samples import Samples

from schema.ids import MessageId

BODY = "Dear Ada,\n\nwe will not move forward with Data Engineer at Northwind. <b>Best</b>"


COUNTED = ("About jobs", "Waits for you", "Fits no application", "Not understood", "Hidden")


def subjects(page: Seen) -> list[str]:
    return page.texts("tbody .subject")


def tabs(page: Seen) -> dict[str, int]:
    found = (a.text(deep=False).strip() for a in page.all("nav[aria-label='What was made of it'] a"))
    numbers = page.texts("nav[aria-label='What was made of it'] a .number")
    return {
        name: int(number) for name, number in zip((n for n in found if n in COUNTED), numbers, strict=True)
    }


def dropped(samples: Samples, subject: str, *, kept: str = "headers") -> MessageId:
    """A message of which no text was kept."""
    made = samples.message("not_job_related", subject=subject, body=None)
    samples.rows("UPDATE messages SET kept = %s WHERE id = %s", kept, made)
    return made


@pytest.fixture
async def sorts(samples: Samples, match: MatchRunner) -> None:
    """One of each sort."""
    samples.application("Northwind", "Data Engineer", applied=5)
    samples.application("Contoso", "Writer", applied=5)
    samples.application("Contoso", "Painter", applied=5)
    about = {"employer": "Northwind", "role": "Data Engineer"}
    samples.message("rejection", sent=20, subject="Sure", body=BODY, sender_name="Northwind", **about)
    samples.message("status_update", sent=19, subject="Doubtful", body="About Contoso.", employer="Contoso")
    samples.message("recruiter_outreach", sent=18, subject="Loose", body="I have a role for you.")
    samples.message(sent=17, subject="Unclear", body="What about Tuesday?")
    samples.message(sent=None, subject="Undated", body="What about Wednesday?", read=False)
    dropped(samples, "Alert")
    dropped(samples, "", kept="identity")
    await match()


async def test_an_empty_mailbox_says_what_to_bring_in(client: httpx2.AsyncClient):
    page = await see(client, "/mail")
    assert page.text(".empty-title") == "No mail yet."
    assert [link.attributes["href"] for link in page.all(".empty a")] == ["/settings/mail", "/mail/import"]


async def test_each_message_stands_with_what_was_made_of_it(client: httpx2.AsyncClient, sorts: None):
    page = await see(client, "/mail")
    assert subjects(page) == ["Sure", "Doubtful", "Loose", "Undated"]
    assert tabs(page) == {
        "About jobs": 4,
        "Waits for you": 1,
        "Fits no application": 2,
        "Not understood": 1,
        "Hidden": 1,
    }
    rows = page.texts("tbody tr")
    assert "Data Engineer, Northwind" in rows[0]
    assert "waits for you" in rows[1]
    assert "No application fits" in rows[2]
    assert "not read yet" in rows[3]
    assert "no date" in rows[3]


async def test_what_nobody_could_read_does_not_count_as_about_jobs(client: httpx2.AsyncClient, sorts: None):
    assert "Unclear" not in subjects(await see(client, "/mail"))
    page = await see(client, "/mail?show=open")
    assert "nobody could tell" in page.text("tbody tr")


@pytest.mark.parametrize(
    ("show", "expected"),
    [
        ("waiting", ["Doubtful"]),
        ("open", ["Unclear"]),
        ("loose", ["Loose", "Unclear"]),
        ("hidden", ["Alert"]),
    ],
)
async def test_a_heading_shows_exactly_what_it_counts(
    client: httpx2.AsyncClient, sorts: None, show: str, expected: list[str]
):
    page = await see(client, f"/mail?show={show}")
    assert subjects(page) == expected
    here = page.text("nav[aria-label='What was made of it'] a[aria-current]")
    assert int(here.rpartition(" ")[2]) == len(expected)


async def test_hidden_noise_is_counted_also_where_nothing_is_kept(client: httpx2.AsyncClient, sorts: None):
    assert "Of 1 further message nothing is kept" in (await see(client, "/mail?show=hidden")).text("#list")


async def test_words_and_kind_narrow_the_list(client: httpx2.AsyncClient, sorts: None):
    assert subjects(await see(client, "/mail?q=northwind")) == ["Sure"]
    assert subjects(await see(client, "/mail?kind=status_update")) == ["Doubtful"]
    assert (await see(client, "/mail?q=%25")).has(".empty")


async def test_pages_neither_skip_nor_repeat_with_and_without_dates(
    client: httpx2.AsyncClient, samples: Samples, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.pages.mail.ROWS", 2)
    for number in range(3):
        samples.message("rejection", sent=10, subject=f"Dated {number}")
    for number in range(4):
        samples.message("rejection", sent=None, subject=f"Undated {number}")
    found: list[str] = []
    path = "/mail"
    while path:
        page = await see(client, path)
        found += subjects(page)
        more = page.all("a[rel=next]")
        path = "/mail" + str(more[0].attributes["href"]) if more else ""
    assert found == [
        *(f"Dated {number}" for number in (2, 1, 0)),
        *(f"Undated {number}" for number in (3, 2, 1, 0)),
    ]


@pytest.mark.parametrize("query", ["show=all", "kind=love", "after=x", f"q={'x' * 300}"])
async def test_a_broken_address_is_answered_calmly(client: httpx2.AsyncClient, query: str):
    assert (await see(client, f"/mail?{query}")).status == 400


async def test_a_message_is_text_with_its_words_marked_and_nothing_remote(
    client: httpx2.AsyncClient, samples: Samples
):
    body = 'Hello <img src="https://track.example/x.png"> <script>alert(1)</script> Northwind'
    made = samples.message("rejection", subject="<i>Hi</i>", body=body, employer="Northwind")
    samples.rows("UPDATE messages SET quoted = '> earlier words' WHERE id = %s", made)
    page = await see(client, f"/mail/{made}")
    assert page.title == "<i>Hi</i>"
    assert not page.has("main img")
    assert not page.has("main script")
    assert "<script>" in page.texts(".excerpt")[0]
    assert page.texts(".excerpt mark")[-1] == "Northwind"
    assert page.text("details#quoted .excerpt") == "> earlier words"
    assert "open" not in page.one("details#quoted").attributes
    assert "Employer Northwind" in page.texts("dl.facts")


async def test_a_message_without_its_text_says_why(client: httpx2.AsyncClient, samples: Samples):
    page = await see(client, f"/mail/{dropped(samples, 'Alert')}")
    assert "the text was not kept , because: not job related" in page.text("article")


async def test_a_message_kept_for_its_conversation_says_which_it_continues(
    client: httpx2.AsyncClient, samples: Samples
):
    first = samples.message("interview_invite", subject="Your interview")
    made = samples.message(subject="Tuesday", body="Tuesday works.")
    assert not (await see(client, f"/mail/{made}")).has("#kept-because")
    samples.rows("UPDATE messages SET kept_because = 'answers', continues_id = %s WHERE id = %s", first, made)
    page = await see(client, f"/mail/{made}")
    assert page.text("#kept-because") == "It says nothing of a job itself, but answers Your interview ."
    assert page.one("#kept-because a").attributes["href"] == f"/mail/{first}"
    samples.rows("DELETE FROM messages WHERE id = %s", first)
    assert "answers a message that is gone" in (await see(client, f"/mail/{made}")).text("#kept-because")


async def test_a_kind_is_corrected_and_the_correction_taken_back(
    client: httpx2.AsyncClient, samples: Samples
):
    made = samples.message("acknowledgement", body="Thanks, but no.")
    page = await see(client, f"/mail/{made}")
    assert [box.attributes["value"] for box in page.all("input[name=kind][checked]")] == ["acknowledgement"]
    done = await follow(
        client, await submit(client, page, f"/mail/{made}/kinds", kind=["rejection", "offer"])
    )
    assert done.texts("#said ul .badge") == ["Rejection", "Offer"]
    assert "You said so" in done.text("#said")
    back = await follow(client, await submit(client, done, f"/mail/{made}/undo"))
    assert back.texts("#said ul .badge") == ["Receipt"]


async def test_saying_nothing_is_a_correction_too(client: httpx2.AsyncClient, samples: Samples):
    made = samples.message("acknowledgement")
    page = await see(client, f"/mail/{made}")
    done = await follow(client, await submit(client, page, f"/mail/{made}/kinds", kind=[]))
    assert "nothing of interest" in done.text("#said")


async def test_a_correction_of_a_message_read_anew_changes_nothing(
    client: httpx2.AsyncClient, samples: Samples
):
    made = samples.message("acknowledgement")
    page = await see(client, f"/mail/{made}")
    samples.reading(made, "rejection")
    shown = await submit(client, page, f"/mail/{made}/kinds", kind=["offer"])
    assert shown.status == 409
    assert shown.one("main").attributes["data-at"] == f"/mail/{made}"
    assert "nothing was changed" in shown.text("main [role=alert]")
    assert shown.texts("#said ul .badge") == ["Rejection"]


@pytest.mark.parametrize("kind", ["love", "x" * 1_000_000, "\x00"])
async def test_a_kind_that_is_none_is_refused(client: httpx2.AsyncClient, samples: Samples, kind: str):
    made = samples.message("acknowledgement")
    page = await see(client, f"/mail/{made}")
    assert (await submit(client, page, f"/mail/{made}/kinds", kind=[kind])).status == 400


async def test_another_accounts_message_is_as_missing_as_none(
    other_client: httpx2.AsyncClient, samples: Samples
):
    made = samples.message("acknowledgement", subject="Private")
    theirs, none = await see(other_client, f"/mail/{made}"), await see(other_client, "/mail/999999")
    assert (theirs.status, theirs.title) == (none.status, none.title) == (404, none.title)
    for verb in ("kinds", "undo"):
        pages = [
            await send(other_client, f"/mail/{which}/{verb}", kind="offer", seen="1")
            for which in (made, 999_999)
        ]
        assert [page.status for page in pages] == [404, 404]
    assert "Private" not in (await see(other_client, "/mail?q=private")).answer.text


@pytest.mark.parametrize("verb", ["kinds", "undo"])
async def test_another_site_corrects_nothing(client: httpx2.AsyncClient, samples: Samples, verb: str):
    made = samples.message("acknowledgement")
    headers = PAGE | {"origin": "https://evil.example"}
    answer = await client.post(f"/mail/{made}/{verb}", data={"kind": "offer"}, headers=headers)
    assert answer.status_code == 403
    assert (await see(client, f"/mail/{made}")).texts("#said ul .badge") == ["Receipt"]
