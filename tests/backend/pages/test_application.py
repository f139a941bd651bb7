"""One application: its timeline in order of sending with its evidence, and what the person sets there."""

import httpx2
import msgspec
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, follow, see, send, submit
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.review import press
from fixtures.samples import Samples, day

from matcher.applications.store import application, record_application
from matcher.applications.types import Application, NewApplication
from schema.db import Database
from schema.ids import AccountId, ApplicationId, MessageId

THANKS = "Thank you for applying to the Data Engineer role at Northwind."
REFUSED = "We will not move forward with your application for Data Engineer at Northwind."


class Story:
    """An application at Northwind, and mail about it in any order of arrival."""

    def __init__(self, samples: Samples, database: Database, account: AccountId) -> None:
        self.samples, self.database, self.account = samples, database, account
        self.id = samples.application(applied=5, url="https://jobs.example.org/northwind/42")

    @property
    def path(self) -> str:
        return f"/applications/{self.id}"

    def mail(self, *kinds, sent: float, body: str, subject: str = "Your application", **named) -> MessageId:
        about = {"employer": "Northwind", "role": "Data Engineer"} | named
        return self.samples.message(
            *kinds, sent=sent, body=body, subject=subject, sender_name="Northwind", **about
        )

    async def now(self) -> Application:
        async with self.database.as_account(self.account) as unit:
            return await application(unit, self.id)


@pytest.fixture
def story(samples: Samples, database: Database, account: AccountId) -> Story:
    return Story(samples, database, account)


def moments(page: Seen) -> list[str]:
    return page.texts("#timeline .moment header .badge")


async def test_the_timeline_is_in_order_of_sending_whatever_arrived_first(
    client: httpx2.AsyncClient, story: Story, match: MatchRunner
):
    story.mail("rejection", sent=20, body=REFUSED)
    await match()
    story.mail("acknowledgement", sent=6, body=THANKS)
    await match()
    page = await see(client, story.path)
    assert page.title == "Data Engineer, Northwind"
    assert moments(page) == ["Receipt", "Rejection"]
    assert "Rejected" in page.text(".lede")
    assert page.texts("#timeline blockquote mark")[0] == THANKS[:60]
    assert page.texts("#timeline .evidence li")
    assert not page.has(".badge.bad")


async def test_what_the_person_sent_says_why_it_moves_nothing(
    client: httpx2.AsyncClient, samples: Samples, story: Story, match: MatchRunner
):
    passed_on = samples.message(from_owner=True, subject="Fwd: Data Engineer at Northwind", body=REFUSED)
    await match()
    found = await see(client, f"/review/{passed_on}/find?find=north")
    assert (await press(client, found, "assign")).status == 303
    page = await see(client, story.path)
    told = page.text(f"#m-{passed_on}")
    assert "sent by you" in told
    assert "What you send moves no stage by itself." in told
    assert page.has(f"#m-{passed_on} a[href='/mail/{passed_on}#correct']")


async def test_the_picture_says_in_words_what_it_shows(
    client: httpx2.AsyncClient, story: Story, match: MatchRunner
):
    story.mail("acknowledgement", sent=6, body=THANKS)
    story.mail("rejection", sent=20, body=REFUSED)
    await match()
    page = await see(client, story.path)
    assert page.one(".strip svg[role=img]").attributes["aria-labelledby"] == "strip-title strip-says"
    words = page.text("#strip-says")
    assert [words.index(word) for word in ("Applied", "Receipt", "Rejection")] == sorted(
        words.index(word) for word in ("Applied", "Receipt", "Rejection")
    )
    assert "No news since" not in words


async def test_an_application_without_mail_says_so(client: httpx2.AsyncClient, story: Story):
    page = await see(client, story.path)
    assert "no mail about it yet" in page.text(".lede")
    assert page.has("#timeline a[href='/mail/import']")
    assert not page.has(".strip")
    assert page.texts("dl .unknown")


