"""Writes a mailbox as a truth file of `jobtrail match eval`; the format stands in docs/match-truth.md."""

import base64
from collections.abc import Iterator
from pathlib import Path

import msgspec

from matcher.training.types import Application, Language, Mailbox, Message, Split, Unrecorded


class _Box(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    owner: str
    split: Split


class _Mail(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    eml: str
    truth: str | tuple[str, ...] | None
    decidable: bool
    family: str
    kind: str
    language: Language
    split: Split
    order: int
    confirmed: bool
    about: Unrecorded | None


class _Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    mailbox: _Box | None = None
    application: Application | None = None
    message: _Mail | None = None


def lines(mailbox: Mailbox) -> Iterator[bytes]:
    """One JSON object each, with its line end."""
    owner = f"{mailbox.owner_name} <{mailbox.owner}>"
    yield _json(_Line(mailbox=_Box(name=mailbox.name, owner=owner, split=mailbox.split)))
    for application in mailbox.applications:
        yield _json(_Line(application=application))
    for message in mailbox.messages:
        yield _json(_Line(message=_mail(message)))


def write(mailbox: Mailbox, path: Path) -> None:
    with path.open("wb") as file:
        file.writelines(lines(mailbox))


def _mail(message: Message) -> _Mail:
    return _Mail(
        id=message.id,
        eml=base64.b64encode(message.raw).decode(),
        truth=message.truth.written,
        decidable=message.truth.decidable,
        family=message.family,
        kind=message.kind,
        language=message.language,
        split=message.split,
        order=message.order,
        confirmed=message.confirmed,
        about=message.about,
    )


def _json(line: _Line) -> bytes:
    return msgspec.json.encode(line) + b"\n"
