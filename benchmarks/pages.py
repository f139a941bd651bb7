"""Page reads with 5,000 applications, 60,000 messages and 100,000 tasks, from a real server.

python -m benchmarks.pages [--quick] [--json]

The server is `jobtrail api` in a process of its own; a client on loopback asks for whole pages with
a session, one after the other, and for some with eight clients at once. Of the tasks 60,000 are due, 20,000
wait for their time, 10,000 failed and the others ended well, over four kinds and four hundred lanes.
"""

import asyncio
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx2
import psycopg

from backend.accounts import sessions
from backend.http.paging import cursor
from backend.pages.tasks import Place
from benchmarks import review
from benchmarks.installation import installed
from benchmarks.table import Asked, Measure, main
from schema.clock import SystemClock
from schema.db import Database
from schema.ids import AccountId, TaskId
from schema.settings import Settings

APPLICATIONS = 5_000
MESSAGES = 60_000
TASKS = 100_000
DOUBTFUL = 10_000
P95_BAR_MS = 100.0
CLIENTS = 8
PATIENCE_SECONDS = 30.0
AT_ONCE = ("applications", "one application")
PAGES = {
    "applications": "/applications",
    "applications, one stage": "/applications?stage=interviewing",
    "applications, two words": "/applications?q=engineer+company7",
    "applications, deep": "",
    "one application": "",
    "review, one question": "",
    "review, the queue": "/review/list",
    "review, the queue, messages that move nothing": "/review/list?kind=message&rank=2",
    "review, history": "/review/history",
    "mail": "/mail",
    "mail, hidden": "/mail?show=hidden",
    "today": "/",
    "operations": "/operations",
    "operations, failed": "/operations?status=failed&kind=source.pull.v1",
    "operations, deep": "/operations?after=" + cursor(Place(id=TaskId(TASKS // 3))),
    "one task": f"/operations/tasks/{TASKS - 3}",
    "workers": "/operations/fleet",
}

FILL = """
INSERT INTO mailboxes (account_id, door, created_at) VALUES (%(account)s, 'archive', now());
INSERT INTO applications (account_id, origin, company, company_key, role, role_key, applied_at, created_at,
    updated_at)
  SELECT %(account)s, 'manual', 'Company' || n %% 900, 'company' || n %% 900,
    (ARRAY['Data Engineer', 'Designer', 'Product Manager', 'Research Engineer', 'Writer'])[1 + n %% 5],
    'role ' || n, now() - n * interval '2 hours', now(), now()
  FROM generate_series(1, %(applications)s) n;
INSERT INTO messages (account_id, mailbox_id, message_key, content_sha256, sent_at, sent_at_source,
    sender_address, sender_name, subject, body, kept, not_kept_reason, size_bytes, first_seen_at)
  SELECT %(account)s, (SELECT id FROM mailboxes WHERE account_id = %(account)s), 'key' || n,
    repeat('a', 64), now() - n * interval '10 minutes', 'date', 'no-reply@relay' || n %% 50 || '.example',
    'Company' || n %% 900, 'Your application number ' || n,
    CASE WHEN n %% 4 > 0 THEN repeat('Thank you for applying. We read it with care. ', 30) END,
    CASE WHEN n %% 4 > 0 THEN 'whole' ELSE 'headers' END,
    CASE WHEN n %% 4 > 0 THEN NULL ELSE 'job_alert' END, 4000, now()
  FROM generate_series(1, %(messages)s) n;
INSERT INTO readings (account_id, message_id, stage, version, state, created_at)
  SELECT account_id, id, 'rules', 1, 'decided', now() FROM messages WHERE account_id = %(account)s;
INSERT INTO events (account_id, reading_id, message_id, kind, rule, span_source, span_start, span_end,
    span_text)
  SELECT r.account_id, r.id, r.message_id, CASE WHEN m.kept = 'whole' THEN
      (ARRAY['acknowledgement', 'rejection', 'interview_invite', 'status_update'])[1 + m.id %% 4]
    ELSE 'not_job_related' END, 'benchmark', CASE WHEN m.kept = 'whole' THEN 'text' END,
    CASE WHEN m.kept = 'whole' THEN 0 END, CASE WHEN m.kept = 'whole' THEN 23 END,
    CASE WHEN m.kept = 'whole' THEN 'Thank you for applying.' END
  FROM readings r JOIN messages m ON m.account_id = r.account_id AND m.id = r.message_id
  WHERE r.account_id = %(account)s;
INSERT INTO match_decisions (account_id, message_id, outcome, application_id, actor, policy_version,
    input_hash, pattern, created_at)
  SELECT m.account_id, m.id, CASE WHEN m.n <= %(doubtful)s THEN 'asks' WHEN m.kept = 'whole' THEN 'attached'
    ELSE 'none' END,
    CASE WHEN m.n > %(doubtful)s AND m.kept = 'whole' THEN a.first + m.n %% %(applications)s END,
    'machine', 1, repeat('b', 64),
    (ARRAY['weak:employer', 'close:employer+role', 'unread:employer+thread'])[1 + m.n %% 3], now()
  FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM messages WHERE account_id = %(account)s) m,
    (SELECT min(id) AS first FROM applications WHERE account_id = %(account)s) a;
INSERT INTO evidence (account_id, decision_id, application_id, rank, candidate_score, name, direction,
    strength, says, value)
  SELECT d.account_id, d.id, coalesce(d.application_id, a.first + (d.id + e.rank) %% %(applications)s),
    e.rank, 6 - e.rank, e.name, 'for', 3, e.says, ''
  FROM match_decisions d, (VALUES (1, 'employer', 'It names the employer.'),
    (1, 'role', 'It names the role.'),
    (2, 'employer', 'It names the employer.'), (2, 'role', 'It names the role.')) e (rank, name, says),
    (SELECT min(id) AS first FROM applications WHERE account_id = %(account)s) a
  WHERE d.account_id = %(account)s AND (d.outcome = 'asks' OR (d.outcome = 'attached' AND e.rank = 1));
INSERT INTO matches (account_id, message_id, decision_id, outcome, application_id, by_person, changes_stage,
    rank, queued_at, decided_at)
  SELECT d.account_id, d.message_id, d.id, d.outcome, d.application_id, false, d.id %% 3 = 0,
    CASE WHEN d.id %% 3 = 0 THEN 3 WHEN d.id %% 10 = 1 THEN 1 ELSE 2 END, g.sent_at, now()
  FROM match_decisions d JOIN messages g ON g.account_id = d.account_id AND g.id = d.message_id
  WHERE d.account_id = %(account)s;
INSERT INTO attachments (account_id, application_id, message_id)
  SELECT account_id, application_id, message_id FROM matches
  WHERE account_id = %(account)s AND application_id IS NOT NULL;
INSERT INTO standings (account_id, application_id, stage, mail_stage, by_person, dismissed, messages,
    last_event_at, last_event_kind, activity_at)
  SELECT a.account_id, a.id, s.stage, s.stage, false, false, %(messages)s / %(applications)s,
    a.applied_at + interval '1 hour', 'status_update', a.applied_at + interval '1 hour'
  FROM applications a, LATERAL (SELECT (ARRAY['applied', 'acknowledged', 'interviewing', 'rejected',
    'rejected'])[1 + a.id %% 5] AS stage) s WHERE a.account_id = %(account)s;
INSERT INTO tasks (kind, payload, max_attempts, host, due, not_before, status, outcome, failure_code,
    attempts, started_at, finished_at)
  SELECT (ARRAY['source.pull.v1', 'mail.import.v1', 'match.account.v1', 'source.sweep.v1'])[1 + n %% 4],
    '{}', 5, 'host' || n %% 400 || '.example.org', n %% 10 NOT IN (1, 2),
    CASE WHEN n %% 10 IN (1, 2) THEN now() + n * interval '1 second' ELSE '-infinity' END,
    CASE n %% 10 WHEN 3 THEN 'failed' WHEN 4 THEN 'done' ELSE 'pending' END,
    CASE WHEN n %% 10 = 4 THEN 'done' END, CASE WHEN n %% 10 = 3 THEN 'attempts_exhausted' END, n %% 3,
    now(), CASE WHEN n %% 10 IN (3, 4) THEN now() END
  FROM generate_series(1, %(tasks)s) n;
INSERT INTO workers (id, name, release, kinds, slots)
  SELECT gen_random_uuid(), 'box-' || n, '0.1.0', '{source.pull.v1,mail.import.v1}', 4
  FROM generate_series(1, 12) n;
"""


def measure(asked: Asked) -> Sequence[Measure]:
    with installed() as usable:
        account = filled(usable.database.owner_url)
        token = asyncio.run(signed_in(usable, account))
        with serving(usable) as (address, pid):
            return asyncio.run(measured(address, pid, token, asked))


def filled(owner_url: str) -> AccountId:
    numbers = {"applications": APPLICATIONS, "messages": MESSAGES, "doubtful": DOUBTFUL, "tasks": TASKS}
    with psycopg.connect(owner_url, autocommit=True) as connection:
        row = connection.execute(
            "INSERT INTO accounts (email, display_name, password_hash, is_operator, created_at)"
            " VALUES ('ada@example.org', 'Ada', 'none', true, now()) RETURNING id"
        ).fetchone()
        assert row
        for statement in FILL.split(";\n"):
            if statement.strip():
                connection.execute(statement, {**numbers, "account": row[0]})  # pyright: ignore[reportArgumentType]
        review.fill(connection, row[0])
        connection.execute("VACUUM ANALYZE")
    return AccountId(row[0])


async def signed_in(settings: Settings, account: AccountId) -> str:
    async with Database.opened(settings.database) as database:
        return await sessions.start(database, SystemClock(), account, "benchmark")


@contextmanager
def serving(settings: Settings) -> Generator[tuple[str, int], None, None]:
    """`jobtrail api` on a free port of loopback, on a database that is there already: its address and id."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "backend", "api"],
        env={
            **os.environ,
            "JOBTRAIL_HOME": settings.home.home,
            "JOBTRAIL_DATABASE_URL": settings.database.url,
            "JOBTRAIL_DATABASE_OWNER_URL": settings.database.owner_url,
            "JOBTRAIL_HTTP_PORT": str(port),
            "JOBTRAIL_LOG_LEVEL": "warning",
        },
    )
    try:
        wait_for(port, process)
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("the server did not start; no figure is told") from None
            time.sleep(0.05)
        else:
            return


async def measured(address: str, pid: int, token: str, asked: Asked) -> list[Measure]:
    reads = 40 if asked.quick else 200
    async with httpx2.AsyncClient(
        base_url=address,
        cookies={"jobtrail_session": token},
        headers={"accept": "text/html"},
        timeout=PATIENCE_SECONDS,
    ) as client:
        addresses = await filled_in(client)
        found: list[Measure] = []
        for name, path in addresses.items():
            bar = review.FIRST_PAGE_BAR_MS if name.startswith("review") else P95_BAR_MS
            await read(client, path)
            before = processor_seconds(pid)
            alone = [await read(client, path) for _ in range(reads)]
            busy_ms = 1000 * (processor_seconds(pid) - before) / reads
            found.append(Measure(f"{name}, median", 1000 * statistics.median(alone), "ms"))
            found.append(Measure(f"{name}, p95", 1000 * p95(alone), "ms", bar))
            found.append(Measure(f"{name}, processor time of the server", busy_ms, "ms"))
        for name in AT_ONCE:
            rate, slow = await at_once(client, addresses[name], reads * 2)
            found.append(Measure(f"{name}, eight at once", rate, "pages/s"))
            found.append(Measure(f"{name}, eight at once, p95", 1000 * slow, "ms"))
        found += await review.acts(client, 10 if asked.quick else 50)
        size_bytes = len((await client.get("/applications")).content)
    return [
        *found,
        Measure("weight of the list", size_bytes / 1000, "kB", 100.0),
        Measure("load of the machine, one minute", os.getloadavg()[0], ""),
    ]


async def filled_in(client: httpx2.AsyncClient) -> dict[str, str]:
    """The addresses that depend on what is there: a deep place of the list, one application, one question."""
    path = "/applications"
    for _ in range(20):
        page = (await client.get(path)).text
        path = "/applications?after=" + page.partition('rel="next" href="?after=')[2].partition('"')[0]
    first = (await client.get("/applications")).text.partition('href="/applications/')[2]
    one = next(part for part in first.split('href="/applications/') if part[0].isdigit()).partition('"')[0]
    question = (await client.get("/review")).headers["location"]
    known = {
        "applications, deep": path,
        "one application": f"/applications/{one}",
        "review, one question": question,
    }
    return {name: known.get(name, address) for name, address in PAGES.items()}


async def read(client: httpx2.AsyncClient, path: str) -> float:
    began = time.perf_counter()
    answer = await client.get(path)
    seconds = time.perf_counter() - began
    if answer.status_code != httpx2.codes.OK or "<h1>" not in answer.text:
        raise SystemExit(f"{path} answered {answer.status_code}; no figure is told")
    return seconds


async def at_once(client: httpx2.AsyncClient, path: str, reads: int) -> tuple[float, float]:
    """Pages a second with `CLIENTS` clients busy, and the 95th percentile of one read."""
    left = iter(range(reads))
    times: list[float] = []

    async def one() -> None:
        times.extend([await read(client, path) for _ in left])

    began = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(CLIENTS)))
    return reads / (time.perf_counter() - began), p95(times)


def processor_seconds(pid: int) -> float:
    """Used by a process so far; unlike the clock it is the same on a busy machine. 0 where Linux is not."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def p95(times: list[float]) -> float:
    return sorted(times)[min(int(len(times) * 0.95), len(times) - 1)]


if __name__ == "__main__":
    main("Page reads with 5,000 applications, 60,000 messages and 100,000 tasks.", measure)
