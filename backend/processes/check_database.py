"""What `jobtrail check` finds at the database, when one can be reached; it changes nothing there."""

from datetime import UTC, datetime

import psycopg

from backend.local_postgres import LocalPostgres
from backend.processes import store
from backend.processes.check_machine import Finding
from backend.processes.database import first_line, with_urls
from backend.processes.predecessor import is_on
from backend.processes.rules import clock_difference_complaint
from schema.errors import Refusal
from schema.migrate import require_current
from schema.settings import Settings

_OLDEST = 15


def database_findings(settings: Settings) -> list[Finding]:
    reachable = _reachable(settings)
    if reachable is None:
        return [Finding("database", "ok", "the embedded one does not run now; nothing to ask")]
    url = reachable.database.url
    try:
        return [_version(url), _role(url), _clock(url), _tables(url)]
    except psycopg.OperationalError as error:
        return [Finding("database", "wrong", f"cannot be reached: {first_line(error)}")]


def _reachable(settings: Settings) -> Settings | None:
    if settings.database.url:
        return settings
    postgres = LocalPostgres(settings.home.folder())
    try:
        runs = is_on(postgres.folders.socket, postgres.folders.data)
    except store.NotYet:
        return None
    return with_urls(settings, postgres.urls) if runs else None


def _version(url: str) -> Finding:
    number = store.server_version(url)
    text = f"PostgreSQL {number // 10000}.{number % 10000}"
    if number // 10000 < _OLDEST:
        return Finding("database", "wrong", f"{text} is too old; {_OLDEST} or newer is needed.")
    return Finding("database", "ok", text)


def _role(url: str) -> Finding:
    role = store.login_role(url)
    if role.unbound:
        text = f"JOBTRAIL_DATABASE_URL connects as {role.name}, whom row-level security does not bind"
        return Finding("role", "unsafe", f"{text}; use a login role as docs/operations.md shows.")
    if role.missing:
        text = f"role {role.name} is no member of {', '.join(role.missing)}"
        return Finding(
            "role", "wrong", f"{text}; run `jobtrail migrate`, then GRANT as docs/operations.md shows."
        )
    return Finding("role", "ok", f"{role.name} is restricted")


def _clock(url: str) -> Finding:
    if complaint := clock_difference_complaint(datetime.now(UTC), store.database_time(url)):
        return Finding("clocks", "wrong", complaint)
    return Finding("clocks", "ok", "this machine and the database agree")


def _tables(url: str) -> Finding:
    try:
        require_current(url)
    except Refusal as refusal:
        return Finding("tables", "wrong", refusal.detail)
    return Finding("tables", "ok", "as this program expects")
