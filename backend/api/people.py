"""The signed-in account and its sessions, as JSON."""

from datetime import datetime
from typing import Annotated

import msgspec
from litestar import delete, get, patch
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import UNSET, Meta, UnsetType

from backend.accounts import store
from backend.accounts.rules import LANGUAGES, NAME_MAX, is_time_zone
from backend.accounts.types import Account, SessionId
from backend.http.visits import Person
from schema.errors import Invalid, Missing
from schema.text import clean


class Me(msgspec.Struct, frozen=True, kw_only=True):
    email: str
    display_name: str
    is_operator: bool
    time_zone: str
    language: str
    created_at: datetime


class ChangeMe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is absent stays as it is."""

    display_name: Annotated[str, Meta(min_length=1, max_length=NAME_MAX)] | UnsetType = UNSET
    time_zone: Annotated[str, Meta(max_length=100)] | UnsetType = UNSET
    language: Annotated[str, Meta(max_length=20)] | UnsetType = UNSET


class OpenSession(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    agent: str
    created_at: datetime
    last_seen_at: datetime
    is_this_one: bool


@get("/api/me", operation_id="me", tags=["account"])
async def me(person: NamedDependency[Person]) -> Me:
    """The account this session belongs to."""
    return _told(person.account)


@patch("/api/me", operation_id="change_me", tags=["account"])
async def change_me(person: NamedDependency[Person], data: JSONBody[ChangeMe]) -> Me:
    """Change the name, the time zone or the language."""
    now = person.account
    name = now.display_name if data.display_name is UNSET else clean(data.display_name).strip()
    zone = now.time_zone if data.time_zone is UNSET else data.time_zone
    language = now.language if data.language is UNSET else data.language
    if not name:
        raise Invalid("The name is empty.", field="display_name")
    if not is_time_zone(zone):
        raise Invalid("This is not the name of a time zone.", field="time_zone")
    if language not in LANGUAGES:
        raise Invalid("The pages are not written in this language.", field="language")
    async with person.unit() as unit:
        await store.set_person(unit, name=name, time_zone=zone, language=language)
        return _told(await store.account(unit))


@get("/api/sessions", operation_id="sessions", tags=["account"])
async def open_sessions(person: NamedDependency[Person]) -> list[OpenSession]:
    """Every browser that is signed in, the latest seen first."""
    async with person.unit() as unit:
        found = await store.open_sessions(unit, person.clock.now())
    return [
        OpenSession(
            id=session.id,
            agent=session.agent,
            created_at=session.created_at,
            last_seen_at=session.last_seen_at,
            is_this_one=session.id == person.session.id,
        )
        for session in found
    ]


@delete(
    "/api/sessions/{session_id:int}",
    operation_id="end_session",
    tags=["account"],
    opt={"refusals": [Missing]},
)
async def end_session(person: NamedDependency[Person], session_id: FromPath[int]) -> None:
    """Sign that browser out."""
    async with person.unit() as unit:
        if not await store.end_session(unit, SessionId(session_id)):
            raise Missing


def _told(account: Account) -> Me:
    return Me(
        email=account.email,
        display_name=account.display_name,
        is_operator=account.is_operator,
        time_zone=account.time_zone,
        language=account.language,
        created_at=account.created_at,
    )


ROUTES = (me, change_me, open_sessions, end_session)
