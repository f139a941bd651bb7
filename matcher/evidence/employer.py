"""Evidence about who writes: the employer's name, its domain, its place at a relay. Pure.

A relay's brand is never the employer because the relay sent the mail; an application at the relay's own maker
is found by what the message names, not by who carried it.
"""

import msgspec

from mailsync.classify.own_domains import own_label
from mailsync.classify.senders import is_relay_brand, known_sender
from mailsync.parse.types import Address
from matcher.decisions.types import Piece, Span
from matcher.evidence.keys import company_key
from matcher.evidence.types import Candidate, Letter, Named
from matcher.evidence.weights import Strength
from matcher.evidence.words import Seen, names_in
from schema.identity.names import company_words

_SHORTEST_KEY = 2


class Writer(msgspec.Struct, frozen=True, kw_only=True):
    """All the message tells about who writes, read once for every candidate."""

    named: tuple[Named, ...]
    named_keys: frozenset[str]
    domain: Seen | None
    seen: dict[str, Span]
    tenants: dict[str, Named]

    @property
    def keys(self) -> frozenset[str]:
        """Every company key the message could mean."""
        domain = {self.domain.key} if self.domain else set[str]()
        found = self.named_keys | domain | self.seen.keys() | self.tenants.keys()
        return frozenset(key for key in found if len(key) >= _SHORTEST_KEY)


def writer_of(letter: Letter) -> Writer:
    named = letter.all_named("employer")
    seen: dict[str, Span] = {}
    for found in (
        *_sender_names(letter),
        *names_in(letter.subject, "subject"),
        *names_in(letter.body, "text"),
    ):
        seen.setdefault(found.key, found.span)
    tenants = [*letter.all_named("tenant"), *letter.all_named("board")]
    return Writer(
        named=tuple(named),
        named_keys=frozenset(key for fact in named if (key := company_key(fact.value))),
        domain=own_domain(letter),
        seen={key: span for key, span in seen.items() if not is_relay_brand(key)},
        tenants={token: fact for fact in tenants if (token := last_token(fact.value))},
    )


def own_domain(letter: Letter) -> Seen | None:
    """The name in the sender's own domain; None for relays, public mail services and broken addresses."""
    address = Address(address=letter.sender_address)
    label = own_label(address, known_sender(address))
    start = letter.header.casefold().rfind(label) if label else -1
    if not label or start < 0:
        return None
    span = Span(source="header", start=start, end=start + len(label))
    return Seen(key=label.replace("-", ""), span=span)


def last_token(value: str) -> str:
    """The employer's token in "greenhouse/acme", "greenhouse:acme" or plain "acme", in comparable form."""
    token = value.casefold().replace(":", "/").rstrip("/").rpartition("/")[2]
    return "".join(letter for letter in token if letter.isalnum())


def employer_piece(writer: Writer, candidate: Candidate, strength: Strength) -> Piece | None:
    key, company = candidate.company_key, candidate.company
    if not key or not company:
        return None
    fact = next((fact for fact in writer.named if company_key(fact.value) == key), None)
    if fact is not None:
        says = f"It names {fact.value} as the employer."
        return _for(strength.employer_named, says, fact.value, fact.span, sure=fact.sure)
    if writer.named_keys:
        return _against(writer.named[0], company, strength)
    if writer.domain is not None and writer.domain.key == key:
        says = f"It was sent from {company}'s own domain."
        return _for(strength.employer_domain, says, writer.domain.key, writer.domain.span)
    span = writer.seen.get(key)
    says = f"It speaks of {company}."
    return None if span is None else _for(strength.employer_seen, says, company, span)


def tenant_piece(writer: Writer, candidate: Candidate, strength: Strength) -> Piece | None:
    for token, fact in writer.tenants.items():
        board = last_token(candidate.board) if candidate.board else None
        if token in {board, candidate.company_key}:
            says = (
                f"It comes from {fact.value}, {candidate.company or 'the employer'}'s place at the platform."
            )
            return Piece(
                name="tenant",
                direction="for",
                strength=strength.tenant,
                says=says,
                value=fact.value,
                span=fact.span,
                sure=fact.sure,
            )
    return None


def _sender_names(letter: Letter) -> list[Seen]:
    """ "Northwind Talent Team" is Northwind as a whole; "Ada at Northwind" is read like any text."""
    whole = company_key(letter.sender_name)
    span = Span(source="header", start=0, end=len(letter.sender_name))
    first = [Seen(key=whole, span=span)] if whole else []
    return first + names_in(letter.sender_name, "header")


def _against(fact: Named, company: str, strength: Strength) -> Piece:
    theirs, ours = company_words(fact.value), company_words(company)
    near = set(theirs) <= set(ours) or set(ours) <= set(theirs)
    says = f"It names {fact.value}, which is not {company}."
    return Piece(
        name="employer",
        direction="against",
        strength=strength.employer_near if near else strength.employer_other,
        says=says,
        value=fact.value,
        span=fact.span,
        sure=fact.sure,
    )


def _for(strength: float, says: str, value: str, span: Span, *, sure: bool = True) -> Piece:
    return Piece(
        name="employer", direction="for", strength=strength, says=says, value=value, span=span, sure=sure
    )
