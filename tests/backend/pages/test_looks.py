"""Every page in a real browser: axe finds nothing, nothing comes from elsewhere, everything fits a phone and
what is touched there is large enough."""

import re

import pytest
from fixtures.axe import OF_LOOKS, RULES, Axe
from fixtures.matching import MatchRunner
from fixtures.pages import routes
from fixtures.samples import Samples, day
from fixtures.site import Opener, Scheme

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

DOWNLOADS = {
    "/applications/export.csv",
    "/applications/export.json",
    "/applications/import/{tracker_import_id}/refused.csv",
    "/settings/data/everything.zip",
}
NO_PAGES = {"/livez", "/readyz", "/metrics", "/profile/resume.json", *DOWNLOADS}
WEIGHT_LIMIT = 100_000
PHONE = 390
BOX = "11111111-1111-1111-1111-111111111111"
TARGETS = (
    "button, .button, summary, select, textarea, input:not([type=checkbox], [type=radio], [type=hidden])"
)
SMALL = """(targets) => [...document.querySelectorAll(targets)]
  .filter((target) => target.checkVisibility() && !target.ariaHidden)
  .map((target) => [target.outerHTML.slice(0, 90), target.getBoundingClientRect().height])
  .filter(([, height]) => height > 0 && height < 43.5)"""
"""What somebody who touches could miss: of an element, its beginning and its height."""


def posting_of(samples: Samples) -> object:
    """A posting with a description, seen on no board."""
    samples.rows(
        "INSERT INTO descriptions (content_hash, raw, html, text)"
        " VALUES (repeat('d', 64), '', '<h2>About</h2><p>We bake.</p><ul><li>Bread</li></ul><table><tr>'"
        " || repeat('<td>Wage</td>', 30) || '</tr></table><pre>' || repeat('rye ', 90) || '</pre>', 'About')"
    )
    return samples.rows(
        "INSERT INTO postings (platform, vendor_id, board, title, canonical_url, description_state,"
        " description_hash, described_at, first_seen_at) VALUES ('ashby', 'v1', 'engines', 'Baker',"
        " 'https://jobs.ashbyhq.com/engines/v1', 'stored', repeat('d', 64), now(), now()) RETURNING id"
    )[0][0]


def task_of(samples: Samples) -> int:
    """A failed task that repeats another one, beside a running one with a bar and a worker that has it."""
    samples.rows(
        "INSERT INTO workers (id, name, release, digest, kinds, slots) VALUES"
        " (%s, 'box-1', '0.0.1', 'sha256:' || repeat('a', 64), '{mail.import.v1}', 4)",
        BOX,
    )
    samples.rows(
        "INSERT INTO tasks (kind, payload, max_attempts, status, worker, lease_expires_at, claim_seq,"
        " started_at, progress, progress_at) VALUES ('mail.import.v1', '{}', 5, 'running', %s, now(), 1,"
        """ '2026-03-01', '{"done": 1, "total": 3, "note": "messages"}', '2026-03-01')""",
        BOX,
    )
    ended = {"kind": "source.pull.v9", "payload": "{}", "max_attempts": 5, "status": "failed"}
    ended |= {"failure_code": "handler_error", "finished_at": "2026-03-01"}
    first = samples.insert("tasks", **ended)
    again = {"replay_of_id": first, "root_id": first, "actor": "ada@example.org", "reason": "once more"}
    task_id = samples.insert("tasks", **ended, **again)
    samples.rows(
        "INSERT INTO task_events (task_id, event, attempt, code) VALUES (%s, 'failed', 1, 'handler_error')",
        task_id,
    )
    return task_id


def mailbox_of(samples: Samples) -> int:
    """A mailbox at Gmail whose access was lost, with a gap, and a message that could not be read."""
    found = samples.insert("mailboxes", door="gmail", address="ada@gmail.example", created_at=day(1))
    samples.rows(
        "INSERT INTO gmail_mailboxes (account_id, mailbox_id, state, phase, cursor, last_error,"
        " last_error_at, created_at)"
        " VALUES (%s, %s, 'grant_lost', 'fetching', '1', 'grant_lost', now(), now())",
        samples.account,
        found,
    )
    samples.insert("gmail_gaps", mailbox_id=found, found_at=day(2))
    samples.rows(
        "INSERT INTO gmail_messages (account_id, mailbox_id, gmail_id, state, reason, rank, place)"
        " VALUES (%s, %s, 'abc', 'quarantined', 'message_too_large', 2, 1)",
        samples.account,
        found,
    )
    return found


