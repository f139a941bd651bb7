"""Who sent a message, as far as its address tells: a hiring platform, a board, a vendor, or nobody known.

The tables stand in `senders.toml`, so that a new relay is one entry and a line in a test.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from mailsync.parse.types import Address

SenderKind = Literal["ats", "board", "vendor", "schedule", "signing"]

_TABLE = Path(__file__).with_name("senders.toml")
_MAILBOX_WORDS = frozenset(
    (
        "no-reply",
        "noreply",
        "do-not-reply",
        "donotreply",
        "notification",
        "notifications",
        "mail",
        "system",
        "hr",
    )
)


class Sender(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row of the table; see the head of `senders.toml` for the meaning of each field."""

    domain: str
    name: str
    kind: SenderKind
    tenant: Literal["local", "host", ""] = ""
    alerts: tuple[str, ...] = ()
    plain: bool = False

    def only_alerts(self, address: Address) -> bool:
        return (
            "*" in self.alerts
            or address.local_part in self.alerts
            or address.local_part in _alert_local_parts()
        )


class _Brands(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    names: tuple[str, ...]
    employers: tuple[str, ...]


class _Alerts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    local_parts: tuple[str, ...]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sender: tuple[Sender, ...]
    alerts: _Alerts
    brands: _Brands


@cache
def _table() -> _Table:
    return msgspec.convert(tomllib.loads(_TABLE.read_text(encoding="utf-8")), _Table)


@cache
def _by_domain() -> dict[str, Sender]:
    return {sender.domain: sender for sender in _table().sender}


@cache
def _brands() -> frozenset[str]:
    relays = frozenset(sender.name for sender in _table().sender if not sender.plain)
    return relays.difference(_table().brands.employers).union(_table().brands.names)


@cache
def _alert_local_parts() -> frozenset[str]:
    return frozenset(_table().alerts.local_parts)


def table() -> tuple[Sender, ...]:
    """Every row, in the order of the file."""
    return _table().sender


def known_sender(address: Address) -> Sender | None:
    """The row of the longest domain that the address belongs to."""
    labels = address.domain.split(".")
    candidates = (".".join(labels[start:]) for start in range(len(labels) - 1))
    return next((row for domain in candidates if (row := _by_domain().get(domain))), None)


def sending_domains(*kinds: SenderKind) -> list[str]:
    """The domains of these kinds, in the order of the table."""
    return [sender.domain for sender in _table().sender if sender.kind in kinds]


def is_relay_brand(name: str) -> bool:
    """Whether the name is that of a platform and so never the employer's."""
    return " ".join(name.lower().split()).strip(" .,") in _brands()


def tenant(address: Address, sender: Sender) -> str | None:
    """The token that names the employer at that platform, when the address carries one."""
    if sender.tenant == "local":
        token = address.local_part.split("+")[0]
    elif sender.tenant == "host" and address.domain != sender.domain:
        token = address.domain.removesuffix(f".{sender.domain}").split(".")[-1]
    else:
        return None
    return token if token and token not in _MAILBOX_WORDS else None
