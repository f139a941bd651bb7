"""A fetch that remembers until when a host wants to be left alone, whatever an adapter makes of it."""

from datetime import datetime

from pipeline.sources.types import Answer, Fetch, FetchFailed, Validators


class Patient:
    """Satisfies `Fetch`."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self.until: datetime | None = None

    async def __call__(
        self, url: str, /, *, json: bytes | None = None, known: Validators | None = None
    ) -> Answer:
        try:
            return await self._fetch(url, json=json, known=known)
        except FetchFailed as failure:
            if failure.until is not None:
                self.until = max(failure.until, self.until or failure.until)
            raise
