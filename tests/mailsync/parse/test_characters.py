import time

import pytest
from fixtures.mail import mail

from mailsync.parse.calendars import calendar_text
from mailsync.parse.characters import as_seen
from mailsync.parse.message import parse_message

DECOMPOSED = "Re\u0301ponse a\u0300 votre candidature"
COMPOSED = "R\u00e9ponse \u00e0 votre candidature"


def test_an_accent_sent_apart_from_its_letter_is_one_letter_in_head_text_and_links():
    raw = mail(
        f"{DECOMPOSED}.\n",
        subject=DECOMPOSED,
        html=f"<p>{DECOMPOSED}, et <a href='https://jobs.example/7'>voila\u0300 la suite</a>.</p>",
    )
    message = parse_message(raw)
    assert message.subject == COMPOSED
    assert message.body.startswith(COMPOSED)
    shown = [message.body[link.start : link.end] for link in message.links]
    assert shown == ["voil\u00e0 la suite"]


@pytest.mark.parametrize("place", ["subject", "text", "name", "file", "calendar"])
def test_marks_nobody_sees_stand_in_nothing_that_is_read(place: str):
    hidden = "not\u200b sel\u00adec\u2060ted\u202e\u061c\u034f\ufe0f\U000e0041"
    raw = {
        "subject": f"Subject: {hidden}\n\n",
        "text": f"Content-Type: text/plain; charset=utf-8\n\n{hidden}\n",
        "name": f"From: {hidden} <a@x.example>\n\n",
        "file": f'Content-Type: application/pdf; name="{hidden}"\n\n',
        "calendar": f"Content-Type: text/calendar\n\nSUMMARY:{hidden}\n",
    }[place]
    message = parse_message(raw.encode())
    read = {
        "subject": message.subject,
        "text": message.body,
        "name": message.sender.name,
        "file": "".join(each.name for each in message.attachments),
        "calendar": "".join(calendar_text(each.content)[len("SUMMARY:") :] for each in message.calendars),
    }[place]
    assert read.strip() == "not selected"


@pytest.mark.parametrize("blank", "\u00a0\u202f\u2009\u3000\u2003")
def test_every_blank_is_the_same_blank(blank: str):
    assert as_seen(f"Poste{blank}: Boulanger") == "Poste : Boulanger"


def test_a_tower_of_accents_is_cut_before_it_is_ordered():
    began = time.process_time()
    assert len(as_seen("e" + "\u0316\u0301" * 100_000)) < 40
    assert time.process_time() - began < 5
