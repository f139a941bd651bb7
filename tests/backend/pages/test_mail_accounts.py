"""Connecting Gmail, from nothing to a mailbox that is read, left again and deleted; by plain forms only."""

import json

import pytest
from emulators.gmail.world import EMAIL
from fixtures.html import Seen, follow, see, send, submit
from fixtures.mail_pages import ACCOUNTS, CLIENT_ID, CLIENT_SECRET, MailDesk, signed_in
from fixtures.mailroom import job_mail, other_mail
from fixtures.people import FixedClock
from fixtures.samples import Samples
from litestar import Litestar

from schema.ids import AccountId

OTHER = "ada.private@gmail.example"
FILE = {"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "redirect_uris": ["http://localhost"]}
WAY_BACK = "http://127.0.0.1:8377/mail/gmail/callback"


def told(page: Seen) -> str:
    """The page without the number of its answer."""
    return page.answer.text.replace(page.answer.headers["x-request-id"], "")


@pytest.fixture
def rows(samples: Samples):
    return samples.rows


async def test_the_whole_way_from_nothing_to_a_mailbox_and_out_again(desk: MailDesk, rows):
    page = await desk.see(ACCOUNTS)
    assert "None is connected yet" in page.text()
    assert not page.has(f'form[action="{ACCOUNTS}/connect"]')
    page = await follow(desk.client, await desk.enter_client())
    assert "stored, sealed" in page.text(".flash")
    desk.control.deliver_many([job_mail(number) for number in range(4)])
    desk.control.deliver_many([other_mail(number) for number in range(3)])
    page = await desk.connect()
    assert page.title == EMAIL
    assert "is connected" in page.text(".flash")
    place = await desk.place
    assert "No mail daemon is running" in page.text("#stands")
    async with desk.daemon():
        await desk.until()
        page = await desk.see(place)
        assert page.text("#stands .badge") == "In step"
        assert "No mail daemon" not in page.text("#stands")
    told = dict(zip(page.texts("#became dt"), page.texts("#became dd .number"), strict=True))
    assert told == {"Kept": "4", "Hidden": "0", "Screened out": "3", "Set aside": "0", "Left out": "0"}
    assert (
        "Disconnected"
        in (await follow(desk.client, await submit(desk.client, page, f"{place}/disconnect"))).text()
    )
    assert rows("SELECT count(*) FROM secrets WHERE name LIKE 'gmail.token.%%'") == [(0,)]
    assert desk.control.meters()["refresh_tokens"] == 0
    assert rows("SELECT count(*) FROM messages") == [(4,)]
    page = await desk.see(f"{place}/delete")
    wrong = await submit(desk.client, page, f"{place}/delete", address="somebody@gmail.example")
    assert wrong.status == 400
    assert "Nothing was deleted" in wrong.text()
    assert rows("SELECT count(*) FROM messages") == [(4,)]
    gone = await submit(desk.client, wrong, f"{place}/delete", address=f" {EMAIL.upper()} ")
    page = await follow(desk.client, gone)
    assert "being deleted" in page.text(".flash")
    assert "Waits for a worker" in page.text("#deletion")
    assert not page.all(f"a[href='{place}/delete']")
    await desk.delete_mail()
    assert rows("SELECT count(*) FROM messages") == [(0,)]


async def test_deleting_a_connected_mailbox_disconnects_it_first(ready_desk: MailDesk, rows):
    await ready_desk.connect()
    place = await ready_desk.place
    page = await ready_desk.see(f"{place}/delete")
    assert "The access to Google" in page.text()
    await submit(ready_desk.client, page, f"{place}/delete", address=EMAIL)
    assert (await ready_desk.status()).state == "disconnected"
    assert ready_desk.control.meters()["refresh_tokens"] == 0


async def test_who_says_no_at_google_changes_nothing(ready_desk: MailDesk, rows):
    page = await ready_desk.connect(allows=False)
    assert page.title == "You did not allow it"
    assert page.has(f'form[action="{ACCOUNTS}/connect"]')
    assert rows("SELECT count(*) FROM gmail_mailboxes") == [(0,)]


async def test_an_unticked_box_is_told_and_asked_for_again(ready_desk: MailDesk):
    page = await ready_desk.connect(scopes=["openid", "https://www.googleapis.com/auth/userinfo.email"])
    assert page.title == "The box for reading mail was not ticked"
    place = await ready_desk.place
    assert "Not allowed to read" in (await ready_desk.see(place)).text("#stands")
    page = await ready_desk.connect(page.form(f"{place}/connect").action)
    assert "is connected" in page.text(".flash")


async def test_a_box_unticked_later_leaves_the_connection_from_before(ready_desk: MailDesk):
    await ready_desk.connect()
    place = await ready_desk.place
    page = await ready_desk.connect(
        f"{place}/connect", scopes=["openid", "https://www.googleapis.com/auth/userinfo.email"]
    )
    assert "from before still works" in page.text("main .notice")
    assert (await ready_desk.status()).state == "connected"


async def test_another_account_than_the_mailbox_is_refused(ready_desk: MailDesk):
    await ready_desk.connect()
    ready_desk.control.add_account(OTHER)
    page = await ready_desk.connect(f"{await ready_desk.place}/connect", email=OTHER)
    assert page.title == "That was another Google account"
    assert EMAIL in page.text(".flash")
    assert OTHER not in page.answer.text


async def test_the_same_answer_twice_and_one_nobody_asked_for(ready_desk: MailDesk):
    ready_desk.control.answer_consent()
    address = await ready_desk.leave()
    await ready_desk.back(address)
    for query in ("state=x&code=4/y", "code=4/y", "error=access_denied", ""):
        page = await follow(ready_desk.client, await see(ready_desk.client, f"/mail/gmail/callback?{query}"))
        assert page.title == "This answer from Google was not expected"
    program = await ready_desk.client.get("/mail/gmail/callback?state=x&code=y")
    assert (program.status_code, program.json()["code"]) == (410, "consent_unknown")


async def test_an_answer_in_another_browser_is_not_used(
    ready_desk: MailDesk, mail_app: Litestar, clock: FixedClock, account: AccountId
):
    ready_desk.control.answer_consent()
    address = await ready_desk.leave()
    async with await signed_in(mail_app, ready_desk.database, clock, account) as other:
        stranger = MailDesk(other, ready_desk.gmail, ready_desk.database, account, ready_desk.settings)
        assert (await stranger.back(address)).title == "This answer from Google was not expected"


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("unavailable", "Google cannot be reached"),
        ("reset", "Google cannot be reached"),
        ("invalid_client", "Google did not accept the consent"),
        ("invalid_grant", "Google did not accept the consent"),
    ],
)
async def test_trouble_at_google_has_a_page_of_its_own(ready_desk: MailDesk, kind: str, title: str):
    ready_desk.control.fault("^token ", kind, times=None)
    page = await ready_desk.connect()
    assert (page.status, page.title) == (200, title)
    assert "Nothing was changed" in page.text()