def tracker_of(samples: Samples) -> int:
    """A file that was brought in and waits for a word about its columns, its dates and its statuses."""
    content = b"Company,Role,Applied,Status,Mood\nAcme,Pilot,03/04/2025,Blue sky,glad\nBeta,,2 weeks ago,,\n"
    mapping = (
        '{"columns": ["company", "role", "applied", "status", "extra"], "statuses": {"blue sky": "note"}}'
    )
    return samples.insert(
        "tracker_imports", name="jobs.csv", content=content, mapping=mapping, rows_total=2, created_at=day(1)
    )


def board_of(samples: Samples) -> int:
    """A board in every trouble at once: a read that failed, an open doubt and a settled one, a wait."""
    source = samples.rows(
        "INSERT INTO sources (platform, board, company, url, created_at, failures_in_a_row, blocked_until,"
        " last_pull_at) VALUES ('ashby', 'engines', 'Engines', 'https://jobs.ashbyhq.com/engines', now(), 2,"
        " now() + interval '1 hour', now()) RETURNING id"
    )[0][0]
    samples.rows(
        "INSERT INTO pulls (source_id, started_at, finished_at, coverage, evidence, observed, refused,"
        " written) VALUES (%s, now(), now(), 'failed',"
        """ '{"problem": "throttled", "status": 429, "answers": 1}', 0, 0, 0) RETURNING id""",
        source,
    )
    for settled in ("NULL", "now()"):
        samples.rows(
            "INSERT INTO suspicions (source_id, kind, raised_at, expires_at, expected, shown, held,"
            f" settled_at, settled_as) VALUES (%s, 'drop', now(), now() + interval '3 days', 40, 9, 31,"
            f" {settled}, {'NULL' if settled == 'NULL' else repr('recovered')}) RETURNING id",
            source,
        )
    return source


def preview_of(samples: Samples) -> int:
    """What a board would bring: refused, remarked and shown ones, and what they do not state."""
    result = (
        '{"coverage": "complete", "evidence": {"rows": 3, "ended_naturally": true}, "listings": 3,'
        ' "admitted": 2, "refused": [{"rule": "is_listed", "reason": "the employer does not list it",'
        ' "number": 1, "examples": ["Ghost"]}], "samples": [{"title": "Baker", "company": null,'
        ' "places": ["Kassel"], "workplace": "hybrid"}], "unknown": [{"what": "date", "number": 2}]}'
    )
    return samples.rows(
        "INSERT INTO source_previews (platform, board, url, asked_at, finished_at, result) VALUES"
        " ('lever', 'ovens', 'https://jobs.lever.co/ovens', now(), now(), %s) RETURNING id",
        result,
    )[0][0]


def own_of(samples: Samples) -> int:
    """A posting of one's own whose page could not be read."""
    return samples.insert(
        "own_postings",
        title="Head Baker",
        company="Bread Ltd",
        canonical_url="https://bread.example/jobs/1",
        url="https://bread.example/jobs/1",
        text="We bake.\n\nEarly.",
        facts_from="browser",
        look="failed",
        look_why="timeout",
        looked_at=day(2),
        saved_at=day(1),
        updated_at=day(1),
    )


def draft_of(samples: Samples) -> int:
    """A draft that a machine wrote, with a word that stands nowhere."""
    draft_id = samples.insert(
        "drafts",
        canonical_url="https://jobs.ashbyhq.com/engines/v1",
        question="Why do you want to bake?",
        question_key="why",
        max_chars=20,
        state="empty",
        created_at=day(1),
        updated_at=day(1),
    )
    samples.rows(
        "INSERT INTO draft_versions (account_id, draft_id, generation, author, text, rests_on,"
        " not_in_sources, ask, model, created_at) VALUES (%s, %s, 1, 'machine', 'I baked bread at Google for"
        """ years.', '["Skills"]', '["Google"]', 1, 'small', now())""",
        samples.account,
        draft_id,
    )
    samples.rows("UPDATE drafts SET generation = 1, state = 'failed', failure = 'not_in_sources'")
    return draft_id


