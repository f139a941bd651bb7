"""Our emulated Gmail and a third party's answer Google's clients alike, wherever the other can.

Left out is what the third party gets wrong or lacks: getProfile, batches, quota, expiry of tokens and of
history, Basic at the token endpoint, `rfc822msgid:` for inserted mail, `in:spam`, `OR` and the rest of the
search language, bytes outside ASCII.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest
import requests
from emulators.gmail.letters import letter, with_attachment
from emulators.gmail.program import reason
from google.auth.exceptions import RefreshError
from google.auth.transport.requests import Request as Transport
from googleapiclient.errors import HttpError
from oauthlib.oauth2 import InvalidGrantError


def put(google, raw, labels=("INBOX", "UNREAD")):
    body = {"raw": urlsafe_b64encode(raw).decode(), "labelIds": list(labels)}
    return google.users().messages().insert(userId="me", body=body).execute()["id"]


def listed(google, **asked):
    found, request = [], google.users().messages().list(userId="me", **asked)
    while request is not None:
        answered = request.execute()
        found.append([each["id"] for each in answered.get("messages", [])])
        request = google.users().messages().list_next(request, answered)
    return found


def get(google, message_id, **asked):
    return google.users().messages().get(userId="me", id=message_id, **asked).execute()


def exchanged(flow, code):
    return flow.fetch_token(code=code, include_client_id=True)


def test_a_code_brings_tokens_for_the_account_that_was_picked(peer):
    flow, email = peer.flow(), next(peer.people)
    told = peer.consent(flow, email)
    assert told["state"] == flow.oauth2session._state
    token = exchanged(flow, told["code"])
    assert token["token_type"] == "Bearer" and token["refresh_token"] and token["id_token"]
    shown = {"Authorization": f"Bearer {token['access_token']}"}
    assert requests.get(f"{peer.url}/oauth2/v2/userinfo", headers=shown, timeout=10).json()["email"] == email


def test_a_code_is_good_once(peer):
    flow = peer.flow()
    code = peer.consent(flow, next(peer.people))["code"]
    exchanged(flow, code)
    with pytest.raises(InvalidGrantError):
        exchanged(flow, code)


def test_a_code_wants_its_verifier(peer):
    flow = peer.flow()
    code = peer.consent(flow, next(peer.people))["code"]
    flow.code_verifier = "x" * 60
    with pytest.raises(InvalidGrantError):
        exchanged(flow, code)


def test_a_refresh_brings_another_access_token_until_revoked(peer):
    holder = peer.holder(next(peer.people))
    before = holder.token
    with requests.Session() as session:
        holder.refresh(Transport(session))
        assert holder.token and holder.token != before
        session.post(
            f"{peer.url}/oauth2/revoke", data={"token": holder.refresh_token}, timeout=10
        ).raise_for_status()
        with pytest.raises(RefreshError) as error:
            holder.refresh(Transport(session))
    assert error.value.args[1]["error"] == "invalid_grant" and not error.value.retryable


def test_system_labels_are_listed(peer):
    with peer.mailbox() as google:
        labels = google.users().labels().list(userId="me").execute()["labels"]
    system = {label["id"] for label in labels if label["type"] == "system"}
    assert {"INBOX", "SENT", "DRAFT", "SPAM", "TRASH", "UNREAD", "STARRED", "IMPORTANT"} <= system


def test_a_label_counts_its_messages(peer):
    with peer.mailbox() as google:
        put(google, letter("One"))
        put(google, letter("Two"), ["INBOX"])
        label = google.users().labels().get(userId="me", id="INBOX").execute()
    assert (label["messagesTotal"], label["messagesUnread"]) == (2, 1)


def test_pages_hold_every_message_once(peer):
    with peer.mailbox() as google:
        ids = {put(google, letter(f"Letter {number}")) for number in range(5)}
        pages = listed(google, maxResults=2)
    assert [len(page) for page in pages] == [2, 2, 1]
    assert {each for page in pages for each in page} == ids


@pytest.mark.parametrize(
    ("q", "names"),
    [
        ("", "acme friend plan mine"),
        ("from:greenhouse.example", "acme"),
        ("subject:application", "acme"),
        ("subject:application from:bo@x.example", ""),
        ("to:bo@x.example", "mine"),
        ("soup", "friend"),
        ("in:sent", "mine"),
        ("is:unread", "acme"),
        ("is:starred", "plan"),
        ("label:starred", "plan"),
        ("has:attachment", "plan"),
        ("after:2020/01/01", "acme friend plan mine"),
        ("before:2020/01/01", ""),
    ],
)
def test_a_simple_query_finds_the_same(peer, q, names):
    mail = {
        "acme": (letter("Your application", sender="no-reply@greenhouse.example"), ["INBOX", "UNREAD"]),
        "friend": (
            letter("Lunch", "Soup?", sender="bo@x.example", message_id="<lunch@x.example>"),
            ["INBOX"],
        ),
        "plan": (with_attachment("The plan", b"%PDF"), ["INBOX", "STARRED"]),
        "mine": (letter("Thanks", sender="sam.carter@gmail.example", to="bo@x.example"), ["SENT"]),
        "junk": (letter("Loans"), ["SPAM"]),
    }
    with peer.mailbox() as google:
        ids = {put(google, raw, labels): name for name, (raw, labels) in mail.items()}
        (page,) = listed(google, q=q)
    assert {ids[each] for each in page} == set(names.split())


def test_spam_hides_until_asked_for(peer):
    with peer.mailbox() as google:
        spam, kept = put(google, letter("Loans"), ["SPAM"]), put(google, letter("One"))
        assert listed(google) == [[kept]] and listed(google, labelIds=["SPAM"], includeSpamTrash=True) == [
            [spam]
        ]
        (both,) = listed(google, includeSpamTrash=True)
    assert set(both) == {spam, kept}


def test_raw_is_what_was_put_in(peer):
    raw = with_attachment("The plan", b"%PDF" * 20)
    with peer.mailbox() as google:
        got = get(google, put(google, raw), format="raw")
    assert urlsafe_b64decode(got["raw"] + "==") == raw and "payload" not in got


def test_minimal_has_labels_and_no_payload(peer):
    with peer.mailbox() as google:
        got = get(google, put(google, letter("One")), format="minimal")
    assert set(got["labelIds"]) == {"INBOX", "UNREAD"} and got["internalDate"].isdigit()
    assert got["historyId"].isdigit() and not {"payload", "raw"} & got.keys()


def test_metadata_has_the_headers_asked_for(peer):
    with peer.mailbox() as google:
        got = get(google, put(google, letter("One")), format="metadata", metadataHeaders=["Subject"])
    assert got["payload"]["headers"] == [{"name": "Subject", "value": "One"}]


def test_an_unknown_message_is_not_found(peer):
    with peer.mailbox() as google, pytest.raises(HttpError) as error:
        get(google, "18c0ffffffffffff")
    assert (error.value.status_code, reason(error.value)) == (404, "notFound")


def test_history_tells_what_came_went_and_changed(peer):
    with peer.mailbox() as google:
        messages = google.users().messages()
        start = get(google, put(google, letter("Before")), format="minimal")["historyId"]
        one, two = put(google, letter("One")), put(google, letter("Two"))
        messages.modify(userId="me", id=one, body={"addLabelIds": ["STARRED"]}).execute()
        messages.delete(userId="me", id=two).execute()
        answered = google.users().history().list(userId="me", startHistoryId=start).execute()
        told = [
            (key, change["message"]["id"])
            for record in answered["history"]
            for key in ("messagesAdded", "labelsAdded", "messagesDeleted")
            for change in record.get(key, [])
        ]
        cursor = answered["historyId"]
        after = google.users().history().list(userId="me", startHistoryId=cursor).execute()
    assert told == [
        ("messagesAdded", one),
        ("messagesAdded", two),
        ("labelsAdded", one),
        ("messagesDeleted", two),
    ]
    assert int(cursor) > int(start) and not after.get("history")


def test_history_is_narrowed_by_type_and_comes_in_pages(peer):
    with peer.mailbox() as google:
        start = get(google, put(google, letter("Before")), format="minimal")["historyId"]
        ids = [put(google, letter(f"Letter {number}")) for number in range(3)]
        google.users().messages().trash(userId="me", id=ids[0]).execute()
        history, found = google.users().history(), []
        request = history.list(userId="me", startHistoryId=start, historyTypes=["messageAdded"], maxResults=2)
        while request is not None:
            answered = request.execute()
            found += [record["messagesAdded"][0]["message"]["id"] for record in answered.get("history", [])]
            request = history.list_next(request, answered)
    assert found == ids
