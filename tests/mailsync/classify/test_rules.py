import json
import re
import time
from collections import Counter
from pathlib import Path

import pytest
from fixtures.mail import mail
from hypothesis import given, settings
from hypothesis import strategies as st

from mailsync.classify.languages.load import languages
from mailsync.classify.rules import classify
from mailsync.classify.types import Reading
from mailsync.parse.message import parse_message

LABELS = {
    "confirmation": {"acknowledgement"},
    "rejection": {"rejection", "position_closed"},
    "status_update": {"status_update"},
    "job_alert": {"not_job_related"},
}
POSITIVE = {"acknowledgement", "assessment_invite", "interview_invite", "interview_scheduled", "offer"}


def read(text: str, **fields: str) -> Reading:
    return classify(parse_message(mail(text, **fields)))


def test_quoted_history_is_not_read():
    reading = read(
        "Thank you, Bo.\n\nOn Mon, 2 Feb 2026 at 10:00, Bo <bo@northwind.example> wrote:\n"
        "> We have decided not to move forward with your application.\n"
    )
    assert reading.events == ()


def test_what_the_person_wrote_is_no_answer_from_an_employer():
    raw = mail("We received your application.", sender="Ada <Ada@Example.org>")
    reading = classify(parse_message(raw), frozenset({"ada@example.org"}))
    assert (reading.stage, reading.state, reading.events, reading.note) == (
        "structure",
        "decided",
        (),
        "own_mail",
    )


def test_sent_mail_of_a_takeout_is_the_persons_own():
    raw = b"X-Gmail-Labels: Sent,Opened\n" + mail("We received your application.")
    assert classify(parse_message(raw)).note == "own_mail"


def test_alert_senders_are_known_by_address_alone():
    reading = read("Rejection Specialist at Northwind", sender="LinkedIn <jobalerts-noreply@linkedin.com>")
    assert [(event.kind, event.reason) for event in reading.events] == [("not_job_related", "job_alert")]
    assert reading.events[0].span.text == "jobalerts-noreply@linkedin.com"


def test_a_person_who_writes_about_hiring_is_no_alert():
    subject = "Northwind is hiring"
    assert read("Shall we?", subject=subject, sender="Bo Linden <bo.linden@x.example>").state == "open"
    assert (
        read("Shall we?", subject=subject, sender="Northwind <news@x.example>").events[0].reason
        == "job_alert"
    )


@pytest.mark.parametrize(
    "said",
    [
        "Ton profil nous plaît pour le poste de Boulanger, choisis un créneau pour un premier appel.",
        "Wir finden dein Profil für die Stelle Bäcker richtig spannend!",
    ],
)
def test_a_desk_that_likes_a_profile_has_had_an_application_and_a_stranger_has_not(said: str):
    stranger = read(said, sender="Ada Quill <ada@search.example>")
    assert [event.kind for event in stranger.events] == ["recruiter_outreach"]
    for desk in ("Northwind <jobs@northwind.example>", "Northwind <no-reply@hire.lever.co>"):
        assert "recruiter_outreach" not in {event.kind for event in read(said, sender=desk).events}


def test_a_form_that_names_who_hires_and_for_what_is_about_that_application():
    subject = "Bitte Datenschutzerklärung bestätigen - Softwareentwickler*in, Autohaus Rödfeld"
    said = read("Danach geht es weiter.", subject=subject, sender="Autohaus Rödfeld HR <hr@roedfeld.example>")
    assert (said.state, said.events) == ("open", ())
    assert {"employer", "role"} <= {fact.name for fact in said.facts}
    general = read("Danach ist Ihr Konto offen.", subject="Bitte Datenschutzerklärung bestätigen")
    assert general.events[0].kind == "not_job_related"


def test_a_board_also_carries_mail_about_applications():
    reading = read("Your application was sent to Northwind.", sender="LinkedIn <jobs-noreply@linkedin.com>")
    assert [event.kind for event in reading.events] == ["acknowledgement"]


def test_a_message_can_say_several_things():
    reading = read(
        "We have received your application for the Baker role.\n"
        "As a next step, please complete the online assessment within a week.",
    )
    assert [event.kind for event in reading.events] == ["assessment_invite", "acknowledgement"]


def test_a_message_that_contradicts_itself_stays_open():
    reading = read(
        "We will not be moving forward with your application.\n\n"
        "We would like to invite you to an interview for the position on Monday.",
    )
    assert (reading.state, reading.note) == ("open", "contradiction")


@pytest.mark.parametrize(
    ("method", "kind"), [("REQUEST", "interview_scheduled"), ("CANCEL", "status_update")]
)
def test_a_calendar_entry_about_an_interview_says_so(method: str, kind: str):
    raw = (
        "Subject: Interview with Northwind\nFrom: bo@northwind.example\n"
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nSee you.\n--b\n"
        f"Content-Type: text/calendar\n\nBEGIN:VCALENDAR\nMETHOD:{method}\nEND:VCALENDAR\n--b--\n"
    )
    assert [event.kind for event in classify(parse_message(raw.encode())).events] == [kind]


