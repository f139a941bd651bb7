"""What a person does with a draft: open it, edit it, have it written, choose a version. Acts within a unit.

The routes and the pages both go through here, so that the rules hold whichever way somebody comes.
"""

from datetime import datetime

import msgspec

from extension_api.answers.wording import question_key
from extension_api.context.store import posting_at
from extension_api.drafts import store
from extension_api.drafts.rules import (
    MOST_DRAFTS,
    MOST_VERSIONS,
    CannotWrite,
    DraftChanged,
    TooManyDrafts,
    TooManyVersions,
    rests,
    tidied,
)
from extension_api.drafts.types import Held, NewDraft, NewVersion, Standing
from extension_api.fills.rules import names_in, page_address
from extension_api.protocol import AskDraft, EditDraft
from pipeline.usage.store import may_submit
from schema.db import Unit
from schema.errors import Missing
from schema.identity.urls import PostingUrl
from schema.ids import DraftId
from schema.queue import CLICKED, enqueue
from schema.settings import ModelSettings
from schema.tasks import WriteDraft
from schema.text import clean, shorten
from schema.throttle import Rate

WRITINGS = Rate(name="drafts.write", burst=30, seconds_each=20.0)
"""Paid for by somebody: one account cannot ask without end."""
_MOST_NAME_CHARS = 300


async def can_write(unit: Unit, model: ModelSettings) -> bool:
    """Whether a model is set up, the person allowed it, and the operator does not hold it back."""
    if not (model.is_present() and model.enabled):
        return False
    return await store.may_write(unit) and await may_submit(unit)


async def open_draft(unit: Unit, asked: AskDraft, *, now: datetime) -> DraftId:
    """The draft for this question of this page. Raises `NoWebAddress` and `TooManyDrafts`."""
    address = page_address(asked.url)
    question = " ".join(clean(asked.question).split())
    drafts = await store.drafts_at(unit, address.canonical, can_write=False)
    key = question_key(question) or question.casefold()
    is_known = any((question_key(each.question) or each.question.casefold()) == key for each in drafts)
    if not is_known and await store.count_drafts(unit) >= MOST_DRAFTS:
        raise TooManyDrafts
    company, role = await _names(unit, address, asked.page_title)
    new = NewDraft(
        canonical_url=address.canonical,
        company=company,
        role=role,
        question=question,
        question_key=key,
        max_chars=asked.max_chars,
    )
    return await store.open_draft(unit, new, now=now)


async def _names(unit: Unit, address: PostingUrl, title: str) -> tuple[str | None, str | None]:
    posting = await posting_at(unit, address)
    said = names_in(title)
    company = posting.company if posting and posting.company else said.company
    role = posting.title if posting else said.role
    return company and shorten(company, _MOST_NAME_CHARS), role and shorten(role, _MOST_NAME_CHARS)


async def ask_for_first(unit: Unit, draft_id: DraftId, *, now: datetime) -> None:
    """Have a first version written where there is no text yet and nobody writes one."""
    held = await store.hold(unit, draft_id)
    if held.generation == 0 and held.state == "empty":
        await _ask(unit, held, replaces=False, now=now)


async def ask_for_version(
    unit: Unit, draft_id: DraftId, *, generation: int, replace: bool, model: ModelSettings, now: datetime
) -> None:
    """Have one more version written. While one is being written this changes nothing.

    Raises `Missing`, `CannotWrite`, `DraftChanged` when another version is in force than the person saw, and
    `TooManyVersions`.
    """
    held = await store.hold(unit, draft_id)
    if not await can_write(unit, model):
        raise CannotWrite
    if generation != held.generation:
        raise DraftChanged(field="generation")
    if len(await store.versions(unit, draft_id)) >= MOST_VERSIONS:
        raise TooManyVersions
    await _ask(unit, held, replaces=replace, now=now)


async def _ask(unit: Unit, held: Held, *, replaces: bool, now: datetime) -> None:
    task = WriteDraft(draft_id=held.id, ask=held.asks + 1)
    if await enqueue(unit, task, dedupe_key=f"draft.write:{held.id}", priority=CLICKED) is not None:
        await store.begin_asking(unit, held.id, replaces=replaces, now=now)


async def edit(unit: Unit, draft_id: DraftId, edited: EditDraft, *, now: datetime) -> bool:
    """Put the person's text in force. False: another version was, so theirs is kept beside it.

    The same edit a second time changes nothing. Raises `Missing` and `TooManyVersions`.
    """
    held = await store.hold(unit, draft_id)
    text = tidied(edited.text)
    if edited.generation != held.generation and not (held.author == "person" and held.text == text):
        await _keep_aside(unit, held, text, now=now)
        return False
    generation = held.generation
    if text != held.text:
        generation = await _append(unit, held, text, now=now)
    kept = msgspec.structs.replace(held, generation=generation, text=text)
    await _stand(unit, kept, now if edited.is_accepted and text else None, now=now)
    return True


async def _keep_aside(unit: Unit, held: Held, text: str, *, now: datetime) -> None:
    if text and all(each.text != text for each in await store.versions(unit, held.id)):
        await _append(unit, held, text, now=now)


async def _append(unit: Unit, held: Held, text: str, *, now: datetime) -> int:
    if len(await store.versions(unit, held.id)) >= MOST_VERSIONS:
        raise TooManyVersions
    return await store.append(unit, held.id, NewVersion(author="person", text=text), now=now)


async def choose(unit: Unit, draft_id: DraftId, *, generation: int, chosen: int, now: datetime) -> None:
    """Put an earlier or a later version in force: as the person's choice it counts as accepted.

    Raises `Missing`, also for a version there is not, and `DraftChanged`.
    """
    held = await store.hold(unit, draft_id)
    if generation != held.generation:
        raise DraftChanged(field="generation")
    found = next((each for each in await store.versions(unit, draft_id) if each.generation == chosen), None)
    if found is None:
        raise Missing
    kept = msgspec.structs.replace(held, generation=found.generation, text=found.text)
    await _stand(unit, kept, now if found.author == "machine" else None, now=now)


async def _stand(unit: Unit, held: Held, accepted_at: datetime | None, *, now: datetime) -> None:
    """The person has spoken: what a machine still writes comes beside it."""
    is_written = held.state == "writing" and held.is_under_way
    standing = Standing(
        generation=held.generation,
        state="writing" if is_written else rests(held),
        accepted_at=accepted_at,
    )
    await store.keep_ours(unit, held.id)
    await store.stand(unit, held.id, standing, now=now)
