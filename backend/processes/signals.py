"""Signals as things to look at: how often a stop was asked for, and a pause that a signal cuts short."""

import os
import select
import signal
import socket
from collections.abc import Sequence
from types import FrameType, TracebackType
from typing import Self

_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopAsked(Exception):
    """Somebody asked this process to stop while it was waiting for something."""


class Signals:
    """Within its block, stop signals are counted instead of raised, and the end of a child wakes `pause`."""

    def __init__(self) -> None:
        self.stops = 0
        self._wake, self._waker = os.pipe()
        self._before: list[tuple[int, object]] = []

    def __enter__(self) -> Self:
        os.set_blocking(self._waker, False)
        os.set_blocking(self._wake, False)
        signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        for number in _STOPS:
            if signal.getsignal(number) is signal.SIG_IGN:
                continue  # nohup, or a shell's background job: it is not ours to answer
            self._before.append((number, signal.signal(number, self._count)))
        self._before.append((signal.SIGCHLD, signal.signal(signal.SIGCHLD, self._note)))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.set_wakeup_fd(-1)
        for number, handler in self._before:
            signal.signal(number, handler)  # pyright: ignore[reportArgumentType] - what signal() gave us
        os.close(self._wake)
        os.close(self._waker)

    def pause(self, seconds: float, bonds: Sequence[socket.socket] = ()) -> None:
        """Wait, but no longer than until a signal, the end of a child, or a word on one of `bonds`."""
        select.select([self._wake, *bonds], [], [], max(0.0, seconds))
        try:
            os.read(self._wake, 512)
        except BlockingIOError:
            return

    def pause_unless_stopped(self, seconds: float) -> None:
        """Wait like `pause`; raises `StopAsked` when a stop was asked for."""
        self.pause(seconds)
        if self.stops:
            raise StopAsked

    def _count(self, _number: int, _frame: FrameType | None) -> None:
        self.stops += 1

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        return
