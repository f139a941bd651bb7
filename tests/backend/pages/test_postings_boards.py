"""Everybody sees which boards are read, how new each is, and why a company is missing."""

from datetime import UTC, datetime, timedelta

import httpx2
import psycopg
import pytest
from fixtures.html import Seen, follow, see, send

from backend.listing.board_standing import standing
from pipeline.catalog.boards.types import BoardLine
from pipeline.closing.types import Incident
from schema.ids import SourceId

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


def line(**more: object) -> BoardLine:
    sound: dict[str, object] = {
        "id": SourceId(1), "platform": "ashby", "board": "engines", "company": None, "url": "https://x.io",
        "enabled": True, "failures_in_a_row": 0, "blocked_until": None, "rests_until": None,
        "off_since": None, "off_reason": None, "last_pull_at": NOW, "last_complete_at": NOW,
        "coverage": "complete", "problem": None, "observed": 3, "refused": 0, "doubts": 0,
        "doubted_until": None,
    }  # fmt: skip
    return BoardLine(**(sound | more))


LATER = NOW + timedelta(hours=3)
STANDINGS = [
    ({}, "up to date", ""),
    ({"enabled": False}, "switched off", "stays as it was"),
    (
        {"enabled": False, "off_since": NOW, "off_reason": "x", "failures_in_a_row": 8, "problem": "timeout"},
        "no longer read",
        "8 times in a row, the last time because the host did not answer in time",
    ),
    ({"platform": "linkedin"}, "not read", "forbid"),
    ({"last_pull_at": None, "coverage": None}, "not read yet", "first read"),
    ({"failures_in_a_row": 1, "coverage": "failed", "problem": "timeout"}, "could not be read", "in time"),
    ({"coverage": "failed", "problem": "throttled"}, "could not be read", "asks for a pause"),
    ({"blocked_until": LATER}, "waits", "pause"),
    ({"doubts": 1, "doubted_until": LATER}, "doubted", "far fewer"),
    ({"coverage": "capped"}, "in part", "first part"),
    ({"coverage": "partial"}, "in part", "Not all"),
    ({"last_pull_at": NOW - timedelta(days=2)}, "late", "worker"),
    ({"last_pull_at": NOW - timedelta(days=2), "rests_until": LATER}, "up to date", ""),
]


@pytest.mark.parametrize(("of_board", "word", "why"), STANDINGS)
def test_a_board_says_how_new_it_is_and_why(of_board: dict[str, object], word: str, why: str):
    said = standing(line(**of_board), {}, NOW)
    assert (said.text, why in said.why, said.is_sound) == (word, True, word == "up to date")


def test_a_platform_in_trouble_speaks_for_its_boards():
    incident = Incident(platform="ashby", opened_at=NOW, open_until=LATER, problem="timeout", boards=3)
    said = standing(line(coverage="failed", problem="timeout"), {"ashby": incident}, NOW)
    assert (said.text, said.until) == ("waits", LATER)
    assert "Ashby has a trouble" in said.why


@pytest.fixture
def sources(owner_url: str, empty_database: None) -> list[int]:
    with psycopg.connect(owner_url, autocommit=True) as owner:
        made = owner.execute(
            "INSERT INTO sources (platform, board, company, url, created_at, last_pull_at, last_complete_at,"
            " enabled) VALUES ('ashby', 'engines', 'Engines Ltd', 'https://jobs.ashbyhq.com/engines', now(),"
            " now(), now(), true), ('lever', 'ovens', NULL, 'https://jobs.lever.co/ovens', now(), now(),"
            " now(), false) RETURNING id"
        ).fetchall()
        owner.execute(
            "INSERT INTO pulls (source_id, started_at, finished_at, coverage, evidence, observed, refused,"
            " written) SELECT id, now(), now(), 'complete', '{}', 7, 0, 0 FROM sources"
        )
        return [row[0] for row in made]


def names(page: Seen) -> list[str]:
    return page.texts("tbody .role")


async def test_who_is_no_operator_sees_the_boards_and_how_new_each_is(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient, sources: list[int]
):
    page = await see(other_client, "/postings/boards")
    assert names(page) == ["Engines Ltd", "ovens"]
    assert "7 openings" in page.text("tbody")
    assert page.texts("tbody .badge") == ["up to date", "switched off"]
    assert not page.has('a[href="/sources"]')
    assert names(await see(other_client, "/postings/boards?show=behind")) == ["ovens"]
    assert names(await see(other_client, "/postings/boards?q=engines+ltd")) == ["Engines Ltd"]
    assert (await see(client, "/postings/boards")).has('a[href="/sources"]')
    empty = await see(other_client, "/postings?q=zebra")
    assert empty.has('.empty a[href="/postings/boards?q=zebra"]')


async def test_an_address_is_looked_for_by_its_board(other_client: httpx2.AsyncClient, sources: list[int]):
    there = await see(
        other_client, "/postings/boards?q=https://jobs.lever.co/ovens/0f0e0d0c-1111-4222-8333-444455556666"
    )
    assert names(there) == ["ovens"]
    missing = await see(other_client, "/postings/boards?q=https://jobs.lever.co/bakers")
    assert "The board bakers at Lever is not read here." in missing.text(".empty")
    assert "Whoever looks after this Jobtrail can add" in missing.text(".empty")
    forbidden = await see(other_client, "/postings/boards?q=https://www.linkedin.com/jobs/view/123456")
    assert "LinkedIn's terms forbid automated reading." in forbidden.text(".empty")
    unknown = await see(other_client, "/postings/boards?q=nobody")
    assert "No board of that name is read here." in unknown.text(".empty")


async def test_an_operator_corrects_a_company_and_can_undo_that(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient, sources: list[int], owner_url: str
):
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO postings (platform, vendor_id, board, title, company, canonical_url, first_seen_at)"
            " VALUES ('ashby', 'a', 'engines', 'Pilot', 'Engines Ltd', 'https://x.example/a', now()),"
            " ('ashby', 'b', 'engines', 'Cook', 'Told by it', 'https://x.example/b', now())"
        )
        owner.execute(
            "INSERT INTO listings (source_id, vendor_id, raw_hash, raw, posting_id, verdict, rule,"
            " rule_version, judged_at, first_pull_id, changed_pull_id, first_seen_at)"
            " SELECT %s, vendor_id, repeat('a', 64), '{}', id, 'admitted', 'all', 1, now(), 1, 1, now()"
            " FROM postings",
            [sources[0]],
        )

        def companies() -> list[tuple[object, ...]]:
            return owner.execute("SELECT company FROM postings ORDER BY vendor_id").fetchall()

        action = f"/sources/{sources[0]}/company"
        done = await send(client, action, company=" Engines Inc ")
        page = await follow(client, done)
        assert "Its company is Engines Inc from now on." in page.text(".flash")
        assert companies() == [("Engines Inc",), ("Told by it",)]
        undo = page.form(action, ".flash")
        await send(client, action, **undo.fields)
        assert companies() == [("Engines Ltd",), ("Told by it",)]
        await send(client, action, company="")
        assert companies() == [(None,), ("Told by it",)]
        assert (await send(client, action, company="x" * 301)).status == 400
        assert (await send(client, "/sources/999/company", company="x")).status == 404
        assert (await send(other_client, action, company="x")).status == 404
