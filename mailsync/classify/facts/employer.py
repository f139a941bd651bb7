"""Who hires, by what phrases, signatures and addresses agree on. Never a relay's brand, nor an agency. Pure.

A wrong employer is worse than none: a name is told when phrases that mark an employer add up to enough, or
when a name stands in the message that the sender's own tenant, board or domain spells as well.
"""

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from mailsync.classify.facts.booking import booked
from mailsync.classify.facts.hints import Hint, agrees, condensed, hints_of, spelt_out
from mailsync.classify.facts.houses import before_joint, first_names, is_behind_joint
from mailsync.classify.facts.invitation import titled
from mailsync.classify.facts.labels import labelled
from mailsync.classify.facts.mentions import ENOUGH, Mention, mention, mentions
from mailsync.classify.facts.names import is_brand, is_company, is_role, trimmed
from mailsync.classify.facts.page import Page, fact
from mailsync.classify.facts.people import is_given_name, reads_like_a_person
from mailsync.classify.facts.signature import closing_lines, letterhead, names_a_firm, signed_lines
from mailsync.classify.facts.writers import writers
from mailsync.classify.languages.language import Names
from mailsync.classify.languages.load import languages
from mailsync.classify.senders import table
from mailsync.classify.types import Fact
from schema.identity.name_words import TEAM
from schema.identity.names import comparable_company
from schema.identity.tokens import folded
from schema.vocabulary import SpanSource

_AGREEMENT = 2
_SHORTEST = 2
_LONGEST = 5
_JOINING = 3
_OF_A_PERSON = 3
_OWNER = re.compile(r"(.{2,60}?)['\u2019]s?\s")
_BAR = re.compile(r"\s+[|\u2013\u2014-]\s+|:\s+")
_STRONG = 3
_OF_A_CARRIER = frozenset(("online", "team", "support", "notifications", "platform", "recruiting"))
_PARTED = re.compile(r"\s+[|/\u2013\u2014-]\s+")
_TEAM_WORDS = TEAM | {
    "university", "campus", "graduate", "early", "ta", "hr", "shared", "services", "empleo", "selecci\u00f3n",
    "seleccion", "talento", "rrhh", "reclutamiento", "personas", "karriere", "personal", "personalabteilung",
    "bewerbermanagement", "recrutement", "carri\u00e8res", "rh", "candidatures", "emploi",
}  # fmt: skip
_GENERIC_MAILBOX = re.compile(
    r"(?:no|do|not|dont)?[-_.]?(?:not)?[-_.]?reply|notifications?|mail|careers?|jobs?|recruit\w*|talent|support"
    r"|system|recrutement|candidatures?|emploi|rh|ne-?pas-?repondre|bewerbung\w*|karriere\w*|personal|empleo|seleccion|talento"
    r"|candidates?|hiring|hr|people|info|hello|team"
)
_NO_NAME = re.compile(r"(?:do)?[-_. ]?(?:not?|dont)[-_. ]?(?:reply|respond)", re.IGNORECASE)
_PEOPLE_WRITE_THROUGH = frozenset(("smartrecruiters", "teamtailor"))


class _Told(msgspec.Struct, kw_only=True):
    """All mentions of one name."""

    mentions: list[Mention]
    weight: int = 0

    def clearest(self) -> Mention:
        return max(self.mentions, key=lambda each: (each.weight, each.span.source != "header"))


def employers(page: Page) -> Iterator[Fact]:
    hints = hints_of(page)
    told = _by_name(page, hints)
    if not told:
        return
    best = max(told.values(), key=lambda each: each.weight)
    if best.weight < ENOUGH:
        return
    clearest = best.clearest()
    yield fact("employer", clearest.value, comparable_company(clearest.value), clearest.span)


