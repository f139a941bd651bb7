"""Evidence about who writes: the employer's name, its domain, its place at a relay. Pure.

A relay's brand is never the employer because the relay sent the mail; an application at the relay's own maker
is found by what the message names, not by who carried it. A domain that only looks like a name is nobody's
until a settled message came from it, or the posting stood on it.
"""

import re
from collections.abc import Iterator

from matcher.aliases.types import OtherName
from matcher.decisions.types import Piece, Span
from matcher.evidence.also_named import with_and_without_group
from matcher.evidence.keys import company_key
from matcher.evidence.kinship import KINSHIP_SAYS, Kinship, collapsed, kinship
from matcher.evidence.types import Candidate, Named
from matcher.evidence.weights import Strength
from matcher.evidence.writer import OwnDomain, Writer, last_token
from schema.vocabulary import EvidenceName

_RARE_CHARS = 6
_GOES_ON = re.compile(r"[ \u00a0]+(?=[-\u2013\u2014|/(]|[a-z\u00df-\u00ff])")
_HOST = re.compile(r"https?://([^/:?#]+)")
_NEAREST_FIRST: tuple[Kinship | None, ...] = (
    "spelling",
    "country",
    "group",
    "alphabet",
    "mistyped",
    "initials",
    "part",
    None,
)


def employer_piece(writer: Writer, candidate: Candidate, strength: Strength) -> Piece | None:
    key, company = candidate.company_key, candidate.company
    if not key or not company:
        return None
    told = _named(writer, key, strength) or _other_name(writer, key, company, strength)
    told = told or _of_one_house(writer, key, strength)
    if told is not None:
        return told
    if writer.named_keys and not _is_read_wrongly(writer, key, company):
        return _akin(writer, candidate, key, company, strength)
    # Who writes from the domain that spells a name is called so, whatever else was read as a name.
    return _shown(writer, candidate, key, company, strength)


def tenant_piece(writer: Writer, candidate: Candidate, strength: Strength) -> Piece | None:
    board = last_token(candidate.board) if candidate.board else None
    for token, fact in writer.tenants.items():
        held = {name.key for name in writer.other_names if name.used_key == token}
        if token in {board, candidate.company_key} or candidate.company_key in held:
            company = candidate.company or "the employer"
            says = f"It comes from {fact.value}, {company}'s place at the platform."
            return _for(strength.tenant, says, fact.value, fact.span, name="tenant", sure=fact.sure)
    return None


def _named(writer: Writer, key: str, strength: Strength) -> Piece | None:
    fact = next((fact for fact in writer.named if company_key(fact.value) == key), None)
    if fact is None:
        return _among_words(writer, key, strength)
    says = f"It names {fact.value} as the employer."
    return _for(strength.employer_named, says, fact.value, fact.span, sure=fact.sure)


def _among_words(writer: Writer, key: str, strength: Strength) -> Piece | None:
    """ "Northwind, registered office" and "Northwind via" were read as one name, and are Northwind's."""
    for fact in writer.named:
        parts = (*fact.value.split(", "), *_beginnings(fact.value))
        part = next((part for part in parts if part != fact.value and company_key(part) == key), None)
        if part is not None:
            return _for(strength.employer_seen, f"It speaks of {part}.", part, fact.span, sure=fact.sure)
    return None


def _beginnings(value: str) -> Iterator[str]:
    """What stands before a mark, or before a word that is written small."""
    return (value[: cut.start()] for cut in _GOES_ON.finditer(value))