async def test_days_of_silence_are_counted_but_are_no_stage(
    client: httpx2.AsyncClient, samples: Samples, clock: FixedClock
):
    quiet = samples.application("Quiet", "Clerk", applied=day(-9))
    page = await see(client, f"/applications/{quiet}")
    assert "11 days since you applied" in page.text(".lede")
    assert "Applied" in page.text(".lede")


async def test_the_persons_status_stands_above_the_mail_and_can_be_undone(
    client: httpx2.AsyncClient, story: Story, match: MatchRunner
):
    story.mail("rejection", sent=20, body=REFUSED)
    await match()
    page = await see(client, story.path)
    assert page.texts("#f-status option")[0] == "Follow the mail (rejected)"
    done = await follow(client, await submit(client, page, f"{story.path}/status", status="interviewing"))
    assert "Status set: interviewing." in done.text(".flash")
    assert "set by you" in done.text(".lede")
    assert (await story.now()).status == "interviewing"
    back = await follow(client, await submit(client, done, f"{story.path}/status/undo"))
    assert (await story.now()).status is None
    assert "Rejected" in back.text(".lede")


async def test_a_status_taken_back_counts_from_when_it_was_set(
    client: httpx2.AsyncClient, story: Story, clock: FixedClock
):
    await send(client, f"{story.path}/status", status="offer")
    first = await story.now()
    clock.move(days=3)
    page = await see(client, story.path)
    done = await follow(client, await submit(client, page, f"{story.path}/status", status="withdrawn"))
    clock.move(days=3)
    assert (await submit(client, page, f"{story.path}/status", status="closed")).status == 409
    assert (await story.now()).status == "withdrawn", "the page was another's by then"
    await submit(client, done, f"{story.path}/status/undo")
    assert ((await story.now()).status, (await story.now()).status_at) == ("offer", first.status_at)
    again = await follow(client, await submit(client, done, f"{story.path}/status/undo"))
    assert "nothing was taken back" in again.text(".flash")


async def test_newer_mail_only_proposes_against_the_persons_word(
    client: httpx2.AsyncClient, story: Story, match: MatchRunner, clock: FixedClock
):
    await send(client, f"{story.path}/status", status="interviewing")
    story.mail("rejection", sent=20, body=REFUSED)
    await match()
    page = await see(client, story.path)
    assert "Newer mail says: Rejected" in page.text("#proposal")
    assert (await story.now()).stage == "interviewing"
    clock.move(days=30)
    keep = await follow(client, await send(client, f"{story.path}/status", status="interviewing"))
    assert not keep.has("#proposal")


@pytest.mark.parametrize("status", ["hired", "APPLIED", "\x00", "x" * 1_000_000])
async def test_a_status_that_is_none_is_refused(client: httpx2.AsyncClient, story: Story, status: str):
    page = await send(client, f"{story.path}/status", status=status)
    assert page.status in {303, 400}
    assert (await story.now()).status is None


async def test_a_note_is_saved_and_undone(client: httpx2.AsyncClient, story: Story):
    page = await see(client, story.path)
    done = await follow(client, await submit(client, page, f"{story.path}/note", note="Call\nJo <b>"))
    assert (await story.now()).note == "Call\nJo <b>"
    assert "<b>" not in done.answer.text
    flash = done.one(".flash form")
    await send(
        client,
        story.path + "/note",
        **{str(f.attributes["name"]): str(f.attributes["value"]) for f in flash.css("input")},
    )
    assert (await story.now()).note == ""


async def test_a_note_changed_elsewhere_is_shown_beside_mine(client: httpx2.AsyncClient, story: Story):
    page = await see(client, story.path)
    await submit(client, page, f"{story.path}/note", note="theirs")
    shown = await submit(client, page, f"{story.path}/note", note="mine")
    assert shown.status == 409
    assert "theirs" in shown.text("main [role=alert]")
    assert shown.one("#f-note").text().strip() == "mine"
    assert (await story.now()).note == "theirs"
    assert (await submit(client, shown, f"{story.path}/note", within="main")).status == 303
    assert (await story.now()).note == "mine"


async def test_a_note_that_is_too_long_is_named_and_kept(client: httpx2.AsyncClient, story: Story):
    page = await send(client, f"{story.path}/note", note="x" * 1_000_000)
    assert page.status == 400
    assert "at most 20 000" in page.text(".fault")
    assert len(page.one("#f-note").text()) >= 20_000


