"""What an import came to, in one sentence that every page uses. Pure."""

from typing import Protocol

from backend.http.rendering import plural


class Tally(Protocol):
    """What was seen of an archive, and what became of it."""

    @property
    def seen(self) -> int: ...
    @property
    def stored(self) -> int: ...
    @property
    def known(self) -> int: ...
    @property
    def not_kept(self) -> int: ...
    @property
    def quarantined(self) -> int: ...


def told(tally: Tally) -> str:
    """`26 messages read, all known already`, or `26 messages read: 3 new and kept, 23 known already`."""
    read = f"{plural(tally.seen, 'message', 'messages')} read"
    if not tally.seen:
        return "nothing read yet"
    if tally.known == tally.seen:
        return f"{read}, {'all ' if tally.seen > 1 else ''}known already"
    words = (
        (tally.stored, "new and kept"),
        (tally.known, "known already"),
        (tally.not_kept, "not about jobs"),
        (tally.quarantined, "could not be read"),
    )
    parts = [plural(number, word, word) for number, word in words if number]
    return f"{read}: {', '.join(parts)}" if parts else read