async def test_a_missing_refresh_token_says_what_to_do(ready_desk: MailDesk, monkeypatch: pytest.MonkeyPatch):
    from mailsync.gmail.consent.client import ConsentClient

    whole = ConsentClient.tokens

    def without(*given, **named):
        from msgspec.structs import replace

        return replace(whole(*given, **named), refresh=None)

    monkeypatch.setattr(ConsentClient, "tokens", without)
    page = await ready_desk.connect()
    assert page.title == "Google gave no lasting access"
    assert page.has('a[href="https://myaccount.google.com/permissions"]')


async def test_a_lost_grant_names_every_cause_and_is_told_on_the_other_pages(ready_desk: MailDesk):
    await ready_desk.connect()
    async with ready_desk.daemon():
        await ready_desk.until()
        ready_desk.control.revoke()
        place = await ready_desk.place
        await send(ready_desk.client, f"{place}/look")
        await ready_desk.until(state="grant_lost")
    page = await ready_desk.see(place)
    told = page.text("#stands")
    for cause in ("seven days", "removed on", "password", "six months", "Too many", "administrator"):
        assert cause in told
    for path in ("/", "/mail"):
        page = await ready_desk.see(path)
        assert f"{EMAIL} is not read any more" in page.text()
        assert page.has(f'a[href="{place}"]')
    page = await ready_desk.connect(f"{place}/connect")
    assert "is connected" in page.text(".flash")


