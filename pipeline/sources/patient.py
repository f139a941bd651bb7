"""A fetch that remembers until when a host wants to be left alone, whatever an adapter makes of it.

It also gives up a host that lets one ask so seldom that reading its board would keep a worker for hours.
"""

import time
from datetime import datetime
from urllib.parse import urlsplit

from pipeline.sources.types import Answer, Fetch, FetchFailed, Validators

MOST_HELD_SECONDS = 20 * 60.0
#: A host that leaves no more than this between two answers, all in all, is read to the end.
SLOW_ANSWER_SECONDS = 10.0


class Patient:
    """Satisfies `Fetch`. `is_too_slow`: a host that had answered would not again for longer than is waited:
    beginning anew would come no further."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._answered: set[str] = set()
        self._answers = 0
        self._began = time.monotonic()
        self.until: datetime | None = None
        self.is_too_slow = False

    async def __call__(
        self, url: str, /, *, json: bytes | None = None, known: Validators | None = None
    ) -> Answer:
        if self._is_held_too_long():
            self.is_too_slow = True
            raise FetchFailed("too_slow", "reading on would keep a worker for too long")
        try:
            answer = await self._fetch(url, json=json, known=known)
        except FetchFailed as failure:
            if failure.until is not None:
                self.until = max(failure.until, self.until or failure.until)
                self.is_too_slow |= urlsplit(url).netloc in self._answered
            raise
        self._answered.add(urlsplit(url).netloc)
        self._answers += 1
        return answer

    def _is_held_too_long(self) -> bool:
        held = time.monotonic() - self._began
        return held > MOST_HELD_SECONDS and held > SLOW_ANSWER_SECONDS * self._answers
