from pathlib import Path

import pytest
from fixtures.mail import mail

from mailsync.classify.rules import classify
from mailsync.classify.screen import Screened, screen
from mailsync.parse.message import parse_message

FRIEND = "Bo Linden <bo.linden@friends.example>"


def screened(text: str, subject: str = "Hello", sender: str = FRIEND, **fields: str) -> Screened:
    message = parse_message(mail(text, subject=subject, sender=sender, headers=fields))
    return screen(message, classify(message))


@pytest.mark.parametrize(
    "text",
    [
        "Could you tell me more about your resume?",
        "The hiring manager would rather meet in March.",
        "About the position: the interview panel has changed.",
        "Ihre Bewerbung ist eingegangen.",
        "Votre candidature a retenu notre attention.",
        "Gracias por su candidatura.",
        "Sure, Tuesday works.\n\nOn 2 Feb 2026, at 10:00, Bo wrote:\n> Shall we talk about your application?",
    ],
)
def test_what_speaks_of_hiring_is_kept_although_the_rules_left_it_open(text: str):
    assert screened(text).kept == "whole"


@pytest.mark.parametrize(
    "text",
    [
        "Lunch on Friday?",
        "Your parcel arrives tomorrow.",
        "The minutes of the meeting are attached.",
        "I applied the patch, the application starts again.",
        "Happy birthday from all of us!",
    ],
)
def test_other_mail_leaves_its_identity_only(text: str):
    assert screened(text) == Screened(kept="identity", reason="no_hiring_words")


@pytest.mark.parametrize(
    "text",
    [
        "No luck with the backend role, sorry. Happy to say more on a video call.",
        "In the end the offer went to the other finalist.",
        "Can you come in Thursday at ten for an interview?",
        "You got the job! Can you start on the first?",
        "The file was damaged, could you send your CV again?",
        "The committee asks whether 5 June would be convenient for the librarian.",
        "We are still talking to candidates.",
    ],
)
def test_one_person_writing_to_another_about_a_job_need_not_name_it_twice(text: str):
    assert screened(text).kept == "whole"
    bulk = {"List-Unsubscribe": "<https://x.example/u>"}
    assert screened(text, sender="Letters <news@letters.example>", **bulk).kept == "identity"


@pytest.mark.parametrize(
    "text",
    [
        "Great job by the keeper, and our offer stands: two tickets.",
        "Mum, I got the job of bringing the cake.",
        "The position of the sun was perfect; the photos are attached.",
        "Your contract for electricity is renewed on the first of May.",
        "The committee meets on Monday; the minutes are attached.",
    ],
)
def test_words_that_work_shares_with_life_are_not_enough(text: str):
    assert screened(text).kept == "identity"


@pytest.mark.parametrize(
    ("text", "sender"),
    [
        ("The people here would like to see you. Ring the bell of the second floor.", "hr@brimvale.example"),
        ("Whom may we ring to hear about you?", "talent.emea@brimvale.example"),
        ("Nous vous attendons lundi.", "recrutement@brimvale.example"),
        ("Job title: Dental Hygienist\n\nTwo names are plenty.", "office@brimvale.example"),
        ("More at https://jobs.lever.co/brimvale/243d75d2-09fb-44fd-ad63-b59155d4285b", "a@b.example"),
    ],
)
def test_who_hires_need_not_say_so(text: str, sender: str):
    assert screened(text, sender=sender).kept == "whole"
    bulk = {"List-Unsubscribe": "<https://x.example/u>", "Precedence": "bulk"}
    assert screened("Ten shoes for the spring.", sender=sender, **bulk).kept == "identity"
    assert screened("See you on Monday.", sender="jobsworth@brimvale.example").kept == "identity"


@pytest.mark.parametrize(
    "sender",
    [
        "Recursos Humanos <info@tarnowick.example>",
        "Tarnowick Recrutement <contact@tarnowick.example>",
        "Equipo de Selecci\u00f3n de Tarnowick <no-reply@tarnowick.example>",
        "Tarnowick <no-reply.careers@tarnowick.example>",
        "Bewerbermanagement Tarnowick <post@tarnowick.example>",
    ],
)
def test_what_a_hiring_desk_writes_is_kept_by_whichever_sign_it_is_one(sender: str):
    assert screened("Tuesday at ten suits us well.", sender=sender).kept == "whole"


@pytest.mark.parametrize(
    "sender",
    ["Hugo Talentino <hugo@friends.example>", "Person Hrabal <p.hrabal@friends.example>"],
)
def test_a_name_that_only_looks_like_a_desk_is_a_persons(sender: str):
    assert screened("Tuesday at ten suits us well.", sender=sender).kept == "identity"


def test_what_a_board_writes_to_one_reader_is_kept_and_what_it_sends_to_many_is_not():
    said = {"sender": "InfoJobs <noreply@infojobs.net>", "subject": "Enviado"}
    assert (
        screened(
            "Enviado: la empresa ya ha recibido lo que mandaste y lo leerá en los próximos días.", **said
        ).kept
        == "whole"
    )
    sent_to_many = screened(
        "Enviado: la empresa ya ha recibido lo que mandaste y lo leerá en los próximos días.",
        **said,
        **{"List-Unsubscribe": "<https://x.example/u>"},
    )
    assert sent_to_many.kept != "whole"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Tras valorar tu perfil hemos elegido a otra persona. Gracias por tu tiempo.", "whole"),
        ("Hemos cambiado la foto de tu perfil en el club de tenis.", "identity"),
    ],
)
def test_one_word_is_enough_where_the_letter_as_a_whole_is_about_an_application(text: str, kept: str):
    assert screened(text, sender="Marta Ruiz <marta@nuvara.example>").kept == kept


def test_a_newsletter_about_work_is_not_kept_and_a_hiring_platform_with_the_same_header_is():
    news = "How recruiters read a resume, and ten job opportunities you should know."
    bulk = {"List-Unsubscribe": "<https://x.example/u>"}
    assert screened(news, sender="Career News <news@letters.example>", **bulk).kept == "identity"
    assert screened("See you soon.", sender="no-reply@us.greenhouse-mail.io", **bulk).kept == "whole"


def test_mail_about_jobs_in_general_leaves_subject_and_reason():
    found = screened(
        "Apply now.", subject="12 new Baker jobs in Leeds", sender="Alerts <news@letters.example>"
    )
    assert found == Screened(kept="headers", reason="job_alert")


def test_every_real_message_about_an_application_is_kept(shared_data: Path):
    for path in sorted((shared_data / "mail" / "findajob-eml" / "rejection_emails").rglob("*.eml")):
        message = parse_message(path.read_bytes())
        assert screen(message, classify(message)).kept == "whole", path
