"""`/drafts`: texts for the questions of a posting, edited by the person and written by a machine."""

from datetime import datetime
from typing import Annotated

from litestar import get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from extension_api.drafts.acting import (
    WRITINGS,
    ask_for_first,
    ask_for_version,
    can_write,
    edit,
    open_draft,
)
from extension_api.drafts.rules import CannotWrite, DraftChanged, TooManyDrafts, TooManyVersions
from extension_api.drafts.store import draft_of, drafts_at
from extension_api.fills.rules import NoWebAddress
from extension_api.pairing.guard import GUARDED
from extension_api.pairing.rules import Device
from extension_api.protocol import MAX_URL_CHARS, AskDraft, Draft, Drafts, EditDraft, WriteDraft
from schema.db import Database
from schema.errors import Missing, Unavailable
from schema.identity.urls import posting_url
from schema.ids import AccountId, DraftId
from schema.settings import ModelSettings
from schema.text import clean
from schema.throttle import TooManyAttempts, spend


@get("/drafts", opt={"refusals": [*GUARDED, Unavailable]}, operation_id="extension_drafts")
async def read_drafts(
    url: Annotated[str, QueryParameter(min_length=1, max_length=MAX_URL_CHARS)],
    device: NamedDependency[Device],
    database: NamedDependency[Database],
    model: NamedDependency[ModelSettings],
) -> Drafts:
    """The drafts for the posting at this address; none for an address nobody can read."""
    address = posting_url(clean(url))
    if address is None:
        return Drafts(drafts=[])
    async with database.as_account(device.account_id) as unit:
        allowed = await can_write(unit, model)
        return Drafts(drafts=await drafts_at(unit, address.canonical, can_write=allowed))


@post(
    "/drafts",
    status_code=200,
    opt={"refusals": [NoWebAddress, TooManyDrafts, TooManyAttempts, *GUARDED, Unavailable]},
    operation_id="extension_ask_draft",
)
async def ask_draft(
    data: JSONBody[AskDraft],
    device: NamedDependency[Device],
    database: NamedDependency[Database],
    model: NamedDependency[ModelSettings],
    now: NamedDependency[datetime],
) -> Draft:
    """The draft for this question; a first version is written where a model may. Asking again answers it."""
    async with database.as_account(device.account_id) as unit:
        draft_id = await open_draft(unit, data, now=now)
        allowed = await can_write(unit, model)
        draft = await draft_of(unit, draft_id, can_write=allowed)
    if not (data.write and allowed and draft.state == "empty" and draft.generation == 0):
        return draft
    await _spend(database, device.account_id)
    async with database.as_account(device.account_id) as unit:
        await ask_for_first(unit, draft_id, now=now)
        return await draft_of(unit, draft_id, can_write=allowed)


@get(
    "/drafts/{draft_id:int}",
    opt={"refusals": [Missing, *GUARDED, Unavailable]},
    operation_id="extension_draft",
)
async def read_draft(
    draft_id: FromPath[int],
    device: NamedDependency[Device],
    database: NamedDependency[Database],
    model: NamedDependency[ModelSettings],
) -> Draft:
    async with database.as_account(device.account_id) as unit:
        return await draft_of(unit, DraftId(draft_id), can_write=await can_write(unit, model))


@put(
    "/drafts/{draft_id:int}",
    opt={"refusals": [Missing, DraftChanged, TooManyVersions, *GUARDED, Unavailable]},
    operation_id="extension_edit_draft",
)
async def edit_draft(
    draft_id: FromPath[int],
    data: JSONBody[EditDraft],
    device: NamedDependency[Device],
    database: NamedDependency[Database],
    model: NamedDependency[ModelSettings],
    now: NamedDependency[datetime],
) -> Draft:
    """The person's text, in force from now on; kept beside it when another version was put in force."""
    async with database.as_account(device.account_id) as unit:
        is_in_force = await edit(unit, DraftId(draft_id), data, now=now)
        draft = await draft_of(unit, DraftId(draft_id), can_write=await can_write(unit, model))
    if not is_in_force:  # after the commit, so that the text is kept
        raise DraftChanged(field="generation")
    return draft


@post(
    "/drafts/{draft_id:int}/write",
    status_code=200,
    opt={
        "refusals": [
            Missing, CannotWrite, DraftChanged, TooManyVersions, TooManyAttempts, *GUARDED, Unavailable
        ]
    },
    operation_id="extension_write_draft",
)  # fmt: skip
async def write_draft(
    draft_id: FromPath[int],
    data: JSONBody[WriteDraft],
    device: NamedDependency[Device],
    database: NamedDependency[Database],
    model: NamedDependency[ModelSettings],
    now: NamedDependency[datetime],
) -> Draft:
    """Have one more version written; the person's text stays in force unless they asked to replace it."""
    await _spend(database, device.account_id)
    async with database.as_account(device.account_id) as unit:
        await ask_for_version(
            unit,
            DraftId(draft_id),
            generation=data.generation,
            replace=data.replace,
            model=model,
            now=now,
        )
        return await draft_of(unit, DraftId(draft_id), can_write=True)


async def _spend(database: Database, account: AccountId) -> None:
    async with database.as_account(account) as unit:
        await spend(unit, WRITINGS, str(account))
