"""What a page that the person keeps is called in the catalog. Pure."""

import hashlib
import re

from pipeline.sources.types import FoundPosting
from schema.errors import Refusal
from schema.identity.urls import PostingUrl
from schema.text import clean, shorten

WEB = "web"
"""The platform of a posting that stands on a page no platform's address names."""
MOST_VENDOR_ID_CHARS = 300
_MOST_CHARS = 300
_HOST = re.compile(r"^https?://([^/?#]+)")


class NotAPosting(Refusal):
    """This page lists several openings; open the one you want to keep."""

    code = "not_a_posting"
    kind = "invalid"


def found_posting(address: PostingUrl, *, title: str | None, company: str | None) -> FoundPosting:
    """Under the platform's own id where the address states it, so that a board read later shows the same one.

    Raises `NotAPosting` for a list of openings.
    """
    if address.kind == "board":
        raise NotAPosting(field="url")
    host = _HOST.match(address.canonical)
    place = host[1] if host else address.canonical
    platform, vendor_id = address.platform or WEB, address.vendor_id
    if address.platform is None or vendor_id is None or len(vendor_id) > MOST_VENDOR_ID_CHARS:
        platform, vendor_id = WEB, _web_id(address.canonical)
    return FoundPosting(
        platform=platform,
        vendor_id=vendor_id,
        board=address.board or place,
        title=_words(title) or place,
        company=_words(company),
        canonical_url=address.canonical,
    )


def _web_id(canonical: str) -> str:
    if len(canonical) <= MOST_VENDOR_ID_CHARS:
        return canonical
    return f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"


def _words(text: str | None) -> str | None:
    return shorten(" ".join(clean(text or "").split()), _MOST_CHARS) or None