def _by_name(page: Page, hints: tuple[Hint, ...]) -> dict[str, _Told]:
    """Every name with its weight in the language that believes it most."""
    agency = _agency_words(page, hints)
    people = frozenset(condensed(each.name) for each in page.message.recipients if each.name)
    people |= writers(page)
    spelt = [found for found, _ in spelt_out(page, hints)]
    strongest: dict[str, _Told] = {}
    for names in page.languages:
        told: dict[str, _Told] = {}
        for found in _once_each(_mentions(page, names, spelt)):
            key = condensed(comparable_company(found.value))
            if len(key) < _SHORTEST or key in people or _is_relay(page, found):
                continue
            if not any(agrees(found.value, token) for token in agency):
                told.setdefault(key, _Told(mentions=[])).mentions.append(found)
        _weigh(told, hints)
        for key, each in told.items():
            if key not in strongest or strongest[key].weight < each.weight:
                strongest[key] = each
    return strongest


def _is_relay(page: Page, found: Mention) -> bool:
    """A platform's brand; one that is plainly applied to, in mail another one carries, hires for itself."""
    if not is_brand(found.value) and not _is_carriers(page, found.value):
        return False
    name = comparable_company(found.value)
    kinds = {sender.kind for sender in table() if sender.name == name}
    carries = page.sender is not None and page.sender.name in (name, name.partition(" ")[0])
    return carries or not kinds or "board" in kinds or found.weight < _STRONG or found.span.source == "header"


def _is_carriers(page: Page, value: str) -> bool:
    """ "SHL Online" at SHL."""
    first, _, rest = comparable_company(value).partition(" ")
    return page.sender is not None and first == page.sender.name and rest in _OF_A_CARRIER


def _weigh(told: dict[str, _Told], hints: tuple[Hint, ...]) -> None:
    for each in told.values():
        each.weight = sum(found.weight for found in each.mentions)
        if any(agrees(each.mentions[0].value, hint.token) for hint in hints):
            each.weight += _AGREEMENT
    _lend_to_longer(told)


def _once_each(found: Iterable[Mention]) -> Iterator[Mention]:
    """A weak phrase counts once a place; those that mark an employer count each."""
    seen: set[tuple[SpanSource, int, int]] = set()
    for each in found:
        place = (each.span.source, each.span.start, each.span.end)
        if each.weight >= ENOUGH or place not in seen:
            yield each
        seen.add(place)


def _mentions(page: Page, names: Names, spelt: list[Mention]) -> Iterator[Mention]:
    for found in (*_phrased(page, names), *spelt):
        yield from _company_in(page, found, names)
    yield from titled(page.calendar, names, company=True)


def _phrased(page: Page, names: Names) -> Iterator[Mention]:
    event = list(booked(page, names))
    if not event:
        # The subject of a booking names the person the talk is with.
        yield from mentions(page.subject, "subject", names, names.company_in_subject, company=True)
    yield from event
    yield from mentions(page.prose, "text", names, names.company_in_text, company=True)
    yield from mentions(page.body, "text", names, names.company_on_a_line, company=True)
    yield from mentions(page.signature, "signature", names, names.company_on_a_line, company=True)
    yield from labelled(page, names.labels.employer)
    yield from closing_lines(page)
    yield from letterhead(page)
    yield from _between_bars(page.subject, names)
    yield from _of_the_sender(page)
    yield from _shown_and_signed(page)
    yield from first_names(page)


def _between_bars(subject: str, names: Names) -> Iterator[Mention]:
    """ "Application received | Northwind | Baker": the piece that is neither the role nor about applying."""
    cuts = [(0, 0), *(found.span() for found in _BAR.finditer(subject)), (len(subject), len(subject))]
    pieces = [(before[1], after[0]) for before, after in itertools.pairwise(cuts)]
    texts = [subject[start:end].strip() for start, end in pieces]
    has_role = any(is_role(text, names, sure=False) for text in texts)
    for (start, end), text in zip(pieces, texts, strict=True):
        if len(pieces) > 1 and _is_capitalised(text) and _is_firm_beside(text, texts, names):
            weight = ENOUGH if has_role and len(pieces) > ENOUGH else 1
            yield mention(subject, "subject", start, end, weight=weight)


def _is_firm_beside(text: str, texts: list[str], names: Names) -> bool:
    """A piece with a title's word is the title, unless another one is."""
    titles = [each for each in texts if _holds_head(each, names)]
    may_hold_one = len(titles) > 1 and not _begins_with_head(text, names)
    return is_company(text, names) and (text not in titles or may_hold_one)


