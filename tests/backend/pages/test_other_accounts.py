"""Nothing of another account is seen, and its objects answer exactly like ones that never were."""

import re

import httpx2
import psycopg
import pytest
from fixtures.app import PAGE
from fixtures.pages import filled, routes

from schema.ids import AccountId

CANARY = "canary-of-ben-44e1"
NEVER = 4_000_000_000


@pytest.fixture
def bens(owner_url: str, other_account: AccountId) -> dict[str, int]:
    """One row of every kind that belongs to somebody else, full of a canary; their ids."""
    with psycopg.connect(owner_url, autocommit=True) as owner:

        def insert(sql: str) -> int:
            row = owner.execute(
                sql.replace("ME", str(other_account)).replace("CANARY", f"'{CANARY}'")  # pyright: ignore
            ).fetchone()
            return row[0] if row else 0

        owner.execute("UPDATE accounts SET display_name = %s WHERE id = %s", (CANARY, other_account))
        session = insert(
            "INSERT INTO sessions (account_id, token_hash, agent, created_at, last_seen_at, expires_at)"
            " VALUES (ME, repeat('c', 64), CANARY, now(), now(), now() + interval '9 years') RETURNING id"
        )
        device = insert(
            "INSERT INTO devices (account_id, name, token_hash, origin, created_at)"
            " VALUES (ME, CANARY, repeat('d', 64), 'chrome-extension://x', now()) RETURNING id"
        )
        invitation = insert(
            "INSERT INTO invitations (account_id, code_hash, note, created_at, expires_at)"
            " VALUES (ME, repeat('e', 64), CANARY, now(), now() + interval '9 years') RETURNING id"
        )
        mailbox = insert(
            "INSERT INTO mailboxes (account_id, door, address, created_at)"
            " VALUES (ME, 'archive', CANARY, now()) RETURNING id"
        )
        insert(
            "INSERT INTO mail_imports (account_id, mailbox_id, name, path, spooled, created_at)"
            f" VALUES (ME, {mailbox}, CANARY, CANARY, false, now()) RETURNING id"
        )
        gmail = insert(
            "INSERT INTO mailboxes (account_id, door, address, created_at)"
            " VALUES (ME, 'gmail', CANARY, now()) RETURNING id"
        )
        insert(
            "INSERT INTO gmail_mailboxes (account_id, mailbox_id, state, narrow_query, created_at)"
            f" VALUES (ME, {gmail}, 'connected', CANARY, now()) RETURNING mailbox_id"
        )
        insert(
            "INSERT INTO gmail_messages (account_id, mailbox_id, gmail_id, state, reason, rank, place)"
            f" VALUES (ME, {gmail}, 'abc', 'quarantined', 'unparseable', 2, 1) RETURNING mailbox_id"
        )
        message = insert(
            "INSERT INTO messages (account_id, mailbox_id, message_key, content_sha256, sent_at,"
            " sent_at_source, sender_name, subject, body, kept, size_bytes, first_seen_at) VALUES"
            f" (ME, {mailbox}, CANARY, repeat('f', 64), now(), 'date', CANARY, CANARY, CANARY, 'whole', 1,"
            " now()) RETURNING id"
        )
        application = insert(
            "INSERT INTO applications (account_id, origin, company, role, note, created_at, updated_at)"
            " VALUES (ME, 'manual', CANARY, CANARY, CANARY, now(), now()) RETURNING id"
        )
        insert(
            "INSERT INTO standings (account_id, application_id, stage, mail_stage, by_person, dismissed,"
            " messages, last_event_at, last_event_kind, activity_at) VALUES"
            f" (ME, {application}, 'applied', 'applied', false, false, 1, now(), 'offer', now())"
            " RETURNING application_id"
        )
        ask = insert(
            "INSERT INTO asks (account_id, application_id, message_id, kind, due_text, opened_at)"
            f" VALUES (ME, {application}, {message}, 'answer_offer', CANARY, now()) RETURNING id"
        )
        tracker = insert(
            "INSERT INTO tracker_imports (account_id, name, content, mapping, rows_total, created_at)"
            " VALUES (ME, CANARY, CANARY::bytea, '{\"columns\": []}', 1, now()) RETURNING id"
        )
        contact = insert(
            "INSERT INTO contacts (account_id, application_id, name, address, note, created_at)"
            f" VALUES (ME, {application}, CANARY, CANARY, CANARY, now()) RETURNING id"
        )
        insert(
            "INSERT INTO application_edits (account_id, application_id, fields, before, after, created_at)"
            f" VALUES (ME, {application}, '{{company}}', jsonb_build_object('company', CANARY),"
            " jsonb_build_object('company', CANARY), now()) RETURNING id"
        )
        insert(
            "INSERT INTO profiles (account_id, revision, document, origin, created_at)"
            " VALUES (ME, 1, jsonb_build_object('first_name', CANARY), 'form', now()) RETURNING revision"
        )
        answer = insert(
            "INSERT INTO answers (account_id, question, question_key, kind, given, company, company_key,"
            " origin, created_at, updated_at) VALUES (ME, CANARY, CANARY, 'text', ARRAY[CANARY], CANARY,"
            " CANARY, 'person', now(), now()) RETURNING id"
        )
        draft = insert(
            "INSERT INTO drafts (account_id, canonical_url, company, role, question, question_key, state,"
            " created_at, updated_at) VALUES (ME, 'https://example.org/' || CANARY, CANARY, CANARY, CANARY,"
            " CANARY, 'empty', now(), now()) RETURNING id"
        )
        own = insert(
            "INSERT INTO own_postings (account_id, canonical_url, url, title, company, place, pay_words,"
            " text, note, facts_from, saved_at, updated_at) VALUES (ME, 'https://example.org/' || CANARY,"
            " CANARY, CANARY, CANARY, CANARY, CANARY, CANARY, CANARY, 'person', now(), now()) RETURNING id"
        )
        view = insert(
            "INSERT INTO saved_views (account_id, name, query, created_at)"
            " VALUES (ME, CANARY, 'q=' || CANARY, now()) RETURNING id"
        )
    return {
        "session_id": session,
        "tracker_import_id": tracker,
        "device_id": device,
        "invitation_id": invitation,
        "message_id": message,
        "mailbox_id": gmail,
        "contact_id": contact,
        "application_id": application,
        "ask_id": ask,
        "answer_id": answer,
        "draft_id": draft,
        "view_id": view,
        "own_id": own,
    }


