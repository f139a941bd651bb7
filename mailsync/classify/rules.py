"""Stages 1 and 2: what one message says, by structure and by phrases. Pure and deterministic.

Precision comes before recall: what cannot be told stays open. A refusal is never read as anything positive:
while a sign of bad news stands in the message that no refusal phrase explains, nothing positive is said.
History below the message and clauses that only suppose something are not read.
"""

import re
from collections.abc import Callable, Iterable, Iterator

import msgspec

from mailsync.classify.clauses import Clause
from mailsync.classify.facts import facts_of, header_text
from mailsync.classify.facts.booking import is_about_hiring
from mailsync.classify.facts.page import page_of
from mailsync.classify.languages.language import Language, Phrase
from mailsync.classify.noise import is_bulk, noise
from mailsync.classify.said import Said, Text, matches, read_text
from mailsync.classify.screen import is_a_desk
from mailsync.classify.sentences import Sentence
from mailsync.classify.types import Event, Fact, Reading, Span
from mailsync.classify.weights import ADVANCES, MILD, NEGATIVE, heaviest_first, unsilenced
from mailsync.parse.types import ParsedMessage
from schema.vocabulary import EventKind

VERSION = 9

# Said to this person or it does not count; a refusal may speak of the others who were chosen.
_NEEDS_ADDRESS: frozenset[EventKind] = frozenset(("assessment_invite", "interview_invite", "offer"))
_SAID_BESIDE_A_FAREWELL: frozenset[EventKind] = frozenset(("acknowledgement", "recruiter_outreach"))
_AROUND_AN_APPLICATION = frozenset(("account", "survey"))
_WORDS_AGAINST_DOUBT = 2
# "We have decided ..." appears in many letters: somebody tells of a refusal.
_CITED = re.compile(r"\s*[\"\u201c][^\"\u201c\u201d]{20,600}[\"\u201d]\s+[a-z]")
_CITED_WITHIN = re.compile(r"\w:?,?\s+[\"\u201c]([^\"\u201c\u201d]{20,600})[\"\u201d]")
_ANSWERED = re.compile(r"\s*(?:re|aw|sv|antw|r\u00e9f?|rif)\s*:", re.IGNORECASE)
_TAKEN_BACK = re.compile(
    r"\b(?:cancell?ed|declined|abgesagt|storniert|abgelehnt|annul\w{1,4}|cancelad\w|anulad\w|rechazad\w)\b"
)
_METHOD = re.compile(rb"^METHOD:([A-Z]{1,20})", re.MULTILINE)


class _Found(msgspec.Struct, frozen=True, kw_only=True):
    kind: EventKind
    rule: str
    span: Span

    def event(self) -> Event:
        return Event(kind=self.kind, rule=self.rule, span=self.span)


def classify(message: ParsedMessage, owner_addresses: frozenset[str] = frozenset()) -> Reading:
    """The reading of one message. `owner_addresses` in lower case: what the person wrote is no answer."""
    text = read_text(message)
    if message.sender.address in owner_addresses or "Sent" in message.labels:
        return _by_structure(facts_of(text), note="own_mail")
    if text.sender is not None and text.sender.only_alerts(message.sender):
        return _by_structure((), event=_by_sender(message))
    events, note = _events(text)
    if events and events[0].reason in _AROUND_AN_APPLICATION and _is_about_one_opening(text):
        events, note = (), "one_opening"
    about_work = not events or events[0].kind != "not_job_related"
    return Reading(
        stage="rules",
        version=VERSION,
        state="decided" if events else "open",
        events=events,
        facts=facts_of(text) if about_work else (),
        note=note,
    )


def _is_about_one_opening(text: Text) -> bool:
    """It names who hires and for what: whatever else it wants, it is about that application."""
    return {"employer", "role"} <= {fact.name for fact in facts_of(text)}


def _by_structure(facts: tuple[Fact, ...], *, event: Event | None = None, note: str = "") -> Reading:
    events = () if event is None else (event,)
    return Reading(stage="structure", version=VERSION, state="decided", events=events, facts=facts, note=note)


