"""By when something is due, and when something takes place, as precise as it was written. Pure, no clock.

`comparable` is ISO 8601 cut at its precision: an instant ends in Z, a local time has no zone, a date no time,
a week or a month no day. Days without a year or named by their weekday need the day the message was sent.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

import msgspec

from mailsync.classify.facts.labels import labelled
from mailsync.classify.facts.page import Page, fact, span_of
from mailsync.classify.languages.language import Pattern, When
from mailsync.classify.sentences import Sentence
from mailsync.classify.types import Fact
from mailsync.parse.calendars import Moment, in_utc, zone_named
from schema.identity.date_words import AMERICAN_ZONES, WEEKDAYS, ZONES, zone_offset
from schema.identity.dates import FoundDate, dates_in
from schema.vocabulary import FactName, SpanSource

MOST_SENTENCES = 30
_BEFORE_CHARS = 70
_WEEK = 7
_HALF_DAY = 12
_DAY_FIRST = frozenset(("fr", "de", "es"))
_MAYBE = re.compile(r"\d|\b(?:to(?:day|morrow)|" + "|".join(WEEKDAYS) + r")\b", re.IGNORECASE)
_WEEKDAY = re.compile(r"\b(" + "|".join(sorted(WEEKDAYS, key=len, reverse=True)) + r")\b", re.IGNORECASE)
_TIME_BEFORE = re.compile(
    r"(?<![\d:.])(\d{1,2})(?:[:.h](\d{2}))?\s?(?:([ap])\.?m\.?|uhr|h)?(?:\s?(?:-|\u2013|to|bis)\s?\d{1,2}(?:[:.]\d{2})?"
    r"\s?(?:[ap]\.?m\.?)?)?(?:\s?\(?([a-z]{2,4})\)?)?,?\s{1,2}(?:on|am|le|el|del|,)?\s{0,2}"
    r"(?:(?:" + "|".join(WEEKDAYS) + r"),?\s)?(?:the\s)?$",
    re.IGNORECASE,
)
_TIME_BEHIND = re.compile(
    r"[ \t]*[,;]?\s{0,3}(?:time|heure|uhrzeit|hora|horaire|\u00e0|a las|um|at|from|ab)?\s?:?[ \t]*"
    r"(\d{1,2})(?:[:.h](\d{2}))?\s?(?:([ap])\.?m\b\.?|uhr|h)?",
    re.IGNORECASE,
)
_UNTIL_AND_ZONE = re.compile(
    r"(?:\s?(?:-|\u2013|to|bis|\u00e0|a)\s?\d{1,2}(?:[:.h]\d{2})?\s?(?:[ap]\.?m\b\.?)?)?\s?\(?"
    r"(?:([A-Z][a-z]+/[A-Z][A-Za-z_]{2,30})|("
    + "|".join(sorted({*ZONES, *AMERICAN_ZONES}, key=len, reverse=True))
    + r")\b|(eastern|central|mountain|pacific)(?:\s(?:standard|daylight))?\stime\b)",
    re.IGNORECASE,
)
_HALF_OF_DAY = re.compile(r"[ap]\.m\.$", re.IGNORECASE)
_ORDINAL = re.compile(r"(?<![\d.])\d{1,2}\.$")
_SPOKEN_ZONES = {"eastern": "et", "central": "ct", "mountain": "mt", "pacific": "pt"}
_RELATIVE = re.compile(
    r"(?:within|in the next|you have|innerhalb von|sous|dans les|en un plazo de|dentro de|vous avez)"
    r"\s(?:the next\s)?(\d{1,2}|two|three|five|seven|ten)\s"
    r"(hours?|heures?|stunden|horas|(?:calendar\s)?days?|jours|tagen?|d\u00edas"
    r"|weeks?|semaines|wochen|semanas)\b",
    re.IGNORECASE,
)
_NUMBERS = {"two": 2, "three": 3, "five": 5, "seven": 7, "ten": 10}


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A date of the text with all that stands beside it: a time before it, a zone behind a range."""

    start: int
    end: int
    day: date
    comparable: str


