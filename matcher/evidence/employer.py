"""Evidence about who writes: the employer's name, its domain, its place at a relay. Pure.

A relay's brand is never the employer because the relay sent the mail; an application at the relay's own maker
is found by what the message names, not by who carried it. A domain that only looks like a name is nobody's
until a settled message came from it, or the posting stood on it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from mailsync.classify.own_domains import own_label
from mailsync.classify.senders import is_relay_brand, known_sender
from mailsync.parse.types import Address
from matcher.aliases.types import OtherName
from matcher.decisions.types import Piece, Span
from matcher.evidence.also_named import Pair, pairs_of, with_and_without_group
from matcher.evidence.keys import company_key
from matcher.evidence.kinship import KINSHIP_SAYS, Kinship, kinship, names_to_try
from matcher.evidence.signing import (
    applied_to,
    is_alone_behind_a_label,
    is_employing,
    shown_as,
    signing,
    where_our_house_begins,
)
from matcher.evidence.types import Candidate, Letter, Named
from matcher.evidence.weights import Strength
from matcher.evidence.words import Seen, names_in, names_over_lines
from schema.vocabulary import EvidenceName, SpanSource

_SHORTEST_KEY = 2
_RARE_CHARS = 6
_HOST = re.compile(r"https?://([^/:?#]+)")
_NEAREST_FIRST: tuple[Kinship | None, ...] = (
    "spelling",
    "country",
    "group",
    "alphabet",
    "initials",
    "part",
    None,
)


class OwnDomain(msgspec.Struct, frozen=True, kw_only=True):
    """A domain that is no relay's and no mail service's: its whole name, and the label that may be a name."""

    key: str
    span: Span
    name: str


class Writer(msgspec.Struct, frozen=True, kw_only=True):
    """All the message tells about who writes, read once for every candidate.

    `other_names` is what the person holds its names for besides; `vouched` the companies whose domain a
    settled message has shown its own to be; `shown` is the sender's name, `told_twice` stands in two parts,
    `signing` alone on a last line, `employing` as "at Northwind", `applied_to` as "your application at".
    """

    named: tuple[Named, ...]
    named_keys: frozenset[str]
    domain: OwnDomain | None
    seen: dict[str, Span]
    shown: frozenset[str]
    told_twice: frozenset[str]
    signing: frozenset[str]
    employing: frozenset[str]
    applied_to: frozenset[str]
    tenants: dict[str, Named]
    pairs: tuple[Pair, ...]
    other_names: tuple[OtherName, ...] = ()
    vouched: frozenset[str] = frozenset()

    @property
    def used_keys(self) -> frozenset[str]:
        """Every company key the message itself could mean."""
        domain = {self.domain.key} if self.domain else set[str]()
        told = {key for pair in self.pairs for key in (pair.first, pair.second)}
        found = self.named_keys | domain | told | self.seen.keys() | self.tenants.keys()
        return frozenset(key for key in found if len(key) >= _SHORTEST_KEY)

    @property
    def keys(self) -> frozenset[str]:
        """Those, and what the person holds them for."""
        return self.used_keys | {name.key for name in self.other_names}

    @property
    def akin(self) -> frozenset[str]:
        """Names an employer may go by that is called as this message calls it."""
        domain = names_to_try(self.domain.key) if self.domain and not self.named else frozenset[str]()
        of_pairs = (names_to_try(pair.second) for pair in self.pairs)
        return domain.union(*(names_to_try(fact.value) for fact in self.named), *of_pairs)


def writer_of(letter: Letter) -> Writer:
    named = letter.all_named("employer")
    seen: dict[str, Span] = {}
    sources: dict[str, set[SpanSource]] = defaultdict(set)
    in_subject = names_in(letter.subject, "subject")
    in_body = [*names_in(letter.body, "text"), *names_over_lines(letter.body)]
    for found in (
        *_sender_names(letter),
        *in_subject,
        *in_body,
    ):
        seen.setdefault(found.key, found.span)
        sources[found.key].add(found.span.source)
    tenants = [*letter.all_named("tenant"), *letter.all_named("board")]
    return Writer(
        named=tuple(named),
        named_keys=frozenset(key for fact in named if (key := company_key(fact.value))),
        domain=own_domain(letter),
        seen={key: span for key, span in seen.items() if not is_relay_brand(key)},
        shown=shown_as(letter.sender_name),
        told_twice=frozenset(key for key, parts in sources.items() if len(parts) > 1),
        signing=frozenset(signing(letter.body, in_body)),
        employing=frozenset(
            found.key
            for found in in_body
            if is_employing(letter.body, found.span) or is_alone_behind_a_label(letter.body, found.span)
        ),
        applied_to=frozenset(applied_to(letter, (*in_subject, *in_body))),
        tenants={token: fact for fact in tenants if (token := last_token(fact.value))},
        pairs=(
            *pairs_of(letter),
            *_of_senders_house(letter, in_body),
        ),
    )


def _of_senders_house(letter: Letter, in_body: Iterable[Seen]) -> Iterator[Pair]:
    """ "Our subsidiary Globex" is of the house whose name the sender shows."""
    sender = company_key(letter.sender_name)
    for found in in_body if sender else ():
        start = where_our_house_begins(letter.body, found.span)
        if start is not None and sender is not None and found.key != sender:
            span = msgspec.structs.replace(found.span, start=start)
            says = " ".join(letter.body[span.start : span.end].split())
            yield Pair(first=sender, second=found.key, name=letter.sender_name, says=says, span=span)


def own_domain(letter: Letter) -> OwnDomain | None:
    """The name in the sender's own domain; None for relays, public mail services and broken addresses."""
    address = Address(address=letter.sender_address)
    label = own_label(address, known_sender(address))
    if not label:
        return None
    labels = address.domain.casefold().split(".")
    place = len(labels) - 1 - labels[::-1].index(label)
    name = ".".join(labels[place:])
    return OwnDomain(key=label.replace("-", ""), span=letter.sender_span(label), name=name)


