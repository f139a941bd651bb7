"""Stages 1 and 2: what one message says, by structure and by phrases. Pure and deterministic.

Precision comes before recall: what cannot be told stays open. A refusal is never read as anything positive:
while a sign of bad news stands in the message that no refusal phrase explains, nothing positive is said.
History below the message and clauses that only suppose something are not read.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec

from mailsync.classify.english.clauses import Clause, clauses
from mailsync.classify.english.contact import (
    ABOUT_THE_APPLICANT,
    APPLIED,
    APPLYING,
    OTHER_APPLICATION,
    OUTREACH,
    WORK,
)
from mailsync.classify.english.hints import BAD_NEWS, DECIDED, NOT_YET, PARTING, SORRY, TALK_ABOUT_WORK
from mailsync.classify.english.noise import SUBJECTS, TEXTS
from mailsync.classify.english.phrase import Phrase
from mailsync.classify.english.progress import ASSESSMENT, INTERVIEW, OFFER, REQUEST, SCHEDULED
from mailsync.classify.english.receipt import RECEIPT, REVIEWING, STATUS, THANKS, WITHDRAWN
from mailsync.classify.english.refusal import CLOSED, REFUSAL
from mailsync.classify.facts import facts_of, header_text
from mailsync.classify.senders import Sender, known_sender
from mailsync.classify.sentences import Sentence, bare, sentences, written_out
from mailsync.classify.types import Event, NoiseReason, Reading, Span
from mailsync.classify.weights import ADVANCES, MILD, NEGATIVE, heaviest_first, unsilenced
from mailsync.parse.types import ParsedMessage
from schema.vocabulary import EventKind

VERSION = 2

_PHRASES = (
    *(*REFUSAL, *CLOSED, *ASSESSMENT, *INTERVIEW, *SCHEDULED, *OFFER, *REQUEST, *WITHDRAWN),
    *(*STATUS, *OUTREACH),
)
_SUBJECT_ONLY = frozenset(("receipt_subject", "interview_subject"))
# Said to this person or it does not count; a refusal may speak of the others who were chosen.
_NEEDS_ADDRESS: frozenset[EventKind] = frozenset(("assessment_invite", "interview_invite", "offer"))
_WORDS_AGAINST_DOUBT = 2
_ABOUT_ACCOUNTS = frozenset[NoiseReason](("account", "one_time_code"))
BULK = frozenset(("bulk", "list", "junk"))
_NAME = re.compile(r"[^\W\d_]{3,}")
# "We have decided ..." appears in many letters: somebody tells of a refusal.
_CITED = re.compile(r"\s*[\"\u201c][^\"\u201c\u201d]{20,600}[\"\u201d]\s+[a-z]")
_ANSWERED = re.compile(r"\s*(?:re|aw|sv|antw)\s*:", re.IGNORECASE)
_METHOD = re.compile(rb"^METHOD:([A-Z]{1,20})", re.MULTILINE)


class _Found(msgspec.Struct, frozen=True, kw_only=True):
    kind: EventKind
    rule: str
    span: Span

    def event(self) -> Event:
        return Event(kind=self.kind, rule=self.rule, span=self.span)


class _Text(msgspec.Struct, frozen=True, kw_only=True):
    """The message as the rules read it: sentences of subject and body, each with what it asserts."""

    message: ParsedMessage
    sender: Sender | None
    said: tuple[tuple[Sentence, tuple[Clause, ...]], ...]
    lower: str


def classify(message: ParsedMessage, owner_addresses: frozenset[str] = frozenset()) -> Reading:
    """The reading of one message. `owner_addresses` in lower case: what the person wrote is no answer."""
    sender = known_sender(message.sender)
    if message.sender.address in owner_addresses or "Sent" in message.labels:
        facts = facts_of(message, sender)
        return Reading(stage="structure", version=VERSION, state="decided", facts=facts, note="own_mail")
    if sender is not None and sender.only_alerts(message.sender):
        event = _by_sender(message, "job_alert")
        return Reading(stage="structure", version=VERSION, state="decided", events=(event,))
    events, note = _events(_read(message, sender))
    about_work = not events or events[0].kind != "not_job_related"
    return Reading(
        stage="rules",
        version=VERSION,
        state="decided" if events else "open",
        events=events,
        facts=facts_of(message, sender) if about_work else (),
        note=note,
    )


def _read(message: ParsedMessage, sender: Sender | None) -> _Text:
    found = [*sentences(message.subject, "subject"), *sentences(message.body, "text")]
    return _Text(
        message=message,
        sender=sender,
        said=tuple((sentence, tuple(clauses(sentence.lower))) for sentence in found),
        lower=" \n".join(sentence.lower for sentence in found),
    )


def _events(text: _Text) -> tuple[tuple[Event, ...], str]:
    if _is_about_work(text):
        found = _without_echo(_first_of_each(text))
        if NEGATIVE & found.keys() and ADVANCES & found.keys():
            return (), "contradiction"
        told = _told(text, found)
        if told:
            return tuple(told[kind].event() for kind in heaviest_first(told)), ""
    noise = _noise(text)
    return ((noise,), "") if noise is not None else ((), "nothing_recognised")


def _is_about_work(text: _Text) -> bool:
    if text.sender is not None and text.sender.kind in ("ats", "board", "vendor"):
        return True
    words = set(WORK.findall(text.lower))
    if OTHER_APPLICATION.search(text.lower):
        return len(words) >= _WORDS_AGAINST_DOUBT
    return bool(words) or APPLYING.search(text.lower) is not None


def _first_of_each(text: _Text) -> dict[EventKind, _Found]:
    """The first phrase of each kind, with what only the whole message can rule out taken away."""
    found: dict[EventKind, _Found] = {}
    for each in (*_calendar(text), *_matches(text, _PHRASES)):
        found.setdefault(each.kind, each)
    if not ABOUT_THE_APPLICANT.search(text.lower):
        found = {kind: each for kind, each in found.items() if kind not in NEGATIVE}
    if APPLIED.search(text.lower):
        found.pop("recruiter_outreach", None)
    return found


def _without_echo(found: dict[EventKind, _Found]) -> dict[EventKind, _Found]:
    """ "Re: Interview invitation" repeats what was said before; a refusal below it is the news."""
    if not NEGATIVE & found.keys():
        return found
    return {
        kind: each
        for kind, each in found.items()
        if kind in NEGATIVE or each.span.source != "subject" or not _ANSWERED.match(each.span.text)
    }


def _told(text: _Text, found: dict[EventKind, _Found]) -> dict[EventKind, _Found]:
    """What may be said after weighing the kinds against each other."""
    if not NEGATIVE & found.keys():
        if _sounds_bad(text):
            found = {kind: each for kind, each in found.items() if kind in MILD}
        elif (receipt := _receipt(text)) is not None:
            found = {**found, "acknowledgement": receipt}
    return {kind: found[kind] for kind in unsilenced(found)}


def _matches(text: _Text, phrases: Iterable[Phrase]) -> Iterator[_Found]:
    for sentence, said in text.said:
        for clause in said:
            for phrase in phrases:
                if _is_out_of_place(phrase, clause, sentence):
                    continue
                if phrase.says(clause.text):
                    yield _Found(kind=phrase.kind, rule=phrase.name, span=sentence.span())


def _is_out_of_place(phrase: Phrase, clause: Clause, sentence: Sentence) -> bool:
    if phrase.name in _SUBJECT_ONLY:
        return sentence.source != "subject"
    if phrase.kind in NEGATIVE and _CITED.match(sentence.text):
        return True
    return clause.about_others and phrase.kind in _NEEDS_ADDRESS


def _sounds_bad(text: _Text) -> bool:
    """Bad news that no refusal phrase explained, in what the message asserts."""
    return any(
        (SORRY if clause.about_others else BAD_NEWS).search(clause.full) and not NOT_YET.search(clause.full)
        for _, said in text.said
        for clause in said
    )


def _receipt(text: _Text) -> _Found | None:
    """That it arrived is said plainly, or by thanks with word that somebody will look at it."""
    received = next(_matches(text, RECEIPT), None)
    if received is not None:
        return received
    thanked = next(_matches(text, THANKS), None)
    if thanked is None or DECIDED.search(text.lower) or PARTING.search(text.lower):
        return None
    # Supposed or not: that they will look at it holds whatever follows ("and call you if it fits").
    looked_at = (bare(written_out(sentence.lower)) for sentence, _ in text.said)
    return thanked if any(phrase.says(said) for said in looked_at for phrase in REVIEWING) else None


def _calendar(text: _Text) -> Iterator[_Found]:
    """An invitation to an interview as a calendar entry; what is in it is read elsewhere."""
    if not text.message.calendars or not text.said or not TALK_ABOUT_WORK.search(text.lower):
        return
    calendar = text.message.calendars[0]
    said = _METHOD.search(calendar.content)
    method = calendar.method or (said[1].decode() if said else "")
    span = text.said[0][0].span()
    if method == "REQUEST":
        yield _Found(kind="interview_scheduled", rule="calendar_request", span=span)
    elif method == "CANCEL":
        yield _Found(kind="status_update", rule="calendar_cancel", span=span)


def _noise(text: _Text) -> Event | None:
    """Job alerts, accounts, codes, courses: by the subject first, by the text when the subject is silent."""
    personal = is_personal(text.message)
    for source, table in (("subject", SUBJECTS), ("text", TEXTS)):
        for sentence, _ in text.said:
            if sentence.source != source:
                continue
            for reason, pattern in table:
                if pattern.search(sentence.lower) and (reason in _ABOUT_ACCOUNTS or not personal):
                    return _noise_event(reason, sentence.span(), f"{source}_{reason}")
    return None


def is_personal(message: ParsedMessage) -> bool:
    """Whether a person seems to have written it: no bulk header, and a name that is in the address."""
    bulk = message.bulk
    if bulk.list_unsubscribe or bulk.list_id or bulk.auto_submitted or bulk.precedence in BULK:
        return False
    names = _NAME.findall(message.sender.name.lower())
    return any(name in message.sender.local_part for name in names)


def _noise_event(reason: NoiseReason, span: Span, rule: str) -> Event:
    return Event(kind="not_job_related", rule=rule, span=span, reason=reason)


def _by_sender(message: ParsedMessage, reason: NoiseReason) -> Event:
    shown = header_text(message.sender)
    start = shown.rfind(message.sender.address)
    span = Span(source="header", start=start, end=start + len(message.sender.address), text=shown[start:])
    return _noise_event(reason, msgspec.structs.replace(span, text=shown[start : span.end]), "alert_sender")