def deadlines(
    page: Page, sentences: tuple[Sentence, ...], whens: tuple[When, ...], codes: frozenset[str]
) -> Iterator[Fact]:
    """The first date by which the reader has to act; none that the sender promises for an answer."""
    labels = [names.labels.deadline for names in page.languages]
    for place in _labelled_dates(page, labels, codes):
        yield _fact(page, "deadline", "text", place)
        return
    for sentence in _dated(sentences):
        for found in _dates(page, sentence, codes):
            before = sentence.text[max(0, found.start - _BEFORE_CHARS) : found.start]
            if not any(when.deadline.search(before) for when in whens) or _is_past(page, found):
                continue
            if not any(_is_promise(when, sentence.text[: found.start]) for when in whens):
                yield _fact(page, "deadline", sentence.source, _shifted(found, sentence.start))
                return
        if (span := _relative(page, sentence, whens)) is not None:
            yield _fact(page, "deadline", sentence.source, span)
            return


def appointments(
    page: Page, sentences: tuple[Sentence, ...], whens: tuple[When, ...], codes: frozenset[str]
) -> Iterator[Fact]:
    """When a talk takes place, once that is settled; times that are only offered are none."""
    about_talk = any(when.meeting.search(part) for when in whens for part in (page.subject, page.prose))
    if not about_talk:
        return
    for sentence in _dated(sentences):
        if not any(_settles(when, sentence) for when in whens):
            continue
        found = _dates(page, sentence, codes)
        plain = [each for each in found if not _is_due(whens, sentence, each) and not _is_past(page, each)]
        if len({each.day for each in plain}) == 1:
            best = max(plain, key=lambda each: len(each.comparable))
            yield _fact(page, "appointment", sentence.source, _shifted(best, sentence.start))
            return
    for place in _labelled_dates(page, [names.labels.appointment for names in page.languages], codes):
        yield _fact(page, "appointment", "text", place)
        return


def of_moment(moment: Moment) -> str:
    """The same ISO form for what a calendar says."""
    if moment.clock_time is None:
        return moment.day.isoformat()
    return _iso(moment.day, moment.clock_time, moment.instant)


def _fact(page: Page, name: FactName, source: SpanSource, found: Found) -> Fact:
    text = page.subject if source == "subject" else page.message.body
    if text[found.end - 1] == "." and _HALF_OF_DAY.search(text[: found.end]) is None:
        found = msgspec.structs.replace(found, end=found.end - 1)
    return fact(
        name, text[found.start : found.end], found.comparable, span_of(text, source, found.start, found.end)
    )


def _dated(sentences: tuple[Sentence, ...]) -> Iterator[Sentence]:
    found = (sentence for sentence in _rejoined(sentences) if _MAYBE.search(sentence.text) is not None)
    for count, sentence in enumerate(found):
        if count < MOST_SENTENCES:
            yield sentence


def _rejoined(sentences: tuple[Sentence, ...]) -> Iterator[Sentence]:
    """ "am 17. Februar" is one sentence, whatever the full stop behind the number says."""
    held: list[Sentence] = []
    for sentence in sentences:
        if held and (held[-1].source != sentence.source or _ORDINAL.search(held[-1].text) is None):
            yield _one(held)
            held = []
        held.append(sentence)
    if held:
        yield _one(held)


def _one(pieces: list[Sentence]) -> Sentence:
    text = pieces[0].text
    for piece in pieces[1:]:
        text += " " * (piece.start - pieces[0].start - len(text)) + piece.text
    return msgspec.structs.replace(pieces[0], text=text, end=pieces[0].start + len(text))


def _settles(when: When, sentence: Sentence) -> bool:
    text = sentence.text
    return when.settled.search(text) is not None and when.proposed.search(text) is None


def _is_due(whens: tuple[When, ...], sentence: Sentence, found: Found) -> bool:
    before = sentence.text[max(0, found.start - _BEFORE_CHARS) : found.start]
    return any(when.deadline.search(before) for when in whens)


def _is_promise(when: When, before: str) -> bool:
    return when.promise.search(before) is not None


def _is_past(page: Page, found: Found) -> bool:
    sent = page.message.sent_at
    return sent is not None and found.day < sent.date()


def _labelled_dates(page: Page, labels: list[Pattern | None], codes: frozenset[str]) -> Iterator[Found]:
    for label in labels:
        for value in labelled(page, label):
            if not value.sure and not value.value[:1].isdigit() and _WEEKDAY.match(value.value) is None:
                continue
            start = value.span.start
            # A time may stand on the line below, under a label of its own.
            text = page.body[start : value.span.end + _BEFORE_CHARS]
            for found in _in_text(page, text, codes):
                if found.start <= len(value.value) and not _is_past(page, found):
                    yield _shifted(found, start)


def _dates(page: Page, sentence: Sentence, codes: frozenset[str]) -> list[Found]:
    return _in_text(page, sentence.text, codes)


