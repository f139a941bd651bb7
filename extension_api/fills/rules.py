"""What can be said of a submission from what the page shows. Pure.

Names come from the page, or from a page title whose wording leaves no doubt; never from a guess.
"""

import re
from datetime import datetime

import msgspec

from extension_api.protocol import Submitted
from schema.errors import Refusal
from schema.identity.urls import PostingUrl, posting_url
from schema.text import clean
from schema.throttle import TooManyAttempts

_APPLICATION_FOR = re.compile(
    r"(?:job )?application for (?P<role>.{1,200}) at (?P<company>[^|]{1,200})", re.IGNORECASE
)
_ROLE_AT = re.compile(r"(?P<role>[^@|]{1,200}) @ (?P<company>[^@|]{1,200})")


class NoWebAddress(Refusal):
    """The address is not one of a web page."""

    code = "no_web_address"


class TooManyResolves(TooManyAttempts):
    """This device asks for more than a hundred plans a minute; wait a little."""

    code = "too_many_resolves"


class Names(msgspec.Struct, frozen=True, kw_only=True):
    company: str | None
    role: str | None


def page_address(url: str) -> PostingUrl:
    """What the page's address names, or `NoWebAddress`."""
    address = posting_url(clean(url))
    if address is None:
        raise NoWebAddress(field="url")
    return address


def names_of(submitted: Submitted, page_title: str) -> Names:
    """What the page said, completed from its title where the title's form is known."""
    titled = names_in(page_title)
    return Names(
        company=_text(submitted.company) or titled.company, role=_text(submitted.title) or titled.role
    )


def names_in(page_title: str) -> Names:
    """What a title of a known form names; nothing from any other."""
    title = " ".join(clean(page_title).split())
    found = _APPLICATION_FOR.fullmatch(title) or _ROLE_AT.fullmatch(title)
    return Names(
        company=found["company"].strip() if found else None, role=found["role"].strip() if found else None
    )


def _text(given: str | None) -> str | None:
    return " ".join(clean(given).split()) or None if given else None


def better_address(form: PostingUrl, confirmation: PostingUrl | None) -> PostingUrl:
    """The form's address, unless only the confirmation page's names the posting."""
    if form.vendor_id is None and confirmation is not None and confirmation.vendor_id is not None:
        return confirmation
    return form


def instant_of(submitted_at: datetime, *, planned_at: datetime, now: datetime) -> datetime:
    """The browser's clock may be wrong: nothing was sent before it was planned, nor after it is told."""
    return max(planned_at, min(submitted_at, now))
