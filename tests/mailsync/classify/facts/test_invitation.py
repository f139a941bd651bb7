from email.message import EmailMessage

from mailsync.classify.facts import facts_of
from mailsync.classify.said import read_text
from mailsync.classify.types import Fact
from mailsync.parse.calendars import calendar_text
from mailsync.parse.message import parse_message
from mailsync.parse.types import ParsedMessage

INVITATION = """BEGIN:VCALENDAR
METHOD:{method}
BEGIN:VEVENT
UID:one@northwind.example
DTSTART;TZID=Europe/Berlin:20260212T140000
SUMMARY:Interview with Northwind: Night Baker
ORGANIZER;CN=Grace Harlow:mailto:grace@northwind.example
END:VEVENT
END:VCALENDAR
"""


def invited(method: str, text: str = "See you on 13 February 2026.") -> ParsedMessage:
    message = EmailMessage()
    message["From"] = "Calendar <no-reply@calendar.example>"
    message["Subject"] = "Invitation"
    message.set_content(text)
    message.add_alternative(INVITATION.format(method=method), subtype="calendar", params={"method": method})
    return parse_message(message.as_bytes())


def facts(message: ParsedMessage) -> dict[str, Fact]:
    return {fact.name: fact for fact in facts_of(read_text(message))}


def test_an_invitation_names_when_it_is_who_invites_and_what_for():
    message = invited("REQUEST")
    found = facts(message)
    assert found["appointment"].comparable == "2026-02-12T13:00Z"
    assert found["contact"].value == "Grace Harlow <grace@northwind.example>"
    assert (found["employer"].value, found["role"].value) == ("Northwind", "Night Baker")
    text = calendar_text(message.calendars[0].content)
    for name in ("appointment", "contact", "employer", "role"):
        span = found[name].span
        assert span.source == "calendar"
        assert text[span.start : span.end] == span.text


def test_what_is_cancelled_or_only_answered_is_no_appointment():
    assert "appointment" not in facts(invited("CANCEL"))
    assert "appointment" not in facts(invited("REPLY"))
    assert "contact" not in facts(invited("REPLY", text="Hello."))
