"""Who hires, as the event of a booking is called: "Event: Northwind interview - Baker". Pure.

Read only in the mail of scheduling services, whose text says nothing else about the job.
"""

import itertools
import re
from collections.abc import Iterator

from mailsync.classify.facts.mentions import ENOUGH, Mention, mention
from mailsync.classify.facts.names import is_company, is_role
from mailsync.classify.facts.page import Page
from mailsync.classify.facts.people import reads_like_a_person
from mailsync.classify.languages.language import Names

_STRONG = 3
_MOST = 3
_EVENT = re.compile(
    r"^[ \t*]{0,4}(?:event(?:[ ](?:type|name))?|what|topic|meeting|subject|ereignis|termin(?:art)?|thema"
    r"|betreff|objet|sujet|\u00e9v\u00e9nement|evento|tema|asunto)[ \t]{0,2}:[ \t*]{0,4}(?:\n[ \t]{0,4})?"
    r"(?P<title>[^\n]{3,120})$",
    re.IGNORECASE | re.MULTILINE,
)
_PARTED = re.compile(r"\s+[|/\u2013\u2014-]\s+|[:,]\s+|\s+[(\[]|[)\]]")
_TALK = (
    r"interviews?|telefoninterview|gespr\u00e4ch|erstgespr\u00e4ch|zweitgespr\u00e4ch|vorstellungsgespr\u00e4ch"
    r"|bewerbungsgespr\u00e4ch|kennenlerngespr\u00e4ch|telefonat|entretien|\u00e9change|entrevista|llamada|appel"
    r"|screen(?:ing)?|call|chat|conversation|conversaci\u00f3n"
)
_KIND = (
    r"first|second|third|final|initial|intro(?:ductory)?|phone|video|technical|on-?site|virtual|job|recruiter|hiring"
    r"|the|\d{1,3}[ -]?min(?:utes?|s)?|premier|deuxi\u00e8me|t\u00e9l\u00e9phonique"
    r"|visio|primera|segunda|telef\u00f3nica"
    r"|erstes|zweites|telefonisches"
)
_OF = r"at|for|by|bei|chez|en|de|du|d[eo]l|zu|with|mit|avec|con"
_IN_FRONT = re.compile(rf"(?:(?:{_KIND})\s+)*(?:{_TALK})\b(?:\s+(?P<of>{_OF})\b)?\s*", re.IGNORECASE)
_BEHIND = re.compile(rf"\s+(?:(?:{_KIND})\s+)*(?:{_TALK})$", re.IGNORECASE)
_INTERVIEW = re.compile(
    r"\b(?:interviews?|telefoninterview|vorstellungsgespr\u00e4ch|bewerbungsgespr\u00e4ch|entrevista|entretien"
    r"|phone screen(?:ing)?)\b",
    re.IGNORECASE,
)
_WITH = frozenset(("with", "mit", "avec", "con"))


def booked(page: Page, names: Names) -> Iterator[Mention]:
    if page.sender is None or page.sender.kind != "schedule":
        return
    for event in itertools.islice(_EVENT.finditer(page.body), _MOST):
        yield from _of_title(page.body, *event.span("title"), names)


def is_about_hiring(page: Page) -> bool:
    """Whether the event is a job interview: called one, or a talk that a title stands beside."""
    if page.sender is None or page.sender.kind != "schedule":
        return False
    titles = [found["title"] for found in itertools.islice(_EVENT.finditer(page.body), _MOST)]
    return any(_INTERVIEW.search(title) is not None or _names_a_title(page, title) for title in titles)


def _names_a_title(page: Page, title: str) -> bool:
    pieces = _PARTED.split(title)
    talks = any(_without_talk(piece, 0, len(piece)) is not None for piece in pieces)
    return talks and any(is_role(piece, names, sure=False) for piece in pieces for names in page.languages)


def _of_title(text: str, start: int, end: int, names: Names) -> Iterator[Mention]:
    """The name beside the word for a talk, or else the only other piece that can be one."""
    cuts = [(start, start), *(found.span() for found in _PARTED.finditer(text, start, end)), (end, end)]
    pieces = [(before[1], after[0]) for before, after in itertools.pairwise(cuts)]
    talks = [piece for piece in pieces if (_without_talk(text, *piece)) is not None]
    for piece in talks:
        first, last, with_whom = _without_talk(text, *piece) or (0, 0, False)
        if _is_name(text[first:last], names):
            yield mention(text, "text", first, last, weight=1 if with_whom else _STRONG)
            return
    others = [piece for piece in pieces if piece not in talks and _is_name(text[slice(*piece)], names)]
    if talks and len(others) == 1:
        yield mention(text, "text", *others[0], weight=ENOUGH)


def _without_talk(text: str, start: int, end: int) -> tuple[int, int, bool] | None:
    """What is left of a piece without the word for a talk, and whether it is with somebody; None without."""
    front = _IN_FRONT.match(text, start, end)
    if front is not None:
        return front.end(), end, (front["of"] or "").lower() in _WITH
    behind = _BEHIND.search(text, start, end)
    return None if behind is None else (start, behind.start(), False)


def _is_name(piece: str, names: Names) -> bool:
    return (
        (piece[:1].isupper() or piece[:1].isdigit())
        and is_company(piece, names)
        and not is_role(piece, names, sure=False)
        and not reads_like_a_person(piece)
    )
