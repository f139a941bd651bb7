"""What a message names, each with the span that names it: employer, role, requisition, posting, platform.

Pure. An employer or a role is only told when a phrase around it says what it is; a name that merely occurs is
left to the matcher. The brand of a relay is never the employer.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator

import msgspec

from mailsync.classify.languages.language import Names, Naming
from mailsync.classify.names import is_company, is_role, trimmed
from mailsync.classify.said import Text
from mailsync.classify.senders import Sender, is_relay_brand, tenant
from mailsync.classify.types import Fact, Span
from mailsync.parse.types import Address, ParsedMessage
from schema.identity.names import comparable_company, title_parts
from schema.identity.requisitions import requisitions_in
from schema.identity.urls import PostingUrl, posting_url
from schema.vocabulary import FactName, SpanSource

MOST_TEXT_CHARACTERS = 8000
MOST_OF_ONE_NAME = 10
_ENOUGH = 2


class _Mention(msgspec.Struct, frozen=True, kw_only=True):
    value: str
    weight: int
    span: Span


def facts_of(text: Text) -> tuple[Fact, ...]:
    message, sender = text.message, text.sender
    return (
        *_best("employer", list(_companies(text)), comparable_company),
        *_best("role", list(_roles(text)), _comparable_role),
        *_requisitions(message),
        *_postings(message),
        *_platform(message, sender),
    )


def header_text(address: Address) -> str:
    """What spans of the header count in: the sender as mail programs show it."""
    return f"{address.name} <{address.address}>" if address.name else address.address


def _comparable_role(title: str) -> str:
    return title_parts(title).key


def _companies(text: Text) -> Iterator[_Mention]:
    message = text.message
    body = message.body[:MOST_TEXT_CHARACTERS]
    for language in text.languages:
        names = language.names
        yield from _employers(message.subject, "subject", names, names.company_in_subject)
        yield from _employers(body, "text", names, (*names.company_in_text, *names.company_on_a_line))
        yield from _from_display_name(message.sender, text.sender, names)


def _from_display_name(address: Address, sender: Sender | None, names: Names) -> Iterator[_Mention]:
    """As "Northwind Talent Team", "Ada from Northwind", "Northwind via SmartRecruiters"; not a bare name."""
    shown = header_text(address)
    named = list(_employers(shown[: len(address.name)], "header", names, names.company_on_a_line))
    yield from named
    if not named and sender is not None and sender.kind == "ats" and is_company(address.name, names):
        yield _mention(address.name, 1, "header", 0, len(address.name))


def _roles(text: Text) -> Iterator[_Mention]:
    message = text.message
    body = message.body[:MOST_TEXT_CHARACTERS]
    for language in text.languages:
        names = language.names
        yield from _titles(message.subject, "subject", names, names.role_in_subject)
        yield from _titles(body, "text", names, names.role_in_text)
        if text.sender is not None and text.sender.kind == "board":
            yield from _titles(body, "text", names, names.role_above_employer)


def _employers(
    text: str, source: SpanSource, names: Names, namings: tuple[Naming, ...]
) -> Iterator[_Mention]:
    for naming, start, end in _named(text, names, namings, company=True):
        value = " ".join(text[start:end].split())
        if is_company(value, names) and not is_relay_brand(value):
            yield _mention(text[start:end], naming.weight, source, start, end)


def _titles(text: str, source: SpanSource, names: Names, namings: tuple[Naming, ...]) -> Iterator[_Mention]:
    for naming, start, end in _named(text, names, namings, company=False):
        if is_role(" ".join(text[start:end].split()), names, sure=naming.sure):
            yield _mention(text[start:end], naming.weight, source, start, end)


def _named(
    text: str, names: Names, namings: tuple[Naming, ...], *, company: bool
) -> Iterator[tuple[Naming, int, int]]:
    for naming in namings:
        for found in naming.pattern.finditer(text):
            start, end = trimmed(text, found.start("name"), found.end("name"), names, company=company)
            yield naming, start, end


def _mention(text: str, weight: int, source: SpanSource, start: int, end: int) -> _Mention:
    span = Span(source=source, start=start, end=end, text=text)
    return _Mention(value=" ".join(text.split()), weight=weight, span=span)


def _best(name: FactName, mentions: list[_Mention], comparable: Callable[[str], str]) -> Iterator[Fact]:
    """The name most phrases agree on, told once, at its clearest mention."""
    by_key: dict[str, list[_Mention]] = defaultdict(list)
    for mention in mentions:
        if key := comparable(mention.value):
            by_key[key].append(mention)
    if not by_key:
        return
    key, told = max(by_key.items(), key=lambda item: sum(mention.weight for mention in item[1]))
    if sum(mention.weight for mention in told) < _ENOUGH:
        return
    key, told = _as_the_sender_writes(key, by_key)
    clearest = max(told, key=lambda mention: mention.weight)
    yield Fact(name=name, value=clearest.value, comparable=key, span=clearest.span)


def _as_the_sender_writes(key: str, by_key: dict[str, list[_Mention]]) -> tuple[str, list[_Mention]]:
    """ "Cobalt" in a letter from "Cobalt Logistics Careers" is Cobalt Logistics."""
    for longer, mentions in by_key.items():
        if longer.startswith(f"{key} ") and any(mention.span.source == "header" for mention in mentions):
            return longer, mentions
    return key, by_key[key]


def _requisitions(message: ParsedMessage) -> Iterator[Fact]:
    seen: set[str] = set()
    texts: tuple[tuple[SpanSource, str], ...] = (
        ("subject", message.subject),
        ("text", message.body[:MOST_TEXT_CHARACTERS]),
    )
    for source, text in texts:
        for number in requisitions_in(text):
            if number.key in seen or len(seen) >= MOST_OF_ONE_NAME:
                continue
            seen.add(number.key)
            span = Span(
                source=source, start=number.start, end=number.end, text=text[number.start : number.end]
            )
            yield Fact(name="requisition", value=number.text, comparable=number.key, span=span)


def _postings(message: ParsedMessage) -> Iterator[Fact]:
    seen: set[tuple[FactName, str]] = set()
    for link in message.links:
        address = posting_url(link.url)
        if address is None:
            continue
        span = Span(source="text", start=link.start, end=link.end, text=message.body[link.start : link.end])
        for name, value, key in _told_by(address):
            if (name, key) not in seen and len(seen) < MOST_OF_ONE_NAME * 2:
                seen.add((name, key))
                yield Fact(name=name, value=value, comparable=key, span=span)


def _told_by(address: PostingUrl) -> Iterator[tuple[FactName, str, str]]:
    if address.kind == "posting":
        yield "posting_url", address.canonical, address.key
    if address.platform and address.board:
        board = f"{address.platform}/{address.board}"
        yield "board", board, board.casefold()


def _platform(message: ParsedMessage, sender: Sender | None) -> Iterator[Fact]:
    if sender is None:
        return
    shown = header_text(message.sender)
    start = shown.rfind(message.sender.address)
    at = start + len(message.sender.local_part) + 1
    yield _header_fact("platform", sender.name, shown, at, start + len(message.sender.address))
    token = tenant(message.sender, sender)
    if token is not None:
        place = shown.find(token, start)
        yield _header_fact("tenant", token, shown, place, place + len(token))


def _header_fact(name: FactName, value: str, shown: str, start: int, end: int) -> Fact:
    span = Span(source="header", start=start, end=end, text=shown[start:end])
    return Fact(name=name, value=value, comparable=value.casefold(), span=span)