def _events(text: Text) -> tuple[tuple[Event, ...], str]:
    if _is_about_work(text):
        found = _without_echo(_first_of_each(text))
        if NEGATIVE & found.keys() and ADVANCES & found.keys():
            return (), "contradiction"
        told = _told(text, found)
        if (
            not told
            and not found.keys() - _SAID_BESIDE_A_FAREWELL
            and (farewell := _farewell(text)) is not None
        ):
            return (farewell.event(),), ""
        if told:
            return tuple(told[kind].event() for kind in heaviest_first(told)), ""
        if not found and (last := _last_resort(text)) is not None:
            return (last.event(),), ""
    event = noise(text)
    return ((event,), "") if event is not None else ((), "nothing_recognised")


def _is_about_work(text: Text) -> bool:
    if text.sender is not None and text.sender.kind in ("ats", "board", "vendor"):
        return True
    if text.sender is not None and text.sender.kind == "schedule" and is_about_hiring(page_of(text)):
        return True
    words = {word for each in text.languages for word in each.signs.work.findall(text.lower)}
    if text.shows(lambda signs: signs.other_application):
        return len(words) >= _WORDS_AGAINST_DOUBT
    return bool(words) or text.shows(lambda signs: signs.applying)


def _first_of_each(text: Text) -> dict[EventKind, _Found]:
    """The first phrase of each kind, with what only the whole message can rule out taken away."""
    found: dict[EventKind, _Found] = {}
    for each in (*_calendar(text), *_booking(text), *_found(text, lambda language: language.phrases)):
        found.setdefault(each.kind, each)
    if not _is_about_the_applicant(text):
        found = {kind: each for kind, each in found.items() if kind not in NEGATIVE}
    if text.shows(lambda signs: signs.applied):
        found.pop("recruiter_outreach", None)
    if text.shows(lambda signs: signs.copied):
        found.pop("info_request", None)
    return found


def _is_about_the_applicant(text: Text) -> bool:
    by_platform = text.sender is not None and text.sender.kind == "ats"
    return by_platform or text.shows(lambda signs: signs.about_the_applicant)


def _without_echo(found: dict[EventKind, _Found]) -> dict[EventKind, _Found]:
    """ "Re: Interview invitation" repeats what was said before; a refusal below it is the news."""
    if not NEGATIVE & found.keys():
        return found
    return {
        kind: each
        for kind, each in found.items()
        if kind in NEGATIVE or each.span.source != "subject" or not _ANSWERED.match(each.span.text)
    }


def _told(text: Text, found: dict[EventKind, _Found]) -> dict[EventKind, _Found]:
    """What may be said after weighing the kinds against each other."""
    if not NEGATIVE & found.keys():
        if _sounds_bad(text):
            found = {kind: each for kind, each in found.items() if kind in MILD}
        elif (receipt := _receipt(text)) is not None:
            found = {**found, "acknowledgement": receipt}
    return {kind: found[kind] for kind in unsilenced(found)}


def _found(text: Text, phrases: Callable[[Language], Iterable[Phrase]]) -> Iterator[_Found]:
    bulk, desk = is_bulk(text.message), _is_of_a_desk(text)
    for phrase, clause, sentence in matches(text, phrases):
        if _is_out_of_place(phrase, clause, sentence):
            continue
        if (phrase.from_people and bulk) or (phrase.from_strangers and desk):
            continue
        if _is_from(phrase, text):
            yield _Found(kind=phrase.kind, rule=phrase.name, span=sentence.span())


def _is_of_a_desk(text: Text) -> bool:
    """Where applications arrive, "we like your profile" is said of one."""
    by_platform = text.sender is not None and text.sender.kind == "ats"
    return by_platform or is_a_desk(text.message.sender)


def _is_out_of_place(phrase: Phrase, clause: Clause, sentence: Sentence) -> bool:
    if phrase.in_subject:
        return sentence.source != "subject"
    if phrase.kind in NEGATIVE and _is_cited(phrase, sentence):
        return True
    return clause.about_others and phrase.kind in _NEEDS_ADDRESS


def _is_cited(phrase: Phrase, sentence: Sentence) -> bool:
    if _CITED.match(sentence.text) is not None:
        return True
    within = _CITED_WITHIN.search(sentence.text)
    return within is not None and phrase.says(within[1].lower())


