import pytest
from fixtures.mail import mail

from mailsync.classify.facts import facts_of
from mailsync.classify.said import read_text
from mailsync.parse.message import parse_message

SIGNED = "Hello Ada,\n\nwe got your application.\n\nKind regards,\nGrace Harlow\nTalent Partner\nNorthwind\n"


def contacts(sender: str, text: str = "We got your application.") -> list[str]:
    message = parse_message(mail(text, subject="Your application", sender=sender))
    return [fact.value for fact in facts_of(read_text(message)) if fact.name == "contact"]


@pytest.mark.parametrize(
    ("sender", "text", "contact"),
    [
        (
            "Grace Harlow <grace.harlow@northwind.example>",
            "Hello.",
            "Grace Harlow <grace.harlow@northwind.example>",
        ),
        ("Grace at Northwind <grace@northwind.example>", "Hello.", "Grace <grace@northwind.example>"),
        (
            '"Harlow, Grace" <g.harlow@northwind.example>',
            "Hello.",
            "Grace Harlow <g.harlow@northwind.example>",
        ),
        (
            "Grace Harlow - Northwind <grace.harlow@nw.teamtailor-mail.com>",
            "Hello.",
            "Grace Harlow <grace.harlow@nw.teamtailor-mail.com>",
        ),
        ("Grace Harlow via SmartRecruiters <notification@smartrecruiters.com>", "Hello.", "Grace Harlow"),
        ("Northwind <no-reply@northwind.example>", SIGNED, "Grace Harlow"),
        (
            "Northwind <no-reply@northwind.example>",
            "We got it.\n\n-- \nGrace Harlow\nRecruiter, Northwind",
            "Grace Harlow",
        ),
        ("Northwind <no-reply@northwind.example>", "We got it.\n\nContact: Grace Harlow", "Grace Harlow"),
    ],
)
def test_who_writes_or_signs_is_the_contact(sender: str, text: str, contact: str):
    assert contacts(sender, text) == [contact]


@pytest.mark.parametrize(
    "sender",
    [
        "Northwind Talent Team <careers@northwind.example>",
        "Northwind <no-reply@northwind.example>",
        "Recruiting <recruiting@northwind.example>",
        "no-reply@us.greenhouse-mail.io",
        "LinkedIn <jobs-noreply@linkedin.com>",
        "HackerRank Team <support@hackerrankforwork.com>",
        "Juniper Lane <no-reply@hire.lever.co>",
    ],
)
def test_a_mailbox_is_nobody_to_answer(sender: str):
    assert contacts(sender) == []
