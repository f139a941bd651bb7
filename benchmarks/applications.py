"""The list of applications with 10,000 of them: every filter, every order, deep pages, board and figures.

python -m benchmarks.applications [--quick] [--json]

A tenth is dismissed and a fiftieth merged into another; notes have three hundred characters; a third has only
a day or no date. The server is `jobtrail api` in a process of its own; a client on loopback asks for whole
pages, one after the other, and sets statuses as the board and the table do.
"""

import asyncio
import statistics
import time
from collections.abc import Sequence

import httpx2
import psycopg

from benchmarks.installation import installed
from benchmarks.pages import P95_BAR_MS, PATIENCE_SECONDS, p95, processor_seconds, read, serving, signed_in
from benchmarks.table import Asked, Measure, main
from schema.ids import AccountId

APPLICATIONS = 10_000
PAGES_DOWN = 60
WEIGHT_BAR_KB = 100.0
STYLES_AND_SCRIPTS = ["app.css", "lists.css", "applications.css", "keys.js", "live.js", "mark.svg"]
PAGES = {
    "list": "/applications",
    "several stages": "/applications?stage=acknowledged&stage=interviewing",
    "two words": "/applications?q=engineer+company7",
    "a word of the notes": "/applications?q=travel4711",
    "a word nobody wrote": "/applications?q=zebra",
    "origin and platform": "/applications?origin=extension&platform=lever",
    "applied in a month": "/applications?applied_from=2026-01-01&applied_to=2026-01-31",
    "last news since": "/applications?news_from=2026-01-01",
    "silent for 30 days": "/applications?silent=30",
    "something to do": "/applications?asks=1",
    "waits for an answer": "/applications?proposed=1",
    "everything at once": "/applications?q=engineer&stage=applied&stage=acknowledged&origin=manual&silent=14"
    "&applied_from=2020-01-01&sort=silence",
    "by applied": "/applications?sort=applied",
    "by company": "/applications?sort=company",
    "by silence": "/applications?sort=silence",
    "board": "/applications?layout=board",
    "board, filtered, by silence": "/applications?layout=board&q=engineer&sort=silence",
    "dismissed": "/applications?show=dismissed",
    "figures": "/applications/figures",
    "saved views": "/applications/views",
}

FILL = """
INSERT INTO mailboxes (account_id, door, created_at) VALUES (%(account)s, 'archive', now());
INSERT INTO messages (account_id, mailbox_id, message_key, content_sha256, sent_at, sent_at_source,
    subject, body, kept, size_bytes, first_seen_at)
  SELECT %(account)s, (SELECT id FROM mailboxes WHERE account_id = %(account)s), 'key' || n, repeat('a', 64),
    now(), 'date', 'About it', 'Please answer.', 'whole', 4000, now()
  FROM generate_series(1, 500) n;
INSERT INTO applications (account_id, origin, company, company_key, role, role_key, platform, applied_at,
    applied_on, note, created_at, updated_at, dismissed_at)
  SELECT %(account)s, (ARRAY['manual', 'extension', 'derived', 'tracker'])[1 + n %% 4],
    CASE WHEN n %% 50 > 0 THEN 'Company' || n %% 900 END,
    CASE WHEN n %% 50 > 0 THEN 'company' || n %% 900 END,
    (ARRAY['Data Engineer', 'Designer', 'Product Manager', 'Research Engineer', 'Writer'])[1 + n %% 5],
    'role ' || n, (ARRAY['lever', 'greenhouse', 'ashby', NULL])[1 + n %% 4],
    CASE WHEN n %% 3 > 0 THEN now() - n * interval '2 hours' END,
    CASE WHEN n %% 6 = 0 THEN current_date - n / 12 END,
    'They asked about travel' || n || '. ' || repeat('A note of some length. ', 12), now(), now(),
    CASE WHEN n %% 10 = 7 THEN now() END
  FROM generate_series(1, %(applications)s) n;
UPDATE applications SET merged_into_id = id - 1 WHERE account_id = %(account)s AND id %% 50 = 1 AND id > 1;
INSERT INTO standings (account_id, application_id, stage, mail_stage, by_person, dismissed, messages,
    last_event_at, last_event_kind, activity_at, began_at, answered_at)
  SELECT a.account_id, a.id, s.stage, s.stage, false, a.dismissed_at IS NOT NULL, 3, s.last,
    CASE WHEN s.last IS NOT NULL THEN 'status_update' END, coalesce(s.last, a.applied_at, a.created_at),
    coalesce(a.applied_at, a.applied_on::timestamptz),
    CASE WHEN a.id %% 2 = 0 THEN a.applied_at + (a.id %% 60) * interval '1 day' END
  FROM applications a, LATERAL (SELECT (ARRAY['applied', 'acknowledged', 'assessment', 'interviewing',
    'offer', 'rejected', 'rejected', 'closed'])[1 + a.id %% 8] AS stage,
    CASE WHEN a.id %% 4 > 0 THEN a.applied_at + interval '9 hours' END AS last) s
  WHERE a.account_id = %(account)s AND a.merged_into_id IS NULL;
INSERT INTO asks (account_id, application_id, message_id, kind, opened_at)
  SELECT account_id, (SELECT min(id) FROM applications WHERE account_id = %(account)s) + 7 * id, id,
    'choose_time', now() FROM messages WHERE account_id = %(account)s;
UPDATE standings SET proposal = 'offer', proposal_at = now(),
    proposal_message_id = (SELECT min(id) FROM messages WHERE account_id = %(account)s)
  WHERE account_id = %(account)s AND application_id %% 40 = 3;
INSERT INTO saved_views (account_id, name, query, created_at)
  SELECT %(account)s, 'View ' || n, 'silent=' || n || '&sort=silence', now() FROM generate_series(1, 12) n;
"""


