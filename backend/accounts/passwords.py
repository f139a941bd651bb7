"""Hashing passwords with argon2id, off the event loop and at most two at a time (46 MB each)."""

import asyncio
import weakref
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_HASHER = PasswordHasher(time_cost=1, memory_cost=46 * 1024, parallelism=1)
"""One of the settings OWASP holds equal; one thread, because a laptop has other things to do."""
_AT_ONCE = 2
_gates: "weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore]" = (
    weakref.WeakKeyDictionary()
)


async def hashed(password: str) -> str:
    async with _gate():
        return await asyncio.to_thread(_HASHER.hash, _bytes(password))


async def fits(password: str, stored: str | None) -> bool:
    """Whether `password` is the one behind `stored`; the same work when there is no such account."""
    async with _gate():
        right = await asyncio.to_thread(_verified, stored or await asyncio.to_thread(_absent), password)
    return right and stored is not None


def _verified(stored: str, password: str) -> bool:
    try:
        return _HASHER.verify(stored, _bytes(password))
    except (VerificationError, InvalidHashError):
        return False


@cache
def _absent() -> str:
    """Made at the first need: hashing is slow on purpose, and a start waits for every import."""
    return _HASHER.hash("nobody has this password")


def _bytes(password: str) -> bytes:
    return password.encode(errors="surrogatepass")


def _gate() -> asyncio.Semaphore:
    return _gates.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(_AT_ONCE))
