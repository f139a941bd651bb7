"""The pure parts: refusals, folding, walks, reading, rests."""

from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta

import pytest
from fixtures.mail import mail
from hypothesis import given
from hypothesis import strategies as st

from mailsync.gmail.answers.rules import trouble
from mailsync.gmail.history.rules import entries, fold, left_out
from mailsync.gmail.sync.rules import backoff_seconds, decoded, dressed, later_cursor, outcome, put_off_until
from mailsync.gmail.types import Change, GmailId, Known, Letter, Record, Scope
from mailsync.gmail.walks.load import HiringFileUnusable, queries_of
from mailsync.gmail.walks.rules import (
    LONGEST_QUERY,
    Hiring,
    Narrowing,
    after,
    cycle,
    following,
    hiring_queries,
)

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
EVERYTHING = Scope()


def told(status: int, reason: str = "", message: str = "", header: str | None = None, detail: str = ""):
    body = (
        f'{{"error": {{"code": {status}, "message": "{message}", "status": "{detail}",'
        f' "errors": [{{"reason": "{reason}"}}]}}}}'
    )
    return trouble(status, body.encode(), header, now=NOW)


@pytest.mark.parametrize(
    ("status", "reason", "kind"),
    [
        (403, "rateLimitExceeded", "rate"),
        (403, "userRateLimitExceeded", "rate"),
        (429, "rateLimitExceeded", "rate"),
        (429, "", "rate"),
        (403, "dailyLimitExceeded", "day"),
        (403, "quotaExceeded", "day"),
        (403, "insufficientPermissions", "scope"),
        (403, "somethingNew", "passing"),
        (401, "authError", "token"),
        (404, "notFound", "missing"),
        (400, "invalidArgument", "refused"),
        (500, "backendError", "passing"),
    ],
)
def test_refusals_are_sorted_by_what_is_to_be_done(status: int, reason: str, kind: str):
    assert told(status, reason).kind == kind


def test_when_to_come_back_is_read_from_the_header_and_from_the_message():
    assert told(429, header="120").after == timedelta(seconds=120)
    assert told(429, header="Mon, 02 Mar 2026 09:01:00 GMT").after == timedelta(minutes=1)
    said = "User-rate limit exceeded.  Retry after 2026-03-02T09:05:00.123Z"
    assert told(429, message=said).after == timedelta(minutes=5, milliseconds=123)
    assert told(429, header="1", message=said).after == timedelta(minutes=5, milliseconds=123)
    assert told(429, header="99999999").after == timedelta(hours=1)
    assert told(429, header="soon").after is None


@given(st.integers(400, 599), st.binary(max_size=200), st.none() | st.text(max_size=50))
def test_any_answer_is_some_trouble(status: int, body: bytes, header: str | None):
    assert trouble(status, body, header, now=NOW).code


def change(kind, gmail_id="a", labels=(), has=None):
    return Change(kind=kind, gmail_id=GmailId(gmail_id), labels=labels, has=has)


def record(number: int, *changes: Change) -> Record:
    return Record(number=number, changes=changes)


def known(state="stored", labels=("INBOX",), reason=None, stored=True) -> dict[GmailId, Known]:
    row = Known(
        gmail_id=GmailId("a"),
        state=state,
        reason=reason,
        labels=None if labels is None else sorted(labels),
        thread_id=None,
        is_stored=stored,
        is_read=stored,
    )
    return {row.gmail_id: row}


def states(records, before=None, scope=EVERYTHING):
    return [(each.state, each.reason) for each in entries(fold(records), before or {}, scope)]


def test_order_is_by_number_and_what_is_told_twice_counts_once():
    records = [record(9, change("deleted")), record(5, change("added")), record(5, change("added"))]
    assert states(records) == [("gone", "deleted")]


def test_a_deletion_is_final_and_an_absence_is_not():
    assert states([record(1, change("added"))], known("gone", reason="deleted")) == []
    absent = known("gone", reason="absent")
    assert states([record(1, change("labels_added", labels=("X",)))], absent) == [("stored", None)]


def test_labels_follow_in_order_and_by_the_whole_set_when_it_is_told():
    before = known(labels=("INBOX", "UNREAD"))
    moved = [
        record(1, change("labels_removed", labels=("UNREAD",))),
        record(2, change("labels_added", labels=("B",))),
    ]
    assert entries(fold(moved), before, EVERYTHING)[0].labels == ["B", "INBOX"]
    whole = [record(3, change("labels_added", labels=("B",), has=("C",)))]
    assert entries(fold(whole), before, EVERYTHING)[0].labels == ["C"]


@pytest.mark.parametrize(
    ("label", "reason"), [("DRAFT", "draft"), ("CHAT", "chat"), ("SPAM", "spam"), ("TRASH", "trash")]
)
def test_what_nobody_asked_for_is_left_out(label: str, reason: str):
    assert states([record(1, change("added", has=(label,)))]) == [("left_out", reason)]
    asked = Scope(include_spam=True)
    wanted = left_out((label,), asked) is None
    assert wanted == (label in {"SPAM", "TRASH"})


