"""What goes wrong on request: the next calls that match, refused, slowed, spoilt or held."""

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

from emulators.gmail.refusals import NAMED
from emulators.gmail.wire import Answer, Request, Spoiling

SPOILINGS = frozenset(get_args(Spoiling))
KINDS = frozenset(NAMED) | SPOILINGS | {"delay", "hold"}


@dataclass
class Fault:
    """`match` is searched in `operation METHOD target`; `times` None is for ever; `after` lets some pass."""

    match: str
    kind: str | Callable[[Request], Answer]
    times: int | None = 1
    after: int = 0
    seconds: float = 0.0
    retry_after: int | None = None

    def __post_init__(self) -> None:
        if isinstance(self.kind, str) and self.kind not in KINDS:
            raise ValueError(f"{self.kind!r} is none of {sorted(KINDS)}")
        self._pattern = re.compile(self.match)

    def meets(self, call: str) -> bool:
        if self.times == 0 or not self._pattern.search(call):
            return False
        if self.after > 0:
            self.after -= 1
            return False
        if self.times is not None:
            self.times -= 1
        return True


class Faults:
    def __init__(self) -> None:
        self.holding = 0
        self._let_go = threading.Event()
        self._closed = threading.Event()
        self._waiting: list[Fault] = []

    def add(self, fault: Fault) -> None:
        self._waiting.append(fault)

    def clear(self) -> None:
        self._waiting.clear()

    def meeting(self, operation: str, request: Request) -> Fault | None:
        if not self._waiting:
            return None
        call = f"{operation} {request.method} {request.target}"
        return next((fault for fault in self._waiting if fault.meets(call)), None)

    def instead(self, fault: Fault, request: Request, now: float) -> Answer | None:
        """The answer in place of the real one, if this fault is of that sort."""
        if callable(fault.kind):
            answer = fault.kind(request)
        elif fault.kind in NAMED:
            answer = NAMED[fault.kind](now)
        else:
            return None
        if fault.retry_after is not None:
            answer.headers["Retry-After"] = str(fault.retry_after)
        answer.delay = fault.seconds
        return answer

    def spoil(self, fault: Fault, answer: Answer) -> Answer:
        """What the fault does to the way of the real answer."""
        if fault.kind in SPOILINGS:
            answer.spoilt = fault.kind  # type: ignore[assignment]
            answer.fetched = answer.fetched if fault.kind == "drip" else ()
        if fault.kind != "hold":
            answer.delay = fault.seconds
        return answer

    def hold(self, fault: Fault) -> None:
        """Waits, before the call is carried out, until the test lets go."""
        if fault.kind == "hold":
            let_go = self._let_go
            self.holding += 1
            let_go.wait()
            self.holding -= 1

    def release(self) -> None:
        """Lets go of what is held now; a later hold holds again."""
        held, self._let_go = self._let_go, threading.Event()
        held.set()

    def pause(self, seconds: float) -> None:
        """Time that ends early when the emulator does."""
        self._closed.wait(seconds)

    def close(self) -> None:
        self._closed.set()
        self.release()
