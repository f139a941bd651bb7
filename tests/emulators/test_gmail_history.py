"""The emulated change log: what it records, how it pages, when it is too old, and its disorder."""

from itertools import pairwise

import pytest
from emulators.gmail.letters import letter, many
from googleapiclient.errors import HttpError


def recorded(google, start, **asked):
    """Every record since a cursor over all pages, and the cursor to go on from."""
    records, history = [], google.users().history()
    request = history.list(userId="me", startHistoryId=start, **asked)
    while request is not None:
        answered = request.execute()
        records += answered.get("history", [])
        request = history.list_next(request, answered)
    return records, answered["historyId"]


def kinds(records):
    return [key for record in records for key in record if key not in {"id", "messages"}]


def status(google, start, **asked):
    with pytest.raises(HttpError) as error:
        google.users().history().list(userId="me", startHistoryId=start, **asked).execute()
    return error.value.status_code


def test_every_change_leaves_its_record_in_order(gmail, google):
    control, start = gmail.control, gmail.control.history_id()
    one = control.deliver(letter("One"))
    control.relabel(one, ["STARRED"], ["UNREAD"])
    control.trash(one)
    control.delete(one)
    records, cursor = recorded(google, start)
    assert kinds(records) == [
        "messagesAdded", "labelsAdded", "labelsRemoved", "labelsAdded", "labelsRemoved", "messagesDeleted",
    ]  # fmt: skip
    assert records[0]["messagesAdded"] == [
        {"message": {"id": one, "threadId": one, "labelIds": ["INBOX", "UNREAD"]}}
    ]
    assert records[1]["labelsAdded"][0]["labelIds"] == ["STARRED"]
    assert cursor == control.history_id() and int(cursor) > 2**63


def test_ids_grow_with_gaps(gmail, google):
    start = gmail.control.history_id()
    gmail.control.deliver_many(many(40))
    ids = [int(record["id"]) for record in recorded(google, start)[0]]
    steps = {after - before for before, after in pairwise(ids)}
    assert min(steps) >= 1 and len(steps) > 5


def test_nothing_new_is_no_history_key_and_the_same_cursor(gmail, google):
    start = gmail.control.history_id()
    assert google.users().history().list(userId="me", startHistoryId=start).execute() == {"historyId": start}


def test_pages_hold_everything_once(gmail, google):
    start = gmail.control.history_id()
    ids = gmail.control.deliver_many(many(230))
    records, _ = recorded(google, start, maxResults=50)
    assert [record["messages"][0]["id"] for record in records] == ids


def test_types_and_labels_narrow_it(gmail, google):
    start = gmail.control.history_id()
    one = gmail.control.deliver(letter("One"))
    gmail.control.relabel(one, ["STARRED"])
    assert kinds(recorded(google, start, historyTypes=["labelAdded"])[0]) == ["labelsAdded"]
    assert kinds(recorded(google, start, labelId="STARRED")[0]) == ["labelsAdded"]


@pytest.mark.parametrize("how", ["on request", "by age"])
def test_an_old_cursor_is_not_found(gmail, google, how):
    gmail.control.deliver(letter("Before"))
    start = gmail.control.history_id()
    gmail.control.deliver(letter("After"))
    if how == "on request":
        gmail.control.expire_history()
    else:
        gmail.control.advance(8 * 86_400)
        gmail.control.expire_access()
    assert status(google, start) == 404
    assert recorded(google, gmail.control.history_id())[0] == []


def test_cursors_nobody_gave_out_are_refused(gmail, google):
    assert status(google, "1") == 404
    assert status(google, str(2**64 - 1)) == 404
    assert status(google, "yesterday") == 400


def test_a_page_may_have_a_token_and_no_records(gmail, google):
    start = gmail.control.history_id()
    one = gmail.control.deliver(letter("One"))
    gmail.control.history_knobs(hollow_pages=2)
    first = google.users().history().list(userId="me", startHistoryId=start).execute()
    assert "history" not in first and first["nextPageToken"]
    records, _ = recorded(google, start)
    assert [record["messages"][0]["id"] for record in records] == [one]


def test_disorder_repeats_and_shuffles_and_loses_nothing(gmail, google):
    start = gmail.control.history_id()
    ids = gmail.control.deliver_many(many(60))
    gmail.control.history_knobs(disorder=7)
    records, _ = recorded(google, start, maxResults=20)
    found = [record["messages"][0]["id"] for record in records]
    assert set(found) == set(ids) and len(found) > len(ids) and found != sorted(found)
    gmail.control.history_knobs(disorder=0)
    assert [record["messages"][0]["id"] for record in recorded(google, start)[0]] == ids


def test_every_autosave_of_a_draft_is_another_message(gmail, google):
    start = gmail.control.history_id()
    draft = gmail.control.save_draft(letter("Dear"))
    later = gmail.control.save_draft(letter("Dear all"), replacing=draft)
    sent = gmail.control.send_draft(later)
    records, _ = recorded(google, start)
    assert kinds(records) == ["messagesAdded", "messagesDeleted"] * 2 + ["messagesAdded"]
    assert gmail.control.mailbox() == {sent: ["SENT"]} and len({draft, later, sent}) == 3


def test_search_may_lag_where_history_does_not(gmail, google):
    start = gmail.control.history_id()
    gmail.control.list_knobs(index_lag=60)
    gmail.control.deliver(letter("Fresh"))
    messages = google.users().messages()
    assert "messages" not in messages.list(userId="me", q="Fresh").execute()
    assert len(recorded(google, start)[0]) == 1
    gmail.control.advance(61)
    assert len(messages.list(userId="me", q="Fresh").execute()["messages"]) == 1