def _other_name(writer: Writer, key: str, company: str, strength: Strength) -> Piece | None:
    """A name the person holds for this employer's: named as the employer, or standing in the message."""
    for name in sorted(
        writer.other_names, key=lambda found: (found.used_key not in writer.named_keys, found.used_key)
    ):
        if name.key != key:
            continue
        fact = next((fact for fact in writer.named if company_key(fact.value) == name.used_key), None)
        span = fact.span if fact else writer.seen.get(name.used_key)
        if fact is None and writer.named_keys:
            continue
        if span is None and writer.domain is not None and writer.domain.key == name.used_key:
            span = writer.domain.span
        if span is not None:
            used, verb = (fact.value, "names") if fact else (name.used, "speaks of")
            did = "entered" if name.origin == "person" else "confirmed"
            says = f"It {verb} {used}, another name of {company}, which you {did} on {name.since:%d %B %Y}."
            counts = _counts(writer, name, strength, is_named=fact is not None)
            return _for(counts, says, used, span, sure=fact is None or fact.sure)
    return None


def _counts(writer: Writer, name: OtherName, strength: Strength, *, is_named: bool) -> float:
    """What the person says it is called counts like the name that was recorded."""
    if name.origin == "person":
        is_told = is_named or _is_told(writer, name.used_key)
        return strength.employer_named if is_told else strength.employer_seen
    return strength.employer_alias if is_named else strength.employer_alias_seen


def _is_told(writer: Writer, key: str) -> bool:
    """It stands where one names who writes, or whom one applied to."""
    return any(key in names for names in (writer.shown, writer.told_twice, writer.signing, writer.employing))


def _of_one_house(writer: Writer, key: str, strength: Strength) -> Piece | None:
    """ "Globex (formerly Initech)" speaks of both, whichever of them it names as the employer."""
    own = with_and_without_group(key)
    for pair in writer.pairs:
        other = pair.second if pair.first == key else pair.first if pair.second in own else None
        house = {other, *(each.second for each in writer.pairs if each.first == pair.first)}
        if other is not None and (not writer.named_keys or not house.isdisjoint(writer.named_keys)):
            says = f'It says that two names are one house: "{pair.says}".'
            return _for(strength.employer_house, says, pair.says, pair.span)
    return None


def _akin(writer: Writer, candidate: Candidate, key: str, company: str, strength: Strength) -> Piece:
    """Another employer is named; one whose name is akin only proposes, or speaks less against."""
    kinds: list[tuple[Kinship | None, Named]] = [
        (kinship(fact.value, company), fact) for fact in writer.named
    ]
    kind, fact = min(kinds, key=lambda found: _NEAREST_FIRST.index(found[0]))
    if kind != "part" and (held := _held_by_its_board(writer, candidate)) is not None:
        says = f"It names {held.value}, as {company}'s board is called."
        return _for(strength.employer_spelling, says, held.value, held.span, sure=held.sure)
    if kind is None:
        return _beside(writer, key, company, fact, strength)
    says = KINSHIP_SAYS[kind].format(theirs=fact.value, ours=company)
    if kind == "part":
        return _part(writer, key, company, fact, strength)
    if kind in {"spelling", "country", "group"} or (kind == "initials" and _is_sent_from(writer, key)):
        return _for(strength.employer_spelling, says, fact.value, fact.span, sure=fact.sure)
    return _for(strength.employer_akin, says, fact.value, fact.span, sure=False)


def _part(writer: Writer, key: str, company: str, fact: Named, strength: Strength) -> Piece:
    """A longer name is meant by a shorter one where it stands whole, or the domain spells it."""
    says = KINSHIP_SAYS["part"].format(theirs=fact.value, ours=company)
    if len(company_key(fact.value) or "") < len(key):
        if _is_sent_from(writer, key):
            return _for(strength.employer_named, says, fact.value, fact.span, sure=fact.sure)
        if (whole := writer.seen.get(key)) is not None:
            return _for(strength.employer_seen, f"It speaks of {company}.", company, whole)
    return _against(strength.employer_near, says, fact)


def _held_by_its_board(writer: Writer, candidate: Candidate) -> Named | None:
    """The posting applied to stood on a board of that name."""
    token = last_token(candidate.board) if candidate.board else ""
    return next((fact for fact in writer.named if token and company_key(fact.value) == token), None)


def _is_read_wrongly(writer: Writer, key: str, company: str) -> bool:
    """The domain spells this name out, and nothing akin to it was read as the employer's."""
    return _is_sent_from(writer, key) and not any(kinship(fact.value, company) for fact in writer.named)


