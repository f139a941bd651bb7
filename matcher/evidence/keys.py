"""The keys under which messages and applications meet, one set for both sides. Pure.

A message is compared with an application exactly when they share a key, whichever of them came first. Keys
are stored as 64-bit hashes: a rare collision only makes the matcher look once too often.
"""

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol

from matcher.evidence.kinship import names_to_expect
from schema.identity.names import company_words, title_parts
from schema.identity.requisitions import requisition_key

Key = str


@lru_cache(maxsize=20_000)
def company_key(name: str) -> str | None:
    """A company's own words run together, so that "AcmeWorks" and "Acme Works" meet; None for no name."""
    return "".join(company_words(name)) or None


@lru_cache(maxsize=20_000)
def role_key(title: str) -> str | None:
    """Equal for two spellings of one title, level included; None for no title."""
    parts = title_parts(title)
    return parts.key if parts.role else None


@lru_cache(maxsize=20_000)
def title_key(title: str) -> str | None:
    """Equal for two titles of the same words, whatever level or place they name; None for no title."""
    return " ".join(title_parts(title).role) or None


def company(key: str) -> Key:
    return f"company:{key}"


def posting(key: str) -> Key:
    return f"posting:{key}"


def requisition(key: str) -> Key:
    return f"requisition:{key}"


def board(platform: str, name: str) -> Key:
    return f"board:{platform}/{name.casefold()}"


def cites(rfc_message_id: str) -> Key:
    return f"cites:{rfc_message_id}"


def thread(provider_thread: str) -> Key:
    return f"thread:{provider_thread}"


def sender(address: str) -> Key:
    return f"sender:{address.casefold()}"


def meeting(uid: str) -> Key:
    return f"meeting:{uid}"


def domain(name: str) -> Key:
    """Under which every message from that domain is found."""
    return f"domain:{name}"


def asks_domain(name: str) -> Key:
    """Under which those messages are found that only their domain names an employer of."""
    return f"asks-domain:{name}"


def lone_title(key: str) -> Key:
    """The title of an application of which nobody recorded the employer."""
    return f"lone-title:{key}"


def akin(name: str) -> Key:
    """A name to expect of an employer, of `kinship.py`."""
    return f"akin:{name}"


def hashed(keys: Iterable[Key]) -> frozenset[int]:
    """Signed 64-bit numbers, as a bigint column holds them."""
    return frozenset(
        int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "big", signed=True)
        for key in keys
    )


class ApplicationKeys(Protocol):
    """The columns of an application by which messages find it."""

    @property
    def company(self) -> str | None: ...
    @property
    def company_key(self) -> str | None: ...
    @property
    def role(self) -> str | None: ...
    @property
    def canonical_url(self) -> str | None: ...
    @property
    def platform(self) -> str | None: ...
    @property
    def board(self) -> str | None: ...
    @property
    def vendor_id(self) -> str | None: ...
    @property
    def requisition_key(self) -> str | None: ...


def keys_of_application(found: ApplicationKeys) -> frozenset[int]:
    keys: set[Key] = set()
    if found.company_key:
        keys.add(company(found.company_key))
    elif found.role and (title := title_key(found.role)):
        keys.add(lone_title(title))
    if found.company:
        keys |= {akin(name) for name in names_to_expect(found.company)}
    if found.canonical_url:
        keys.add(posting(found.canonical_url))
    if found.vendor_id:
        # Platforms print their own posting id where others print the employer's requisition.
        keys |= {
            posting(f"{found.platform}:{found.vendor_id}"),
            requisition(requisition_key(found.vendor_id)),
        }
    if found.requisition_key:
        keys.add(requisition(found.requisition_key))
    if found.platform and found.board:
        keys.add(board(found.platform, found.board))
    return hashed(keys)
