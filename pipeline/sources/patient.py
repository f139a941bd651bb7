"""A fetch that remembers until when a host wants to be left alone, whatever an adapter makes of it."""

from datetime import datetime
from urllib.parse import urlsplit

from pipeline.sources.types import Answer, Fetch, FetchFailed, Validators


class Patient:
    """Satisfies `Fetch`. `is_too_slow`: a host that had answered would not again for longer than is waited:
    beginning anew would come no further."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._answered: set[str] = set()
        self.until: datetime | None = None
        self.is_too_slow = False

    async def __call__(
        self, url: str, /, *, json: bytes | None = None, known: Validators | None = None
    ) -> Answer:
        try:
            answer = await self._fetch(url, json=json, known=known)
        except FetchFailed as failure:
            if failure.until is not None:
                self.until = max(failure.until, self.until or failure.until)
                self.is_too_slow |= urlsplit(url).netloc in self._answered
            raise
        self._answered.add(urlsplit(url).netloc)
        return answer
