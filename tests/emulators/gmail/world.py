"""The state everything else works on: people, grants, quota, faults, and the record of every call."""

import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from emulators.gmail.clock import Clock
from emulators.gmail.faults import Fault, Faults
from emulators.gmail.grants import Client, Grants
from emulators.gmail.mailbox import Mailbox
from emulators.gmail.quota import Quota
from emulators.gmail.wire import Request

EMAIL = "sam.carter@gmail.example"
INSTALLED = Client("1081563-desk.apps.example", "GOCSPX-desk-secret")
WEB = Client(
    "1081563-site.apps.example", "GOCSPX-site-secret", ("https://jobtrail.example/mail/google/return",)
)


@dataclass(frozen=True)
class Call:
    """One call as it was answered. A part of a batch is a call of its own, after the batch's."""

    operation: str
    method: str
    target: str
    status: int
    units: int
    email: str
    token: str
    at: float
    in_batch: bool
    # What was given instead of, or done to, the answer.
    fault: str = ""


@dataclass
class World:
    seed: int = 0
    clock: Clock = field(default_factory=Clock)
    lock: threading.RLock = field(default_factory=threading.RLock)
    quota: Quota = field(default_factory=Quota)
    faults: Faults = field(default_factory=Faults)
    mailboxes: dict[str, Mailbox] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    # How often the whole of a message (full or raw) reached the wire, by (mailbox, id).
    fetched: Counter[tuple[str, str]] = field(default_factory=Counter)
    # Page tokens in use: what they continue, and since when.
    pages: dict[str, tuple[object, float]] = field(default_factory=dict)
    page_lifetime: float = 3_600.0
    # Requests the emulator itself failed on; tests of it want none.
    crashed: list[object] = field(default_factory=list)
    lying: Literal["as Google", "always too many", "always too few"] = "as Google"
    grants: Grants = field(init=False)

    def __post_init__(self) -> None:
        self.grants = Grants(self.clock, self.seed)
        for client in (INSTALLED, WEB):
            self.grants.clients[client.id] = client
        self.add_mailbox(EMAIL)

    def add_mailbox(self, email: str) -> Mailbox:
        return self.mailboxes.setdefault(email, Mailbox(email, self.clock, self.seed + len(self.mailboxes)))

    def fault_for(self, operation: str, request: Request) -> Fault | None:
        """The fault this call meets, if any; held already, if that is what it does."""
        with self.lock:
            fault = self.faults.meeting(operation, request)
        if fault:
            self.faults.hold(fault)
        return fault

    def mailbox(self, email: str | None = None) -> Mailbox:
        return self.mailboxes[email or EMAIL]
