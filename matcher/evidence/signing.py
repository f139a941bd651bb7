"""Where a name stands tells whose it is: alone under a letter, behind "at", "your application to". Pure.

"Northwind", "Recruiting | Northwind" and "Northwind - Leeds" under it say who writes, whatever it is about.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from mailsync.classify.languages.load import languages
from matcher.decisions.types import Span
from matcher.evidence.around_names import either
from matcher.evidence.keys import company_key
from matcher.evidence.types import Letter
from matcher.evidence.words import MAX_TEXT_CHARS, Seen, belongs_to_no_name, names_in, words_of

_LAST_LINES = 12
_AROUND = 4
_MOST_BETWEEN = 120
_AT_CHARS = 28
_BEGINS = re.compile(r"(?:\n[ \t]*|[ \u00a0][|/\u00b7\u2013\u2014-][ \u00a0]|[,.!?][ \u00a0]|[ \u00a0]\()$")
_LABEL = re.compile(r"[ \t]*[^\W\d_][^\n:]{0,39}[ \u00a0]?:[ \t\u00a0]{1,3}")
_ENDS = re.compile(r"[.)]?[ \t]*(?:\n|$)|[ \u00a0][|\u00b7\u2013\u2014-][ \u00a0]")


def signing(text: str, in_body: Iterable[Seen]) -> Iterator[str]:
    """Their keys, in the order of the text."""
    last = _last_lines(text)
    for found in in_body:
        start, end = found.span.start, found.span.end
        if (
            start >= last
            and _BEGINS.search(text, max(last, start - _AROUND), start)
            and _ENDS.match(text, end)
        ):
            yield found.key


@lru_cache(maxsize=20_000)
def shown_as(sender_name: str) -> frozenset[str]:
    """The keys of the sender's name, as a whole and without the desk in it: "Talento Northwind"."""
    around = [word for word in words_of(sender_name) if not belongs_to_no_name(word)]
    inside = names_in(sender_name, "header") if around else ()
    named = {
        found.key
        for found in inside
        if found.span.start <= around[0].start and around[-1].end <= found.span.end
    }
    return frozenset((*named, whole) if (whole := company_key(sender_name)) is not None else named)


def _last_lines(text: str) -> int:
    """Where the last lines begin; the first line is none of them."""
    place = len(text.rstrip())
    for _ in range(_LAST_LINES):
        place = text.rfind("\n", 0, max(place, 0))
    return max(place, text.find("\n"), 0)


@cache
def _applied_to() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Anywhere, and right before a name."""
    either = "|".join(language.titles.applied_to.pattern for language in languages())
    return re.compile(either, re.IGNORECASE), re.compile(f"(?:{either})$", re.IGNORECASE)


def applied_to(letter: Letter, names: Iterable[Seen]) -> Iterator[str]:
    """The keys of what stands right behind "your application to", in subject and text."""
    anywhere, before = _applied_to()
    texts = {"subject": letter.subject, "text": letter.body}
    starts = {
        source: [found.start() for found in anywhere.finditer(text, 0, MAX_TEXT_CHARS)]
        for source, text in texts.items()
    }
    for name in names:
        end = name.span.start
        near = [start for start in starts.get(name.span.source, ()) if 0 < end - start <= _MOST_BETWEEN]
        if near and before.search(texts[name.span.source], near[0], end) is not None:
            yield name.key


def is_alone_behind_a_label(text: str, span: Span) -> bool:
    """ "Hiring company: Northwind" on a line of its own names the employer, whatever the label is called."""
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    behind = text[span.end : end if end >= 0 else len(text)]
    return _LABEL.fullmatch(text, start, span.start) is not None and not behind.strip(" .\r\t\u00a0")


@cache
def _at() -> re.Pattern[str]:
    """Right before the name of an employer: "at the", "subsidiary"."""
    employs, article = either(lambda around: around.employs), either(lambda around: around.article)
    return re.compile(
        rf"\b(?:{employs}|@)[ \u00a0\n]{{1,2}}(?:(?:{article})\s)?$"
        rf"|\b(?:{either(lambda around: around.subsidiary)})[ \u00a0\n]{{1,2}}$",
        re.IGNORECASE,
    )


@cache
def _our_house() -> re.Pattern[str]:
    house = f"{either(lambda around: around.subsidiary)}|{either(lambda around: around.sister_house)}"
    return re.compile(
        rf"\b(?:{either(lambda around: around.our)})[ \u00a0\n](?:{house})[ \u00a0\n]$", re.IGNORECASE
    )


def is_employing(text: str, span: Span) -> bool:
    """ "At Northwind", "our subsidiary Northwind": the name stands where an employer's does."""
    return _at().search(text, max(0, span.start - _AT_CHARS), span.start) is not None


def where_our_house_begins(text: str, span: Span) -> int | None:
    """Where "our subsidiary" right before the name starts."""
    said = _our_house().search(text, max(0, span.start - _AT_CHARS), span.start)
    return None if said is None else said.start()
