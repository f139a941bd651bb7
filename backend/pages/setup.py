"""How far somebody is with the first steps, worked out from what is there."""

import msgspec

from backend.today.store import last_import
from extension_api.pairing.store import devices
from extension_api.profiles.store import current_profile
from mailsync.gmail.mailbox.store import boxes
from schema.db import Unit


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step: what it gives, where it is done, and whether it is."""

    title: str
    why: str
    path: str
    label: str
    done: bool
    done_text: str
    look: str = "Look at it"
    """What the link to a step that is done is called."""


async def steps(unit: Unit) -> list[Step]:
    has_profile = (await current_profile(unit)).revision > 0
    has_mailbox = any(box.state in ("connected", "grant_lost") for box in await boxes(unit))
    paired = sum(device.revoked_at is None for device in await devices(unit))
    return [
        Step(
            title="Make your account",
            why="Everything you keep here belongs to it.",
            path="/settings",
            label="Change it",
            done=True,
            done_text="Done",
            look="Change it in Settings",
        ),
        Step(
            title="Fill in your profile",
            why="The extension fills forms from it. Type it in, or bring a JSON Resume file.",
            path="/profile",
            label="Fill in the profile",
            done=has_profile,
            done_text="There is a profile",
        ),
        Step(
            title="Pair the browser extension",
            why="It fills application forms on hiring sites and records what you send.",
            path="/first-run/extension",
            label="Pair the extension",
            done=paired > 0,
            done_text="A browser is paired" if paired == 1 else f"{paired} browsers are paired",
        ),
        Step(
            title="Bring in your mail",
            why="Jobtrail reads what employers write and sorts it. Connect Gmail, or bring in an archive.",
            path="/mail",
            label="Bring in mail",
            done=has_mailbox or await last_import(unit) is not None,
            done_text="A mailbox is connected" if has_mailbox else "Mail was brought in",
        ),
    ]
