"""What for: the title of the post, which mostly stands in the body. Pure."""

import itertools
import re
from collections.abc import Iterator

import msgspec

from mailsync.classify.facts.hints import agrees, hints_of
from mailsync.classify.facts.invitation import titled
from mailsync.classify.facts.labels import labelled
from mailsync.classify.facts.mentions import ENOUGH, Mention, mention, mentions
from mailsync.classify.facts.names import is_role, trimmed
from mailsync.classify.facts.page import Page, fact
from mailsync.classify.facts.people import reads_like_a_person
from mailsync.classify.facts.signature import behind_closing
from mailsync.classify.facts.title_tail import end_of_title
from mailsync.classify.languages.language import Names
from mailsync.classify.types import Fact
from schema.identity.name_words import TEAM
from schema.identity.names import comparable_company, title_parts
from schema.identity.tokens import folded
from schema.identity.urls import posting_url
from schema.vocabulary import SpanSource

_MOST_LINKS = 40
_LAST_PIECE = re.compile(r"[ ]+[-|,\u2013\u2014][ ]+([^-|,\u2013\u2014\n]{3,40})$")
_FRONT = re.compile(r"([^-|:/\u2013\u2014\n]{2,60}?)(?:[ ]+[-|/\u2013\u2014][ ]+|[ ]?:[ ]+)")
_YOURS = re.compile(
    r"\b(?:your|ihr(?:e[nmrs]?)?|dein(?:e[nmrs]?)?|votre|vos|ton|tes|tus?|sus?|vuestr[ao]s?)\b", re.IGNORECASE
)
_LINE = re.compile(r"[^\n]+")
_LONGEST_LINE = 140
_JOINT = (
    r"\s*(?:[-|,:/\u2013\u2014@(\[]|\bat\b|\bas\b|\bals\b|\bcomme\b|\bcomo\b|\bwith\b|\bchez\b|\bbei\b|\ben\b|\bdel?\b|\bvon\b|\bder\b"
    r"|\bwithin\b)\s*"
)


def roles(page: Page, employer: Fact | None) -> Iterator[Fact]:
    """The title most phrases agree on, in the language that tells it best."""
    told = [best for names in page.languages if (best := _best(page, names, employer)) is not None]
    if not told:
        return
    weight, key, clearest = max(told, key=lambda each: each[0])
    if weight >= ENOUGH or (employer is not None and _says_who(page, clearest)):
        yield fact("role", clearest.value, key, clearest.span)


def _says_who(page: Page, found: Mention) -> bool:
    """Whether a word in it is what somebody is and nothing else: enough beside an employer's name."""
    words = {word.strip(".,()").lower() for word in found.value.replace("/", " ").split()}
    return any(words & (names.role_heads - names.also_companies) for names in page.languages)


def _best(page: Page, names: Names, employer: Fact | None) -> tuple[int, str, Mention] | None:
    by_key: dict[str, list[Mention]] = {}
    for found in _longest(list(_mentions(page, names, employer.value if employer else ""))):
        if employer is not None and comparable_company(found.value) == employer.comparable:
            continue
        if key := title_parts(found.value).key:
            by_key.setdefault(key, []).append(found)
    if not by_key:
        return None
    weights = {key: sum(found.weight for found in told) for key, told in by_key.items()}
    key = max(weights, key=lambda each: weights[each])
    clearest = max(by_key[key], key=lambda found: (found.weight, found.span.source == "text"))
    return weights[key], key, clearest


def _longest(found: list[Mention]) -> Iterator[Mention]:
    """ "Jefe" where another phrase tells "Jefe de obra" in the same place: a title goes on in small words."""
    for each in found:
        longer = [other for other in found if _goes_on_small(other, each)]
        told = max(longer, key=lambda other: other.span.end, default=each)
        yield msgspec.structs.replace(told, weight=each.weight)


def _goes_on_small(longer: Mention, each: Mention) -> bool:
    span, other = each.span, longer.span
    rest = other.text[len(span.text) :].lstrip()
    return (
        (other.source, other.start) == (span.source, span.start)
        and other.end > span.end
        and rest[:1].islower()
    )


def _mentions(page: Page, names: Names, company: str) -> Iterator[Mention]:
    signed = behind_closing(page)
    for found in (*_phrased(page, names), *_above(page, company), *_linked(page)):
        if found.sure or found.span.source != "text" or not _is_in(page, found, signed):
            yield from _title_in(page, found, names, company)
    yield from titled(page.calendar, names, company=False)


def _is_in(page: Page, found: Mention, signed: frozenset[int]) -> bool:
    """Under the closing of a letter a title is that of whoever signs."""
    return page.body.rfind("\n", 0, found.span.start) + 1 in signed


