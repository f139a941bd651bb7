"""Stages in order: the model speaks where the rules left mail about hiring open, never against bad news."""

import msgspec
import pytest
from fixtures.mail import mail

from mailsync.classify import stages
from mailsync.classify.model import decide as model
from mailsync.classify.model.brakes import asserts_bad_news, sounds_bad
from mailsync.classify.model.features import features_of
from mailsync.classify.model.labels import LABELS, NEGATIVE, POSITIVE, Label
from mailsync.classify.rules import VERSION as RULES_VERSION
from mailsync.classify.rules import classify
from mailsync.classify.said import read_text
from mailsync.classify.types import Event, Span
from mailsync.parse.message import parse_message
from mailsync.training.letters import Letter, letters

REFUSALS = [
    letter for split in ("fit", "test", "calibrate") for letter in letters(split, 2)
    if letter.label in NEGATIVE
]  # fmt: skip
GOOD_NEWS = {
    "acknowledgement", "assessment_invite", "interview_invite", "interview_scheduled", "offer",
    "info_request", "recruiter_outreach",
}  # fmt: skip
OPEN = "Hello Ada. This is about your application for the Baker role. The committee has met. More below."


def certain(label: Label):
    """Probabilities of a model that is sure, whatever it sees."""
    return lambda *_: dict.fromkeys(LABELS, 0.0) | {label: 1.0}


@pytest.mark.parametrize("label", sorted(POSITIVE))
def test_however_sure_the_model_is_bad_news_is_never_read_as_good(label: Label, monkeypatch):
    monkeypatch.setattr(type(model.weights()), "probabilities", certain(label))
    for text in (
        "Unfortunately the team went with somebody closer to the field. Your application is with us.",
        "About your application: we will not be going further.",
        "Votre candidature : nous ne donnons pas suite.",
        "Zu Ihrer Bewerbung: Sie wurden nicht ausgewählt.",
        "Sobre tu candidatura: no vamos a continuar.",
    ):
        message = parse_message(mail(text, subject="Your application"))
        assert model.decide(message) is None, text


@pytest.mark.parametrize(
    ("text", "sender"),
    [
        ("All documents are uploaded.", "notifications@app.bamboohr.com"),
        ("Vacancy: Talent Partner\nVacancy number: R5564042\n\nAll is uploaded.", "post@brimvale.example"),
    ],
)
def test_the_model_calls_nothing_unrelated_that_names_a_job_or_comes_from_a_platform(
    text: str, sender: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(type(model.weights()), "probabilities", certain("unrelated"))
    assert stages.read(parse_message(mail(text, sender=sender))).state == "open"


def test_no_refusal_of_ours_is_read_as_good_news():
    for letter in REFUSALS:
        kinds = {event.kind for event in stages.read(letter.message).events}
        rules = {event.kind for event in classify(letter.message).events}
        assert not GOOD_NEWS & (kinds - rules), (letter.family, letter.message.body)


def test_most_refusals_hold_the_model_back_by_their_words_alone():
    held = [letter for letter in REFUSALS if asserts_bad_news(features_of(letter.message))]
    assert len(held) > 0.9 * len(REFUSALS)


def test_receipts_that_only_suppose_a_refusal_do_not_hold_it_back():
    text = (
        "Your application is with us. If you are not selected, we will say so. We cannot reply to everyone."
    )
    message = parse_message(mail(text, subject="Your application"))
    assert not asserts_bad_news(features_of(message))
    assert not sounds_bad(read_text(message))


def test_what_the_rules_decided_the_model_is_not_asked(monkeypatch):
    monkeypatch.setattr(stages, "decide", _unasked)
    message = parse_message(mail("We have decided not to move forward with your application."))
    assert stages.read(message) == classify(message)


def test_the_model_is_not_asked_about_mail_that_speaks_of_no_hiring(monkeypatch):
    monkeypatch.setattr(stages, "decide", _unasked)
    message = parse_message(mail("Shall we have soup on Friday?", sender="Grace <grace@example.org>"))
    assert stages.read(message).events == ()


def test_a_decision_of_the_model_says_so_and_keeps_the_facts(monkeypatch):
    event = Event(kind="status_update", rule="model.status_update", span=None)
    monkeypatch.setattr(stages, "decide", lambda _: event)
    message = parse_message(mail(OPEN))
    reading = stages.read(message)
    assert (reading.stage, reading.state, reading.events) == ("local_model", "decided", (event,))
    assert reading.version == model.VERSION and reading.facts == classify(message).facts


def test_what_the_model_leaves_open_stays_as_the_rules_left_it(monkeypatch):
    monkeypatch.setattr(stages, "decide", lambda _: None)
    message = parse_message(mail(OPEN))
    assert stages.read(message) == classify(message)
    assert stages.read(message).state == "open"


def test_a_contradiction_is_left_to_people(monkeypatch):
    monkeypatch.setattr(stages, "decide", _unasked)
    open_reading = msgspec.structs.replace(classify(parse_message(mail(OPEN))), note="contradiction")
    monkeypatch.setattr(stages, "classify", lambda *_: open_reading)
    assert stages.read(parse_message(mail(OPEN))) == open_reading


def test_every_decision_stands_on_a_sentence_of_the_message():
    decided = [(letter, event) for letter in letters("fit", 1) if (event := model.decide(letter.message))]
    assert len(decided) > 20
    for letter, event in decided:
        assert _stands(letter, event.span), letter.message.body


def test_the_version_grows_with_either_stage():
    assert stages.STAGES_VERSION == RULES_VERSION * 1000 + model.VERSION
    assert 0 < model.VERSION < 1000


def _unasked(_: object) -> None:
    raise AssertionError("the model was asked")


def _stands(letter: Letter, span: Span | None) -> bool:
    whole = {"subject": letter.message.subject, "text": letter.message.body}
    return span is not None and whole[span.source][span.start : span.end] == span.text
