"""Consent: what comes back from Google, what of it is kept, and how it ends."""

from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from fixtures.mailroom import REDIRECT, Mailroom, visited

from mailsync.gmail.connections import ConsentRefused, ConsentUnknown, WrongGoogleAccount
from mailsync.gmail.consent.client import AddressUnsafe, ConsentClient
from mailsync.gmail.consent.grants import NoClient
from mailsync.gmail.consent.types import SCOPES, OAuthClient, Tokens
from mailsync.gmail.types import Who
from schema.errors import Missing
from schema.ids import AccountId
from schema.settings import GmailSettings

READ = "https://www.googleapis.com/auth/gmail.readonly"
EMAIL = "https://www.googleapis.com/auth/userinfo.email"


async def test_exactly_reading_and_the_address_are_asked_for(mailroom: Mailroom):
    assert SCOPES == (READ, "openid", EMAIL)
    started = await mailroom.connections.start(mailroom.account, session_hash="s", redirect_url=REDIRECT)
    asked = parse_qs(urlsplit(started.url).query)
    assert asked["scope"][0].split() == [READ, "openid", EMAIL]
    assert asked["code_challenge_method"] == ["S256"]
    assert (asked["access_type"], asked["prompt"], asked["redirect_uri"]) == (
        ["offline"],
        ["consent"],
        [REDIRECT],
    )


async def test_a_whole_consent_connects_the_mailbox(mailroom: Mailroom):
    done = await mailroom.connect()
    assert (done.end, done.address, done.state) == ("connected", "sam.carter@gmail.example", "connected")
    assert mailroom.rows("SELECT name FROM secrets") == [(f"gmail.token.{done.mailbox_id}",)]
    assert mailroom.rows("SELECT count(*) FROM gmail_consents") == [(0,)]


async def test_no_token_stands_anywhere_in_the_clear(mailroom: Mailroom):
    await mailroom.connect()
    async with mailroom.database.as_account(mailroom.account) as unit:
        token = await mailroom.connections.grants.refresh_token(unit, mailroom.who.mailbox_id)
    assert token
    tables = ("gmail_mailboxes", "gmail_consents", "gmail_turns", "gmail_quota", "secrets", "mailboxes")
    shown = [str(mailroom.rows(f"SELECT * FROM {table}")) for table in tables]
    assert not [rows for rows in shown if token in rows]


async def test_an_answer_counts_once(mailroom: Mailroom):
    mailroom.control.answer_consent()
    started = await mailroom.connections.start(mailroom.account, session_hash="s", redirect_url=REDIRECT)
    back = visited(started.url)
    words = {"session_hash": "s", "state": back["state"], "code": back["code"]}
    await mailroom.connections.finish(mailroom.account, **words)
    with pytest.raises(ConsentUnknown):
        await mailroom.connections.finish(mailroom.account, **words)


async def test_an_answer_of_another_session_or_account_or_state_is_none(
    mailroom: Mailroom, other_account: AccountId
):
    mailroom.control.answer_consent()
    with pytest.raises(ConsentUnknown):
        await mailroom.visit(back_in="another session")
    started = await mailroom.connections.start(mailroom.account, session_hash="s", redirect_url=REDIRECT)
    back = visited(started.url)
    with pytest.raises(ConsentUnknown):
        await mailroom.connections.finish(
            other_account, session_hash="s", state=back["state"], code=back["code"]
        )
    with pytest.raises(ConsentUnknown):
        await mailroom.connections.finish(
            mailroom.account, session_hash="s", state="made up", code=back["code"]
        )


async def test_an_answer_that_comes_too_late_is_none(mailroom: Mailroom):
    mailroom.control.answer_consent()
    started = await mailroom.connections.start(mailroom.account, session_hash="s", redirect_url=REDIRECT)
    mailroom.rows("UPDATE gmail_consents SET expires_at = now() - interval '1 second' RETURNING 1")
    back = visited(started.url)
    with pytest.raises(ConsentUnknown):
        await mailroom.connections.finish(
            mailroom.account, session_hash="s", state=back["state"], code=back["code"]
        )


async def test_a_person_who_says_no_changes_nothing(mailroom: Mailroom):
    mailroom.control.answer_consent(allows=False)
    done = await mailroom.visit()
    assert (done.end, done.mailbox_id) == ("denied", None)
    assert await mailroom.connections.grants.client()
    assert mailroom.rows("SELECT * FROM gmail_mailboxes") == []


async def test_an_unticked_box_is_a_state_and_no_token_is_kept(mailroom: Mailroom):
    mailroom.control.answer_consent(scopes=("openid", EMAIL))
    done = await mailroom.visit()
    assert (done.end, done.state) == ("scope_declined", "scope_declined")
    assert mailroom.rows("SELECT * FROM secrets") == []
    assert mailroom.rows("SELECT count(*) FROM gmail_turns") == [(0,)]
    mailroom.control.answer_consent()
    assert (await mailroom.visit(done.mailbox_id)).state == "connected"


async def test_a_missing_refresh_token_is_a_state_of_its_own(mailroom: Mailroom, monkeypatch):
    real = ConsentClient.tokens

    def without(self, *arguments, **options):
        return msgspec.structs.replace(real(self, *arguments, **options), refresh=None)

    monkeypatch.setattr(ConsentClient, "tokens", without)
    mailroom.control.answer_consent()
    done = await mailroom.visit()
    assert (done.end, done.state) == ("refresh_missing", "refresh_missing")


