"""Quota units by person and project over a sliding minute, and how many calls of a person run at once."""

from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import Literal

Costs = dict[str, int]
Shape = Literal["per_minute", "user_rate", "concurrent", "exhausted", "retry_at"]
OLDER: Costs = {
    "getProfile": 1,
    "labels.list": 1,
    "labels.get": 1,
    "sendAs.list": 1,
    "messages.list": 5,
    "messages.get": 5,
    "messages.attachments.get": 5,
    "messages.insert": 25,
    "messages.modify": 5,
    "messages.trash": 5,
    "messages.untrash": 5,
    "messages.delete": 10,
    "threads.list": 10,
    "threads.get": 10,
    "history.list": 2,
    "watch": 100,
    "stop": 50,
}
# Projects made since May 2026.
NEWER: Costs = OLDER | {"messages.get": 20, "messages.attachments.get": 20, "threads.get": 40}
COSTS: dict[str, Costs] = {"2026": NEWER, "older": OLDER}


@dataclass
class Limits:
    """None is unlimited. `per_batch`: parts of one batch beyond so many are too many at once."""

    per_user: int | None = None
    per_project: int | None = None
    window: float = 60.0
    concurrent: int | None = None
    per_batch: int | None = None
    shape: Shape = "per_minute"


@dataclass
class Window:
    spent: int = 0
    charges: deque[tuple[float, int]] = field(default_factory=deque)

    def at(self, now: float, length: float) -> int:
        while self.charges and self.charges[0][0] <= now - length:
            self.spent -= self.charges.popleft()[1]
        return self.spent

    def charge(self, now: float, units: int) -> None:
        self.charges.append((now, units))
        self.spent += units


class Quota:
    def __init__(self) -> None:
        self.costs = NEWER
        self.limits = Limits()
        self.refused = 0
        self.most_at_once = 0
        self._users: defaultdict[str, Window] = defaultdict(Window)
        self._project = Window()
        self._running: defaultdict[str, int] = defaultdict(int)

    def begin(self, email: str) -> None:
        self._running[email] += 1
        self.most_at_once = max(self.most_at_once, self._running[email])

    def end(self, email: str) -> None:
        self._running[email] -= 1

    def refusal(self, email: str, units: int, now: float, place_in_batch: int = 0) -> str | None:
        """The name of the refusal that meets this call, else None and the units are charged."""
        limits = self.limits
        crowded = limits.concurrent is not None and self._running[email] > limits.concurrent
        if crowded or (limits.per_batch is not None and place_in_batch >= limits.per_batch):
            self.refused += 1
            return "concurrent"
        for window, limit in ((self._users[email], limits.per_user), (self._project, limits.per_project)):
            if limit is not None and window.at(now, limits.window) + units > limit:
                self.refused += 1
                return limits.shape
        self._users[email].charge(now, units)
        self._project.charge(now, units)
        return None

    def spent(self, email: str, now: float) -> int:
        """Units of that person in the window that ends now."""
        return self._users[email].at(now, self.limits.window)
