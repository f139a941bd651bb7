"""Asking other people's hosts with manners: the one way product code fetches.

Every request, also each step of a redirect and each robots.txt, is checked against the platforms that are
never read, allowed by the robots.txt of its site, and sent in a turn of its host, which all workers share.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

from pipeline.manners.pace import Pace
from pipeline.manners.policy import platform_of
from pipeline.manners.robots import Rules, rules_of
from pipeline.manners.rules import (
    MOST_ROBOTS_BYTES,
    MOST_ROBOTS_REDIRECTS,
    PATIENCE,
    least_spacing,
    verdict_of,
)
from pipeline.manners.types import NEITHER
from pipeline.sources.client import Address, Asked, Fetcher, followed, open_fetcher
from pipeline.sources.registry import why_forbidden
from pipeline.sources.types import Answer, Fetch, FetchFailed, Validators
from schema.clock import Clock, SystemClock
from schema.db import Database
from schema.settings import SourceSettings

_MARGIN = timedelta(seconds=5)


@asynccontextmanager
async def polite_fetcher(
    db: Database, settings: SourceSettings, *, clock: Clock | None = None, patience: timedelta = PATIENCE
) -> AsyncGenerator[Fetch, None]:
    """A fetcher for one task. Not to be used inside a unit of work.

    Beside what every fetch can raise, `FetchFailed` says `host_blocked` (`until` is when to come back),
    `robots_forbid` and `policy_forbid` (lasting; `str(failure)` tells people why). `clock` is for platforms
    that may be read until an announced day.
    """
    async with open_fetcher(settings) as fetcher:
        yield PoliteFetcher(db, settings, fetcher, clock or SystemClock(), patience)


class PoliteFetcher:
    """Satisfies `Fetch`. Remembers the rules of the sites it asked."""

    def __init__(
        self, db: Database, settings: SourceSettings, fetcher: Fetcher, clock: Clock, patience: timedelta
    ) -> None:
        self._db = db
        self._settings = settings
        self._fetcher = fetcher
        self._clock = clock
        longest = timedelta(seconds=settings.timeout_seconds) + _MARGIN
        self._pace = Pace(db, patience=patience, longest=longest)
        self._longest_reading = (MOST_ROBOTS_REDIRECTS + 1) * (longest + 2 * patience)
        self._rules: dict[str, Rules] = {}

    async def __call__(
        self, url: str, /, *, json: bytes | None = None, known: Validators | None = None
    ) -> Answer:
        return await followed(self._allowed_hop, Asked(url=url, json=json, known=known))

    async def _allowed_hop(self, asked: Asked) -> tuple[Answer, str | None]:
        address = self._address(asked.url)
        rules = await self._rules_of(address)
        if not rules.allow(asked.url):
            raise FetchFailed("robots_forbid", f"The robots.txt of {address.site} forbids this address.")
        least = least_spacing(address.host, self._settings.spacing_seconds, rules.crawl_delay)
        return await self._in_turn(address, asked, least, is_known=True)

    async def _robots_hop(self, asked: Asked) -> tuple[Answer, str | None]:
        """A robots.txt is asked for whatever robots rules say, but in turn."""
        address = self._address(asked.url)
        least = least_spacing(address.host, self._settings.spacing_seconds)
        return await self._in_turn(address, asked, least, is_known=False)

    def _address(self, url: str) -> Address:
        address = self._fetcher.address_of(url)
        platform = platform_of(address.host, address.target, url)
        reason = None if platform is None else why_forbidden(platform, self._clock.now())
        if reason is not None:
            raise FetchFailed("policy_forbid", reason)
        return address

    async def _rules_of(self, address: Address) -> Rules:
        rules = self._rules.get(address.site)
        if rules is None:
            asked = Asked(url=f"{address.origin}/robots.txt", most_bytes=MOST_ROBOTS_BYTES, is_clipped=True)

            async def read() -> Answer:
                return await followed(self._robots_hop, asked, MOST_ROBOTS_REDIRECTS)

            rules = await rules_of(self._db, address.site, read, self._longest_reading)
            self._rules[address.site] = rules
        if not rules.is_known:
            raise FetchFailed("unreachable", f"The robots.txt of {address.site} could not be read.")
        return rules

    async def _in_turn(
        self, address: Address, asked: Asked, least: timedelta, *, is_known: bool
    ) -> tuple[Answer, str | None]:
        passage = await self._pace.boarded(address.host, least, is_known=is_known)
        verdict = NEITHER
        try:
            answer, onward = await self._fetcher.hop(asked, passage.start)
            verdict = verdict_of(answer)
        finally:
            await passage.over(verdict)
        return answer, onward
