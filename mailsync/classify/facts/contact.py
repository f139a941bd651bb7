"""Whom to answer: the person who writes or signs, never a mailbox nobody reads. Pure."""

import re
from collections.abc import Iterator

from mailsync.classify.facts.hints import condensed
from mailsync.classify.facts.labels import labelled
from mailsync.classify.facts.names import begins_with_a_desk
from mailsync.classify.facts.page import Page, fact, span_of
from mailsync.classify.facts.signature import Line, signed_lines
from mailsync.classify.types import Fact
from schema.identity.name_words import TEAM

_PERSON = re.compile(
    r"(?:(?:Dr|Prof|Mrs?|Ms|Mme|Herr|Frau|Dra?|Sra?|Ing)\.?[ ])*[^\W\d_](?:[^\W\d_]|['\u2019.-]){0,30}"
    r"(?:[ ](?:(?:de|van|von|der|den|da|del|la|le|bin|al|di|dos|y)[ ]){0,2}"
    r"[^\W\d_](?:[^\W\d_]|['\u2019.-]){0,30}){0,3}"
)
_BEHIND_PERSON = re.compile(
    r"\s+(?:from|at|@|via|through|on behalf of|chez|bei|von|de chez|en|with)\s.*$"
    r"|\s+[-|\u2013\u2014/(].*$|,\s.*$",
    re.IGNORECASE,
)
_LAST_FIRST = re.compile(r"([^\W\d_][\w'\u2019-]{1,30}),\s([^\W\d_][\w'\u2019-]{1,30}(?:\s[A-Z]\.?)?)")
_NOBODY = re.compile(
    r"(?:no|do|not|dont|donot|ne-?pas|nicht)[-_.]?(?:not)?[-_.]?(?:reply|repondre|antworten)"
    r"|notifications?|mailer|bounce|automated|system|auto[-_.]?(?:reply|mail)|noreply",
    re.IGNORECASE,
)
_NOT_PEOPLE = frozenset(("board", "vendor", "signing"))
_MOST_WORDS = 5
_WORDS_OF_MAILBOXES = frozenset((
    "office", "karriere", "personal", "recrutement", "rh", "bewerbermanagement", "service", "info",
    "support", "reply", "no", "recruiting", "selecci\u00f3n", "rrhh", "portal", "bewerbung", "emploi",
    "empleo", "human",
))  # fmt: skip
_ALSO_NAMES = frozenset((
    "baker", "cook", "carter", "mason", "taylor", "tailor", "porter", "butler", "fisher", "gardener",
    "miller", "page", "dean", "marshal", "warden", "painter", "farmer", "barber", "chef", "judge",
    "carpenter", "joiner", "host", "keeper", "hunter", "server", "model", "butcher", "fitter", "reader",
    "mate", "pilot", "captain", "steward", "ranger", "guard", "master", "principal", "fellow", "leader",
    "head",
))  # fmt: skip


def is_unread(local_part: str) -> bool:
    """Whether nobody reads what is sent to an address with this local part."""
    return _NOBODY.search(local_part) is not None


def contacts(page: Page, employer: Fact | None) -> Iterator[Fact]:
    """At most one: of the header with its address, else of a label, else of the signature."""
    found = _of_header(page, employer) or _of_label(page, employer) or _of_signature(page, employer)
    if found is not None:
        yield found


def _of_header(page: Page, employer: Fact | None) -> Fact | None:
    sender = page.message.sender
    if page.sender is not None and page.sender.kind in _NOT_PEOPLE:
        return None
    turned = _LAST_FIRST.fullmatch(page.shown)
    name = f"{turned[2]} {turned[1]}" if turned else _BEHIND_PERSON.sub("", page.shown).strip()
    answers = not is_unread(sender.local_part)
    own = answers and _is_in(name, sender.local_part)
    if not _is_person(page, name, employer, alone_is_enough=own):
        return None
    if own or (answers and page.sender is None and not turned and _reads_like_a_person(page, name)):
        span = span_of(page.header, "header", 0, len(page.header))
        return fact("contact", f"{name} <{sender.address}>", sender.address, span)
    if name == page.shown or turned:
        # A bare name at a mailbox of many may be the employer's as well.
        return None
    return fact("contact", name, name.casefold(), span_of(page.header, "header", 0, len(name)))


def _reads_like_a_person(page: Page, name: str) -> bool:
    """Somebody signs with the same name."""
    return any(line.text.strip(" ,-").startswith(name) for line in signed_lines(page))


def _of_label(page: Page, employer: Fact | None) -> Fact | None:
    for names in page.languages:
        for found in labelled(page, names.labels.contact):
            if found.sure and _is_person(page, found.value, employer, alone_is_enough=False):
                return fact("contact", found.value, found.value.casefold(), found.span)
    return None


def _of_signature(page: Page, employer: Fact | None) -> Fact | None:
    """A name above a line that says what they do, or one that the sender's name begins with."""
    lines = signed_lines(page)
    for place, line in enumerate(lines[:3]):
        name, start = _first_piece(line)
        if not _is_person(page, name, employer, alone_is_enough=False):
            continue
        shown = page.shown.split(" ")[0]
        if not _says_what_they_do(page, lines, place, line, name) and not (shown and name.startswith(shown)):
            continue
        text = page.text_of(line.source)
        return fact("contact", name, name.casefold(), span_of(text, line.source, start, start + len(name)))
    return None


def _says_what_they_do(page: Page, lines: list[Line], place: int, line: Line, name: str) -> bool:
    behind = [line.text.partition(name)[2], *(each.text for each in lines[place + 1 : place + 3])]
    heads = [names.role_heads for names in page.languages]
    text = " ".join(behind).replace("/", " ").replace("\u2019", "'").lower()
    words = {word.strip(".,'()|").removesuffix("'s") for word in text.split()}
    return any(words & (each | TEAM) for each in heads) or bool(
        words & {"head", "hr", "rh", "talent", "people"}
    )


def _first_piece(line: Line) -> tuple[str, int]:
    text = line.text
    start = len(text) - len(text.lstrip(" \t*-\u2013\u2014"))
    piece = re.split(r"\s+[|\u2013\u2014\u00b7-]\s+|,\s|\s*\|\s*|\s+\(", text[start:], maxsplit=1)[0].strip(
        " \t*,"
    )
    return piece, line.start + start


def _is_person(page: Page, name: str, employer: Fact | None, *, alone_is_enough: bool) -> bool:
    words = name.split()
    if not words or len(words) > _MOST_WORDS or _PERSON.fullmatch(name) is None:
        return False
    if len(words) < 2 and not alone_is_enough:  # noqa: PLR2004 - a first and a last name
        return False
    if begins_with_a_desk(name) or (employer is not None and condensed(name) in condensed(employer.value)):
        return False
    plain = [word.strip(".,").lower() for word in words]
    if not words[-1][0].isupper() or any(word in TEAM or word in _WORDS_OF_MAILBOXES for word in plain):
        return False
    generic = (
        names.not_alone | names.not_a_company | (names.role_heads - _ALSO_NAMES) for names in page.languages
    )
    return not any(word in words_of for words_of in generic for word in plain)


def _is_in(name: str, local_part: str) -> bool:
    plain = condensed(local_part)
    return any(len(word) > 2 and condensed(word) in plain for word in name.replace("-", " ").split())  # noqa: PLR2004
