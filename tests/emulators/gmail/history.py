"""The change log of one mailbox: 64-bit ids with gaps, pages, retention, and the disorder tests ask for."""

import random
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Literal

Kind = Literal["messagesAdded", "messagesDeleted", "labelsAdded", "labelsRemoved"]
# `historyTypes` on the line against the key of the record.
TYPES: dict[str, Kind] = {
    "messageAdded": "messagesAdded",
    "messageDeleted": "messagesDeleted",
    "labelAdded": "labelsAdded",
    "labelRemoved": "labelsRemoved",
}
# Beyond what a float or a signed 64-bit integer holds, so that a client that forgot about it is noticed.
FIRST_ID = 2**63 + 2**40
WEEK = 7 * 86_400


@dataclass(frozen=True, slots=True)
class Record:
    id: int
    kind: Kind
    message_id: str
    thread_id: str
    message_labels: tuple[str, ...]
    labels: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        message = {"id": self.message_id, "threadId": self.thread_id}
        change: dict[str, object] = {"message": {**message, "labelIds": list(self.message_labels)}}
        if self.labels:
            change["labelIds"] = list(self.labels)
        return {"id": str(self.id), "messages": [message], self.kind: [change]}


class History:
    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._ids: list[int] = []
        self._times: list[float] = []
        self._records: list[Record] = []
        self.current = FIRST_ID + self._chance.randrange(10_000)
        self._floor = self.current
        self.retention: float = WEEK
        self.hollow_pages = 0
        self.disorder: random.Random | None = None

    def skip(self) -> int:
        """A new id for a change that leaves no record."""
        self.current += self._chance.randrange(1, 400)
        return self.current

    def add(
        self,
        kind: Kind,
        message: tuple[str, str],
        message_labels: tuple[str, ...],
        now: float,
        labels: tuple[str, ...] = (),
    ) -> int:
        number = self.skip()
        self._ids.append(number)
        self._times.append(now)
        self._records.append(Record(number, kind, *message, message_labels, labels))
        return number

    def expire(self) -> None:
        """Every id handed out so far is from now on too old."""
        self._floor = self.skip()

    def knows(self, start: int, now: float) -> bool:
        old = bisect_right(self._times, now - self.retention)
        lost = self._ids[old - 1] if old else 0
        return max(self._floor, lost) <= start <= self.current

    def position(self, start: int) -> int:
        return bisect_right(self._ids, start)

    def page(
        self, position: int, limit: int, kinds: set[Kind], label: str
    ) -> tuple[list[Record], int | None]:
        """Records from a position, and the position of the next page if there is one."""
        if self.hollow_pages:
            self.hollow_pages -= 1
            return [], position
        found: list[Record] = []
        at = position
        while at < len(self._records) and len(found) < limit:
            record = self._records[at]
            if record.kind in kinds and (not label or label in record.message_labels + record.labels):
                found.append(record)
            at += 1
        following = at if at < len(self._records) else None
        return self._disordered(found, position), following

    def _disordered(self, found: list[Record], position: int) -> list[Record]:
        if self.disorder is None or not found:
            return found
        again = self.disorder.sample(found, (len(found) + 2) // 3)
        before = self._records[max(0, position - 1) : position]
        mixed = [*found, *again, *before]
        self.disorder.shuffle(mixed)
        return mixed

    def since(self, number: int) -> list[Record]:
        return self._records[bisect_left(self._ids, number) :]
