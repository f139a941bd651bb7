"""Decisions about postings of one's own: what an address names, may be read, and what a page adds. Pure."""

from urllib.parse import urlsplit

from pipeline.catalog.pay import pay_said
from pipeline.kept.types import OwnFacts, OwnPosting
from pipeline.normal.pay import pay_of
from pipeline.normal.places import places_of
from pipeline.normal.titles import titled
from pipeline.sources.descriptions import described
from pipeline.sources.registry import POLICY
from pipeline.sources.types import Listing
from schema.errors import Refusal
from schema.identity.urls import PostingUrl, posting_url
from schema.text import clean, shorten

MOST_TITLE_CHARS = 500
MOST_WORDS_CHARS = 500
MOST_TEXT_CHARS = 200_000


class NoPostingAddress(Refusal):
    """This is not the address of a web page."""

    code = "no_posting_address"


class NotAPosting(Refusal):
    """This page lists several openings; open the one you want to keep."""

    code = "not_a_posting"


def address_of(url: str) -> PostingUrl:
    """What a pasted address names. Raises `NoPostingAddress` or `NotAPosting`."""
    text = clean(url).strip()
    found = posting_url(text if "://" in text else f"https://{text}")
    if found is None or "." not in (urlsplit(found.canonical).hostname or ""):
        raise NoPostingAddress("That is not the address of a web page; it begins with https://.", field="url")
    if found.kind == "board":
        raise NotAPosting(field="url")
    return found


def may_not_be_read(address: PostingUrl) -> str | None:
    """Why a page of this address is not asked for; None when it may be."""
    return POLICY.get(address.platform or "")


def called(address: PostingUrl, title: str | None = None) -> str:
    """A title for what nobody has named yet: the site it stands on."""
    words = shorten(" ".join(clean(title or "").split()), MOST_TITLE_CHARS)
    return words or urlsplit(address.link).hostname or address.link[:MOST_TITLE_CHARS]


def kept_facts(facts: OwnFacts) -> OwnFacts:
    """Within the limits of the table."""
    return OwnFacts(
        title=_words(facts.title, MOST_TITLE_CHARS) or "",
        company=_words(facts.company, MOST_WORDS_CHARS),
        place=_words(facts.place, MOST_WORDS_CHARS),
        pay_words=_words(facts.pay_words, MOST_WORDS_CHARS),
        text=shorten(clean(facts.text).strip(), MOST_TEXT_CHARS),
    )


def facts_on(listing: Listing) -> OwnFacts:
    """What the page of a posting says, as one writes it down. Costly: run it in a thread."""
    text = described(listing.description or "")
    title = titled(listing.title)[:MOST_TITLE_CHARS]
    countries = tuple(each.country for each in places_of(listing, title) if each.country)
    pay, _ = pay_of(listing.pay, text.text if text else None, countries)
    return kept_facts(
        OwnFacts(
            title=listing.title,
            company=listing.company,
            place="; ".join(listing.locations),
            pay_words=None if pay is None else pay_said(pay.low, pay.high, pay.currency, pay.interval),
            text=text.text if text else "",
        )
    )


def completed(own: OwnPosting, page: OwnFacts) -> OwnFacts:
    """A person's words stand and the page fills what they left open; a browser's give way to the page's."""
    first, second = (own.facts, page) if own.facts_from == "person" else (page, own.facts)
    is_unnamed = own.url is not None and own.title == (urlsplit(own.url).hostname or "")
    return OwnFacts(
        title=page.title if is_unnamed else first.title or second.title,
        company=first.company or second.company,
        place=first.place or second.place,
        pay_words=first.pay_words or second.pay_words,
        text=first.text or second.text,
    )


def _words(text: str | None, limit: int) -> str | None:
    return shorten(" ".join(clean(text or "").split()), limit) or None