async def test_a_first_reading_shows_how_far_it_is_and_what_nobody_knows(ready_desk: MailDesk):
    ready_desk.control.deliver_many([other_mail(number) for number in range(30)])
    ready_desk.control.fault("messages.list", "hold", after=1)
    await ready_desk.connect()
    place = await ready_desk.place
    async with ready_desk.daemon():
        await ready_desk.until("listing")
        page = await ready_desk.see(place)
        assert page.texts("#stands .unknown")[:3] == ["not counted yet", "not measured yet", "not known yet"]
        assert page.one("#stands progress").attributes.get("value") is None
        assert "being read" in (await ready_desk.see("/mail")).text("#reading")
        assert "being read" in (await ready_desk.see("/")).text("#running")
        ready_desk.control.release()
        await ready_desk.until()
    assert not (await ready_desk.see(place)).has("#stands progress")


async def test_a_pause_by_quota_says_until_when(ready_desk: MailDesk):
    ready_desk.control.deliver_many([other_mail(number) for number in range(5)])
    ready_desk.control.fault("messages.get", "daily", times=None)
    await ready_desk.connect()
    async with ready_desk.daemon():
        await ready_desk.until("fetching", last_error="daily_quota_exhausted")
        page = await ready_desk.see(await ready_desk.place)
    assert page.text("#stands .badge") == "Pauses"
    assert page.has("#stands .notice time")
    assert "allowance for today is used up" in page.text("#stands")


async def test_a_step_left_out_at_google_is_named(ready_desk: MailDesk):
    ready_desk.control.fault("getProfile|messages", "disabled", times=None)
    await ready_desk.connect()
    async with ready_desk.daemon():
        await ready_desk.until("starting", last_error="gmail_api_disabled")
        page = await ready_desk.see(await ready_desk.place)
    assert "Gmail API is not enabled" in page.text("#stands .notice")
    assert page.has(f'#stands a[href="{ACCOUNTS}/client"]')


async def test_what_is_read_is_narrowed_and_widened_again(ready_desk: MailDesk):
    label = ready_desk.control.add_label("Jobs")
    await ready_desk.connect()
    place = await ready_desk.place
    page = await ready_desk.see(f"{place}/scope")
    assert "Jobs" in page.text()
    form = {"query": "newer_than:2y", "label": [label], "spam": "1"}
    page = await follow(ready_desk.client, await submit(ready_desk.client, page, f"{place}/scope", **form))
    assert "gone through anew" in page.text(".flash")
    assert "Only 1 label, with spam and trash" in page.text()
    page = await ready_desk.see(f"{place}/scope")
    assert page.form(f"{place}/scope").fields == {"query": ["newer_than:2y"], "label": [label], "spam": ["1"]}
    ready_desk.control.fault("labels.list", "unavailable", times=None)
    page = await ready_desk.see(f"{place}/scope")
    assert "1 chosen label stays" in page.text()
    await send(ready_desk.client, f"{place}/scope", query="")
    status = await ready_desk.status()
    assert (status.narrow_query, status.narrow_labels, status.include_spam) == ("", [], False)
    page = await send(ready_desk.client, f"{place}/scope", query="x" * 501, label=[label])
    assert page.status == 400


