"""Drafts: texts for one question of one posting, by the person or a machine; each step has a way back."""

from datetime import datetime
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import ID_MAX, Form, read_form
from backend.http.paging import cursor, key_of
from backend.http.visits import Html, Visit
from extension_api.context.store import posting_at
from extension_api.drafts.acting import (
    WRITINGS,
    ask_for_version,
    can_write,
    choose,
    edit,
    open_draft,
)
from extension_api.drafts.rules import form_length, is_too_long
from extension_api.drafts.store import (
    Line,
    delete_draft,
    draft_of,
    may_write,
    newest,
    place_of,
    restore_draft,
    versions,
)
from extension_api.drafts.types import Version
from extension_api.profiles.store import current_profile
from extension_api.profiles.types import Profile
from extension_api.protocol import (
    MAX_DRAFT_CHARS,
    MAX_LABEL_CHARS,
    MAX_URL_CHARS,
    AskDraft,
    Draft,
    EditDraft,
)
from pipeline.catalog.store import posting_by_id
from pipeline.catalog.types import Posting
from schema.errors import Missing, Refusal
from schema.identity.urls import posting_url
from schema.ids import DraftId
from schema.throttle import spend

HERE = "/profile/drafts"
ROWS = 50
GENERATION_MAX = 2**31 - 2

FAILURES = {
    "no_model": "There is no language model here any more.",
    "not_allowed": "You do not let a language model write for you.",
    "no_answer": "The language model could not be reached for hours.",
    "gave_up": "The writing did not come to its end.",
    "model_request_refused": "The language model's provider refused the request.",
    "key_refused": "The language model's provider refuses this installation's key.",
    "out_of_credit": "This installation has no credit left at the language model's provider.",
    "nothing_to_rest_on": "Profile, résumé and posting hold nothing to answer this with.",
    "not_in_sources": "The text states what stands in none of its sources, so no form gets it as it is.",
    "invalid": "The language model's answer was no text.",
    "cut_off": "The language model's answer ended in the middle, so it was not taken.",
    "declined": "The language model declined to answer.",
    "filtered": "A filter at the provider held the answer back.",
}


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where the list goes on."""

    updated_at: datetime
    id: int


class DraftsView(msgspec.Struct, frozen=True, kw_only=True):
    drafts: list[Line]
    next: str | None
    form: Form


class DraftView(msgspec.Struct, frozen=True, kw_only=True):
    """`is_changed`: another version is in force than was edited; the form holds what was typed."""

    draft: Draft
    url: str
    form: Form
    versions: list[Version]
    posting: Posting | None
    profile: Profile
    has_model: bool
    is_allowed: bool
    is_changed: bool = False
    longest: int = MAX_DRAFT_CHARS

    @property
    def chars(self) -> int:
        return form_length(self.draft.text)

    @property
    def is_too_long(self) -> bool:
        return is_too_long(self.draft.text, self.draft.max_chars)

    @property
    def failure(self) -> str:
        return FAILURES.get(self.draft.failure or "", "The writing came to nothing.")

    @property
    def is_unread(self) -> bool:
        """A machine's text that nobody has edited or accepted."""
        return self.draft.author == "machine" and not self.draft.is_accepted


After = Annotated[str | None, QueryParameter(max_length=500)]


@get(HERE, include_in_schema=False)
async def show(visit: NamedDependency[Visit], after: After = None) -> Html:
    return await _list(visit, Form.of(), key_of(after, Place))


async def _list(visit: Visit, form: Form, place: Place | None = None, status: int = 200) -> Html:
    async with visit.unit() as unit:
        found = await newest(unit, after=(place.updated_at, place.id) if place else None, limit=ROWS + 1)
    shown = found[:ROWS]
    last = shown[-1] if len(found) > ROWS else None
    following = cursor(Place(updated_at=last.updated_at, id=last.id)) if last else None
    return visit.page("drafts.html", DraftsView(drafts=shown, next=following, form=form), status=status)


@post(HERE, include_in_schema=False)
async def make(visit: NamedDependency[Visit]) -> Html | Redirect:
    form = await read_form(visit.request)
    url = form.text("url", "The posting's address", limit=MAX_URL_CHARS)
    question = form.text("question", "Question", limit=MAX_LABEL_CHARS)
    limited = bool(form.value("max_chars").strip())
    most = form.whole("max_chars", "The limit", high=MAX_DRAFT_CHARS) if limited else None
    if not form.ok:
        return await _list(visit, form, status=400)
    asked = AskDraft(url=url, question=question, max_chars=most)
    try:
        async with visit.unit() as unit:
            made = await open_draft(unit, asked, now=visit.clock.now())
    except Refusal as refusal:
        form.refuse(refusal.field or "question", refusal.detail)
        return await _list(visit, form, status=400)
    return visit.leave(f"{HERE}/{made}")


@get(HERE + "/{draft_id:int}", include_in_schema=False)
async def show_one(visit: NamedDependency[Visit], draft_id: FromPath[int]) -> Html:
    return await _page(visit, _id(draft_id))