def _is_capitalised(text: str) -> bool:
    words = text.split()
    return 0 < len(words) <= _LONGEST and all(not word.islower() or len(word) <= _JOINING for word in words)


def _company_in(page: Page, found: Mention, names: Names) -> Iterator[Mention]:
    """The mention when it is an employer's name, or the part before "'s" when only that is one."""
    text = page.text_of(found.span.source)
    start, end = trimmed(text, found.span.start, found.span.end, names, company=True)
    end = before_joint(text, start, _before_platform(page, text, start, end))
    if is_behind_joint(text, start):
        return
    if found.span.source == "header":
        end = _before_desk(text, start, end)
    start, end = _piece_of_a_line(page, text, start, end, names)
    value = text[start:end]
    if not all(is_company(value, each) for each in page.languages):
        owner = _OWNER.match(value)
        if owner is None or not is_company(owner[1], names):
            return
        end = start + len(owner[1])
    weight = found.weight
    if reads_like_a_person(text[start:end]):
        weight -= _OF_A_PERSON if found.span.source == "header" else 1
    if weight > 0:
        yield mention(text, found.span.source, start, end, weight=weight, sure=found.sure)


def _piece_of_a_line(page: Page, text: str, start: int, end: int, names: Names) -> tuple[int, int]:
    """ "Ada Quill | Northwind" and "Northwind - Baker" are Northwind, the only piece that can be one."""
    cuts = [(start, start), *(found.span() for found in _PARTED.finditer(text, start, end)), (end, end)]
    pieces = [(before[1], after[0]) for before, after in itertools.pairwise(cuts)]
    readers = {
        folded(called)
        for each in page.message.recipients
        for called in (each.name, each.local_part.replace(".", " "))
        if called
    }
    told = [place for place in pieces if folded(text[slice(*place)]) not in readers]
    firms = [place for place in told if _may_be_a_firm(text[slice(*place)], names)]
    parted = "|" in text[start:end] or any(_holds_head(text[slice(*place)], names) for place in pieces)
    parted = parted or len(told) < len(pieces)
    return firms[0] if parted and len(firms) == 1 else (start, end)


def _may_be_a_firm(piece: str, names: Names) -> bool:
    return is_company(piece, names) and not _holds_head(piece, names) and not reads_like_a_person(piece)


def _holds_head(piece: str, names: Names) -> bool:
    """A word that stands in titles and in no employer's name."""
    heads = names.role_heads - names.also_companies
    return not heads.isdisjoint(word.strip(".,()").lower() for word in piece.replace("/", " ").split())


def _begins_with_head(piece: str, names: Names) -> bool:
    """ "Desarrollador Java" is what somebody is, whatever else in the line could be."""
    return piece.split(maxsplit=1)[0].strip(".,()").lower() in names.role_heads - names.also_companies


def _before_desk(text: str, start: int, end: int) -> int:
    """ "Northwind Selecci\u00f3n" is Northwind, whatever the letter is written in."""
    while (parted := text[start:end].rstrip().rpartition(" "))[0] and parted[2].lower() in _TEAM_WORDS:
        end = start + len(parted[0].rstrip(" -|,"))
    return end


def _before_platform(page: Page, text: str, start: int, end: int) -> int:
    """ "Northwind Workday" and "Northwind via Workday" at Workday are Northwind."""
    front, _, last = text[start:end].rpartition(" ")
    if (
        front
        and not is_brand(text[start:end])
        and page.sender is not None
        and last.lower() == page.sender.name
    ):
        return start + len(front.removesuffix(" via").removesuffix(" through").removesuffix(" on"))
    return end


def _of_the_sender(page: Page) -> Iterator[Mention]:
    """As "Northwind Talent Team", "Ada from Northwind", "Northwind via Lever"; a bare name is weak."""
    named = list(_in_display_name(page))
    yield from named
    sender, address = page.sender, page.message.sender
    if named or sender is None or not page.shown or sender.name in _PEOPLE_WRITE_THROUGH:
        return
    if is_given_name(page.shown) or _NO_NAME.fullmatch(page.shown):
        return
    if _GENERIC_MAILBOX.match(address.local_part) or sender.tenant == "local":
        yield mention(page.header, "header", 0, len(page.shown), weight=ENOUGH)