def test_one_label_that_came_does_not_say_that_another_is_missing():
    narrow = Scope(labels=frozenset({"Label_1"}))
    assert states([record(1, change("labels_added", labels=("STARRED",)))], scope=narrow) == [
        ("wanted", None)
    ]
    assert states([record(1, change("added", has=("INBOX",)))], scope=narrow) == [
        ("left_out", "not_labelled")
    ]


def test_what_is_stored_stays_whatever_its_labels():
    assert states([record(1, change("labels_added", labels=("TRASH",)))], known()) == [("stored", None)]


changes = st.builds(
    change,
    st.sampled_from(["added", "deleted", "labels_added", "labels_removed"]),
    st.sampled_from("abc"),
    st.sampled_from([("INBOX",), ("DRAFT",), ("TRASH",), ()]),
)


@given(st.lists(st.builds(record, st.integers(1, 2**64 - 1), changes), max_size=20), st.randoms())
def test_any_order_of_arrival_folds_to_the_same_and_a_second_time_changes_nothing(records, random):
    numbered = {each.number: each for each in records}
    shuffled = list(numbered.values()) * 2
    random.shuffle(shuffled)
    first = {each.gmail_id: each for each in entries(fold(numbered.values()), {}, EVERYTHING)}
    assert {each.gmail_id: each for each in entries(fold(shuffled), {}, EVERYTHING)} == first


def test_hiring_queries_fit_one_request_each_and_name_whole_domains():
    queries = queries_of("")
    assert len(queries) > 1
    from urllib.parse import quote_plus

    assert max(len(quote_plus(query)) for query in queries) <= LONGEST_QUERY + 100
    assert 'subject:"candidature"' in queries[0]
    assert any("from:greenhouse.io" in query for query in queries)


def test_terms_of_a_data_file_cannot_break_out_of_the_query():
    (query,) = hiring_queries(Hiring(subjects=('a" OR in:anywhere', "{x}")), [])
    assert query.startswith('{subject:"a OR in anywhere" subject:"x"}')


def test_a_hiring_file_that_cannot_be_used_is_named(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("subjects = 5")
    with pytest.raises(HiringFileUnusable, match=r"mine\.toml"):
        queries_of(str(path))
    path.write_text('subjects = ["internship"]')
    assert 'subject:"internship"' in queries_of(str(path))[0]


def test_seconds_not_milliseconds_and_two_days_earlier():
    assert after(NOW) == f"after:{int(NOW.timestamp()) - 2 * 86_400}"


def test_cycles_end_and_survive_a_changed_data_file():
    walks = cycle("first", Narrowing(query="label:x", labels=("L",)), ["{a}", "{b}"], None)
    assert [walk.name for walk in walks] == ["drafts", "hiring:0:L", "hiring:1:L", "chats", "everything:L"]
    assert walks[1].query == "{a} (label:x)"
    assert following(walks, "everything:L") is None
    assert following(walks, "hiring:7") == walks[0]


def letter(raw: bytes, *labels: str, padded: bool = True) -> Letter:
    text = urlsafe_b64encode(raw).decode()
    return Letter(
        gmail_id=GmailId("a"),
        thread_id="18c0",
        labels=labels,
        received_at=NOW,
        raw=text if padded else text.rstrip("="),
    )


def test_padding_is_optional_and_nonsense_is_quarantined():
    assert decoded(letter(b"abcd", padded=False).raw) == decoded(letter(b"abcd").raw) == b"abcd"
    broken = outcome(
        Letter(gmail_id=GmailId("a"), thread_id=None, labels=(), received_at=None, raw="\u20ac"),
        EVERYTHING,
        frozenset(),
    )
    assert (broken.settled.state, broken.settled.reason) == ("quarantined", "message_undecodable")


def test_both_doors_give_the_same_row():
    from mailsync.messages.rules import read_message

    raw = mail("We received your application.")
    archived = b"X-GM-THRID: 6336\nX-Gmail-Labels: Inbox\n" + raw
    by_archive = read_message(archived, frozenset()).message
    by_gmail = outcome(letter(raw, "INBOX"), EVERYTHING, frozenset()).read
    assert by_gmail
    assert by_gmail.message.message_key == by_archive.message_key
    assert by_gmail.message.provider_thread == by_archive.provider_thread == "6336"
    assert by_gmail.message.content_sha256 == by_archive.content_sha256


def test_a_sender_cannot_mark_his_mail_as_ours():
    raw = mail("We received your application.", headers={"X-Gmail-Labels": "Sent"})
    read = outcome(letter(raw, "INBOX"), EVERYTHING, frozenset()).read
    assert read
    assert not read.message.from_owner
    assert dressed(raw, letter(raw, "SENT")).startswith(b"X-Gmail-Labels: Sent")


def test_cursors_are_numbers_of_64_bits_and_never_go_back():
    assert later_cursor("9", "10") == "10"
    assert later_cursor("18446744073709551615", "18446744073709551614") == "18446744073709551615"
    assert later_cursor("7", None) == later_cursor("7", "x") == "7"


def test_rests_grow_and_have_an_end():
    rests = [backoff_seconds(troubles, 0.0) for troubles in range(12)]
    assert rests == sorted(rests)
    assert rests[-1] == 300.0
    assert put_off_until(40, NOW) == NOW + timedelta(hours=6)
