"""Ways in which other tools read hiring mail wrongly, as their users reported them; the wording is ours.

Reports about fetching, matching and correcting are tested where that is done.
"""

import msgspec
import pytest
from fixtures.mail import mail

from mailsync.classify.rules import classify
from mailsync.classify.screen import screen
from mailsync.classify.types import Reading
from mailsync.parse.message import parse_message

REFUSAL = "Thank you for applying. We have decided not to move forward with your application for the role."
POSITIVE = {"acknowledgement", "assessment_invite", "interview_invite", "interview_scheduled", "offer"}


def read(text: str, sender: str = "Northwind <no-reply@ashbyhq.com>", subject: str = "Hello") -> Reading:
    return classify(parse_message(mail(text, subject=subject, sender=sender)))


def kinds(text: str, sender: str = "Northwind <no-reply@ashbyhq.com>") -> list[str]:
    return [event.kind for event in read(text, sender).events]


def facts(reading: Reading, name: str) -> list[str]:
    return [fact.value for fact in reading.facts if fact.name == name]


@pytest.mark.parametrize(
    "sender",
    [
        "northwind@myworkday.com",
        "Northwind Talent <talent@northwind.example>",
        "mail@hire.lever.co",
        "no-reply@hire.lever.co",
        "Bo Linden <bo.linden@agency.example>",
        "Unheard Of <post@relay-nobody-knows.example>",
    ],
)
def test_a_refusal_is_one_whoever_sends_it(sender: str):
    """Lists of allowed senders hid refusals of Workday, of employers, agencies and of a second local part."""
    assert kinds(REFUSAL, sender=sender) == ["rejection"]
    message = parse_message(mail(REFUSAL, sender=sender))
    assert screen(message, classify(message)).kept == "whole"


@pytest.mark.parametrize(
    "text",
    [
        "We won't be taking your application any further.",
        "Your application will not be progressed to the next stage.",
        "We're unable to offer you an interview for this role.",
        "You have not been shortlisted for the position.",
        "The team has chosen to pursue other applicants for this role.",
        "We decided to move ahead with another candidate for the job.",
        "Your profile was not selected for the vacancy.",
        "I'm afraid your application has been unsuccessful.",
        "We have concluded that your experience is not the right match for this role.",
    ],
)
def test_one_idea_has_many_wordings(text: str):
    """One canonical wording per idea lost everything near it, for good."""
    assert kinds(text) == ["rejection"]


@pytest.mark.parametrize(
    "text",
    ["Your application was viewed by Northwind.", "Northwind viewed your application for Night Baker."],
)
def test_that_an_application_was_viewed_is_told(text: str):
    """Half of such notes were the only trace of an application, and dropped as noise."""
    assert kinds(text, sender="LinkedIn <jobs-noreply@linkedin.com>") == ["status_update"]


def test_a_letter_of_html_alone_is_read_and_not_judged_by_its_subject():
    """A refusal became a screening, as only the subject was seen."""
    head = b"From: no-reply@us.greenhouse-mail.io\nSubject: Your interview with Northwind\n"
    body = b"<html><body><table><tr><td><p>Hi Ada,</p><p>we will not be moving <b>forward</b> with your"
    raw = head + b"Content-Type: text/html\n\n" + body + b" application.</p></td></tr></table></body></html>"
    assert [event.kind for event in classify(parse_message(raw)).events] == ["rejection"]


@pytest.mark.parametrize(
    "brand", ["Greenhouse", "Workday", "LinkedIn", "Personio", "Teamtailor", "Welcome Kit"]
)
def test_the_brand_of_a_relay_is_not_the_employer(brand: str):
    """The receipts of many employers became one application at the relay."""
    reading = read(
        "Thank you for applying to Northwind. We have received your application.",
        sender=f"{brand} <no-reply@us.greenhouse-mail.io>",
        subject="Thank you for applying to Northwind",
    )
    assert facts(reading, "employer") == ["Northwind"]


def test_a_recruiter_is_not_the_employer():
    reading = read(
        "I am recruiting on behalf of a client. Are you open to a new role?",
        sender="Bo Linden <bo.linden@apex-recruiting.example>",
    )
    assert facts(reading, "employer") == []


