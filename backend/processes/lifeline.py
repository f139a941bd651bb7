"""The child's side of the bond with its supervisor: a socket that closes when the supervisor ends.

The kernel closes it however the supervisor ends, on Linux and macOS alike. Without a supervisor every call
here does nothing, so that each process can also be started by itself.
"""

import os
import signal
import socket
import threading

GO = b"g"
GO_FIRST = b"f"
READY = b"r"
_LAST_SECONDS = 5.0


class Lifeline:
    def __init__(self, bond: socket.socket | None) -> None:
        self._bond = bond

    @classmethod
    def of_descriptor(cls, descriptor: int | None) -> "Lifeline":
        """The bond handed over as an open descriptor; it is not passed on to further children."""
        if descriptor is None:
            return cls(None)
        os.set_inheritable(descriptor, False)
        return cls(socket.socket(fileno=descriptor))

    def wait_for_go(self) -> bool:
        """Return when the database may be used: whether this is the first process of its kind in this run.

        Ends this process when the supervisor is gone.
        """
        said = self._bond.recv(1) if self._bond else GO_FIRST
        if said not in {GO, GO_FIRST}:
            raise SystemExit(1)
        return said == GO_FIRST

    def watch(self) -> None:
        """From now on, stop this process when the supervisor ends: in order, by force if that takes long."""
        if self._bond:
            threading.Thread(target=self._end_with_supervisor, name="lifeline", daemon=True).start()

    def ready(self, word: str = "") -> None:
        """Tell the supervisor that this process does its work now, with one word it should know."""
        if self._bond:
            try:
                self._bond.send(READY + word.encode())
            except OSError:
                return

    def _end_with_supervisor(self) -> None:
        try:
            while self._bond and self._bond.recv(16):
                continue
        except OSError:
            pass
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(_LAST_SECONDS)
        os._exit(1)
