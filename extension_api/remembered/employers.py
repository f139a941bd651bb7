"""Whose form a page is: every name the employer goes by there, the surest first."""

from extension_api.context.store import application_at, posting_at
from extension_api.fills.rules import names_in
from extension_api.protocol import KnownPosting
from schema.db import Unit
from schema.identity.names import comparable_company
from schema.identity.urls import PostingUrl


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
        address.board,
    )
    return [name for name in names if name]


def employer_keys(names: list[str]) -> frozenset[str]:
    return frozenset(key for name in names if (key := comparable_company(name)))
