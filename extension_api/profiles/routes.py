"""`GET` and `PUT /profile`: the profile with its revision, and a save that never overwrites unseen."""

from datetime import datetime

from litestar import get, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from extension_api.pairing.guard import GUARDED
from extension_api.pairing.rules import Device
from extension_api.profiles.rules import ProfileInvalid, StaleProfile
from extension_api.profiles.store import CurrentProfile, current_profile, save_profile
from extension_api.protocol import SaveProfile, StoredProfile
from schema.db import Database, UnstorableValue
from schema.errors import Unavailable


@get("/profile", opt={"refusals": [*GUARDED, Unavailable]}, operation_id="extension_profile")
async def read_profile(device: NamedDependency[Device], database: NamedDependency[Database]) -> StoredProfile:
    """The profile and its revision; empty and 0 while none was saved."""
    async with database.as_account(device.account_id) as unit:
        return _told(await current_profile(unit))


@put(
    "/profile",
    opt={"refusals": [ProfileInvalid, StaleProfile, UnstorableValue, *GUARDED, Unavailable]},
    operation_id="extension_save_profile",
)
async def write_profile(
    data: JSONBody[SaveProfile],
    device: NamedDependency[Device],
    database: NamedDependency[Database],
    now: NamedDependency[datetime],
) -> StoredProfile:
    """Save the profile after the revision that was edited; a newer one refuses it."""
    async with database.as_account(device.account_id) as unit:
        saved = await save_profile(
            unit, revision=data.revision, profile=data.profile, origin="extension", now=now
        )
    return _told(saved)


def _told(current: CurrentProfile) -> StoredProfile:
    return StoredProfile(revision=current.revision, profile=current.profile)
