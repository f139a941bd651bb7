"""What a web address says about a posting: one answer shared by catalog, mail and extension.

Reads the text of the address only; never asks the network, never raises.
"""

from schema.identity.addresses import Address, read_address
from schema.identity.platforms import shapes_for
from schema.identity.shapes import Kind, PostingUrl, read_with
from schema.identity.tracking import is_tracking
from schema.identity.wrappers import mentioned_in, target_of

__all__ = ["MAX_CANONICAL_CHARS", "Kind", "PostingUrl", "canonical_url", "posting_url"]

#: What a unique index of PostgreSQL can hold with room to spare. Canonical text is ASCII.
MAX_CANONICAL_CHARS = 2_000
_MAX_HOPS = 6


def posting_url(text: str) -> PostingUrl | None:
    """What the address names; None for what is not an http(s) address, or is too long to identify anything.

    Tracking parameters, "/apply", fragments and language prefixes fall away; a forwarding address is replaced
    by its target when it carries one. Reading `canonical` again gives the same `canonical` and `key`.
    """
    address = read_address(text)
    if address is None:
        return None
    found = _named_by(address)
    if found is None:
        address = _unwrapped(address)
        found = _named_by(address) or _mentioned_posting(address) or _page(address)
    return found if max(len(found.canonical), len(found.link)) <= MAX_CANONICAL_CHARS else None


def canonical_url(text: str) -> str | None:
    """The one spelling of an address, for columns and comparison."""
    found = posting_url(text)
    return None if found is None else found.canonical


def _named_by(address: Address) -> PostingUrl | None:
    tried = (read_with(shape, address) for shape in shapes_for(address.host))
    return next((found for found in tried if found is not None), None)


def _unwrapped(address: Address) -> Address:
    seen = address
    for _ in range(_MAX_HOPS):
        target = None if _named_by(seen) else target_of(seen)
        inner = None if target is None else read_address(target)
        if inner is None:
            return seen
        seen = inner
    # A chain this long is made to hide its end; the outer address is all we can vouch for.
    return address


def _mentioned_posting(address: Address) -> PostingUrl | None:
    for text in mentioned_in(address):
        inner = read_address(text)
        found = _named_by(_unwrapped(inner)) if inner is not None else None
        if found is not None and found.kind == "posting":
            return found
    return None


def _page(address: Address) -> PostingUrl:
    query = tuple(
        sorted((pair for pair in address.query if not is_tracking(pair[0])), key=lambda pair: pair[0])
    )
    # Pages drawn by script keep their route behind "#/" or "#!"; every other fragment is a place on the page.
    fragment = address.fragment if len(address.fragment) > 1 and address.fragment[0] in "/!" else ""
    text = address.text(query=query, fragment=fragment)
    if address.scheme == "http" and address.port is None:
        text = "https" + text.removeprefix("http")
    return PostingUrl(canonical=text, kind="page")
