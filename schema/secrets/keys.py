"""Where the keys are: one JSON file of mode 600, made at first start, or one variable of the environment.

A file others can read is refused, not mended: its keys may be known already. A running process notices a
changed file by itself, so that a rotation reaches all of them.
"""

import fcntl
import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from schema.clock import Clock
from schema.errors import HeldElsewhere, Refusal
from schema.secrets.envelope import KEY_BYTES, Keys
from schema.settings import HomeSettings

_OPEN_TO_OTHERS = 0o077
VARIABLE = "JOBTRAIL_KEYS_JSON"


class KeysUnusable(Refusal):
    """The keys for stored secrets cannot be used."""

    code = "keys_unusable"
    kind = "unavailable"


class KeysFixed(Refusal):
    """The keys come from the environment; put the new key there, as current, and run this again."""

    code = "keys_fixed"
    kind = "conflict"


class _Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file: `current` names one of `keys`; each is 32 bytes in base64."""

    current: str
    keys: dict[str, bytes]


class KeyRing:
    """The keys of this installation; reads the file again when it changed."""

    def __init__(self, settings: HomeSettings) -> None:
        self.path = None if settings.keys_json else settings.keys()
        self._fixed = read(settings.keys_json.encode(), VARIABLE) if settings.keys_json else None
        self._seen: tuple[int, int, int] | None = None
        self._read: Keys | None = None

    def keys(self) -> Keys:
        """The present keys. Raises `KeysUnusable`, saying what to do."""
        if self._fixed is not None:
            return self._fixed
        if self.path is None:
            raise KeysUnusable
        stamp = _stamp(self.path)
        if self._read is None or stamp != self._seen:
            self._read, self._seen = read_file(self.path), stamp
        return self._read


def ensure(settings: HomeSettings, clock: Clock) -> KeyRing:
    """The ring, with a first key made when there is no file yet. Two processes make one file."""
    ring = KeyRing(settings)
    if ring.path is not None and not ring.path.exists():
        first = new_id(clock)
        _place(ring.path, _Written(current=first, keys={first: secrets.token_bytes(KEY_BYTES)}))
    ring.keys()
    return ring


def add_current(ring: KeyRing, clock: Clock, *, keep: set[str]) -> Keys:
    """Put a new current key into the file; of the older ones stay those in `keep` and the last current."""
    if ring.path is None:
        raise KeysFixed
    now = ring.keys()
    stays = keep | {now.current}
    added = new_id(clock)
    keys = {key_id: now.key(key_id) for key_id in now.ids if key_id in stays}
    keys[added] = secrets.token_bytes(KEY_BYTES)
    _replace(ring.path, _Written(current=added, keys=keys))
    return ring.keys()


@contextmanager
def rotating(ring: KeyRing) -> Generator[None, None, None]:
    """One rotation at a time on this machine; raises `HeldElsewhere`."""
    if ring.path is None:
        yield
        return
    descriptor = os.open(ring.path.with_name(f"{ring.path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise HeldElsewhere("The keys are being rotated by another process.") from error
    finally:
        os.close(descriptor)


def new_id(clock: Clock) -> str:
    return f"{clock.now():%Y%m%d}-{secrets.token_hex(3)}"


def read_file(path: Path) -> Keys:
    try:
        mode = path.stat().st_mode
        content = path.read_bytes()
    except OSError as error:
        raise KeysUnusable(f"The key file {path} cannot be read: {error.strerror}.") from error
    if mode & _OPEN_TO_OTHERS:
        raise KeysUnusable(
            f"Other users can read the key file {path}. Run `chmod 600 {path}`, then `jobtrail keys rotate`."
        )
    return read(content, str(path))


def read(content: bytes, place: str) -> Keys:
    """Keys out of their JSON form; a refusal names `place`, never what stands there."""
    try:
        written = msgspec.json.decode(content, type=_Written)
    except msgspec.DecodeError as error:
        raise KeysUnusable(f"{place} does not hold keys in JSON; restore it from a backup.") from error
    if written.current not in written.keys or any(len(key) != KEY_BYTES for key in written.keys.values()):
        raise KeysUnusable(f"{place}: the current key is missing or a key is not {KEY_BYTES} bytes long.")
    return Keys(written.current, written.keys)


def _place(path: Path, written: _Written) -> None:
    """Make the file unless somebody else just did."""
    draft = _draft(path, written)
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    finally:
        draft.unlink()


def _replace(path: Path, written: _Written) -> None:
    _draft(path, written).replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def _draft(path: Path, written: _Written) -> Path:
    draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise KeysUnusable(f"The key file {path} cannot be written: {error.strerror}.") from error
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(written), indent=2))
        file.flush()
        os.fsync(file.fileno())
    return draft


def _stamp(path: Path) -> tuple[int, int, int]:
    try:
        found = path.stat()
    except OSError as error:
        raise KeysUnusable(f"The key file {path} cannot be read: {error.strerror}.") from error
    return found.st_mtime_ns, found.st_ino, found.st_mode