@pytest.fixture
async def addresses(samples: Samples, match: MatchRunner) -> list[str]:
    """Every page that a signed-in person can look at, with something on it."""
    first = samples.application("Northwind", "Data Engineer", applied=5)
    samples.application("Northwind", "Product Designer", applied=6)
    samples.application(None, "Writer", applied=7)
    for number in range(6):
        answered = samples.application(f"Answered {number}", applied=1)
        samples.rows("UPDATE standings SET answered_at = %s WHERE application_id = %s", day(9), answered)
    samples.insert("saved_views", name="Waiting long", query="silent=14", created_at=day(1))
    message = samples.message(
        "status_update",
        subject="About your application",
        body="Hello Ada, your application at Northwind is still under review.",
        sender_name="Northwind",
        employer="Northwind",
    )
    samples.message(
        "rejection", subject="Your application as Writer", body="We will not go on.", employer="X"
    )
    await match()
    ids = {
        "application_id": first,
        "message_id": message,
        "posting_id": posting_of(samples),
        "source_id": board_of(samples),
        "preview_id": preview_of(samples),
        "own_id": own_of(samples),
        "import_id": samples.insert(
            "mail_imports",
            mailbox_id=samples.mailbox(),
            name="All.mbox",
            path="x",
            spooled=False,
            created_at=day(1),
        ),
        "draft_id": draft_of(samples),
        "task_id": task_of(samples),
        "tracker_import_id": tracker_of(samples),
        "mailbox_id": mailbox_of(samples),
        "answer": "another_account",
    }
    found: list[str] = []
    for template in routes("GET"):
        names = re.findall(r"\{(\w+)", template)
        if template not in NO_PAGES and all(name in ids for name in names):
            found.append(re.sub(r"\{(\w+)[^}]*\}", lambda name: str(ids[name[1]]), template))
    listed = ("layout=board&column=rejected", "q=north&stage=applied&stage=offer&silent=1", "silent=x")
    postings = ("show=saved&q=bak&country=DE", "pay_from=x")
    more = [f"/applications?{query}" for query in listed] + [f"/postings?{query}" for query in postings]
    return [*found, *more, "/nothing-here"]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (PHONE, "dark")])
async def test_every_page_is_without_fault(
    site: Opener, addresses: list[str], axe: Axe, width: int, scheme: Scheme
):
    is_phone = width == PHONE
    async with site(width=width, scheme=scheme, touch=is_phone) as seen:
        await axe.into(seen.context)
        for path in addresses:
            page = await seen.open(path)
            assert not await axe.faults(page, OF_LOOKS if is_phone else RULES), path
            wide = await page.evaluate("document.documentElement.scrollWidth") - width
            assert wide <= 0, f"{path} is {wide} px too wide"
            if is_phone:
                assert not await page.evaluate(SMALL, TARGETS), path
            assert seen.bytes_loaded < WEIGHT_LIMIT, f"{path} weighs {seen.bytes_loaded} bytes"
        assert not seen.foreign
        assert not [said for said in seen.complaints if not re.search("40[049]", said)]


async def test_the_doors_are_without_fault(site: Opener, axe: Axe, owner_url: str):
    async with site(width=390, signed_in=False) as seen:
        await axe.into(seen.context)
        for path in ("/welcome", "/sign-in?ended=1", "/invitation/x"):
            page = await seen.open(path)
            assert not await axe.faults(page), path
        page = await seen.open("/welcome")
        await page.fill("#f-name", "Ada")
        await page.fill("#f-email", "ada2@example.org")
        await page.fill("#f-password", "short")
        await page.press("#f-password", "Control+Enter")
        await page.wait_for_selector("#faults:focus")
        await page.click('#faults a[href="#f-password"]')
        assert await page.input_value("#f-name") == "Ada"
