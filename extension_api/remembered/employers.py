"""Whose form a page is: every name the employer goes by there, the surest first."""

import re

from extension_api.context.store import application_at, posting_at
from extension_api.fills.rules import names_in
from extension_api.protocol import KnownPosting
from schema.db import Unit
from schema.identity.names import comparable_company
from schema.identity.urls import PostingUrl

_WORKDAY_SITE = re.compile(r"\.[a-z0-9-]+/.*")
_ICIMS_LEAD = re.compile(r"(?:careers|jobs)-")


async def employers_at(
    unit: Unit, address: PostingUrl, page_title: str, posting: KnownPosting | None = None
) -> list[str]:
    """From the catalog, the person's applications, the page's title, and the platform's board."""
    posting = posting or await posting_at(unit, address)
    application = await application_at(unit, address, posting and posting.id)
    names = (
        posting and posting.company,
        application and application.company,
        names_in(page_title).company,
        board_employer(address),
    )
    return [name for name in names if name]


def board_employer(address: PostingUrl) -> str | None:
    """A board's name as far as it is its employer's: without the side, the data centre, or the site."""
    if address.board is None or address.platform == "successfactors":
        return None
    if address.platform == "lever":
        return address.board.removeprefix("eu/")
    if address.platform == "workday":
        return _WORKDAY_SITE.sub("", address.board)
    if address.platform == "icims":
        return _ICIMS_LEAD.sub("", address.board, count=1)
    return address.board


def employer_keys(names: list[str]) -> frozenset[str]:
    return frozenset(key for name in names if (key := comparable_company(name)))