def _sounds_bad(text: Text) -> bool:
    """Bad news that no refusal phrase explained, in what the message asserts."""
    return any(_is_bad_news(each.language, clause) for each in text.said for clause in each.clauses)


def _is_bad_news(language: Language, clause: Clause) -> bool:
    signs = language.signs
    sign = signs.sorry if clause.about_others else signs.bad_news
    return sign.search(clause.full) is not None and not signs.not_yet.search(clause.full)


def _farewell(text: Text) -> _Found | None:
    """Regret in what is asserted, an application, and good wishes for another search: no need of a phrase."""
    if not text.shows(lambda signs: signs.farewell) or not text.shows(lambda signs: signs.applied):
        return None
    if text.shows(lambda signs: signs.other_application) or text.shows(lambda signs: signs.by_the_applicant):
        return None
    for each in text.said:
        if any(each.language.signs.sorry.search(clause.full) for clause in each.clauses):
            rule = f"{each.language.code}.farewell"
            return _Found(kind="rejection", rule=rule, span=each.sentence.span())
    return None


def _last_resort(text: Text) -> _Found | None:
    """What a phrase says that counts where nothing else is said; beside bad news, only a refusal."""
    may_refuse, sounds_bad = text.shows(lambda signs: signs.applied), _sounds_bad(text)
    for each in text.said:
        for phrase in each.language.last_resort:
            may_be = may_refuse if phrase.kind in NEGATIVE else not sounds_bad
            if may_be and _stands_alone(phrase, each, text):
                return _Found(kind=phrase.kind, rule=phrase.name, span=each.sentence.span())
    return None


def _stands_alone(phrase: Phrase, said: Said, text: Text) -> bool:
    if phrase.in_subject and said.sentence.source != "subject":
        return False
    if not _is_from(phrase, text) or (phrase.veto is not None and phrase.veto.search(text.lower)):
        return False
    return phrase.pattern.search(said.whole()) is not None


def _is_from(phrase: Phrase, text: Text) -> bool:
    return not phrase.sender or (text.sender is not None and text.sender.name == phrase.sender)


def _receipt(text: Text) -> _Found | None:
    """That it arrived is said plainly, or by thanks with word that somebody will look at it."""
    received = next(_found(text, lambda language: language.receipt), None)
    if received is not None:
        return received
    thanked = next(_found(text, lambda language: language.thanks), None)
    if thanked is None or text.shows(lambda signs: signs.decided) or text.shows(lambda signs: signs.parting):
        return None
    # Supposed or not: that they will look at it holds whatever follows ("and call you if it fits").
    return thanked if any(_is_reviewed(each.language, each.whole()) for each in text.said) else None


def _is_reviewed(language: Language, said: str) -> bool:
    return any(phrase.says(said) for phrase in language.reviewing)


def _calendar(text: Text) -> Iterator[_Found]:
    """An invitation to an interview as a calendar entry; what is in it is read elsewhere."""
    if not text.message.calendars or not text.sentences:
        return
    if not text.shows(lambda signs: signs.talk_about_work):
        return
    calendar = text.message.calendars[0]
    said = _METHOD.search(calendar.content)
    method = calendar.method or (said[1].decode() if said else "")
    span = text.sentences[0].span()
    if method == "REQUEST":
        yield _Found(kind="interview_scheduled", rule="calendar_request", span=span)
    elif method == "CANCEL":
        yield _Found(kind="status_update", rule="calendar_cancel", span=span)


def _booking(text: Text) -> Iterator[_Found]:
    """A talk booked through a scheduling service, which names the event and says nothing else of the job."""
    if text.sentences and is_about_hiring(page_of(text)) and not _TAKEN_BACK.search(text.lower):
        yield _Found(kind="interview_scheduled", rule="booked_talk", span=text.sentences[0].span())


def _by_sender(message: ParsedMessage) -> Event:
    shown = header_text(message.sender)
    start = shown.rfind(message.sender.address)
    end = start + len(message.sender.address)
    span = Span(source="header", start=start, end=end, text=shown[start:end])
    return Event(kind="not_job_related", rule="alert_sender", span=span, reason="job_alert")