async def test_dismissing_is_said_and_reversed(client: httpx2.AsyncClient, story: Story):
    page = await see(client, story.path)
    gone = await follow(client, await submit(client, page, f"{story.path}/dismiss"))
    assert "You dismissed this application" in gone.text("main")
    assert (await see(client, "/applications")).has(".empty")
    back = await follow(client, await submit(client, gone, f"{story.path}/restore"))
    assert "You dismissed" not in back.text("main")
    assert (await story.now()).dismissed_at is None


async def test_a_message_is_confirmed_here_and_the_answer_leads_back(
    client: httpx2.AsyncClient, story: Story, match: MatchRunner
):
    message = story.mail("rejection", sent=20, body=REFUSED)
    await match()
    page = await see(client, story.path)
    done = await submit(client, page, f"/review/{message}")
    assert done.location == story.path
    assert "You said it belongs here" in (await follow(client, done)).text(f"#why-{message}")


async def test_a_message_is_taken_off_and_brought_back(
    client: httpx2.AsyncClient, story: Story, match: MatchRunner
):
    message = story.mail("rejection", sent=20, body=REFUSED)
    await match()
    page = await see(client, story.path)
    off = next(f for f in page.all("form") if "Take it off" in f.text())
    fields = {str(i.attributes["name"]): str(i.attributes["value"]) for i in off.css("input")}
    done = await follow(client, await send(client, f"/review/{message}", **fields))
    assert moments(done) == []
    assert (await story.now()).stage == "applied"
    back = await follow(client, await submit(client, done, "/review/history/undo", within=".flash"))
    assert moments(back) == ["Rejection"]


async def test_moving_a_message_goes_through_its_question_and_back(
    client: httpx2.AsyncClient, story: Story, samples: Samples, match: MatchRunner
):
    other = samples.application("Contoso", "Writer", applied=3)
    message = story.mail("rejection", sent=20, body=REFUSED)
    await match()
    page = await see(client, story.path)
    move = next(a for a in page.all("#timeline a") if a.text() == "Move it")
    question = await see(client, str(move.attributes["href"]))
    form = question.form(f"/review/{message}")
    done = await send(client, form.action, **{**form.fields, "answer": f"assign:{other}"})
    assert done.location == story.path
    assert moments(await see(client, f"/applications/{other}")) == ["Rejection"]


async def test_what_they_wait_for_is_done_here(client: httpx2.AsyncClient, story: Story, match: MatchRunner):
    story.mail("interview_invite", sent=20, body="Please choose a time for Data Engineer at Northwind.")
    await match()
    page = await see(client, story.path)
    assert page.texts("#asks strong") == ["Choose a time"]
    ask = str(page.one("#asks form").attributes["action"])
    done = await submit(client, page, ask)
    assert done.location == story.path
    after = await follow(client, done)
    assert not after.has("#asks")
    assert "done by you" in after.text("#settled")


async def test_a_derived_application_says_that_it_is_one(client: httpx2.AsyncClient, samples: Samples):
    derived = samples.application("Tailspin", "Pilot", origin="derived")
    page = await see(client, f"/applications/{derived}")
    assert "concluded from mail" in page.text(".notice:not(#connection)")


VERBS = ["status", "note", "dismiss", "restore"]


async def test_another_accounts_application_is_as_missing_as_none(
    other_client: httpx2.AsyncClient, story: Story
):
    theirs, none = await see(other_client, story.path), await see(other_client, "/applications/999999")
    assert (theirs.status, theirs.title) == (none.status, none.title) == (404, none.title)
    for verb in VERBS:
        pages = [
            await send(other_client, f"{path}/{verb}", status="offer", note="x")
            for path in (story.path, "/applications/999999")
        ]
        assert [page.status for page in pages] == [404, 404]
    assert (await story.now()).note == ""


