"""Profile: every fact a person may state about themself, edited in one form that never overwrites unseen."""

import re

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit
from backend.pages.profile_fields import GROUPS, LAYOUT, Group, Section
from backend.pages.profile_form import form_of, read, tidied, with_blank, without
from backend.pages.profile_merge import Difference, merged
from extension_api.countries import COUNTRIES
from extension_api.profiles.json_resume.outgoing import exported
from extension_api.profiles.rules import StaleProfile
from extension_api.profiles.store import (
    CurrentProfile,
    Revision,
    current_profile,
    profile_at,
    revisions,
    save_profile,
    undo_to,
)
from extension_api.profiles.types import Profile
from schema.db import Unit

REVISION_MAX = 2**31 - 2
COUNTRY_NAMES = tuple(sorted(country.name for country in COUNTRIES))
_REMOVED = re.compile(r"([a-z_]{1,30})\[([0-9]{1,3})\]")


class ProfileView(msgspec.Struct, frozen=True, kw_only=True):
    form: Form
    revision: int
    layout: tuple[Section | Group, ...] = LAYOUT
    countries: tuple[str, ...] = COUNTRY_NAMES
    differences: list[Difference] = []
    note: str = ""
    """Said above the form when it was sent for something else than saving."""

    def places(self, group: Group) -> range:
        """The numbers of a list's entries in the form."""
        numbers = (name for name in self.form.values if name.startswith(f"{group.name}["))
        return range(len({name.partition("]")[0] for name in numbers}))


class VersionsView(msgspec.Struct, frozen=True, kw_only=True):
    revisions: list[Revision]
    revision: int


@get("/profile", include_in_schema=False)
async def show(visit: NamedDependency[Visit]) -> Html:
    async with visit.unit() as unit:
        current = await current_profile(unit)
    return visit.page("profile.html", _view(current))


@post("/profile", include_in_schema=False)
async def save(visit: NamedDependency[Visit]) -> Html | Redirect:
    form = await read_form(visit.request)
    revision = form.whole("revision", "Revision", low=0, high=REVISION_MAX)
    form.require_ok()
    asked, form = form.values, tidied(form)
    if asked.get("add") in GROUPS:
        group = GROUPS[asked["add"]]
        view = ProfileView(form=with_blank(form, group), revision=revision, note=_NOT_YET)
        return visit.page("profile.html", view)
    if (removed := _REMOVED.fullmatch(asked.get("remove", ""))) and removed[1] in GROUPS:
        form = without(form, GROUPS[removed[1]], int(removed[2]))
        return visit.page("profile.html", ProfileView(form=form, revision=revision, note=_NOT_YET))
    return await _saved(visit, form, revision)


_NOT_YET = "Nothing is saved yet. Save the profile when it is complete."


async def _saved(visit: Visit, form: Form, revision: int) -> Html | Redirect:
    found = read(form)
    if not form.ok:
        return visit.page("profile.html", ProfileView(form=form, revision=revision), status=400)
    try:
        async with visit.unit() as unit:
            saved = await save_profile(
                unit, revision=revision, profile=found.profile, origin="form", now=visit.clock.now()
            )
    except StaleProfile:
        return await _conflict(visit, found.profile, revision)
    if saved.revision == revision:
        return visit.leave("/profile", "Nothing had changed.")
    return visit.leave("/profile", "Profile saved.", undo=undo_of(saved.revision, revision))


def undo_of(now: int, before: int) -> Undo | None:
    """The form that goes back from one revision to an earlier one; there is none before the first."""
    if before < 1:
        return None
    return Undo(action="/profile/undo", fields={"revision": str(now), "to_revision": str(before)})


async def _conflict(visit: Visit, yours: Profile, revision: int) -> Html:
    async with visit.unit() as unit:
        theirs = await current_profile(unit)
        base = await _at(unit, revision)
    both = merged(base, yours, theirs.profile)
    view = ProfileView(form=form_of(both.profile), revision=theirs.revision, differences=both.differences)
    return visit.page("profile.html", view, status=409)


async def _at(unit: Unit, revision: int) -> Profile:
    return (await profile_at(unit, revision)).profile if revision else Profile()


@get("/profile/versions", include_in_schema=False)
async def versions(visit: NamedDependency[Visit]) -> Html:
    async with visit.unit() as unit:
        current, kept = await current_profile(unit), await revisions(unit)
    return visit.page("profile_versions.html", VersionsView(revisions=kept, revision=current.revision))


@post("/profile/undo", include_in_schema=False)
async def undo(visit: NamedDependency[Visit]) -> Redirect:
    form = await read_form(visit.request)
    revision = form.whole("revision", "Revision", high=REVISION_MAX)
    to_revision = form.whole("to_revision", "Earlier revision", high=REVISION_MAX)
    form.require_ok()
    try:
        async with visit.unit() as unit:
            back = await undo_to(unit, revision=revision, to_revision=to_revision, now=visit.clock.now())
    except StaleProfile:
        text = "The profile was changed elsewhere meanwhile, so nothing was undone. Look at it first."
        return visit.leave("/profile", text, tone="refused")
    undoes = undo_of(back.revision, revision)
    return visit.leave("/profile", f"The profile is as it was in version {to_revision}.", undo=undoes)


@get("/profile/resume.json", include_in_schema=False)
async def export(visit: NamedDependency[Visit]) -> Response[bytes]:
    async with visit.unit() as unit:
        current = await current_profile(unit)
    headers = {"content-disposition": 'attachment; filename="resume.json"'}
    return Response(exported(current.profile), media_type="application/json", headers=headers)


def _view(current: CurrentProfile) -> ProfileView:
    blank = {"work": 1, "education": 1, "languages": 1} if current.revision == 0 else None
    return ProfileView(form=form_of(current.profile, blank=blank), revision=current.revision)


ROUTES = (show, save, versions, undo, export)