def _in_text(page: Page, text: str, codes: frozenset[str]) -> list[Found]:
    sent = page.message.sent_at
    anchor = sent.date() if sent is not None else None
    day_first = True if codes and codes <= _DAY_FIRST else None
    found = [_whole(text, each) for each in dates_in(text, anchor=anchor, day_first=day_first)]
    return found or ([] if anchor is None else _weekdays(text, anchor))


def _weekdays(text: str, anchor: date) -> list[Found]:
    """ "by Friday" is the next one; on the very day nobody knows which is meant."""
    found: list[Found] = []
    for named in _WEEKDAY.finditer(text):
        ahead = (WEEKDAYS[named[1].lower()] - anchor.weekday()) % _WEEK
        if ahead and len(named[1]) > 3:  # noqa: PLR2004 - "mar" and "sun" are words too
            day = anchor + timedelta(days=ahead)
            found.append(Found(start=named.start(), end=named.end(), day=day, comparable=day.isoformat()))
    return found


def _whole(text: str, found: FoundDate) -> Found:
    """The date with the time in front of it, or with the zone that stands behind a range of times."""
    start, end = found.start, found.end
    if found.precision not in ("day", "minute", "second"):
        week = found.day.isocalendar()
        comparable = f"{week.year}-W{week.week:02}" if found.precision == "week" else f"{found.day:%Y-%m}"
        return Found(start=start, end=end, day=found.day, comparable=comparable)
    clock, instant = found.clock_time, found.instant
    if (
        clock is None
        and (before := _TIME_BEFORE.search(text, max(0, start - _BEFORE_CHARS), start)) is not None
    ):
        clock = _clock(before)
        if clock is not None:
            start, instant = before.start(), _at(found.day, clock, before[4])
    if clock is None and (behind := _TIME_BEHIND.match(text, end)) is not None:
        clock = _clock(behind)
        end = behind.end() if clock is not None else end
    if clock is not None and instant is None and (zone := _UNTIL_AND_ZONE.match(text, end)) is not None:
        instant, end = _zoned(found.day, clock, zone), zone.end()
    comparable = found.day.isoformat() if clock is None else _iso(found.day, clock, instant)
    return Found(start=start, end=end, day=found.day, comparable=comparable)


def _clock(found: re.Match[str]) -> time | None:
    """None for a bare number: "5" may be anything, "5 pm" and "17:00" are times."""
    hour, half = int(found[1]), (found[3] or "").lower()
    if found[2] is None and not half:
        return None
    if half and not 1 <= hour <= _HALF_DAY:
        return None
    hour = hour % _HALF_DAY + (_HALF_DAY if half == "p" else 0) if half else hour
    try:
        return time(hour, int(found[2] or 0))
    except ValueError:
        return None


def _at(day: date, clock: time, zone: str | None) -> datetime | None:
    offset = None if zone is None else zone_offset(zone.lower(), day)
    return None if offset is None else datetime.combine(day, clock, UTC) - timedelta(minutes=offset)


def _zoned(day: date, clock: time, found: re.Match[str]) -> datetime | None:
    if found[1] is not None:
        zone = zone_named(found[1])
        return None if zone is None else in_utc(datetime.combine(day, clock), zone)
    return _at(day, clock, _SPOKEN_ZONES.get((found[3] or "").lower(), found[2]))


def _iso(day: date, clock: time, instant: datetime | None) -> str:
    if instant is not None:
        return f"{instant:%Y-%m-%dT%H:%M}Z"
    return f"{day.isoformat()}T{clock:%H:%M}"


def _relative(page: Page, sentence: Sentence, whens: tuple[When, ...]) -> Found | None:
    """ "within 48 hours" of the sending; working days are nobody's to count."""
    sent = page.message.sent_at
    found = _RELATIVE.search(sentence.text)
    if sent is None or found is None or any(_is_promise(when, sentence.text) for when in whens):
        return None
    many = _NUMBERS.get(found[1].lower()) or int(found[1])
    unit = found[2].lower()
    if unit.startswith(("h", "st")):
        due = sent + timedelta(hours=many)
        comparable = f"{due.astimezone(UTC):%Y-%m-%dT%H:%M}Z"
    else:
        due = sent + timedelta(days=many * (_WEEK if unit.startswith(("w", "s")) else 1))
        comparable = due.date().isoformat()
    return Found(
        start=sentence.start + found.start(),
        end=sentence.start + found.end(),
        day=due.date(),
        comparable=comparable,
    )


def _shifted(found: Found, by: int) -> Found:
    return msgspec.structs.replace(found, start=found.start + by, end=found.end + by)
