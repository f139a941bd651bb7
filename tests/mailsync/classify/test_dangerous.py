"""What must not happen: bad news read as good news, in every language, whatever stands around it."""

from itertools import cycle, islice
from pathlib import Path

import pytest
from fixtures.mail import mail
from fixtures.mail_corpus import grouped, letters

from mailsync.classify.languages.load import NAMES, languages
from mailsync.classify.rules import classify
from mailsync.parse.message import parse_message

HERE = Path(__file__).parent
GOOD_NEWS = {"acknowledgement", "assessment_invite", "interview_invite", "interview_scheduled", "offer"}
_RECEIPTS_A_REFUSAL = 3


def texts(folder: Path, kind: str) -> list[str]:
    path = folder / f"{kind}.txt"
    if not path.exists():
        return []
    return [
        block.partition("\n")[2].strip()
        for block in ("\n" + path.read_text(encoding="utf-8")).split("\n== ")[1:]
    ]


def folder_of(name: str) -> Path:
    return HERE / "cases" if name == "english" else HERE / "languages" / name


def refusals(name: str) -> list[str]:
    own = [text for kind in ("rejection", "position_closed") for text in texts(folder_of(name), kind)]
    if name != "english":
        return own
    return own + [letter.text.strip() for letter in letters() if grouped(letter.kind) == "rejection"]


def good_news(text: str, subject: str = "Update") -> set[str]:
    return GOOD_NEWS & {event.kind for event in classify(parse_message(mail(text, subject=subject))).events}


def test_every_language_has_refusals_and_receipts_to_mix():
    assert len(NAMES) == len(languages())
    for name in NAMES:
        assert len(refusals(name)) >= 20, name
        assert len(texts(folder_of(name), "acknowledgement")) >= 5, name


@pytest.mark.parametrize("name", NAMES)
def test_a_refusal_alone_is_never_good_news(name: str):
    assert [text for text in refusals(name) if good_news(text)] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_refusal_between_a_receipt_and_praise_is_never_good_news(name: str):
    receipts = texts(folder_of(name), "acknowledgement")
    found: list[str] = []
    for number, refusal in enumerate(refusals(name)):
        for receipt in islice(cycle(receipts), number, number + _RECEIPTS_A_REFUSAL):
            for letter in (f"{receipt}\n\n{refusal}", f"{refusal}\n\n{receipt}"):
                if good_news(letter):
                    found.append(letter)  # noqa: PERF401 - reads better than four loops in one
    assert found == []


OFFERS_DENIED = [
    "We are unable to offer you the position.",
    "We're not able to extend an offer at this time.",
    "It will not be possible to make you an offer of employment.",
    "We regret that we can't offer you an interview for the job.",
    "I am sorry to say there will be no offer from us for the role.",
    "We had hoped to offer you the role, but the board decided otherwise.",
    "The offer letter we sent you for the position has been withdrawn.",
    "The offer went to the other finalist for the role.",
    "Unfortunately the interview you were invited to is cancelled, as the position has been filled.",
    "We enjoyed your interview and your take-home exercise; still, we chose someone else for the role.",
    "Congratulations on reaching the final interview. We have made an offer to another candidate.",
    "You will not be invited to an interview for the role.",
    "We can't move you to the next round of interviews.",
    "We can no longer offer you the interview we had scheduled for the role.",
    "Your interview was very good, yet you were not our first choice for the position.",
]


@pytest.mark.parametrize("text", OFFERS_DENIED)
@pytest.mark.parametrize(
    "subject", ["Your offer from Northwind", "Interview invitation", "Application received", "Great news"]
)
def test_an_offer_or_an_invitation_that_is_denied_is_none(text: str, subject: str):
    told = good_news(f"Dear Ada,\n\nThank you for your application.\n\n{text}\n\nBest,\nNorthwind", subject)
    # What a subject promises is told only when nothing below denies it.
    assert not told & (GOOD_NEWS - {"acknowledgement"})
    assert not told


REFUSALS_AFTER_PRAISE = [
    "We enjoyed the interview, but have chosen to move ahead with others.",
    "Your interview with our team went well; nevertheless the offer goes to somebody else.",
    "We know you put time into the take-home test. It wasn't quite at the level we expect.",
    "Thank you for completing the assessment. Your results were below the cut-off.",
    "We have received many applications and yours was among the best, but you came second.",
    "Interviews have been scheduled with the candidates we selected. You're not one of them.",
    "Although you've been a finalist, we'll be making the offer to the other finalist.",
    "Your application was sent to the team, who decided that it isn't what they need.",
    "The team decided to extend an offer to another candidate for the role.",
    "Your application was read with care and the decision went the other way.",
]


@pytest.mark.parametrize("text", REFUSALS_AFTER_PRAISE)
def test_a_refusal_told_after_praise_is_a_refusal(text: str):
    letter = f"Hi Ada,\n\nThank you for applying to Northwind for the Analyst position.\n\n{text}\n\nBest"
    events = classify(parse_message(mail(letter, subject="Your interview with Northwind"))).events
    assert {event.kind for event in events} <= {"rejection", "position_closed"}
    assert events


CONDITIONS = [
    "If you are not selected, we will let you know by mail.",
    "Should your application not be successful, we will delete your data.",
    "Applicants who are not shortlisted will not be contacted.",
    "Regrettably we may not be able to reply to everyone.",
    "Unless we decide to move forward with other candidates, we will call you in May.",
    "Please complete all fields, otherwise we will not be able to consider your application.",
    "If you haven't heard from us within six weeks, please assume that you have not been successful.",
    "We will only contact candidates who are invited to an interview.",
    "Unfortunately we can not give feedback on applications.",
    "We do not accept applications by post.",
]


@pytest.mark.parametrize("text", CONDITIONS)
def test_a_refusal_that_is_only_supposed_is_no_refusal(text: str):
    letter = f"Thank you for applying. We have received your application for Night Baker.\n\n{text}"
    events = classify(parse_message(mail(letter))).events
    assert [event.kind for event in events] == ["acknowledgement"]
