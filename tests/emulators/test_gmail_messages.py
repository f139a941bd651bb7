"""Google's own client reads the emulated mailbox: profile, labels, lists, every format, threads."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest
from emulators.gmail.grants import EVERYTHING
from emulators.gmail.letters import letter, many, with_attachment
from emulators.gmail.program import client, credentials, reason
from googleapiclient.errors import HttpError


def listed(google, **asked):
    """Every id over all pages, in order."""
    found, request = [], google.users().messages().list(userId="me", **asked)
    while request is not None:
        answered = request.execute()
        found += [message["id"] for message in answered.get("messages", [])]
        request = google.users().messages().list_next(request, answered)
    return found


def raw_of(google, message_id):
    got = google.users().messages().get(userId="me", id=message_id, format="raw").execute()
    return urlsafe_b64decode(got["raw"])


def test_a_profile_counts_and_has_a_cursor_beyond_a_float(gmail, google):
    gmail.control.deliver(letter("One"))
    profile = google.users().getProfile(userId="me").execute()
    assert (profile["emailAddress"], profile["messagesTotal"]) == ("sam.carter@gmail.example", 1)
    assert 2**63 < int(profile["historyId"]) < 2**64 and profile["historyId"] == gmail.control.history_id()


def test_a_mailbox_is_also_reached_by_address_but_only_ones_own(gmail, google):
    gmail.control.add_account("jo@gmail.example")
    assert google.users().getProfile(userId="sam.carter@gmail.example").execute()
    with pytest.raises(HttpError) as error:
        google.users().getProfile(userId="jo@gmail.example").execute()
    assert error.value.status_code == 403


def test_labels_are_listed_and_counted(gmail, google):
    label = gmail.control.add_label("Job hunt/Waiting")
    gmail.control.deliver(letter("One"), [label, "UNREAD"])
    gmail.control.deliver(letter("Two"), [label])
    named = {each["id"]: each for each in google.users().labels().list(userId="me").execute()["labels"]}
    assert named["INBOX"]["type"] == "system" and named[label]["name"] == "Job hunt/Waiting"
    counted = google.users().labels().get(userId="me", id=label).execute()
    assert (counted["messagesTotal"], counted["messagesUnread"]) == (2, 1)


def test_pages_are_newest_first_and_complete(gmail, google):
    ids = gmail.control.deliver_many(many(250))
    first = google.users().messages().list(userId="me").execute()
    assert len(first["messages"]) == 100 and first["messages"][0].keys() == {"id", "threadId"}
    assert listed(google) == listed(google, maxResults=7) == ids[::-1]
    assert len(google.users().messages().list(userId="me", maxResults=9_999).execute()["messages"]) == 250


def test_mail_that_arrives_between_two_pages_moves_no_page(gmail, google):
    ids = gmail.control.deliver_many(many(30))
    messages = google.users().messages()
    request = messages.list(userId="me", maxResults=10)
    first = request.execute()
    gmail.control.deliver(letter("New"))
    gmail.control.delete(ids[25])
    second = messages.list_next(request, first).execute()
    assert [each["id"] for each in second["messages"]] == ids[10:20][::-1]


def test_an_empty_list_has_no_messages_key_and_estimates_lie(gmail, google):
    assert google.users().messages().list(userId="me").execute() == {"resultSizeEstimate": 0}
    gmail.control.deliver_many(many(300))
    assert google.users().messages().list(userId="me").execute()["resultSizeEstimate"] == 201


@pytest.mark.parametrize("end", ["all at once", "by age", "with another question"])
def test_page_tokens_die(gmail, google, end):
    gmail.control.deliver_many(many(20))
    messages = google.users().messages()
    token = messages.list(userId="me", maxResults=10).execute()["nextPageToken"]
    if end == "all at once":
        gmail.control.expire_pages()
    elif end == "by age":
        gmail.control.advance(3_601)
    with pytest.raises(HttpError) as error:
        messages.list(userId="me", pageToken=token, q="other" if "question" in end else None).execute()
    assert error.value.status_code == 400


def test_spam_and_trash_hide_until_asked_for(gmail, google):
    kept, spam = gmail.control.deliver(letter("Kept")), gmail.control.deliver(letter("Spam"), ["SPAM"])
    gone = gmail.control.deliver(letter("Gone"))
    gmail.control.trash(gone)
    assert listed(google) == [kept]
    assert listed(google, includeSpamTrash=True) == [gone, spam, kept]
    assert listed(google, labelIds=["SPAM"]) == listed(google, q="in:spam") == [spam]


def test_raw_is_the_exact_bytes_whatever_they_are(gmail, google):
    odd = b"Subject: caf\xe9\r\nContent-Type: text/plain; charset=nonsense\r\n\r\n\xff\x00 \xe9"
    assert raw_of(google, gmail.control.deliver(odd)) == odd
    message_id = gmail.control.deliver(b"")
    assert google.users().messages().get(userId="me", id=message_id).execute()["id"] == message_id


def test_every_format_shows_what_google_shows(gmail, google):
    raw = with_attachment("The pl\u00e4n", b"%PDF" * 50)
    message_id = gmail.control.deliver(raw, internal_date=1_772_000_000_123)
    messages = google.users().messages()
    plain = messages.get(userId="me", id=message_id, format="minimal").execute()
    assert plain["internalDate"] == "1772000000123" and plain["sizeEstimate"] == len(raw)
    assert "payload" not in plain and plain["snippet"].startswith("See the plan.")
    named = messages.get(userId="me", id=message_id, format="metadata", metadataHeaders=["SUBJECT"]).execute()
    assert named["payload"]["headers"] == [{"name": "Subject", "value": "The pl\u00e4n"}]
    full = messages.get(userId="me", id=message_id).execute()["payload"]
    both, attached = full["parts"]
    assert [part["mimeType"] for part in both["parts"]] == ["text/plain", "text/html"]
    assert [part["partId"] for part in both["parts"]] == ["0.0", "0.1"]
    assert (attached["filename"], attached["body"]["size"]) == ("plan.pdf", 200)
    fetched = messages.attachments().get(
        userId="me", messageId=message_id, id=attached["body"]["attachmentId"]
    )
    assert urlsafe_b64decode(fetched.execute()["data"]) == b"%PDF" * 50


def test_fields_cut_the_answer_down(gmail, google):
    gmail.control.deliver_many(many(3))
    asked = google.users().messages().list(userId="me", maxResults=2, fields="messages/id,nextPageToken")
    answered = asked.execute()
    assert answered.keys() == {"messages", "nextPageToken"} and answered["messages"][0].keys() == {"id"}
    one = (
        google.users()
        .messages()
        .get(userId="me", id=answered["messages"][0]["id"], fields="id,payload(headers(name))")
    )
    assert set(one.execute()["payload"]["headers"][0]) == {"name"}
    with pytest.raises(HttpError):
        google.users().messages().list(userId="me", fields="messages(id").execute()


def test_letters_however_broken_are_shown_in_every_format(gmail, google, shared_data):
    broken = [
        file for file in sorted((shared_data / "mime").rglob("*")) if file.suffix in {".eml", ".msg", ".txt"}
    ]
    assert broken
    for file in broken[::4]:
        message_id = gmail.control.deliver(file.read_bytes())
        for style in ("minimal", "metadata", "full"):
            assert google.users().messages().get(userId="me", id=message_id, format=style).execute()["id"]
        assert raw_of(google, message_id) == file.read_bytes()
    assert google.users().messages().list(userId="me", q="nothing has:attachment").execute()


def test_an_unknown_message_is_not_found(google):
    with pytest.raises(HttpError) as error:
        google.users().messages().get(userId="me", id="18c0ffffffffffff").execute()
    assert (error.value.status_code, reason(error.value)) == (404, "notFound")


def test_the_addresses_a_person_sends_as_are_listed(gmail):
    gmail.control.add_account("jo@gmail.example", aliases=["jo@old.example"])
    with client(gmail.url, credentials(gmail.url, gmail.control.grant(email="jo@gmail.example"))) as google:
        listed = google.users().settings().sendAs().list(userId="me").execute()["sendAs"]
    assert [(each["sendAsEmail"], each["isPrimary"]) for each in listed] == [
        ("jo@gmail.example", True),
        ("jo@old.example", False),
    ]


def test_a_watch_lasts_a_week(gmail, google):
    gmail.control.stand_still(1_000_000)
    gmail.control.expire_access()
    body = {"topicName": "projects/x/topics/y"}
    watched = google.users().watch(userId="me", body=body).execute()
    assert watched == {"historyId": gmail.control.history_id(), "expiration": "1604800000"}
    google.users().stop(userId="me").execute()
    assert [call["units"] for call in gmail.control.calls() if call["units"]] == [100, 50]


def test_replies_join_their_thread(gmail, google):
    first = gmail.control.deliver(letter("Plan", message_id="<one@x.example>"))
    second = gmail.control.deliver(letter("Re: Plan", reply_to="<one@x.example>"))
    alone = gmail.control.deliver(letter("Other"))
    thread = google.users().threads().get(userId="me", id=first, format="minimal").execute()
    assert [each["id"] for each in thread["messages"]] == [first, second]
    found = google.users().threads().list(userId="me").execute()["threads"]
    assert [each["id"] for each in found] == [alone, first]


def test_whole_fetches_are_counted_and_others_are_not(gmail, google):
    one, two = gmail.control.deliver(letter("One")), gmail.control.deliver(letter("Two"))
    raw_of(google, one)
    raw_of(google, one)
    google.users().messages().get(userId="me", id=two, format="metadata").execute()
    assert gmail.control.fetches() == {one: 2}
    google.users().messages().get(userId="me", id=two).execute()
    assert gmail.control.fetches() == {one: 2, two: 1}


def test_mail_can_be_written_through_the_api_too(gmail):
    with client(gmail.url, credentials(gmail.url, gmail.control.grant([EVERYTHING]))) as writer:
        messages = writer.users().messages()
        body = {"raw": urlsafe_b64encode(letter("Put in")).decode(), "labelIds": ["INBOX"]}
        made = messages.insert(userId="me", body=body).execute()
        messages.modify(userId="me", id=made["id"], body={"addLabelIds": ["STARRED"]}).execute()
        assert gmail.control.mailbox() == {made["id"]: ["INBOX", "STARRED"]}
        messages.trash(userId="me", id=made["id"]).execute()
        messages.delete(userId="me", id=made["id"]).execute()
    assert gmail.control.mailbox() == {}
