"""What expires does so in its time; what somebody holds on to, and what explains a posting, stays."""

import pytest
from fixtures.scripted_boards import ScriptedBoards, shown, whole

from pipeline.keeping import tasks
from pipeline.keeping.rules import NEWEST_DOUBTS_KEPT, NEWEST_PULLS_KEPT
from pipeline.keeping.tasks import tidy
from pipeline.previews import store as previews
from pipeline.previews.store import ask_for_preview
from pipeline.sources.descriptions import described
from pipeline.sources.observed.store import add_descriptions
from pipeline.sources.registry import Place
from schema.ids import AccountId
from schema.tasks import TidyCatalog

CREW = [shown(f"Mate {number}") for number in range(9)]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """More portions than one, of every kind."""
    monkeypatch.setattr(tasks, "PORTION", 2)


async def test_what_nobody_needs_expires_and_what_explains_stays(catalog: ScriptedBoards, account: AccountId):
    source = await catalog.source()
    leaving = [shown(name) for name in ("Saved", "Applied", "Filled in", "Forgotten", "Lost")]
    ghost = shown("Ghost", is_listed=False)
    await catalog.pull(source, whole(*CREW, *leaving, ghost))
    held = "(SELECT id FROM postings WHERE title = %s)"
    catalog.rows(
        "INSERT INTO user_jobs (account_id, posting_id, note, updated_at)"
        f" VALUES (%s, {held}, 'ask Ben', now())",
        account,
        "Saved",
    )
    catalog.rows(
        "INSERT INTO applications (account_id, origin, company, posting_id, created_at, updated_at)"
        f" VALUES (%s, 'manual', 'Northwind', {held}, now(), now())",
        account,
        "Applied",
    )
    catalog.clock.move(days=4)
    await catalog.pull(source, whole(*CREW[1:], shown("Mate 0", description="<p>Said anew</p>")))
    closed = "SELECT title FROM postings WHERE closed_at IS NOT NULL ORDER BY title"
    assert len(catalog.rows(closed)) == 5
    assert (await tidy(catalog.run(), TidyCatalog())).word == "nothing_to_do"

    catalog.clock.move(days=40)
    await tidy(catalog.run(), TidyCatalog())
    # The text that was replaced, which nothing shows.
    assert catalog.one("SELECT count(*) FROM descriptions WHERE text = 'Mate 0 at the harbour.'") == 0
    catalog.clock.move(days=60)
    await tidy(catalog.run(), TidyCatalog())
    assert catalog.rows(
        "SELECT count(*), bool_and(raw = '{}'), bool_and(verdict IS NOT NULL) FROM listings"
        " WHERE raw_expired_at IS NOT NULL"
    ) == [(6, True, True)]
    assert catalog.one("SELECT count(*) FROM postings WHERE description_state = 'stored'") == 14

    catalog.clock.move(days=100)
    await tidy(catalog.run(), TidyCatalog())
    assert catalog.rows(
        "SELECT title, description_state, closed_reason FROM postings WHERE closed_at IS NOT NULL ORDER BY 1"
    ) == [
        ("Applied", "stored", "not_listed"),
        ("Filled in", "expired", "not_listed"),
        ("Forgotten", "expired", "not_listed"),
        ("Lost", "expired", "not_listed"),
        ("Saved", "stored", "not_listed"),
    ]
    assert catalog.one("SELECT count(*) FROM descriptions WHERE text LIKE 'Forgotten%%'") == 0
    assert catalog.one("SELECT count(*) FROM posting_events WHERE event = 'closed'") == 5
    assert (await tidy(catalog.run(), TidyCatalog())).word == "nothing_to_do"

    # Shown again, it is the same posting, with its text.
    await catalog.pull(source, whole(*CREW, leaving[3]))
    assert catalog.rows(
        "SELECT p.description_state, d.text, p.closed_at FROM postings p"
        " LEFT JOIN descriptions d ON d.content_hash = p.description_hash WHERE title = 'Forgotten'"
    ) == [("stored", "Forgotten at the harbour.", None)]


