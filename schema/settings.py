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
    gateway: str = ""
    """Base URL every request goes to instead, its true host in the Host header; for emulators only."""
    allow_private_addresses: bool = False
    """Lets the fetcher dial loopback and private addresses; for emulators only."""
    contact: str = ""
    """Address or URL named in the User-Agent, so that a platform can reach the operator."""
    timeout_seconds: float = 30.0
    """Total time for one answer."""
    response_limit_mb: int = 64
    """Largest answer read, unpacked."""
    spacing_seconds: float = 1.0
    """Least time between two requests to one host, over all workers; more where its robots.txt asks."""


class ModelSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The language model that may be asked about mail; without a key and a name there is none."""

    PREFIX: ClassVar[str] = "JOBTRAIL_MODEL_"
    url: str = "https://api.openai.com/v1"
    """Base address of an OpenAI-compatible API."""
    key: str = ""
    """Key of that API; for a server that wants none, any word. Empty: no model is asked anything."""
    name: str = ""
    """The model, as the API calls it. Empty: no model is asked anything."""
    enabled: bool = True
    """Off: this process submits nothing; `jobtrail model stop` stops all processes at once."""
    prices_file: str = ""
    """TOML file of dated prices (docs/language-model.md). Empty: every price is unknown."""
    window: int = 4
    """Requests one task has under way at the same time."""
    connect_seconds: float = 5.0
    """How long connecting may take."""
    read_seconds: float = 30.0
    """How long the API may stay silent within an answer."""
    total_seconds: float = 60.0
    """Total time for one message, all tries and waits included."""
    answer_tokens: int = 800
    """Longest answer about a message that is paid for."""
    draft_tokens: int = 4_000
    """Longest draft that is paid for, a model's own thinking included."""
    draft_seconds: float = 180.0
    """Total time for one draft, all tries and waits included."""
    tokens_field: str = "max_completion_tokens"
    """The name by which the API is told that limit; older servers know the second only."""

    def is_present(self) -> bool:
        return bool(self.key and self.name)


class GmailSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How Gmail is reached, and how much of its quota is spent. Costs and limits as of May 2026."""

    PREFIX: ClassVar[str] = "JOBTRAIL_GMAIL_"
    client_id: str = ""
    """The OAuth client of this installation. Empty: the one an operator entered on the settings page."""
    client_secret: str = ""
    """The secret that belongs to it."""
    auth_url: str = "https://accounts.google.com/o/oauth2/v2/auth"
    """Page on which a person consents."""
    token_url: str = "https://oauth2.googleapis.com/token"  # noqa: S105 - an address
    """Where codes and refresh tokens become access tokens."""
    revoke_url: str = "https://oauth2.googleapis.com/revoke"
    """Where a grant is given back."""
    userinfo_url: str = "https://openidconnect.googleapis.com/v1/userinfo"
    """Who consented."""
    api_url: str = "https://gmail.googleapis.com"
    """Root of the Gmail API; its batch endpoint is below it."""
    poll_seconds: float = 45.0
    """Time between two looks for changes of a mailbox that is in step."""
    probe_seconds: float = 600.0
    """Longest time after which it is noticed that a grant is dead, also while nothing is synced."""
    relist_seconds: float = 3600.0
    """Time between two full comparisons while Gmail does not tell what changed."""
    lease_seconds: float = 30.0
    """A daemon that stays silent this long has lost its mailbox to another one."""
    timeout_seconds: float = 60.0
    """Longest wait for Google to send something."""
    mailboxes: int = 8
    """Mailboxes one daemon syncs at the same time."""
    batch_size: int = 4
    """Messages asked for at once: Google refuses more requests of one person at a time."""
    user_units_minute: int = 6000
    """Quota units a minute for one person; 15,000 for Google projects from before May 2026."""
    project_units_minute: int = 1_200_000
    """Quota units a minute for all people of one Google project."""
    get_units: int = 20
    """Cost of one message; 5 for projects from before May 2026."""
    list_units: int = 5
    """Cost of one page of ids."""
    history_units: int = 2
    """Cost of one page of changes."""
    profile_units: int = 1
    """Cost of a look at the profile or the addresses of a mailbox."""
    hiring_file: str = ""
    """Your own copy of mailsync/gmail/walks/hiring.toml: what is looked for first. Empty: that file."""


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
    gmail: GmailSettings = GmailSettings()
    model: ModelSettings = ModelSettings()
    log: LogSettings = LogSettings()


GROUPS: tuple[tuple[str, type[msgspec.Struct]], ...] = (
    ("home", HomeSettings),
    ("database", DatabaseSettings),
    ("http", HttpSettings),
    ("worker", WorkerSettings),
    ("monitor", MonitorSettings),
    ("source", SourceSettings),
    ("gmail", GmailSettings),
    ("model", ModelSettings),
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
    "JOBTRAIL_SOURCE_SPACING_SECONDS": (0.001, 3600),
    "JOBTRAIL_GMAIL_POLL_SECONDS": (1, 3600),
    "JOBTRAIL_GMAIL_PROBE_SECONDS": (10, 86_400),
    "JOBTRAIL_GMAIL_RELIST_SECONDS": (60, 86_400),
    "JOBTRAIL_GMAIL_LEASE_SECONDS": (5, 600),
    "JOBTRAIL_GMAIL_TIMEOUT_SECONDS": (1, 600),
    "JOBTRAIL_GMAIL_MAILBOXES": (1, 100),
    "JOBTRAIL_GMAIL_BATCH_SIZE": (1, 50),
    "JOBTRAIL_GMAIL_USER_UNITS_MINUTE": (100, 10_000_000),
    "JOBTRAIL_GMAIL_PROJECT_UNITS_MINUTE": (100, 1_000_000_000),
    "JOBTRAIL_GMAIL_GET_UNITS": (1, 1000),
    "JOBTRAIL_GMAIL_LIST_UNITS": (1, 1000),
    "JOBTRAIL_GMAIL_HISTORY_UNITS": (1, 1000),
    "JOBTRAIL_GMAIL_PROFILE_UNITS": (1, 1000),
    "JOBTRAIL_MODEL_WINDOW": (1, 64),
    "JOBTRAIL_MODEL_CONNECT_SECONDS": (0.1, 60),
    "JOBTRAIL_MODEL_READ_SECONDS": (0.1, 300),
    "JOBTRAIL_MODEL_TOTAL_SECONDS": (0.1, 300),
    "JOBTRAIL_MODEL_ANSWER_TOKENS": (100, 100_000),
    "JOBTRAIL_MODEL_DRAFT_TOKENS": (100, 100_000),
    "JOBTRAIL_MODEL_DRAFT_SECONDS": (0.1, 300),
}
_ADDRESS = re.compile(r"https?://[^?#\s]+")
_SHAPES: dict[str, tuple[re.Pattern[str], str]] = {
    "JOBTRAIL_HTTP_PUBLIC_URL": (
        re.compile(r"https?://[^/?#@\s]+/?"),
        "an address without a path, like https://jobs.example.org",
    ),
    "JOBTRAIL_GMAIL_AUTH_URL": (_ADDRESS, "an address without a query"),
    "JOBTRAIL_GMAIL_TOKEN_URL": (_ADDRESS, "an address without a query"),
    "JOBTRAIL_GMAIL_REVOKE_URL": (_ADDRESS, "an address without a query"),
    "JOBTRAIL_GMAIL_USERINFO_URL": (_ADDRESS, "an address without a query"),
    "JOBTRAIL_GMAIL_API_URL": (_ADDRESS, "an address without a query"),
    "JOBTRAIL_MODEL_URL": (
        re.compile(r"https?://[^/?#@\s]+(?:/[^?#@\s]*)?"),
        "an address without a password, like https://api.openai.com/v1",
    ),
    "JOBTRAIL_MODEL_KEY": (re.compile(r"[!-~]{1,1000}"), "a word without spaces"),
}
_UNSHOWN = frozenset({"JOBTRAIL_MODEL_KEY", "JOBTRAIL_MODEL_URL"})
"""A refusal does not repeat these: there may be a secret in them."""
_CONNECTIONS = frozenset({"JOBTRAIL_DATABASE_URL", "JOBTRAIL_DATABASE_OWNER_URL"})
_CHOICES: dict[str, tuple[str, ...]] = {
    "JOBTRAIL_LOG_LEVEL": ("debug", "info", "warning", "error"),
    "JOBTRAIL_LOG_FORMAT": ("text", "json"),
    "JOBTRAIL_MODEL_TOKENS_FIELD": ("max_completion_tokens", "max_tokens"),
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
            shown = variable if variable in _UNSHOWN else f"{variable}={text!r}"
            raise BadSetting(f"{shown}: allowed is {wanted}.", field=variable)
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
