"""`GET /context?url=`: what is known of a page, in one answer. An address nobody can read knows nothing."""

from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from extension_api.context.store import application_at, form_at, is_saved, posting_at
from extension_api.documents.store import known_documents
from extension_api.drafts.acting import can_write
from extension_api.drafts.store import drafts_at
from extension_api.pairing.guard import GUARDED
from extension_api.pairing.rules import Device
from extension_api.profiles.store import current_profile
from extension_api.protocol import MAX_URL_CHARS, PageContext
from pipeline.kept.store import own_posting_at
from schema.db import Database, Unit
from schema.errors import Unavailable
from schema.identity.urls import PostingUrl, posting_url
from schema.settings import ModelSettings
from schema.text import clean


@get("/context", opt={"refusals": [*GUARDED, Unavailable]}, operation_id="extension_context")
async def page_context(
    url: Annotated[str, QueryParameter(min_length=1, max_length=MAX_URL_CHARS)],
    device: NamedDependency[Device],
    database: NamedDependency[Database],
    model: NamedDependency[ModelSettings],
) -> PageContext:
    """The posting and the application of this address, what is known of its form, and what is at hand."""
    address = posting_url(clean(url))
    async with database.as_account(device.account_id) as unit:
        posting = await posting_at(unit, address) if address else None
        application = await application_at(unit, address, posting and posting.id) if address else None
        saved = await is_saved(unit, posting.id) if posting else await _is_own(unit, address)
        form = await form_at(unit, address) if address else None
        allowed = await can_write(unit, model)
        drafts = await drafts_at(unit, address.canonical, can_write=allowed) if address else []
        profile = await current_profile(unit)
        documents = await known_documents(unit)
    return PageContext(
        posting=posting,
        application=application,
        is_saved=saved,
        form=form,
        drafts=drafts,
        profile_revision=profile.revision,
        documents=documents,
    )


async def _is_own(unit: Unit, address: PostingUrl | None) -> bool:
    """Whether the person keeps this page for themselves."""
    return address is not None and await own_posting_at(unit, address.canonical) is not None