def _shown_and_signed(page: Page) -> Iterator[Mention]:
    """Whoever signs with the whole name the mailbox is shown with, and is no person."""
    shown = page.shown.strip()
    generic = _GENERIC_MAILBOX.match(page.message.sender.local_part) is not None
    firm = names_a_firm(page, shown) or len(shown.split()) == 1
    if not shown or not generic or not firm or is_given_name(shown.split()[0]) or _NO_NAME.fullmatch(shown):
        return
    if any(folded(line.text.strip(" \t.,-\u2013\u2014")) == folded(shown) for line in signed_lines(page)):
        yield mention(page.header, "header", 0, len(page.shown), weight=_STRONG)


def _in_display_name(page: Page) -> Iterator[Mention]:
    """Teams name themselves in any language, whatever the letter is written in."""
    seen: set[tuple[int, int]] = set()
    for language in languages():
        names = language.names
        for found in mentions(page.shown, "header", names, names.company_on_a_line, company=True):
            whole = _from_its_beginning(page, found, names)
            if (place := (whole.span.start, whole.span.end)) not in seen:
                seen.add(place)
                yield msgspec.structs.replace(whole, weight=whole.weight + 1)


def _from_its_beginning(page: Page, found: Mention, names: Names) -> Mention:
    """ "Claire de Northwind" is of Northwind, but "Mairie de Northwind" is a name as a whole."""
    front = page.shown[: found.span.start]
    if not front.rstrip().endswith((" de", " en", " of", " von")) or is_given_name(front.split()[0]):
        return found
    start, end = trimmed(page.shown, 0, found.span.end, names, company=True)
    return mention(page.header, "header", start, end, weight=found.weight)


def _agency_words(page: Page, hints: tuple[Hint, ...]) -> tuple[str, ...]:
    """The tokens of one who hires for somebody else and says so."""
    patterns = [names.client for names in page.languages if names.client is not None]
    said = any(pattern.search(text) for pattern in patterns for text in (page.prose, page.subject))
    return tuple(hint.token for hint in hints if hint.own) if said else ()


def _lend_to_longer(told: dict[str, _Told]) -> None:
    """ "Cobalt" in a letter from "Cobalt Logistics Careers" is Cobalt Logistics, and not "Cobalt Campus".

    A longer one that stands beside the shorter must occur twice, or where names stand whole: it may be a name
    with a word behind.
    """
    lent: dict[str, int] = defaultdict(int)
    for (key, each), (shorter, other) in itertools.permutations(told.items(), 2):
        more = _goes_on(each.mentions[0].value, other.mentions[0].value)
        if more is None:
            continue
        beside = _stands_beside(other, each)
        if more <= TEAM or (more <= _TEAM_WORDS and beside):
            lent[shorter] += each.weight
        elif _stands_whole(each) or (not beside and each.weight >= ENOUGH):
            lent[key] += other.weight
    for key, weight in lent.items():
        told[key].weight += weight


def _goes_on(longer: str, shorter: str) -> frozenset[str] | None:
    """The words a longer name has behind a shorter one; None when it does not begin with it.

    A place behind a comma is no part of a name: "Northwind Stores, Leeds".
    """
    if "," in longer[len(shorter) : len(shorter) + 1]:
        return None
    whole, part = comparable_company(longer), comparable_company(shorter)
    return frozenset(whole[len(part) :].split()) if whole.startswith(f"{part} ") else None


def _stands_whole(told: _Told) -> bool:
    return len(told.mentions) >= ENOUGH or any(
        found.span.source in ("header", "subject", "signature") or found.weight >= _STRONG
        for found in told.mentions
    )


def _stands_beside(shorter: _Told, longer: _Told) -> bool:
    """Somewhere else than where the longer name begins."""
    begins = {(found.span.source, found.span.start) for found in longer.mentions}
    return any((found.span.source, found.span.start) not in begins for found in shorter.mentions)
