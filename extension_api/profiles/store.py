"""The SQL of the profile: revisions are appended, never changed; the highest is the profile."""

from datetime import datetime
from typing import Literal

import msgspec
from psycopg.types.json import Jsonb

from extension_api.profiles.rules import StaleProfile, checked_profile
from extension_api.profiles.types import Profile
from schema.db import Unit
from schema.live import announce
from schema.query import Query, Statement

Origin = Literal["form", "json_resume", "extension", "undo"]
KEPT_LISTED = 100


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    revision: int
    document: bytes


class Revision(msgspec.Struct, frozen=True, kw_only=True):
    """One saved state of the profile, for the list from which the person can go back."""

    revision: int
    origin: Origin
    created_at: datetime


class CurrentProfile(msgspec.Struct, frozen=True, kw_only=True):
    """`revision` is 0 and the profile empty while none was ever saved."""

    revision: int
    profile: Profile


NEWEST = Query(
    "profiles.newest", Stored, "SELECT revision, document FROM profiles ORDER BY revision DESC LIMIT 1"
)
AT_REVISION = Query(
    "profiles.at_revision",
    Stored,
    "SELECT revision, document FROM profiles WHERE revision = %(revision)s::integer",
)
REVISIONS = Query(
    "profiles.revisions",
    Revision,
    "SELECT revision, origin, created_at FROM profiles ORDER BY revision DESC LIMIT %(limit)s",
)
APPEND = Statement(
    "profiles.append",
    """INSERT INTO profiles (revision, document, origin, created_at)
       SELECT %(revision)s::integer + 1, %(document)s, %(origin)s, %(now)s
       WHERE coalesce((SELECT max(revision) FROM profiles), 0) = %(revision)s::integer
       ON CONFLICT DO NOTHING""",
)


async def current_profile(unit: Unit) -> CurrentProfile:
    row = await unit.maybe(NEWEST)
    if row is None:
        return CurrentProfile(revision=0, profile=Profile())
    return _read(row)


async def profile_at(unit: Unit, revision: int) -> CurrentProfile:
    """Raises `Missing` for a revision that was never saved."""
    return _read(await unit.one(AT_REVISION, revision=revision))


async def revisions(unit: Unit) -> list[Revision]:
    """The newest hundred, newest first."""
    return await unit.all(REVISIONS, limit=KEPT_LISTED)


async def save_profile(
    unit: Unit, *, revision: int, profile: Profile, origin: Origin, now: datetime
) -> CurrentProfile:
    """Append the profile after `revision`, the one that was edited.

    Raises `ProfileInvalid` with every fault, and `StaleProfile` when another revision came between. Saving
    what is already there adds no revision.
    """
    kept = checked_profile(profile)
    current = await current_profile(unit)
    if current.revision == revision and current.profile == kept:
        return current
    added = await unit.run(APPEND, revision=revision, document=Jsonb(kept), origin=origin, now=now)
    if not added:
        raise StaleProfile((await current_profile(unit)).revision)
    announce(unit, "profile")
    return CurrentProfile(revision=revision + 1, profile=kept)


async def undo_to(unit: Unit, *, revision: int, to_revision: int, now: datetime) -> CurrentProfile:
    """Append an older state after `revision`; what was undone stays in the list and can come back."""
    older = await profile_at(unit, to_revision)
    return await save_profile(unit, revision=revision, profile=older.profile, origin="undo", now=now)


def _read(row: Stored) -> CurrentProfile:
    profile = msgspec.json.decode(row.document, type=Profile)
    return CurrentProfile(revision=row.revision, profile=profile)