def test_what_a_history_tells_is_not_told_again():
    """Quoted history named a sibling role and an older decision."""
    text = (
        "Yes, ten o'clock is fine for the interview, see you then.\n\n"
        "On Mon, 2 Feb 2026 at 10:00, Bo <bo@northwind.example> wrote:\n"
        "> We have decided not to move forward with your application for Night Baker.\n"
    )
    reading = read(text)
    assert "rejection" not in {event.kind for event in reading.events}
    assert "Night Baker" not in facts(reading, "role")


@pytest.mark.parametrize(
    "text",
    [
        "We're unable to offer you the role.",
        "We regret that we are not in a position to make you an offer for the role.",
        "An offer of employment can not be made to you at this time.",
    ],
)
def test_unable_to_offer_is_no_offer(text: str):
    assert not POSITIVE & set(kinds(f"Thank you for interviewing with us. {text}"))


@pytest.mark.parametrize(
    "text",
    [
        "We will schedule interviews with those whose experience matches.",
        "Interviews will be held in the second week of May with shortlisted candidates.",
        "If there is a match, a recruiter will contact you to schedule an interview.",
        "Our process has three steps: a call, a coding test and an interview on site.",
    ],
)
def test_a_receipt_that_speaks_of_interviews_is_a_receipt(text: str):
    """It became an interview, three times over."""
    assert kinds(f"We have received your application for Night Baker. {text}") == ["acknowledgement"]


def test_mail_of_the_person_is_no_answer():
    raw = mail("Thank you for the offer. I would love to interview.", sender="Ada <ada@example.org>")
    reading = classify(parse_message(raw), frozenset({"ada@example.org"}))
    assert (reading.events, reading.note) == ((), "own_mail")


@pytest.mark.parametrize(
    ("subject", "text", "reason"),
    [
        ("How was your interview experience?", "Please take our short survey.", "survey"),
        ("Tell us how we did", "Rate your candidate experience with us.", "survey"),
        ("Your security code", "Enter this code to submit your application: 8812.", "one_time_code"),
        ("Verify your email address", "Click to verify your candidate account.", "account"),
        ("12 new Night Baker jobs in Leeds", "Apply now.", "job_alert"),
    ],
)
def test_mail_beside_an_application_says_nothing_about_it(subject: str, text: str, reason: str):
    """Surveys, codes and alerts were stored as outcomes."""
    events = read(text, subject=subject, sender="Northwind <news@northwind.example>").events
    assert [(event.kind, event.reason) for event in events] == [("not_job_related", reason)]


def test_a_calendar_entry_with_a_friend_is_no_interview():
    head = b"From: Bo <bo@friends.example>\nSubject: Catching up\n"
    raw = head + b"Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n"
    assert classify(parse_message(raw)).events == ()


@pytest.mark.parametrize(
    "text",
    [
        "Unfortunately I have to move our interview to Thursday at ten. Does that work for you?",
        "Unfortunately the interviewer is ill. Could we reschedule your interview for the role?",
        "Regrettably our portal was down; your application is safe.",
    ],
)
def test_unfortunately_alone_is_no_refusal(text: str):
    assert not {"rejection", "position_closed"} & set(kinds(text))


@pytest.mark.parametrize("header", ["List-Unsubscribe", "List-Id", "Precedence", "Feedback-ID"])
def test_headers_of_bulk_mail_throw_nothing_away(header: str):
    """Hiring platforms set them as newsletters do."""
    raw = mail(REFUSAL, sender="northwind@myworkday.com", headers={header: "bulk"})
    message = parse_message(raw)
    assert [event.kind for event in classify(message).events] == ["rejection"]
    assert screen(message, classify(message)).kept == "whole"


def test_an_at_sign_in_the_display_name_does_not_hide_the_domain():
    message = parse_message(
        mail(REFUSAL, sender='"Northwind @ icims" <northwind+autoreply@talent.icims.com>')
    )
    assert message.sender.domain == "talent.icims.com"
    assert facts(classify(message), "tenant") == ["northwind"]


def test_every_event_leads_back_to_the_words_of_the_message():
    """There was no way back to the original."""
    message = parse_message(mail(REFUSAL))
    for event in classify(message).events:
        assert event.span is not None
        assert message.body[event.span.start : event.span.end] == event.span.text
        assert msgspec.json.encode(event)
