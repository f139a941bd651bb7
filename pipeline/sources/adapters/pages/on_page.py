"""Which posting a web page is about, whatever site it stands on. Pure: the page has been fetched already."""

import hashlib
from typing import Literal
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser

from pipeline.sources.adapters.pages import jsonld, microdata
from pipeline.sources.adapters.pages.job_posting import listing_of
from pipeline.sources.adapters.pages.things import Thing, all_of
from pipeline.sources.adapters.pages.tree import parsed
from pipeline.sources.rules import MAX_ID_CHARS
from pipeline.sources.types import Listing
from schema.identity.urls import posting_url

#: Why a page names no posting: it carries none, several with none of them its own, one without a title;
#: it is larger or deeper than a page is; or its address is none.
WhyNot = Literal["no_posting", "several_postings", "no_title", "not_a_page", "no_address"]


def posting_on_page(html: bytes, url: str, content_type: str = "") -> Listing | WhyNot:
    """The posting the page at `url` is about, or why there is none.

    `vendor_id` is the platform's where the address names a posting of one, else the canonical address (or its
    hash, when it is too long for an id). `description` is HTML as the page carries it.
    """
    found = posting_url(url)
    if found is None:
        return "no_address"
    tree = parsed(html, content_type)
    if tree is None:
        return "not_a_page"
    postings = postings_in(tree)
    own = _own(postings, url, found.key)
    if own is None:
        return "several_postings" if postings else "no_posting"
    listing = listing_of(own, vendor_id=_id(found.vendor_id or found.canonical), page_url=url)
    return listing if listing.title else "no_title"


def postings_in(tree: LexborHTMLParser) -> list[Thing]:
    """Every posting of the page, JSON-LD before microdata; one written twice counts once."""
    things = jsonld.things_of(tree)
    told = [jsonld.with_references(each, things) for each in all_of("JobPosting", things)]
    return _distinct(told or microdata.postings_of(tree))


def _distinct(postings: list[Thing]) -> list[Thing]:
    """The fuller of two with one title, place and number: some pages carry a summary beside the whole."""
    by_words: dict[str, Thing] = {}
    for posting in postings:
        places = [each.text("addressLocality", "name") for each in posting.things("jobLocation")]
        words = "\x00".join((posting.text("title", "name"), posting.text("url", "@id"), *places))
        before = by_words.get(words)
        if before is None or len(posting.text("description")) > len(before.text("description")):
            by_words[words] = posting
    return list(by_words.values())


def _own(postings: list[Thing], url: str, key: str) -> Thing | None:
    """The one that says it is this page; else the only one, or the only one that tells more than a line."""
    for posting in postings:
        named = (
            posting_url(urljoin(url, each)) for each in (posting.text("url"), posting.text("@id")) if each
        )
        if len(postings) > 1 and any(found is not None and found.key == key for found in named):
            return posting
    if len(postings) <= 1:
        return next(iter(postings), None)
    whole = [posting for posting in postings if posting.text("description")]
    return whole[0] if len(whole) == 1 else None


def _id(text: str) -> str:
    return text if len(text) <= MAX_ID_CHARS else hashlib.sha256(text.encode()).hexdigest()
