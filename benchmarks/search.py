"""The list of postings with 600,000 of them and 1,000,000 listings: words and filters of every kind.

python -m benchmarks.search [--quick] [--json]

Titles, boards, places and dates are drawn with the skew of real boards; three in ten postings are closed. The
server is `jobtrail api` in a process of its own; a client on loopback asks for first pages. `--quick` has a
tenth of the rows.
"""

import asyncio
import statistics
from collections.abc import Sequence

import httpx2
import psycopg

from benchmarks.installation import installed
from benchmarks.pages import PATIENCE_SECONDS, p95, processor_seconds, read, serving, signed_in
from benchmarks.table import Asked, Measure, main
from schema.ids import AccountId

POSTINGS, LISTINGS = 600_000, 1_000_000
P95_BAR_MS = 80.0
PAGES = {
    "no filter": "",
    "a word in half of all": "q=engineer",
    "a word in its other forms": "q=engineers",
    "what somebody does": "q=develop",
    "the end of long words": "q=entwickler",
    "six words in every form": "q=senior+nurses+managing+designers+engineers+consultants",
    "the beginning of words": "q=engin*",
    "a word in few": "q=word15000",
    "a word nobody wrote": "q=zebra",
    "two common words": "q=software+engineer",
    "three words, one rare": "q=senior+nurse+word50",
    "a phrase or a word": "q=%22software+engineer%22+or+designer",
    "all but a word": "q=engineer+-software",
    "an employer": "q=company400",
    "a country": "country=NZ",
    "a common word in a rare country": "q=engineer&country=NZ",
    "a city": "place=city3",
    "a city and a country": "place=city3&country=DE",
    "remote, with pay": "workplace=remote&pay=1",
    "pay, at least": "q=engineer&pay_from=150000&currency=CHF",
    "pay that nobody gives": "pay_from=900000&currency=CHF",
    "a level no title of the word has": "q=engineer&level=executive",
    "every filter at once": "q=data+engineer&country=CH&workplace=remote&type=intern&level=principal"
    "&platform=lever",
    "posted within a day": "q=engineer&days=1",
    "posted within a month, nothing": "q=zebra&days=30",
    "a platform": "platform=personio&q=nurse",
    "one board": "board=ashby/company401",
    "closed ones too": "q=engineer&closed=1",
    "closed ones too, a word in few": "q=word9000&closed=1",
    "saved": "show=saved&q=engineer",
}  # fmt: skip
FILL = """
SELECT setseed(0.4);
INSERT INTO sources (platform, board, url, created_at, last_pull_at)
  SELECT (ARRAY['greenhouse', 'ashby', 'lever', 'workday', 'personio'])[1 + n %% 5], 'company' || n,
    'https://x.example/' || n, now(), now() FROM generate_series(1, 8000) n;
INSERT INTO pulls (source_id, started_at, finished_at, coverage, evidence, observed, refused, written)
  SELECT id, now(), now(), 'complete', '{}', 1, 0, 1 FROM sources;
INSERT INTO postings (platform, vendor_id, board, title, company, locations, countries, places, workplace,
    employment_type, seniority, pay_min, pay_max, pay_currency, pay_interval, pay_source, canonical_url,
    apply_url, posted_at, posted_meaning, first_seen_at, closed_at, closed_reason)
  SELECT (ARRAY['greenhouse', 'ashby', 'lever', 'workday', 'personio'])[1 + c %% 5], 'v' || n, 'company' || c,
    concat_ws(' ', (ARRAY['Senior', 'Staff', 'Junior', 'Lead'])[1 + s],
      (ARRAY['Software', 'Data', 'Product', 'Sales', 'Account', 'Machine', 'Field', 'Customer', 'Marketing',
        'Security', 'Backend', 'Frontend'])[1 + floor(power(random(), 1.6) * 12)::int],
      (ARRAY['Engineer', 'Engineer', 'Engineer', 'Engineer', 'Engineer', 'Engineer', 'Engineer', 'Manager',
        'Analyst', 'Designer', 'Scientist', 'Executive', 'Specialist', 'Nurse', 'Entwickler/in',
        'Softwareentwicklerin'])
        [1 + floor(random() * 16)::int],
      CASE WHEN random() < 0.5 THEN 'word' || (1 + floor(power(random(), 4) * 20000))::int END, '(f/m/x)'),
    CASE WHEN c %% 7 > 0 THEN 'Company' || c || ' Inc' END,
    CASE WHEN c %% 11 = 0 THEN '{}'
      ELSE ARRAY['City' || (1 + floor(power(random(), 3) * 900))::int || ', ' || co] END,
    CASE WHEN c %% 11 = 0 THEN '{}' ELSE ARRAY[co] END,
    ('[{"text": "City, ' || co || '", "country": "' || co || '"}]')::jsonb,
    (ARRAY['onsite', 'hybrid', 'remote', NULL])[1 + floor(random() * 4)::int],
    (ARRAY['full_time', 'full_time', 'full_time', 'full_time', 'full_time', 'part_time', 'contract',
      'temporary', 'intern', NULL])[1 + floor(random() * 10)::int],
    (ARRAY['senior', 'principal', 'entry', 'lead'])[1 + s],
    CASE WHEN p < 0.36 THEN 40000 + floor(random() * 60000) END,
    CASE WHEN p < 0.36 THEN 110000 + floor(random() * 100000) END,
    CASE WHEN p < 0.36
      THEN (ARRAY['USD', 'USD', 'USD', 'EUR', 'GBP', 'CHF'])[1 + floor(random() * 6)::int] END,
    CASE WHEN p < 0.36 THEN 'year' END, CASE WHEN p < 0.36 THEN 'field' ELSE 'none' END,
    'https://jobs.example.com/company' || c || '/' || md5(n::text),
    'https://jobs.example.com/company' || c || '/' || md5(n::text) || '/apply',
    now() - power(random(), 1.5) * interval '500 days', 'first_published', now(),
    CASE WHEN gone < 0.3 THEN now() END, CASE WHEN gone < 0.3 THEN 'not_listed' END
  FROM (SELECT n, 1 + floor(power(random(), 2) * 8000)::int c, floor(random() * 8)::int s, random() p,
    random() gone, (ARRAY['US', 'US', 'US', 'GB', 'DE', 'FR', 'IN', 'CA', 'NL', 'ES', 'PL', 'AU', 'NZ', 'CH',
      'JP'])[1 + floor(power(random(), 1.5) * 15)::int] co
    FROM generate_series(1, %(postings)s) n) drawn;
INSERT INTO listings (source_id, vendor_id, raw_hash, raw, posting_id, verdict, rule, rule_version, reason,
    judged_at, first_pull_id, changed_pull_id, first_seen_at)
  SELECT 1 + n %% 8000, 'l' || n, repeat('a', 64), '{}',
    CASE WHEN n %% 5 < 3 THEN first.id + n %% %(postings)s END,
    CASE WHEN n %% 5 < 3 THEN 'admitted' ELSE 'refused' END, 'all', 2,
    CASE WHEN n %% 5 < 3 THEN NULL ELSE 'x' END,
    now(), 1, 1, now()
  FROM generate_series(1, %(listings)s) n, (SELECT min(id) AS id FROM postings) first;
INSERT INTO user_jobs (account_id, posting_id, saved_at, updated_at)
  SELECT %(account)s, id, now(), now() FROM postings WHERE id %% 1000 = 1;
INSERT INTO user_jobs (account_id, posting_id, hidden_at, updated_at)
  SELECT %(account)s, id, now(), now() FROM postings WHERE id %% 1000 = 2;
INSERT INTO own_postings (account_id, title, facts_from, saved_at, updated_at)
  SELECT %(account)s, 'Engineer ' || n, 'person', now(), now() FROM generate_series(1, 300) n;
"""