def _is_sent_from(writer: Writer, key: str) -> bool:
    """ "HBV" from the domain that spells the whole name out is short for it."""
    return writer.domain is not None and writer.domain.key == key


def _beside(writer: Writer, key: str, company: str, fact: Named, strength: Strength) -> Piece:
    """Another employer is named; this one may stand there as well, as a client or part of a group."""
    span = writer.seen.get(key)
    if span is None:
        says = f"It names {fact.value}, which is not {company}."
        return _against(strength.employer_other, says, fact)
    if key in writer.applied_to:
        return _for(strength.employer_named, f"It speaks of the application to {company}.", company, span)
    if _is_told(writer, key):
        says = f"It speaks of {company} as the employer, and of {fact.value} as well."
        return _for(strength.employer_beside, says, company, span)
    says = f"It names {fact.value} as the employer, though it speaks of {company} as well."
    return _against(strength.employer_mentioned, says, fact)


def _shown(writer: Writer, candidate: Candidate, key: str, company: str, strength: Strength) -> Piece | None:
    """No employer is named: what the domain and the words of the message show."""
    domain = writer.domain if writer.domain is not None and writer.domain.key == key else None
    if domain is not None and (key in writer.vouched or is_posted_on(candidate, domain)):
        says = f"It was sent from {company}'s own domain."
        is_its_name = len(key) >= _RARE_CHARS and key in writer.vouched
        return _for(
            strength.employer_named if is_its_name else strength.employer_domain, says, key, domain.span
        )
    span = writer.seen.get(key)
    if span is not None and domain is not None:
        says = f"It speaks of {company}, and comes from a domain of that name."
        return _for(strength.employer_named, says, company, span)
    if span is not None and _is_told(writer, key):
        return _for(strength.employer_named, f"It comes from {company}, or is about it.", company, span)
    if span is not None:
        return _for(strength.employer_seen, f"It speaks of {company}.", company, span)
    if domain is None:
        return _spelled(writer, key, company, strength) or _akin_domain(writer, company, strength)
    says = (
        f"It was sent from {domain.name}, which may be {company}'s domain; nothing settled came from there."
    )
    return _for(strength.employer_domain_unknown, says, domain.key, domain.span, sure=False)


def _spelled(writer: Writer, key: str, company: str, strength: Strength) -> Piece | None:
    """The name written another way where one tells who writes."""
    plain = collapsed(key)
    found = (other for other in sorted(writer.told) if other in writer.seen and collapsed(other) == plain)
    if (theirs := next(found, None)) is None:
        return None
    says = KINSHIP_SAYS["spelling"].format(theirs=theirs, ours=company)
    return _for(strength.employer_spelling, says, theirs, writer.seen[theirs])


def _akin_domain(writer: Writer, company: str, strength: Strength) -> Piece | None:
    domain = writer.domain
    if domain is None or kinship(domain.key, company) not in {"spelling", "initials", "alphabet"}:
        return None
    says = f"It was sent from {domain.name}, which may be short for {company}."
    return _for(strength.employer_akin, says, domain.key, domain.span, sure=False)


def is_posted_on(candidate: Candidate, domain: OwnDomain) -> bool:
    """The posting stood on the employer's own pages, not at a platform."""
    host = _HOST.match(candidate.canonical_url or "")
    return host is not None and f".{host[1]}".endswith(f".{domain.name}") and candidate.platform is None


def _against(strength: float, says: str, fact: Named) -> Piece:
    return Piece(
        name="employer",
        direction="against",
        strength=strength,
        says=says,
        value=fact.value,
        span=fact.span,
        sure=fact.sure,
    )


def _for(
    strength: float,
    says: str,
    value: str,
    span: Span,
    *,
    name: EvidenceName = "employer",
    sure: bool = True,
) -> Piece:
    return Piece(name=name, direction="for", strength=strength, says=says, value=value, span=span, sure=sure)
