import pytest
from fixtures.mail import mail

from mailsync.classify.rules import classify
from mailsync.parse.message import parse_message

BOARD = "AllJobs <noreply@alljobs.co.il>"
STRANGER = "Bo <bo.linden@friends.example>"


def reasons(subject: str, text: str, sender: str) -> list[str | None]:
    events = classify(parse_message(mail(text, subject=subject, sender=sender))).events
    return [event.reason for event in events]


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("\u200f5 משרות עבורך", "שלום"),
        ("עדה, שלום", "\u200f8 משרות חדשות בתחום שלך"),
        ("Nieuwe vacatures in Gent", "Bekijk ze nu."),
        ("Novas vagas para si", "Veja."),
        ("Новые вакансии за неделю", "Смотреть"),
        ("新着求人のお知らせ", "見る"),
    ],
)
def test_an_alert_of_a_board_is_one_in_languages_without_rules(subject: str, text: str):
    assert reasons(subject, text, BOARD) == ["job_alert"]


def test_the_text_of_others_may_speak_of_openings():
    assert reasons("שלום", "ראית משרות חדשות?", "Blog <blog@letters.example>") == []


def test_a_person_who_sends_openings_is_no_alert():
    assert reasons("משרות בשבילך", "שלום", "Bo Linden <bo.linden@friends.example>") == []


def test_mail_of_a_board_about_an_application_is_no_alert():
    assert reasons("עדכון", "מועמדותך נשלחה. אולי יעניינו אותך גם משרות דומות", BOARD) == []


@pytest.mark.parametrize(
    "sender",
    ["Dice <dice@dice.com>", "Jobs <jobs@news.example>", "Careers <careers@northwind.example>"],
)
def test_a_desk_whose_name_stands_in_its_address_is_no_person(sender: str):
    assert reasons("12 new Night Baker jobs in Leeds", "Apply now.", sender) == ["job_alert"]


@pytest.mark.parametrize(
    "subject",
    [
        "Ada, don't forget to apply to Night Baker at Northwind",
        "Your saved job closes soon",
        "Night Baker at Northwind and 9 more",
        "Northwind is still hiring",
        "Top job picks for you",
        "I'd like to add you to my professional network",
    ],
)
def test_nags_of_boards_are_known_by_their_subject(subject: str):
    assert reasons(subject, "See it on the site.", "LinkedIn <jobs-noreply@linkedin.com>") in (
        ["job_alert"],
        ["marketing"],
    )
