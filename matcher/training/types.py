"""What a generated mailbox is made of. Only structs."""

from datetime import date, datetime
from typing import Literal

import msgspec

Split = Literal["fit", "test"]
Language = Literal["en", "fr", "de", "es"]
Origin = Literal["extension", "tracker", "manual", "import"]

SPLITS: tuple[Split, ...] = ("fit", "test")
LANGUAGES: tuple[Language, ...] = ("en", "fr", "de", "es")


class Application(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """As the person recorded it; what nobody knows is absent."""

    id: str
    company: str | None = None
    role: str | None = None
    aliases: tuple[str, ...] = ()
    requisition: str | None = None
    url: str | None = None
    platform: str | None = None
    board: str | None = None
    vendor_id: str | None = None
    applied_at: datetime | None = None
    applied_on: date | None = None
    origin: Origin = "tracker"


class Truth(msgspec.Struct, frozen=True, kw_only=True):
    """`ids` are the applications a message is about: all of them when decidable, else one nobody can tell."""

    ids: tuple[str, ...] = ()
    decidable: bool = True

    @property
    def written(self) -> str | tuple[str, ...] | None:
        """As it stands in a truth file."""
        if self.decidable and len(self.ids) <= 1:
            return self.ids[0] if self.ids else None
        return self.ids


class Unrecorded(msgspec.Struct, frozen=True, kw_only=True):
    """The application nobody recorded that a message is about."""

    company: str
    role: str | None = None


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """One mail as it was delivered. `kind` is what it says, `family` the situation it stands in."""

    id: str
    raw: bytes
    truth: Truth
    family: str
    kind: str
    language: Language
    split: Split
    order: int
    sent_at: datetime
    confirmed: bool = False
    about: Unrecorded | None = None


class Mailbox(msgspec.Struct, frozen=True, kw_only=True):
    """`messages` stand in order of sending."""

    name: str
    owner: str
    owner_name: str
    split: Split
    applications: tuple[Application, ...]
    messages: tuple[Message, ...]