def measure(asked: Asked) -> Sequence[Measure]:
    with installed() as usable:
        account = filled(usable.database.owner_url)
        token = asyncio.run(signed_in(usable, account))
        with serving(usable) as (address, pid):
            return asyncio.run(measured(address, pid, token, asked))


def filled(owner_url: str) -> AccountId:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        row = connection.execute(
            "INSERT INTO accounts (email, display_name, password_hash, is_operator, created_at)"
            " VALUES ('ada@example.org', 'Ada', 'none', true, now()) RETURNING id"
        ).fetchone()
        assert row
        for statement in FILL.split(";\n"):
            if statement.strip():
                values = {"account": row[0], "applications": APPLICATIONS}
                connection.execute(statement, values)  # pyright: ignore[reportArgumentType]
        connection.execute("VACUUM ANALYZE")
    return AccountId(row[0])


async def measured(address: str, pid: int, token: str, asked: Asked) -> list[Measure]:
    async with httpx2.AsyncClient(
        base_url=address,
        cookies={"jobtrail_session": token},
        headers={"accept": "text/html"},
        timeout=PATIENCE_SECONDS,
    ) as client:
        found = [
            measure
            for name, path in {**PAGES, **await deep(client)}.items()
            for measure in await of_page(client, pid, name, path, 40 if asked.quick else 200)
        ]
        found += await of_statuses(client, 10 if asked.quick else 50)
        around = sum([len((await client.get(f"/static/{name}")).content) for name in STYLES_AND_SCRIPTS])
        for name in ("list", "board", "figures"):
            weight_bytes = around + len((await client.get(PAGES[name])).content)
            found.append(Measure(f"{name}, weight with styles", weight_bytes / 1000, "kB", WEIGHT_BAR_KB))
    return found


async def of_page(client: httpx2.AsyncClient, pid: int, name: str, path: str, reads: int) -> list[Measure]:
    for _ in range(12):  # past the point where the server may choose a plan for any parameters
        await read(client, path)
    before = processor_seconds(pid)
    times = [await read(client, path) for _ in range(reads)]
    busy_ms = 1000 * (processor_seconds(pid) - before) / reads
    return [
        Measure(f"{name}, median", 1000 * statistics.median(times), "ms"),
        Measure(f"{name}, p95", 1000 * p95(times), "ms", P95_BAR_MS),
        Measure(f"{name}, processor time of the server", busy_ms, "ms"),
    ]


async def deep(client: httpx2.AsyncClient) -> dict[str, str]:
    """A place far down in each order."""
    found: dict[str, str] = {}
    for sort in ("news", "applied", "company", "silence"):
        path = f"/applications?sort={sort}"
        for _ in range(PAGES_DOWN):
            page = (await client.get(path)).text
            path = "/applications?" + page.partition('rel="next" href="?')[2].partition('"')[0].replace(
                "&amp;", "&"
            )
        found[f"by {sort}, page {PAGES_DOWN + 1}"] = path
    return found


async def _choosable(client: httpx2.AsyncClient) -> list[str]:
    """What the boxes of the list carry: each application with how it stands now."""
    page = (await client.get("/applications")).text
    return [part.partition('"')[0] for part in page.split('form="several" name="id" value="')[1:]]


async def of_statuses(client: httpx2.AsyncClient, rounds: int) -> list[Measure]:
    """One card of the board, and a whole page of the table."""
    rows = len(await _choosable(client))
    found: list[Measure] = []
    for name, count in (("one status set", 1), (f"{rows} statuses set", rows)):
        times: list[float] = []
        for number in range(rounds):
            status = ("offer", "assessment")[number % 2]
            chosen = (await _choosable(client))[:count]
            began = time.perf_counter()
            answer = await client.post("/applications/statuses", data={"id": chosen, "status": status})
            times.append(time.perf_counter() - began)
            if not answer.is_redirect:
                raise SystemExit(f"setting a status answered {answer.status_code}; no figure is told")
        found.append(Measure(f"{name}, median", 1000 * statistics.median(times), "ms"))
        found.append(Measure(f"{name}, p95", 1000 * p95(times), "ms"))
    return found


if __name__ == "__main__":
    main("The list of applications with 10,000 of them.", measure)