async def test_a_partial_consent_does_not_break_a_mailbox_that_works(mailroom: Mailroom):
    await mailroom.connect()
    mailroom.control.answer_consent(scopes=("openid", EMAIL))
    done = await mailroom.visit(mailroom.mailbox_id)
    assert (done.end, done.state) == ("scope_declined", "connected")
    assert (await mailroom.status()).state == "connected"


async def test_another_google_account_is_refused_on_reconnecting(mailroom: Mailroom):
    await mailroom.connect()
    mailroom.control.add_account("other@gmail.example")
    mailroom.control.answer_consent(email="other@gmail.example")
    with pytest.raises(WrongGoogleAccount):
        await mailroom.visit(mailroom.mailbox_id)
    assert mailroom.rows("SELECT address FROM mailboxes") == [("sam.carter@gmail.example",)]


async def test_a_code_google_does_not_know_is_refused(mailroom: Mailroom):
    mailroom.control.answer_consent()
    started = await mailroom.connections.start(mailroom.account, session_hash="s", redirect_url=REDIRECT)
    state = visited(started.url)["state"]
    with pytest.raises(ConsentRefused):
        await mailroom.connections.finish(mailroom.account, session_hash="s", state=state, code="made up")


async def test_disconnecting_revokes_and_deletes_the_token_and_keeps_mail_and_cursor(mailroom: Mailroom):
    mailroom.deliver(3)
    await mailroom.connect()
    await mailroom.sync()
    assert (await mailroom.connections.disconnect(mailroom.who)).revoked
    status = await mailroom.status()
    assert (status.state, status.counts.stored, status.holder and status.holder.due_seconds) == (
        "disconnected",
        3,
        None,
    )
    assert mailroom.rows("SELECT * FROM secrets") == []
    assert not await mailroom.keeper.once(mailroom.who)
    mailroom.deliver(2, first=3)
    await mailroom.visit(mailroom.mailbox_id)
    await mailroom.sync()
    mailroom.is_complete()


async def test_a_google_that_does_not_answer_does_not_keep_anybody_connected(mailroom: Mailroom):
    await mailroom.connect()
    mailroom.control.fault("^revoke ", "reset", times=1)
    done = await mailroom.connections.disconnect(mailroom.who)
    assert not done.revoked
    assert mailroom.rows("SELECT * FROM secrets") == []


async def test_a_mailbox_of_somebody_else_is_a_missing_one(mailroom: Mailroom, other_account: AccountId):
    await mailroom.connect()
    theirs = Who(account_id=other_account, mailbox_id=mailroom.who.mailbox_id)
    with pytest.raises(Missing):
        await mailroom.connections.disconnect(theirs)
    with pytest.raises(Missing):
        await mailroom.connections.start(
            other_account, session_hash="s", redirect_url=REDIRECT, mailbox_id=theirs.mailbox_id
        )
    assert (await mailroom.status()).state == "connected"


async def test_a_client_an_operator_entered_is_sealed_and_used(mailroom: Mailroom):
    client_id, secret = mailroom.settings.client_id, mailroom.settings.client_secret
    mailroom.build(client_id="", client_secret="")
    with pytest.raises(NoClient):
        await mailroom.connections.start(mailroom.account, session_hash="s", redirect_url=REDIRECT)
    mailroom.rows("UPDATE installation SET owner_account_id = %s RETURNING 1", mailroom.account)
    await mailroom.connections.grants.enter_client(mailroom.account, f" {client_id} ", secret)
    assert secret not in str(mailroom.rows("SELECT * FROM secrets"))
    assert (await mailroom.connect()).end == "connected"
    found = await mailroom.connections.grants.client()
    assert found
    assert (found.source, found.client_id) == ("entered", client_id)


async def test_labels_are_named_and_a_mailbox_can_be_narrowed_to_some(mailroom: Mailroom):
    label = mailroom.control.add_label("Jobs")
    inside = mailroom.control.deliver(b"Subject: x\r\n\r\nbody\r\n", ("INBOX", label))
    mailroom.deliver(3)
    await mailroom.connect()
    assert ("Jobs", True) in [
        (each.name, each.own) for each in await mailroom.connections.labels(mailroom.who)
    ]
    await mailroom.connections.narrow(mailroom.who, labels=[label])
    await mailroom.sync()
    assert list(mailroom.control.fetches()) == [inside]
    mailroom.deliver(1, first=3)
    await mailroom.sync()
    assert list(mailroom.control.fetches()) == [inside]
    await mailroom.connections.narrow(mailroom.who)
    await mailroom.sync()
    mailroom.is_complete()


def test_plain_http_is_taken_to_this_machine_only():
    with pytest.raises(AddressUnsafe):
        ConsentClient(GmailSettings(token_url="http://tokens.example/token"))


def test_no_secret_shows_in_a_repr():
    tokens = Tokens(access="ya29.secret", refresh="1//secret", lives_seconds=1.0, scopes=())
    client = OAuthClient(client_id="id", client_secret="hidden", source="entered")
    assert "secret" not in repr(tokens)
    assert "hidden" not in repr(client)
