"""Setting one status for several applications at once, or for a card of the board; undone as one."""

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import ID_MAX, Form, read_form
from backend.http.visits import Html, Visit
from backend.http.words import STAGES
from backend.listing.board import seen_as
from backend.listing.filters import QUERY_MAX, STAGE_NAMES, form_in
from backend.pages.applications import page_of
from matcher.applications.store import own_words, put_status, set_status
from matcher.decisions.store import hold_account
from matcher.listing.store import standings
from matcher.listing.types import Standing
from schema.db import Unit
from schema.errors import Invalid
from schema.ids import ApplicationId
from schema.text import grouped
from schema.vocabulary import Stage

AT_ONCE = 50
NAMED = 3
"""Of those that changed meanwhile; the list below shows them all."""
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_DIGITS = 17
FOLLOW = "follow"
"""Gives the stage back to the mail."""


class Was(msgspec.Struct, frozen=True, kw_only=True):
    """What the person had set for one application before, and when; None followed the mail."""

    application_id: ApplicationId
    status: Stage | None
    at: datetime | None


@post("/applications/statuses", include_in_schema=False)
async def set_statuses(visit: NamedDependency[Visit]) -> Html | Redirect:
    form = await read_form(visit.request)
    back = _back(form)
    chosen = _chosen(form.every("id"))
    status = _status(form.value("status"))
    if not chosen:
        return visit.leave(back, "Nothing was chosen, so nothing was changed.", tone="refused")
    async with visit.unit() as unit:
        await hold_account(unit)
        was = [await was_of(unit, which) for which in chosen]
        now = await standings(unit, chosen)
        stale = [which for which, seen in chosen.items() if which not in now or seen_as(now[which]) != seen]
        if not stale:
            await _set(unit, visit, was, status)
    if stale:
        shown = form_in(parse_qsl(urlsplit(back).query))
        told = _told_stale([now.get(which) for which in stale])
        return await page_of(visit, shown, column=shown.value("column"), told=told)
    fields = {
        "was": " ".join(spelled(one) for one in was),
        "status": status or FOLLOW,
        "back": form.value("back"),
    }
    return visit.leave(
        back, _told(len(was), status), undo=Undo(action="/applications/statuses/undo", fields=fields)
    )


@post("/applications/statuses/undo", include_in_schema=False)
async def undo_statuses(visit: NamedDependency[Visit]) -> Redirect:
    """What was set otherwise since stays as it is."""
    form = await read_form(visit.request)
    status = _status(form.value("status"))
    were = were_of(form.value("was"))
    async with visit.unit() as unit:
        await hold_account(unit)
        undone = 0
        for one in were:
            if (await own_words(unit, one.application_id)).status == status:
                now = visit.clock.now()
                await put_status(unit, one.application_id, one.status, at=one.at, now=now)
                undone += 1
    kept = len(were) - undone
    told = f"Undone for {undone}." if undone else "Nothing was undone."
    return visit.leave(_back(form), f"{told} {kept} changed since and stay as they are." if kept else told)


async def _set(unit: Unit, visit: Visit, were: list[Was], status: Stage | None) -> None:
    for before in were:
        if before.status != status:
            await set_status(unit, before.application_id, status, now=visit.clock.now())


async def was_of(unit: Unit, which: ApplicationId) -> Was:
    words = await own_words(unit, which)
    return Was(application_id=which, status=words.status, at=words.status_at)


def spelled(was: Was) -> str:
    """`12:offer:1772355600000000`, the time in microseconds; `12:follow:` for what followed the mail."""
    at = "" if was.at is None else str(round((was.at - _BEGINNING) / timedelta(microseconds=1)))
    return f"{was.application_id}:{was.status or FOLLOW}:{at}"


def _told(number: int, status: Stage | None) -> str:
    which = "The status of 1 application" if number == 1 else f"The status of {grouped(number)} applications"
    return f"{which} is set: {STAGES[status].text.lower()}." if status else f"{which} follows the mail again."


def _told_stale(standing: list[Standing | None]) -> str:
    """Which of the chosen stand otherwise than the list showed; None is part of another one by now."""
    names = [_stands(one) for one in standing[:NAMED] if one is not None]
    count = len(standing)
    head = "One of these" if count == 1 else f"{grouped(count)} of these"
    more = f" {'; '.join(names)}." if names else ""
    return f"{head} changed since the list was shown, so no status was set.{more}"


def _stands(one: Standing) -> str:
    name = f"{one.role or 'role unknown'}, {one.company or 'company unknown'}"
    return f"{name}: {STAGES[one.stage].text.lower()}, {'set by you' if one.by_person else 'by the mail'}"


def _back(form: Form) -> str:
    """The list as it was: its filters and nothing else of what was sent."""
    query = urlencode(parse_qsl(form.value("back")[:QUERY_MAX]))
    return f"/applications?{query}" if query else "/applications"


def _chosen(texts: list[str]) -> dict[ApplicationId, str]:
    """Each application with how it stood when it was chosen."""
    if len(texts) > AT_ONCE:
        raise Invalid(f"At most {AT_ONCE} at once.", field="id")
    return {_id(text.partition(":")[0]): text for text in sorted(texts)}


def _id(text: str) -> ApplicationId:
    if not text.isascii() or not text.isdigit() or len(text) > len(str(ID_MAX)) or int(text) > ID_MAX:
        raise Invalid("That is no application of the list.", field="id")
    return ApplicationId(int(text))


def _status(text: str) -> Stage | None:
    if text == FOLLOW:
        return None
    if text not in STAGE_NAMES:
        raise Invalid("Choose a status of the list.", field="status")
    return text


def were_of(text: str) -> list[Was]:
    parts = [part.split(":") for part in text.split()]
    if len(parts) > AT_ONCE or any(len(part) != 3 for part in parts):  # noqa: PLR2004
        raise Invalid("That is no undo of this list.", field="was")
    return [_was(which, word, at) for which, word, at in parts]


def _was(which: str, word: str, at: str) -> Was:
    status = _status(word)
    if status is None:
        return Was(application_id=_id(which), status=None, at=None)
    try:
        instant = _BEGINNING + timedelta(microseconds=int(at[:_DIGITS]))
    except (ValueError, OverflowError) as error:
        raise Invalid("That is no undo of this list.", field="was") from error
    return Was(application_id=_id(which), status=status, at=instant)


ROUTES = (set_statuses, undo_statuses)
