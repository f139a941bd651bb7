"""Everything that can be set, one frozen struct per concern, read once from the environment.

A refusal names the variable and what is allowed. Defaults suit one person on one laptop. `docs/settings.md`
lists every variable; a house test compares. No other file reads the environment.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, get_type_hints

import msgspec
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from schema.errors import Refusal

Scalar = str | int | float


class BadSetting(Refusal):
    """A setting is missing or wrong."""

    code = "bad_setting"


class HomeSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Where this installation keeps its files. Read from JOBTRAIL_HOME."""

    PREFIX: ClassVar[str] = "JOBTRAIL_"
    home: str = ""
    """The folder of all data. Empty: jobtrail in the user's state directory; for root /var/lib/jobtrail."""
    key_file: str = ""
    """File with the keys for stored secrets. Empty: keys.json in the home folder, made at first start."""
    keys_json: str = ""
    """The keys themselves, in the file's form, for machines that share them. Empty: the file is read."""

    def folder(self) -> Path:
        if self.home:
            return Path(self.home).expanduser().absolute()
        state = os.environ.get("XDG_STATE_HOME", "")
        if state.startswith("/"):
            return Path(state) / "jobtrail"
        # Root's own home is closed to the unprivileged user who runs root's PostgreSQL.
        return Path("/var/lib/jobtrail" if os.geteuid() == 0 else "~/.local/state/jobtrail").expanduser()

    def keys(self) -> Path:
        return Path(self.key_file).expanduser() if self.key_file else self.folder() / "keys.json"


class DatabaseSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How to reach PostgreSQL 15 or newer, and how long to wait for it."""

    PREFIX: ClassVar[str] = "JOBTRAIL_DATABASE_"
    url: str = ""
    """Connection of the restricted login role. Empty: the embedded server."""
    owner_url: str = ""
    """Connection of the role that owns the tables; only `jobtrail migrate` uses it."""
    pool_size: int = 8
    """Connections one process opens at most."""
    pool_timeout_seconds: float = 5.0
    """How long a request waits for a free connection before it is refused with 503."""
    statement_timeout_seconds: int = 30
    """No single statement runs longer."""


class HttpSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Where the pages and the API listen, and under which address people reach them."""

    PREFIX: ClassVar[str] = "JOBTRAIL_HTTP_"
    host: str = "127.0.0.1"
    """Address to listen on."""
    port: int = 8377
    """Port to listen on; 0 takes a free one."""
    public_url: str = ""
    """Address people type, when a proxy stands in front. Empty: http://host:port."""
    upload_limit_mb: int = 2048
    """Largest mail archive the page accepts."""

    def address(self) -> str:
        return self.public_url.rstrip("/") or f"http://{self.host}:{self.port}"


class WorkerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What one worker process takes on."""

    PREFIX: ClassVar[str] = "JOBTRAIL_WORKER_"
    slots: int = 4
    """Tasks run at the same time."""
    look_ahead: int = 96
    """Tasks claimed beyond the free slots while all that waits is over within a few milliseconds each."""
    account_slots: int = 3
    """Tasks one account may have running at the same time, over all workers: the others get their turn."""
    lease_seconds: float = 15.0
    """A worker that stays silent this long has lost its tasks; renewed each third of it."""
    poll_seconds: float = 1.0
    """Longest wait between two looks at the queue; a wake-up comes sooner."""
    grace_seconds: float = 10.0
    """How long running tasks may go on after a stop was asked for."""
    kinds: str = ""
    """Only these kinds of task, separated by commas; with a minus in front, all but these. Empty: all."""
    egress_group: str = "default"
    """Name of the network this worker reaches the outside by: a host closed to one may be open to another."""
    image_digest: str = ""
    """Digest of the image this worker runs from, shown on the fleet page; empty when it runs from none."""


class MonitorSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Where each process answers `/livez`, `/readyz` and `/metrics`, for monitors only."""

    PREFIX: ClassVar[str] = "JOBTRAIL_MONITOR_"
    host: str = "127.0.0.1"
    """Address to listen on. Never one that strangers reach: there is no sign-in."""
    api_port: int = 0
    """Port of the API's process; 0 opens none."""
    worker_port: int = 0
    """Port of a worker; 0 opens none. Workers on one machine need one each."""
    mailsync_port: int = 0
    """Port of the mail daemon; 0 opens none."""


class SourceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How hiring platforms are read."""

    PREFIX: ClassVar[str] = "JOBTRAIL_SOURCE_"
    ashby_url: str = "https://api.ashbyhq.com"
    """Base address of Ashby's public posting API."""
    allow_private_addresses: bool = False
    """Lets the fetcher dial loopback and private addresses; for tests and emulators only."""
    contact: str = ""
    """Address or URL named in the User-Agent, so that a platform can reach the operator."""
    timeout_seconds: float = 30.0
    """Total time for one answer."""
    response_limit_mb: int = 64
    """Largest answer read."""


class LogSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What is written about the running program; never content of mail, forms or secrets."""

    PREFIX: ClassVar[str] = "JOBTRAIL_LOG_"
    level: str = "info"
    """debug, info, warning or error."""
    format: str = "text"
    """text for people, json for machines."""
    file: str = ""
    """File the whole log goes to, rotated at 10 MB; standard error then shows warnings. Empty: no file."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    home: HomeSettings = HomeSettings()
    database: DatabaseSettings = DatabaseSettings()
    http: HttpSettings = HttpSettings()
    worker: WorkerSettings = WorkerSettings()
    monitor: MonitorSettings = MonitorSettings()
    source: SourceSettings = SourceSettings()
    log: LogSettings = LogSettings()