def measure(asked: Asked) -> Sequence[Measure]:
    with installed() as usable:
        account = filled(usable.database.owner_url, share=10 if asked.quick else 1)
        token = asyncio.run(signed_in(usable, account))
        with serving(usable) as (address, pid):
            return asyncio.run(measured(address, pid, token, 10 if asked.quick else 20))


def filled(owner_url: str, *, share: int) -> AccountId:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("SET statement_timeout = 0")
        row = connection.execute(
            "INSERT INTO accounts (email, display_name, password_hash, is_operator, created_at)"
            " VALUES ('ada@example.org', 'Ada', 'none', true, now()) RETURNING id"
        ).fetchone()
        assert row
        values = {"account": row[0], "postings": POSTINGS // share, "listings": LISTINGS // share}
        for statement in FILL.split(";\n"):
            if statement.strip():
                connection.execute(statement, values)  # pyright: ignore[reportArgumentType]
        connection.execute("VACUUM ANALYZE")
    return AccountId(row[0])


async def measured(address: str, pid: int, token: str, reads: int) -> list[Measure]:
    found: list[Measure] = []
    every: list[float] = []
    async with httpx2.AsyncClient(
        base_url=address,
        cookies={"jobtrail_session": token},
        headers={"accept": "text/html"},
        timeout=PATIENCE_SECONDS,
    ) as client:
        for name, query in PAGES.items():
            path = f"/postings?{query}"
            before = processor_seconds(pid)
            first = await read(client, path)
            times = [first, *[await read(client, path) for _ in range(reads - 1)]]
            busy_ms = 1000 * (processor_seconds(pid) - before) / reads
            every += times
            found += [
                Measure(f"{name}, the first time", 1000 * first, "ms"),
                Measure(f"{name}, median", 1000 * statistics.median(times), "ms"),
                Measure(f"{name}, p95", 1000 * p95(times), "ms", P95_BAR_MS),
                Measure(f"{name}, processor time of the server", busy_ms, "ms"),
            ]
    return [*found, Measure("whatever is asked, p95", 1000 * p95(every), "ms", P95_BAR_MS)]


if __name__ == "__main__":
    main("The list of postings with 600,000 of them.", measure)