def test_a_calendar_entry_of_a_friend_says_nothing():
    head = b"Subject: Coffee with Bo\nContent-Type: text/calendar; method=REQUEST\n\n"
    raw = head + b"BEGIN:VCALENDAR\nEND:VCALENDAR\n"
    assert classify(parse_message(raw)).events == ()


def test_typography_changes_nothing():
    plain = "Unfortunately we won't be moving forward with your application - we've chosen another candidate."
    fancy = plain.replace("'", "\u2019").replace(" - ", "\u2014").replace("won", "*won*")
    assert [e.kind for e in read(plain).events] == [e.kind for e in read(fancy).events] == ["rejection"]


def test_phrases_have_names_of_their_own_and_whole_patterns():
    for language in languages():
        phrases = (*language.phrases, *language.receipt, *language.thanks, *language.reviewing)
        assert len(phrases) > 40
        assert not [name for name, count in Counter(phrase.name for phrase in phrases).items() if count > 1]
        for phrase in phrases:
            for pattern in (phrase.pattern, phrase.veto):
                # A fragment nobody replaced, and an alternative that is empty and matches everything.
                assert pattern is None or not re.search(r"(?<!\?P)<\w+>|^\||\|$|\|\|", pattern.pattern), (
                    phrase.name
                )


VOCABULARY = """not we your application interview candidate other position has been for the to will
    decided Engineer at unfortunately please complete assessment schedule time offer you received thank is and
    if Acme Role - , . ; '"""
WORDS = VOCABULARY.split()


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=60), st.lists(st.sampled_from(WORDS), max_size=12))
def test_any_words_give_one_reading_whose_spans_stand_there(text: list[str], subject: list[str]):
    message = parse_message(mail(" ".join(text), subject=" ".join(subject)))
    reading = classify(message)
    assert reading == classify(message)
    assert (reading.state == "decided") == bool(reading.events)
    for event in reading.events:
        whole = message.subject if event.span.source == "subject" else message.body
        assert whole[event.span.start : event.span.end] == event.span.text


@pytest.mark.parametrize(
    "word", ["not ", "A ", "A.", "(A", "we will ", "; complete ", "- schedule http://", "n't\n"]
)
def test_hostile_text_is_read_in_bounded_time(word: str):
    message = parse_message(mail(word * (200_000 // len(word)), subject=(word * 900).replace("\n", " ")))
    started = time.process_time()
    classify(message)
    assert time.process_time() - started < 3


def test_the_real_messages_are_read_as_a_person_reads_them(shared_data: Path):
    folder = shared_data / "mail" / "findajob-eml"
    labels = {
        row["file"]: row["label"]
        for row in map(json.loads, (folder / "labels.jsonl").read_text().splitlines())
    }
    labels |= {str(path.relative_to(folder)): "confirmation" for path in folder.rglob("html_only/*.eml")}
    said: Counter[tuple[str, str]] = Counter()
    for file, label in labels.items():
        reading = classify(parse_message((folder / file).read_bytes()))
        said[label, reading.events[0].kind if reading.events else "open"] += 1
    for label, kinds in LABELS.items():
        right = sum(count for (truth, kind), count in said.items() if truth == label and kind in kinds)
        claimed = sum(count for (_, kind), count in said.items() if kind in kinds)
        wanted = sum(count for (truth, _), count in said.items() if truth == label)
        print(f"{label:14} precision {right}/{claimed} recall {right}/{wanted}")
    assert sum(said.values()) == 26
    assert all(kind in LABELS[label] for label, kind in said)
    assert not [pair for pair in said if pair[0] == "rejection" and pair[1] in POSITIVE]


# A test each, so that processes share the work.
SUITES = (
    "mime4j/core/src/test/resources/mimetools-testmsgs",
    "mime4j/core/src/test/resources/testmsgs",
    "stalwart-mail-parser/eml/legacy",
    "stalwart-mail-parser/eml/malformed",
    "stalwart-mail-parser/eml/rfc",
    "stalwart-mail-parser/eml/thirdparty",
    "stalwart-mail-parser/maildir",
    "got-your-back",
    "icalendar",
    "talon",
    "zapier-reply-parser",
)


@pytest.mark.parametrize("suite", SUITES)
def test_mail_of_mailing_lists_and_test_suites_says_nothing_about_applications(shared_data: Path, suite: str):
    """The .json files are left out: they describe the same messages, at ten times the length."""
    files = (path for path in sorted((shared_data / "mime" / suite).rglob("*")) if path.is_file())
    paths = [path for path in files if path.suffix != ".json"]
    assert paths
    wrong: list[tuple[str, str]] = []
    for path in paths:
        events = classify(parse_message(path.read_bytes())).events
        wrong += [(path.name, event.kind) for event in events if event.kind != "not_job_related"]
    assert wrong == []