def _phrased(page: Page, names: Names) -> Iterator[Mention]:
    yield from mentions(page.subject, "subject", names, names.role_in_subject, company=False)
    yield from mentions(page.prose, "text", names, names.role_in_text, company=False)
    yield from labelled(page, names.labels.role)
    if page.sender is not None and page.sender.kind == "board":
        yield from mentions(page.body, "text", names, names.role_above_employer, company=False)


def _title_in(page: Page, found: Mention, names: Names, company: str) -> Iterator[Mention]:
    text = page.text_of(found.span.source)
    start, end = _without_reader(page, text, found.span.start, found.span.end)
    start, end = _without_company(text, start, end, company)
    start, end = trimmed(text, start, end, names, company=False)
    start = _behind_the_readers(text, start, end)
    start = _behind_the_senders_name(page, text, start, end, names)
    if end > start and is_role(text[start:end], names, sure=found.sure):
        end = end_of_title(page, _running(page, found.span.source), end, names, company)
        yield mention(text, found.span.source, start, end, weight=found.weight, sure=found.sure)


def _running(page: Page, source: SpanSource) -> str:
    """Lines that were wrapped in one, each place kept."""
    return page.prose if source == "text" else page.text_of(source)


def _without_reader(page: Page, text: str, start: int, end: int) -> tuple[int, int]:
    """ "Baker - Ada Quill" to Ada Quill is a Baker."""
    cut = _LAST_PIECE.search(text, start, end)
    if cut is None:
        return start, end
    reader = any(
        folded(cut[1]) in (folded(each.name), folded(each.local_part.replace(".", " ")))
        for each in page.message.recipients
    )
    return start, cut.start() if reader or reads_like_a_person(cut[1]) else end


def _without_company(text: str, start: int, end: int, company: str) -> tuple[int, int]:
    """ "Baker, Northwind" and "Northwind - Baker" are a Baker."""
    if not company:
        return start, end
    name = re.escape(company)
    behind = re.search(rf"(?:{_JOINT}){name}\b.*$", text[start:end], re.IGNORECASE | re.DOTALL)
    if behind is not None and behind.start() > 0:
        end = start + behind.start()
    before = re.match(rf"{name}(?:['\u2019]s?\s+|{_JOINT})", text[start:end], re.IGNORECASE)
    return (start + before.end() if before is not None else start), end


def _behind_the_readers(text: str, start: int, end: int) -> int:
    """ "The state of your application - Baker" is a Baker: no title speaks of what is the reader's."""
    front = _FRONT.match(text, start, end)
    return front.end() if front is not None and _YOURS.search(front[1]) else start


def _behind_the_senders_name(page: Page, text: str, start: int, end: int, names: Names) -> int:
    """ "Northwind - Baker" from northwind.example is a Baker, though nothing else names the employer."""
    front = _FRONT.match(text, start, end)
    if front is None or not is_role(text[front.end() : end], names, sure=False):
        return start
    told = any(agrees(front[1], hint.token) for hint in hints_of(page))
    return front.end() if told else start


def _above(page: Page, company: str) -> Iterator[Mention]:
    """A title on the line above the employer's name, as boards and confirmations list them.

    Under a person's name, or the closing of a letter, it is that of whoever signs.
    """
    if not company:
        return
    signed = behind_closing(page)
    lines = [found for found in _LINE.finditer(page.body) if found[0].strip()]
    above = ""
    for line, following in itertools.pairwise(lines):
        named, above = above, line[0].strip()
        if reads_like_a_person(named) or folded(named) == folded(page.shown.strip()):
            continue
        if len(line[0]) > _LONGEST_LINE or not _begins_with(following[0], company) or line.start() in signed:
            continue
        if line[0].strip().rpartition(" ")[2].lower() in TEAM:
            continue
        # "You are invited to an interview for: Baker" ends with the title.
        start = line.start() + max(
            len(line[0]) - len(line[0].rpartition(": ")[2]),
            len(line[0]) - len(line[0].lstrip(" \t*-\u2022")),
        )
        yield mention(page.body, "text", start, line.end(), weight=2, sure=False)


def _begins_with(line: str, company: str) -> bool:
    """The name, alone or with its place behind a mark."""
    rest = line.strip(" \t*")
    for front in (company, f"at {company}"):
        if rest.casefold().startswith(front.casefold()):
            behind = rest[len(front) :].lstrip()
            return not behind or behind[0] in "-|(,\u00b7\u2022\u2013\u2014"
    return False


def _linked(page: Page) -> Iterator[Mention]:
    """What a link to a posting is shown as."""
    for link in page.message.links[:_MOST_LINKS]:
        shown = page.body[link.start : link.end]
        if not shown or "://" in shown or len(shown) > _LONGEST_LINE:
            continue
        target = posting_url(link.url)
        if target is not None and target.kind == "posting":
            yield mention(page.body, "text", link.start, link.end, weight=3)