def without_numbers(answer: httpx2.Response) -> str:
    """The answer without the two things that differ between any two: its request id and the address asked."""
    told = answer.text.replace(answer.headers["x-request-id"], "")
    return re.sub(r"\d+", "", told)


@pytest.mark.parametrize("template", routes("GET"))
async def test_no_page_shows_what_belongs_to_somebody_else(
    client: httpx2.AsyncClient, bens: dict[str, int], template: str
):
    for number in sorted({1, *bens.values()}) if "{" in template else [1]:
        answer = await client.get(filled(template, str(number)), headers=PAGE)
        assert CANARY not in answer.text + repr(answer.headers)


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_their_objects_answer_like_ones_that_never_were(
    client: httpx2.AsyncClient, bens: dict[str, int], method: str
):
    compared = 0
    for template in routes(method):
        for name in re.findall(r"\{(\w+)[^}]*\}", template):
            if name not in bens:
                continue
            answers = [
                await client.request(
                    method,
                    filled(template, str(number)),
                    headers=PAGE,
                    data={"revision": "1"} if method == "POST" else None,
                )
                for number in (bens[name], NEVER)
            ]
            theirs, never = answers
            assert theirs.status_code == never.status_code, template
            assert without_numbers(theirs) == without_numbers(never), template
            compared += 1
    assert compared


async def test_their_sessions_cannot_be_ended_through_the_api(
    client: httpx2.AsyncClient, bens: dict[str, int], owner_url: str
):
    theirs = await client.delete(f"/api/sessions/{bens['session_id']}")
    never = await client.delete(f"/api/sessions/{NEVER}")
    assert (theirs.status_code, never.status_code) == (404, 404)
    assert without_numbers(theirs) == without_numbers(never)
    assert CANARY not in (await client.get("/api/sessions")).text
    with psycopg.connect(owner_url) as owner:
        assert owner.execute("SELECT count(*) FROM sessions WHERE agent = %s", (CANARY,)).fetchone() == (1,)