@pytest.mark.parametrize("verb", VERBS)
async def test_another_site_changes_nothing(client: httpx2.AsyncClient, story: Story, verb: str):
    before = await story.now()
    headers = PAGE | {"sec-fetch-site": "cross-site"}
    answer = await client.post(f"{story.path}/{verb}", data={"status": "offer", "note": "x"}, headers=headers)
    assert answer.status_code == 403
    assert await story.now() == before


async def test_bringing_back_one_recorded_again_is_refused_calmly(
    client: httpx2.AsyncClient, database: Database, account: AccountId, samples: Samples, clock: FixedClock
):
    posting = samples.rows(
        "INSERT INTO postings (platform, vendor_id, board, title, canonical_url, first_seen_at)"
        " VALUES ('ashby', 'a', 'b', 'Pilot', 'https://x.example/a', now()) RETURNING id"
    )[0][0]
    new = NewApplication(origin="tracker", posting_id=posting)  # type: ignore[arg-type]
    made: list[ApplicationId] = []
    for _ in range(2):
        async with database.as_account(account) as unit:
            made.append(await record_application(unit, new, now=clock.now()))
        await send(client, f"/applications/{made[0]}/dismiss") if len(made) == 1 else None
    assert made[0] != made[1]
    done = await follow(client, await send(client, f"/applications/{made[0]}/restore"))
    assert "another application to the same posting" in done.text(".flash.refused")


def sent_form(samples: Samples, application_id: ApplicationId) -> None:
    """A form the extension filled and the person sent: a name, a résumé, and one field left."""
    device = samples.insert(
        "devices", name="A", token_hash="a" * 64, origin="chrome-extension://a", created_at=day(1)
    )
    document = samples.insert(
        "documents",
        kind="resume",
        file_name="ada.pdf",
        media_type="application/pdf",
        content=b"%PDF-",
        sha256="b" * 64,
        created_at=day(1),
        deleted_at=day(9),
    )
    shared = {"rule": "x", "confidence": 1.0}
    plan = [
        {
            "key": "n",
            "action": "fill",
            "value": "Ada <b>",
            "source": "profile",
            "say": "Your first name.",
            **shared,
        },
        {
            "key": "cv",
            "action": "fill",
            "document_id": document,
            "source": "document",
            "say": "A file.",
            **shared,
        },
        {
            "key": "why",
            "action": "leave",
            "reason": "own_words",
            "say": "This wants your own words.",
            **shared,
        },
    ]
    samples.insert(
        "fills",
        device_id=device,
        url="https://x.example/1",
        canonical_url="https://x.example/1",
        page_title="Apply at Northwind",
        profile_revision=3,
        plan=msgspec.json.encode(plan).decode(),
        report=msgspec.json.encode(
            [{"key": "n", "outcome": "filled"}, {"key": "cv", "outcome": "failed"}]
        ).decode(),
        created_at=day(5),
        reported_at=day(5),
        submitted_at=day(5),
        submission="{}",
        application_id=application_id,
    )


async def test_what_was_sent_is_shown_with_its_documents_and_answers(
    client: httpx2.AsyncClient, story: Story, samples: Samples
):
    assert not (await see(client, story.path)).has("#sent")
    sent_form(samples, story.id)
    page = await see(client, story.path)
    assert "Apply at Northwind" in page.text("#sent")
    assert "With ada.pdf" in page.text("#sent")
    assert page.texts("#sent li strong") == ["Ada <b>", "ada.pdf"]
    assert page.texts("#sent li .badge") == ["filled", "failed"]
    assert "left to you This wants your own words." in page.text("#sent")
    assert "version 3 of your profile" in page.text("#sent")


async def test_older_messages_wait_behind_a_link(
    client: httpx2.AsyncClient, story: Story, match: MatchRunner, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.application.whole.MOMENTS_MAX", 1)
    story.mail("acknowledgement", sent=6, body=THANKS)
    story.mail("rejection", sent=20, body=REFUSED)
    await match()
    page = await see(client, story.path)
    assert moments(page) == ["Rejection"]
    assert "Show 1 older message" in page.text("#timeline")
    assert moments(await see(client, f"{story.path}?all=1")) == ["Receipt", "Rejection"]
