"""Who writes a message: what it names, shows, signs with and is sent from, read once a message. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from mailsync.classify.own_domains import own_label
from mailsync.classify.senders import is_relay_brand, known_sender
from mailsync.parse.types import Address
from matcher.aliases.types import OtherName
from matcher.decisions.types import Span
from matcher.evidence.also_named import Pair, pairs_of
from matcher.evidence.keys import company_key
from matcher.evidence.kinship import collapsed, names_to_try
from matcher.evidence.mistyped import slips
from matcher.evidence.signing import (
    applied_to,
    is_alone_behind_a_label,
    is_employing,
    shown_as,
    signing,
    where_our_house_begins,
)
from matcher.evidence.types import Letter, Named
from matcher.evidence.words import Seen, names_in, names_over_lines
from schema.vocabulary import SpanSource

_SHORTEST_KEY = 2


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
        spelled = frozenset(f"whole {collapsed(key)}" for key in self.shown | self.signing)
        slipped = (slips(key) for key in self.shown)
        return domain.union(spelled, *slipped, *(names_to_try(fact.value) for fact in self.named), *of_pairs)

    @property
    def told(self) -> frozenset[str]:
        """What stands where one names who writes, or whom one applied to."""
        return self.shown | self.told_twice | self.signing | self.employing | self.applied_to


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


def with_known(writer: Writer, other_names: Iterable[OtherName], vouched: frozenset[str]) -> Writer:
    """The same writer with what the person and settled messages know about its names."""
    own = tuple(name for name in other_names if name.used_key in writer.used_keys)
    return msgspec.structs.replace(writer, other_names=own, vouched=vouched)
