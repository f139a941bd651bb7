import pytest

from mailsync.parse.quotes import separate

HISTORIES = {
    "marked": "> How about Monday?",
    "one line": "On Mon, 2 Feb 2026 at 10:00, Bo Li <bo@x.example> wrote:\n> How about Monday?",
    "two lines": "On Mon, 2 Feb 2026 at 10:00, Bo Li\n<bo@x.example> wrote:\n\n> How about Monday?",
    "unmarked": "On 2 Feb 2026, at 10:00, Bo wrote:\n\nHow about Monday?",
    "german": "Am Mo., 2. Feb. 2026 um 10:00 Uhr schrieb Bo <bo@x.example>:\n> Montag?",
    "french": "Le lun. 2 févr. 2026 à 10:00, Bo <bo@x.example> a écrit :\n> Lundi ?",
    "any language": "2. 2. 2026 klo 10:00 Bo <bo@x.example>:\n\nMaanantai?",
    "outlook": "From: Bo\nSent: Monday, 2 February 2026 10:00\nTo: Ada\nSubject: Call\n\nHow about Monday?",
    "outlook with a rule": "________________________________\nFrom: Bo\nDate: Monday\nTo: Ada\n\nMonday?",
    "original": "-----Original Message-----\nFrom: Bo\n\nHow about Monday?",
}


@pytest.mark.parametrize("shape", HISTORIES)
def test_history_is_apart_from_what_was_written(shape: str):
    separated = separate(f"Tuesday suits me.\n\n{HISTORIES[shape]}")
    assert separated.written == "Tuesday suits me."
    assert separated.quoted
    assert not separated.is_forward


def test_answers_between_the_quoted_lines_are_the_senders():
    separated = separate("On 2 Feb 2026, at 10:00, Bo wrote:\n> Monday?\nNo.\n> Tuesday?\nYes.")
    assert separated.written == "No.\nYes."


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("see this\n\n---------- Forwarded message ---------\nFrom: Bo <b@x>\n\nWe offer", "Fwd: Offer"),
        ("Begin forwarded message:\n\nFrom: Bo\n\nWe offer", "Offer"),
        ("see this\n\nFrom: Bo\nSent: Monday\nTo: Ada\nSubject: Offer\n\nWe offer", "FW: Offer"),
    ],
)
def test_what_was_forwarded_stays(text: str, subject: str):
    separated = separate(text, subject)
    assert separated.written.endswith("We offer")
    assert separated.is_forward


@pytest.mark.parametrize(
    "mark", ["-- \nBo Li\nRecruiter", "--\nBo", "Sent from my iPhone", "Get Outlook for iOS"]
)
def test_a_signature_is_apart(mark: str):
    separated = separate(f"Hello.\n\n{mark}")
    if mark.startswith("Get"):
        assert separated.written.endswith(mark)
    else:
        assert separated.written == "Hello."
        assert separated.signature


@pytest.mark.parametrize(
    "text",
    [
        "On your first day, you will work from 9:00 with Bo.\nWelcome:",
        "Sent from my desk, which is quicker.",
        "Date: Monday\nTime: 10:00\nWhere: online",
        "a -- b",
    ],
)
def test_prose_that_looks_like_a_mark_stays(text: str):
    assert separate(text).written == text


def test_one_endless_line_takes_no_time():
    text = "On a " + "a " * 200_000 + "wrote"
    assert separate(text).written == text
