"""The first steps after the account: profile, extension, mail. Each can wait; how far one is, is read.

A step is done when its data is there, however it came, so that leaving and coming back loses nothing.
"""

from pathlib import Path

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from backend.accounts import store
from backend.http.flash import Undo
from backend.http.visits import Html, Visit, is_on_this_machine
from backend.pages.setup import Step, steps
from extension_api.pairing.exchange import PairingCode, start_pairing
from extension_api.pairing.store import DeviceRow, devices, latest_code_used

EXTENSION = Path(__file__).parents[2] / "extension"
"""The folder a browser loads; told only to somebody who sits at this machine."""


class FirstRunView(msgspec.Struct, frozen=True, kw_only=True):
    steps: list[Step]

    @property
    def done(self) -> int:
        return sum(step.done for step in self.steps)

    @property
    def next(self) -> Step | None:
        """The first step that is not done."""
        return next((step for step in self.steps if not step.done), None)


class ExtensionView(msgspec.Struct, frozen=True, kw_only=True):
    address: str
    folder: str | None
    code: PairingCode | None
    devices: list[DeviceRow]
    is_used: bool
    """The code that was shown last has paired a browser: it is worth nothing any more."""


@get("/first-run", include_in_schema=False)
async def first_run(visit: NamedDependency[Visit]) -> Html:
    async with visit.unit() as unit:
        found = await steps(unit)
    return visit.page("first_run.html", FirstRunView(steps=found))


@get("/first-run/extension", include_in_schema=False)
async def extension(visit: NamedDependency[Visit]) -> Html:
    return await _extension(visit, None)


@post("/first-run/extension", include_in_schema=False, status_code=200)
async def pairing_code(visit: NamedDependency[Visit]) -> Html:
    """A fresh code, shown on this answer and nowhere else."""
    async with visit.unit() as unit:
        code = await start_pairing(unit, visit.clock.now())
    return await _extension(visit, code)


@post("/first-run/end", include_in_schema=False)
async def end(visit: NamedDependency[Visit]) -> Redirect:
    async with visit.unit() as unit:
        await store.end_setup(unit, visit.clock.now())
    return visit.leave("/", "The first steps are put away.", undo=Undo(action="/first-run/resume"))


@post("/first-run/resume", include_in_schema=False)
async def resume(visit: NamedDependency[Visit]) -> Redirect:
    async with visit.unit() as unit:
        await store.resume_setup(unit)
    return visit.leave("/")


async def _extension(visit: Visit, code: PairingCode | None) -> Html:
    async with visit.unit() as unit:
        is_used = await latest_code_used(unit)
        paired = [device for device in await devices(unit) if device.revoked_at is None]
    folder = str(EXTENSION) if EXTENSION.is_dir() and is_on_this_machine(visit.request, visit.parts) else None
    view = ExtensionView(address=visit.address, folder=folder, code=code, devices=paired, is_used=is_used)
    return visit.page("first_run_extension.html", view)


ROUTES = (first_run, extension, pairing_code, end, resume)