GROUPS: tuple[tuple[str, type[msgspec.Struct]], ...] = (
    ("home", HomeSettings),
    ("database", DatabaseSettings),
    ("http", HttpSettings),
    ("worker", WorkerSettings),
    ("monitor", MonitorSettings),
    ("source", SourceSettings),
    ("log", LogSettings),
)

_LIMITS: dict[str, tuple[float, float]] = {
    "JOBTRAIL_DATABASE_POOL_SIZE": (1, 200),
    "JOBTRAIL_DATABASE_POOL_TIMEOUT_SECONDS": (0.1, 120),
    "JOBTRAIL_DATABASE_STATEMENT_TIMEOUT_SECONDS": (1, 3600),
    "JOBTRAIL_HTTP_PORT": (0, 65535),
    "JOBTRAIL_HTTP_UPLOAD_LIMIT_MB": (1, 1_000_000),
    "JOBTRAIL_WORKER_SLOTS": (1, 256),
    "JOBTRAIL_WORKER_LEASE_SECONDS": (0.5, 3600),
    "JOBTRAIL_WORKER_POLL_SECONDS": (0.05, 60),
    "JOBTRAIL_WORKER_GRACE_SECONDS": (0, 600),
    "JOBTRAIL_MONITOR_API_PORT": (0, 65535),
    "JOBTRAIL_MONITOR_WORKER_PORT": (0, 65535),
    "JOBTRAIL_MONITOR_MAILSYNC_PORT": (0, 65535),
    "JOBTRAIL_SOURCE_TIMEOUT_SECONDS": (0.1, 600),
    "JOBTRAIL_SOURCE_RESPONSE_LIMIT_MB": (1, 4096),
}
_SHAPES: dict[str, tuple[re.Pattern[str], str]] = {
    "JOBTRAIL_HTTP_PUBLIC_URL": (
        re.compile(r"https?://[^/?#@\s]+/?"),
        "an address without a path, like https://jobs.example.org",
    ),
}
_CONNECTIONS = frozenset({"JOBTRAIL_DATABASE_URL", "JOBTRAIL_DATABASE_OWNER_URL"})
_CHOICES: dict[str, tuple[str, ...]] = {
    "JOBTRAIL_LOG_LEVEL": ("debug", "info", "warning", "error"),
    "JOBTRAIL_LOG_FORMAT": ("text", "json"),
}


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """The settings of this process. Raises `BadSetting`, naming the variable and what is allowed."""
    environ = os.environ if environ is None else environ
    known = variables()
    unknown = sorted(name for name in environ if name.startswith("JOBTRAIL_") and name not in known)
    if unknown:
        raise BadSetting(f"{unknown[0]} is not a setting of Jobtrail; docs/settings.md lists them all.")
    groups: dict[str, msgspec.Struct] = {}
    for group, struct in GROUPS:
        groups[group] = _group(struct, environ)
    return msgspec.convert(groups, Settings, from_attributes=True)


def variables() -> dict[str, type[msgspec.Struct]]:
    """Every environment variable Jobtrail reads, with the struct it belongs to."""
    return {_variable(struct, name): struct for _, struct in GROUPS for name in struct.__struct_fields__}


def _group(struct: type[msgspec.Struct], environ: Mapping[str, str]) -> msgspec.Struct:
    hints = get_type_hints(struct)
    values: dict[str, object] = {}
    for name in struct.__struct_fields__:
        variable = _variable(struct, name)
        if variable in environ:
            values[name] = _value(variable, environ[variable], hints[name])
    return msgspec.convert(values, struct)


def _value(variable: str, text: str, kind: type[Scalar]) -> Scalar:
    try:
        value = msgspec.convert(text.strip(), kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadSetting(f"{variable}={text!r} is not {_wanted(kind)}.", field=variable) from error
    if variable in _CHOICES and value not in _CHOICES[variable]:
        raise BadSetting(f"{variable}={text!r}: allowed are {', '.join(_CHOICES[variable])}.", field=variable)
    if variable in _SHAPES and value:
        shape, wanted = _SHAPES[variable]
        if not shape.fullmatch(str(value)):
            raise BadSetting(f"{variable}={text!r}: allowed is {wanted}.", field=variable)
    if variable in _CONNECTIONS:
        _require_connection(variable, str(value))
    if variable in _LIMITS:
        low, high = _LIMITS[variable]
        if isinstance(value, str) or not low <= value <= high:
            raise BadSetting(f"{variable}={text!r}: allowed is {low:g} to {high:g}.", field=variable)
    return value


def _require_connection(variable: str, url: str) -> None:
    """The refusal does not repeat `url`, nor what libpq says of it: there may be a password in it."""
    try:
        conninfo_to_dict(url)
    except ProgrammingError:
        wanted = "postgresql://user@host/database"
        raise BadSetting(
            f"{variable} is no connection; allowed is one like {wanted}.", field=variable
        ) from None


def _wanted(kind: type[Scalar]) -> str:
    names: dict[type[Scalar], str] = {bool: "true or false", int: "a whole number", float: "a number"}
    return names.get(kind, "text")


def _variable(struct: type[msgspec.Struct], name: str) -> str:
    prefix: str = getattr(struct, "PREFIX")  # noqa: B009 - a class variable Struct's type does not know
    return prefix + name.upper()