async def test_what_could_not_be_read_is_listed_in_words_and_tried_again(ready_desk: MailDesk, rows, samples):
    ready_desk.control.deliver_many([other_mail(number) for number in range(2)])
    await ready_desk.connect()
    async with ready_desk.daemon():
        await ready_desk.until()
    rows(
        "UPDATE gmail_messages SET state = 'quarantined', reason = 'message_too_large', size_bytes = 99,"
        " settled_at = now() WHERE gmail_id = (SELECT min(gmail_id) FROM gmail_messages) RETURNING 1"
    )
    archive = samples.insert(
        "mail_imports",
        mailbox_id=samples.mailbox(),
        name="Old.zip",
        path="x",
        spooled=False,
        created_at="2026-03-01",
    )
    samples.rows(
        "INSERT INTO quarantine (account_id, import_id, position, code, size_bytes, created_at)"
        " VALUES (%s, %s, 'a/b.mbox', 'member_encrypted', 5, '2026-03-01')",
        ready_desk.account,
        archive,
    )
    page = await ready_desk.see("/mail/aside")
    assert page.texts("td.lead") == ["A message larger than 50 MB", "A file locked with a password"]
    assert page.has(f'a[href="/mail/imports/{archive}"]')
    place = await ready_desk.place
    assert "1" in (await ready_desk.see(place)).texts("#became dd .number")
    page = await follow(ready_desk.client, await submit(ready_desk.client, page, f"{place}/again"))
    assert "1 message is read once more" in page.text(".flash")
    async with ready_desk.daemon():
        await ready_desk.until()
    assert (await ready_desk.see("/mail/aside")).texts("td.lead") == ["A file locked with a password"]


async def test_a_file_of_the_wrong_kind_says_which_one_is_right(desk: MailDesk):
    page = f"{ACCOUNTS}/client"
    web = {**FILE, "redirect_uris": ["https://elsewhere.example/x"]}
    for content, word in (
        (b"no json", "not the JSON file"),
        (json.dumps({"type": "service_account"}).encode(), "service account"),
        (json.dumps({"a": 1}).encode(), "neither"),
        (json.dumps({"web": web}).encode(), WAY_BACK),
        (json.dumps({"installed": {**FILE, "client_id": "x"}}).encode(), "no client ID"),
        (json.dumps({"installed": {**FILE, "client_secret": ""}}).encode(), "no client secret"),
    ):
        answer = await desk.client.post(
            page, files={"file": ("client.json", content)}, headers={"accept": "text/html"}
        )
        assert answer.status_code == 400
        assert word in answer.text, word
        assert CLIENT_SECRET not in answer.text
    assert "None is connected" in (await desk.see(ACCOUNTS)).text()


@pytest.mark.parametrize("kind", ["installed", "web"])
async def test_the_file_of_google_is_taken_as_it_is(desk: MailDesk, kind: str):
    content = json.dumps({kind: {**FILE, "redirect_uris": [WAY_BACK]}}).encode()
    answer = await desk.client.post(f"{ACCOUNTS}/client", files={"file": ("client.json", content)})
    assert answer.status_code == 303
    assert (await desk.connect()).title == EMAIL


@pytest.mark.parametrize(
    ("client_id", "secret", "word"),
    [
        ("", CLIENT_SECRET, "Client ID is missing"),
        (CLIENT_ID, "", "Client secret is missing"),
        (CLIENT_SECRET, CLIENT_ID, "This is the client ID"),
        ("AIzaSyExample", CLIENT_SECRET, "API key"),
        (CLIENT_SECRET, CLIENT_SECRET, "This is the secret"),
        ("somebody@gmail.example", CLIENT_SECRET, "no client ID"),
        (CLIENT_ID, "two words here", "no client secret"),
    ],
)
async def test_what_is_typed_wrong_is_told_without_the_secret(
    desk: MailDesk, client_id: str, secret: str, word: str
):
    page = await send(desk.client, f"{ACCOUNTS}/client", client_id=client_id, client_secret=secret)
    assert page.status == 400
    assert word in page.text(".error-summary")
    assert page.form(f"{ACCOUNTS}/client").fields["client_secret"] == [""]