async def _page(
    visit: Visit, draft_id: DraftId, form: Form | None = None, *, is_changed: bool = False, status: int = 200
) -> Html:
    model = visit.parts.settings.model
    async with visit.unit() as unit:
        draft = await draft_of(unit, draft_id, can_write=await can_write(unit, model))
        url = await place_of(unit, draft_id)
        address = posting_url(url)
        known = await posting_at(unit, address) if address else None
        view = DraftView(
            draft=draft,
            url=url,
            form=form or Form.of(text=draft.text),
            versions=await versions(unit, draft_id),
            posting=await posting_by_id(unit, known.id) if known else None,
            profile=(await current_profile(unit)).profile,
            has_model=model.is_present(),
            is_allowed=await may_write(unit),
            is_changed=is_changed,
        )
    return visit.page("draft.html", view, status=status)


@post(HERE + "/{draft_id:int}", include_in_schema=False)
async def save(visit: NamedDependency[Visit], draft_id: FromPath[int]) -> Html | Redirect:
    form = await read_form(visit.request)
    generation = form.whole("generation", "Version", low=0, high=GENERATION_MAX)
    form.require_ok()
    text = form.text("text", "The text", limit=MAX_DRAFT_CHARS, required=False)
    if not form.ok:
        return await _page(visit, _id(draft_id), form, status=400)
    edited = EditDraft(generation=generation, text=text, is_accepted=form.value("act") == "accept")
    async with visit.unit() as unit:
        is_in_force = await edit(unit, _id(draft_id), edited, now=visit.clock.now())
        draft = await draft_of(unit, _id(draft_id), can_write=False)
    if not is_in_force:
        return await _page(visit, _id(draft_id), form, is_changed=True, status=409)
    return visit.leave(f"{HERE}/{draft_id}", _told(draft), undo=_back(draft, generation))


def _told(draft: Draft) -> str:
    chars = form_length(draft.text)
    if draft.max_chars is not None and chars > draft.max_chars:
        return f"Saved. It has {chars - draft.max_chars} characters more than the form takes."
    return "Saved and accepted." if draft.is_accepted else "Saved."


def _back(draft: Draft, before: int) -> Undo | None:
    """There is no way back to before the first version, and none is needed when nothing changed."""
    if before < 1 or before == draft.generation:
        return None
    fields = {"generation": str(draft.generation), "version": str(before)}
    return Undo(action=f"{HERE}/{draft.id}/choose", fields=fields)


@post(HERE + "/{draft_id:int}/choose", include_in_schema=False)
async def use(visit: NamedDependency[Visit], draft_id: FromPath[int]) -> Redirect:
    form = await read_form(visit.request)
    generation = form.whole("generation", "Version", low=0, high=GENERATION_MAX)
    version = form.whole("version", "The other version", high=GENERATION_MAX)
    form.require_ok()
    async with visit.unit() as unit:
        await choose(unit, _id(draft_id), generation=generation, chosen=version, now=visit.clock.now())
        draft = await draft_of(unit, _id(draft_id), can_write=False)
    return visit.leave(f"{HERE}/{draft_id}", f"Version {version} is in force.", undo=_back(draft, generation))


@post(HERE + "/{draft_id:int}/write", include_in_schema=False)
async def have_written(visit: NamedDependency[Visit], draft_id: FromPath[int]) -> Redirect:
    form = await read_form(visit.request)
    generation = form.whole("generation", "Version", low=0, high=GENERATION_MAX)
    form.require_ok()
    place = f"{HERE}/{_id(draft_id)}"
    async with visit.unit() as unit:
        await spend(unit, WRITINGS, str(visit.account.id))
    try:
        async with visit.unit() as unit:
            await ask_for_version(
                unit,
                _id(draft_id),
                generation=generation,
                replace=form.ticked("replace"),
                model=visit.parts.settings.model,
                now=visit.clock.now(),
            )
    except Missing:
        raise
    except Refusal as refusal:
        return visit.leave(place, refusal.detail, tone="refused")
    return visit.leave(place, "A language model writes a version now.")


@post(HERE + "/{draft_id:int}/delete", include_in_schema=False)
async def delete(visit: NamedDependency[Visit], draft_id: FromPath[int]) -> Redirect:
    async with visit.unit() as unit:
        await delete_draft(unit, _id(draft_id), now=visit.clock.now())
    return visit.leave(HERE, "The draft is deleted.", undo=Undo(action=f"{HERE}/{draft_id}/restore"))


@post(HERE + "/{draft_id:int}/restore", include_in_schema=False)
async def restore(visit: NamedDependency[Visit], draft_id: FromPath[int]) -> Redirect:
    async with visit.unit() as unit:
        await restore_draft(unit, _id(draft_id))
    return visit.leave(f"{HERE}/{draft_id}", "The draft is back.")


def _id(number: int) -> DraftId:
    if not 0 < number <= ID_MAX:
        raise Missing
    return DraftId(number)


ROUTES = (show, make, show_one, save, use, have_written, delete, restore)