async def test_old_pulls_go_but_for_the_newest_of_each_source(catalog: ScriptedBoards):
    source = await catalog.source()
    await catalog.pull(source, whole(*CREW))
    pulls = (
        "INSERT INTO pulls (source_id, started_at, finished_at, coverage, evidence, observed, refused,"
        " written)"
        " SELECT %s, t, t, 'complete', '{}', 9, 0, 0 FROM generate_series(1, %s) n,"
        " LATERAL (SELECT %s::timestamptz + n * interval '6 hours' AS t) x"
    )
    other = await catalog.source("lever")
    catalog.rows(pulls, source, NEWEST_PULLS_KEPT + 7, catalog.clock.now())
    catalog.rows(pulls, other, 3, catalog.clock.now())
    catalog.clock.move(days=100)
    assert (await tidy(catalog.run(), TidyCatalog())).word == "tidied"
    assert catalog.rows("SELECT source_id, count(*) FROM pulls GROUP BY 1 ORDER BY 1") == [
        (source, NEWEST_PULLS_KEPT),
        (other, 3),
    ]
    # What they wrote goes on naming them.
    assert (
        catalog.one(
            "SELECT count(*) FROM listings l WHERE NOT EXISTS"
            " (SELECT FROM pulls p WHERE p.id = l.first_pull_id)"
        )
        == 9
    )
    assert (await catalog.pull(source, whole(*CREW))).word == "nothing_new"


async def test_settled_doubts_and_looks_at_boards_are_bounded(catalog: ScriptedBoards):
    source = await catalog.source()
    catalog.rows(
        "INSERT INTO suspicions (source_id, kind, raised_at, expires_at, expected, shown, settled_at,"
        " settled_as) SELECT %s, 'drop', t, t + interval '1 hour', 9, 1, t, 'recovered'"
        " FROM generate_series(1, %s) n, LATERAL (SELECT %s::timestamptz + n * interval '1 minute' AS t) x",
        source,
        NEWEST_DOUBTS_KEPT + 3,
        catalog.clock.now(),
    )
    catalog.rows(
        "INSERT INTO suspicions (source_id, kind, raised_at, expires_at, expected, shown)"
        " VALUES (%s, 'drop', %s, %s::timestamptz + interval '1 day', 9, 1)",
        source,
        catalog.clock.now(),
        catalog.clock.now(),
    )
    place = Place(platform="lever", board="ovens", url="https://jobs.lever.co/ovens")
    async with catalog.db.as_fleet() as unit:
        for _ in range(5):
            await ask_for_preview(unit, place, company=None, now=catalog.clock.now())
    assert (await tidy(catalog.run(), TidyCatalog())).word == "nothing_to_do"
    catalog.clock.move(days=2)
    async with catalog.db.as_fleet() as unit:
        newest = await ask_for_preview(unit, place, company=None, now=catalog.clock.now())
    await tidy(catalog.run(), TidyCatalog())
    assert catalog.rows("SELECT id FROM source_previews") == [(newest,)]
    catalog.clock.move(days=400)
    assert (await tidy(catalog.run(), TidyCatalog())).word == "tidied"
    # The open one is among the newest; what is older than those went.
    assert catalog.rows("SELECT count(*), count(*) FILTER (WHERE settled_at IS NULL) FROM suspicions") == [
        (NEWEST_DOUBTS_KEPT, 1)
    ]
    assert catalog.one("SELECT count(*) FROM source_previews") == 0


async def test_no_number_of_looks_asked_for_is_kept(catalog: ScriptedBoards, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(previews, "MOST_KEPT", 3)
    place = Place(platform="lever", board="ovens", url="https://jobs.lever.co/ovens")
    for _ in range(7):
        async with catalog.db.as_fleet() as unit:
            await ask_for_preview(unit, place, company=None, now=catalog.clock.now())
    assert catalog.one("SELECT count(*) FROM source_previews") == 3


async def test_a_text_that_a_pull_is_about_to_use_is_not_let_go(catalog: ScriptedBoards):
    source = await catalog.source()
    await catalog.pull(source, whole(shown("Pilot"), *CREW))
    await catalog.pull(source, whole(shown("Pilot", description="<p>Other</p>"), *CREW))
    catalog.clock.move(days=50)
    # Stored again for a pull that has not committed yet: unused, and old but for that.
    text = described("<p>Pilot at the harbour.</p>")
    assert text
    async with catalog.db.as_fleet() as unit:
        await add_descriptions(unit, [text], now=catalog.clock.now())
    assert (await tidy(catalog.run(), TidyCatalog())).word == "nothing_to_do"
    assert catalog.one("SELECT count(*) FROM descriptions WHERE text = 'Pilot at the harbour.'") == 1