async def test_the_client_is_forgotten_and_no_mailbox_can_be_connected(ready_desk: MailDesk):
    page = await ready_desk.see(f"{ACCOUNTS}/client")
    assert CLIENT_ID in page.text()
    await submit(ready_desk.client, page, f"{ACCOUNTS}/client/forget")
    answer = await send(ready_desk.client, f"{ACCOUNTS}/connect")
    assert answer.status == 409
    assert "no OAuth client" in answer.answer.text


async def test_only_an_operator_enters_a_client(
    ready_desk: MailDesk, mail_app: Litestar, clock: FixedClock, other_account: AccountId
):
    async with await signed_in(mail_app, ready_desk.database, clock, other_account) as ben:
        for answer in (
            await see(ben, f"{ACCOUNTS}/client"),
            await send(ben, f"{ACCOUNTS}/client", client_id=CLIENT_ID, client_secret="GOCSPX-of-ben"),
            await send(ben, f"{ACCOUNTS}/client/forget"),
        ):
            assert answer.status == 403
        page = await see(ben, ACCOUNTS)
        assert page.has(f'form[action="{ACCOUNTS}/connect"]')
        assert not page.has(f'a[href="{ACCOUNTS}/client"]')


async def test_a_mailbox_of_somebody_else_answers_like_none(
    ready_desk: MailDesk, mail_app: Litestar, clock: FixedClock, other_account: AccountId
):
    await ready_desk.connect()
    place = await ready_desk.place
    async with await signed_in(mail_app, ready_desk.database, clock, other_account) as ben:
        for end in ("", "/scope", "/delete"):
            theirs, never = await see(ben, place + end), await see(ben, f"{ACCOUNTS}/4000000000{end}")
            assert (theirs.status, told(theirs)) == (404, told(never))
        for end in ("/connect", "/look", "/again", "/disconnect", "/delete", "/scope"):
            theirs, never = (
                await send(ben, place + end, address=EMAIL),
                await send(ben, f"{ACCOUNTS}/4000000000{end}"),
            )
            assert theirs.status == never.status == 404, end
        answer = await see(ben, f"{ACCOUNTS}/answer/scope_declined?mailbox={place.rpartition('/')[2]}")
        assert answer.status == 404
    assert (await ready_desk.status()).state == "connected"


async def test_no_token_and_no_secret_is_ever_shown_or_logged(
    desk: MailDesk, rows, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
):
    caplog.set_level("DEBUG")
    answers: list[str] = []

    async def keep(answer) -> None:
        await answer.aread()
        answers.append(answer.text + repr(answer.headers))

    desk.client.event_hooks["response"].append(keep)
    desk.control.deliver_many([job_mail(1)])
    await desk.enter_client()
    wrong = await send(desk.client, f"{ACCOUNTS}/client", client_id="x", client_secret=CLIENT_SECRET)
    assert wrong.status == 400
    await desk.connect()
    place = await desk.place
    async with desk.daemon():
        await desk.until()
    for path in (ACCOUNTS, f"{ACCOUNTS}/client", place, f"{place}/scope", f"{place}/delete", "/", "/mail"):
        await desk.see(path)
    await send(desk.client, f"{place}/disconnect")
    told = capfd.readouterr()
    everything = "".join([*answers, told.out, told.err, caplog.text])
    tokens = {call["token"] for call in desk.control.calls() if call["token"]}
    assert tokens
    for canary in (CLIENT_SECRET, "1//", "ya29", *tokens):
        assert canary not in everything
    assert CLIENT_SECRET not in str(rows("SELECT * FROM secrets"))
