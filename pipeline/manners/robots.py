"""What the robots.txt of a site allows us (RFC 9309). Read once for all workers, kept for a day at most."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import timedelta

from protego import Protego

from pipeline.manners import store
from pipeline.manners.rules import ROBOTS_RETRY, ROBOTS_RETRY_UNANSWERED, THROTTLED
from pipeline.manners.types import RobotsState
from pipeline.sources.types import Answer, FetchFailed, FetchProblem
from schema.db import Database

PRODUCT = "Jobtrail"
_LOOK_SECONDS = 0.1
_LONG_BODY_CHARS = 20_000
_AGENT = re.compile(r"^([ \t]*user-?agent[ \t]*:[ \t]*)([^\s#]+)[^\n]*$", re.IGNORECASE | re.MULTILINE)
# The site did not answer, or not wholly; anything else (a refused address, a block) says nothing of the file.
_UNREACHABLE: frozenset[FetchProblem] = frozenset(("unreachable", "timeout", "cut_short"))
_OK, _ELSEWHERE, _REFUSED, _FAULT = 200, 300, 400, 500


class Rules:
    """The rules of one site for us. Not `is_known`: nothing may be asked."""

    def __init__(self, state: RobotsState, body: str) -> None:
        self.is_known = state != "unreachable"
        self._parsed = Protego.parse(_for_us(body)) if state == "found" else None

    def allow(self, url: str) -> bool:
        return self._parsed is None or self._parsed.can_fetch(url, PRODUCT)

    @property
    def crawl_delay(self) -> float | None:
        """Seconds between requests it asks for, in either of the two ways to write that."""
        if self._parsed is None:
            return None
        rate = self._parsed.request_rate(PRODUCT)
        asked = [self._parsed.crawl_delay(PRODUCT), None if rate is None else rate.seconds / rate.requests]
        return max((each for each in asked if each is not None), default=None)


async def parsed(state: RobotsState, body: str) -> Rules:
    """A long file is parsed beside the loop."""
    if len(body) < _LONG_BODY_CHARS:
        return Rules(state, body)
    return await asyncio.to_thread(Rules, state, body)


async def rules_of(
    db: Database, site: str, read: Callable[[], Awaitable[Answer]], longest: timedelta
) -> Rules:
    """The rules, by `read` when no worker read them lately; `longest` is how long a reading can take."""
    while True:
        kept = await store.robots_kept(db, site)
        if kept is not None and kept.is_fresh:
            return await parsed(kept.state, kept.body)
        if await store.claim_robots(db, site, longest):
            state, body, retry_in = await _read(db, site, read)
            await store.settle_robots(db, site, state, body, retry_in=retry_in)
            return await parsed(state, body)
        await asyncio.sleep(_LOOK_SECONDS)


async def _read(
    db: Database, site: str, read: Callable[[], Awaitable[Answer]]
) -> tuple[RobotsState, str, timedelta]:
    """What was had, and when to ask again where it is nothing."""
    try:
        answer = await read()
    except FetchFailed as failure:
        if failure.problem == "too_many_redirects":
            return "missing", "", ROBOTS_RETRY
        if failure.problem in _UNREACHABLE:
            answered = failure.problem == "cut_short"
            return "unreachable", "", ROBOTS_RETRY if answered else ROBOTS_RETRY_UNANSWERED
        await store.leave_robots(db, site)
        raise
    except BaseException:
        await store.leave_robots(db, site)
        raise
    return *told(answer), ROBOTS_RETRY


def told(answer: Answer) -> tuple[RobotsState, str]:
    """What an answer to the asking for a robots.txt says: a refusal to show it allows everything."""
    if _OK <= answer.status < _ELSEWHERE:
        return "found", answer.body.decode("utf-8-sig", "replace")
    if _REFUSED <= answer.status < _FAULT and answer.status not in THROTTLED:
        return "missing", ""
    return "unreachable", ""


def _for_us(body: str) -> str:
    """The file with our name as the parser looks for it: it takes a shorter name for ours, and misses ours
    with a version behind it."""

    def named(found: re.Match[str]) -> str:
        token, ours = found[2].lower(), PRODUCT.lower()
        if re.match(re.escape(ours) + r"(?![a-z_-])", token):
            return found[1] + ours
        return found[1] + (token + "-of-others" if ours.startswith(token) else found[2])

    return _AGENT.sub(named, body)
