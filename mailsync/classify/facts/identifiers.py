"""Requisition, posting, board, platform and tenant: what identifies rather than names. Pure."""

import re
from collections.abc import Iterator

from mailsync.classify.facts.mentions import MOST_OF_ONE_NAME
from mailsync.classify.facts.page import Page, fact, span_of
from mailsync.classify.senders import tenant
from mailsync.classify.types import Fact
from schema.identity.requisitions import requisition_key, requisitions_in
from schema.identity.urls import PostingUrl, posting_url
from schema.vocabulary import FactName, SpanSource

_BESIDE = r"(?:[A-Z]{1,5}[-_]?)?\d{4,10}[A-Z]?"
_BEFORE_ROLE = re.compile(rf"(?<![\w-])({_BESIDE})[ ]?[-|:\u2013]?[ ]{{0,2}}$")
_BEHIND_ROLE = re.compile(
    r"[ ]?(?:[-|,(\u2013][ ]?)(?:(?:job|req\w*|ref\w*)\.?[ ]?)?(?:(?:id|no|nr)\.?:?[ ]?|#)?"
    rf"({_BESIDE})(?![\w/-])",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_BEFORE_CHARS = 20


def requisitions(page: Page, role: Fact | None) -> Iterator[Fact]:
    seen: set[str] = set()
    texts: tuple[tuple[SpanSource, str], ...] = (("subject", page.subject), ("text", page.body))
    for source, text in texts:
        for number in requisitions_in(text):
            if number.key in seen or len(seen) >= MOST_OF_ONE_NAME:
                continue
            seen.add(number.key)
            yield fact(
                "requisition", number.text, number.key, span_of(text, source, number.start, number.end)
            )
    if role is not None and not seen:
        yield from _beside(page, role)


def _beside(page: Page, role: Fact) -> Iterator[Fact]:
    """The number right before or behind the title, as suites write it: "30417 - Baker", "Baker (30417)"."""
    text, span = page.text_of(role.span.source), role.span
    first = max(0, span.start - _BEFORE_CHARS)
    found = _BEFORE_ROLE.search(text[first : span.start])
    start = first + found.start(1) if found else -1
    if found is None:
        found = _BEHIND_ROLE.match(text, span.end)
        start = found.start(1) if found else -1
    if found is None or _YEAR.fullmatch(found[1]):
        return
    yield fact(
        "requisition",
        found[1],
        requisition_key(found[1]),
        span_of(text, span.source, start, start + len(found[1])),
    )


def postings(page: Page) -> Iterator[Fact]:
    seen: set[tuple[FactName, str]] = set()
    for link in page.message.links:
        address = posting_url(link.url)
        if address is None:
            continue
        span = span_of(page.message.body, "text", link.start, link.end)
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


def platforms(page: Page) -> Iterator[Fact]:
    sender, address = page.sender, page.message.sender
    if sender is None:
        return
    start = page.header.rfind(address.address)
    at = start + len(address.local_part) + 1
    yield _of_header(page, "platform", sender.name, at, start + len(address.address))
    token = tenant(address, sender)
    if token is not None:
        place = page.header.find(token, start)
        yield _of_header(page, "tenant", token, place, place + len(token))


def _of_header(page: Page, name: FactName, value: str, start: int, end: int) -> Fact:
    return fact(name, value, value.casefold(), span_of(page.header, "header", start, end))