def last_token(value: str) -> str:
    """The employer's token in "greenhouse/acme", "greenhouse:acme" or plain "acme", in comparable form."""
    token = value.casefold().replace(":", "/").rstrip("/").rpartition("/")[2]
    return "".join(letter for letter in token if letter.isalnum())


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
    """ "Northwind, registered office see imprint" was read as one name, and is Northwind's all the same."""
    for fact in writer.named:
        parts = fact.value.split(", ")
        part = next((part for part in parts if len(parts) > 1 and company_key(part) == key), None)
        if part is not None:
            return _for(strength.employer_seen, f"It speaks of {part}.", part, fact.span, sure=fact.sure)
    return None


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
        return _akin_domain(writer, company, strength)
    says = (
        f"It was sent from {domain.name}, which may be {company}'s domain; nothing settled came from there."
    )
    return _for(strength.employer_domain_unknown, says, domain.key, domain.span, sure=False)


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


def _sender_names(letter: Letter) -> list[Seen]:
    """ "Northwind Talent Team" is Northwind as a whole; "Ada at Northwind" is read like any text."""
    shown = letter.sender_name
    whole = company_key(shown)
    first = [Seen(key=whole, span=letter.sender_span(shown))] if whole else []
    inside = names_in(shown, "header")
    if letter.forwarded:
        inside = [
            msgspec.structs.replace(each, span=letter.sender_span(shown[each.span.start : each.span.end]))
            for each in inside
        ]
    return first + inside


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


def with_known(writer: Writer, other_names: Iterable[OtherName], vouched: frozenset[str]) -> Writer:
    """The same writer with what the person and settled messages know about its names."""
    own = tuple(name for name in other_names if name.used_key in writer.used_keys)
    return msgspec.structs.replace(writer, other_names=own, vouched=vouched)
