"""What is remembered of a board, what looks add, and what closing writes, on a real PostgreSQL."""

import json
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from pipeline.closing.pulls import decided
from pipeline.closing.store import doubts_of, incidents, memory_of, note_look
from pipeline.closing.types import Decisions, Memory, Reading
from pipeline.postings.store import close_postings, reopen_postings
from pipeline.sources.observed.store import set_missed, show_again
from pipeline.sources.store import source_by_id
from pipeline.sources.types import Source
from schema.db import Database
from schema.ids import PostingId, PullId, SourceId

START = datetime(2026, 11, 2, 6, tzinfo=UTC)


class Boards:
    """Boards of one platform, and pulls of them that only matter to closing."""

    def __init__(self, database: Database, owner: psycopg.Connection) -> None:
        self.database, self.owner, self.now = database, owner, START

    def add(self, board: str) -> SourceId:
        return SourceId(
            self.value(
                "INSERT INTO sources (platform, board, url, created_at)"
                " VALUES ('ashby', %s, 'https://jobs.example/', %s) RETURNING id",
                board,
                self.now,
            )
        )

    def value(self, sql: str, *parameters: object) -> int:
        row = self.owner.execute(sql, parameters).fetchone()  # type: ignore[arg-type]
        assert row is not None
        return row[0]

    def open(self) -> list[str]:
        rows = self.owner.execute("SELECT vendor_id FROM postings WHERE closed_at IS NULL ORDER BY vendor_id")
        return [row[0] for row in rows]

    async def source(self, source_id: SourceId) -> Source:
        async with self.database.as_fleet() as unit:
            found = await source_by_id(unit, source_id)
        assert found is not None
        return found

    async def pull(
        self, source_id: SourceId, *shown: str, hours: float = 6, unchanged: bool = False, **told: str
    ) -> Decisions:
        """As a pull does: what is shown, the decision, and what it comes to."""
        self.now += timedelta(hours=hours)
        source = await self.source(source_id)
        reading = self.reading(*shown, **told)
        pull_id = self.write(source_id, reading, unchanged=unchanged)
        async with self.database.as_fleet() as unit:
            await show_again(unit, source_id, shown)
            decisions = await decided(unit, source, reading, misses_to_close=1, pull_id=pull_id)
            seen = source.last_complete_at or self.now
            for each in decisions.misses:
                await set_missed(unit, source_id, each.vendor_ids, each.missed, last_seen_at=seen)
            moved = {"source_id": source_id, "pull_id": pull_id, "now": self.now}
            for each in decisions.closes:
                await close_postings(unit, each.posting_ids, each.reason, **moved)
            await reopen_postings(unit, decisions.reopens, "listed_again", **moved)
        complete = reading.coverage == "complete"
        self.owner.execute(
            "UPDATE sources SET last_pull_at = %s, last_complete_at = CASE WHEN %s THEN %s"
            " ELSE last_complete_at END WHERE id = %s",
            (self.now, complete, self.now, source_id),
        )
        return decisions

    def reading(self, *shown: str, coverage: str = "complete", problem: str | None = None) -> Reading:
        return Reading(at=self.now, coverage=coverage, shown=frozenset(shown), problem=problem)  # type: ignore[arg-type]

    def write(self, source_id: SourceId, reading: Reading, *, unchanged: bool = False) -> PullId:
        evidence = {"is_unchanged": unchanged, "problem": reading.problem}
        pull_id = self.value(
            "INSERT INTO pulls (source_id, started_at, finished_at, coverage, evidence, observed, refused,"
            " written) VALUES (%s, %s, %s, %s, %s, %s, 0, 0) RETURNING id",
            source_id,
            self.now,
            self.now,
            reading.coverage,
            json.dumps(evidence),
            0 if unchanged else len(reading.shown),
        )
        for name in sorted(reading.shown):
            self.owner.execute(
                "INSERT INTO postings (platform, vendor_id, board, title, canonical_url, first_seen_at)"
                " VALUES ('ashby', %s, 'b', 'Mate', %s, %s) ON CONFLICT DO NOTHING",
                (name, name, self.now),
            )
            self.owner.execute(
                "INSERT INTO listings (source_id, vendor_id, raw_hash, raw, posting_id, verdict, rule,"
                " rule_version, judged_at, first_pull_id, changed_pull_id, first_seen_at)"
                " SELECT %s, vendor_id, repeat('0', 64), '{}', id, 'admitted', 'all', 1, %s, %s, %s, %s"
                " FROM postings WHERE vendor_id = %s ON CONFLICT DO NOTHING",
                (source_id, self.now, pull_id, pull_id, self.now, name),
            )
        return PullId(pull_id)

    async def memory(self, source_id: SourceId, *shown: str, **told: str) -> Memory:
        source = await self.source(source_id)
        newest = PullId(source.newest_pull_id or 0)
        async with self.database.as_fleet() as unit:
            return await memory_of(
                unit, source, self.reading(*shown, **told), misses_to_close=1, pull_id=PullId(newest + 1)
            )

    def posting(self, name: str) -> PostingId:
        return PostingId(self.value("SELECT id FROM postings WHERE vendor_id = %s", name))


@pytest.fixture
def boards(database: Database, owner_url: str):
    with psycopg.connect(owner_url, autocommit=True) as owner:
        yield Boards(database, owner)


def names(count: int) -> list[str]:
    return [f"p{n:03}" for n in range(count)]


async def test_a_posting_closes_with_its_reason_and_pull_and_reopens_with_its_history(boards: Boards):
    source = boards.add("north")
    await boards.pull(source, *names(4))
    for _ in range(12):
        await boards.pull(source, *names(3))
    assert boards.open() == names(3)
    reason, pull_id = boards.owner.execute(
        "SELECT closed_reason, closed_pull_id FROM postings WHERE vendor_id = 'p003'"
    ).fetchone() or ("", 0)
    assert (reason, pull_id) == ("not_listed", (await boards.source(source)).newest_pull_id)
    await boards.pull(source, *names(4), coverage="partial")
    events = boards.owner.execute("SELECT event FROM posting_events ORDER BY id").fetchall()
    assert events == [("closed",), ("reopened",)]
    memory = await boards.memory(source, *names(3))
    assert (memory.closed, memory.returned) == (1, 1)
    assert [(each.vendor_id, each.returns) for each in memory.watched] == [("p003", 1)]


async def test_a_posting_on_two_boards_closes_once_the_second_misses_it_too(boards: Boards):
    north, south = boards.add("north"), boards.add("south")
    await boards.pull(north, *names(3))
    await boards.pull(south, *names(3))
    for _ in range(13):
        await boards.pull(north, *names(2))
    assert boards.open() == names(3)
    for _ in range(13):
        await boards.pull(south, *names(2))
    assert boards.open() == names(2)


async def test_a_board_nobody_reads_any_more_holds_nothing_open(boards: Boards):
    north, south = boards.add("north"), boards.add("south")
    await boards.pull(north, *names(3))
    await boards.pull(south, *names(3))
    boards.owner.execute("UPDATE sources SET enabled = false WHERE id = %s", (south,))
    for _ in range(13):
        await boards.pull(north, *names(2))
    assert boards.open() == names(2)


async def test_counts_are_of_complete_pulls_since_the_last_level_that_was_decided_on(boards: Boards):
    source = boards.add("north")
    await boards.pull(source, *names(40))
    await boards.pull(source, *names(39), coverage="partial")
    await boards.pull(source, *names(40), unchanged=True)
    for shown in (38, 37, 36, 35):
        await boards.pull(source, *names(shown))
    assert (await boards.memory(source)).counts == (40, 38, 37, 36, 35)
    await boards.pull(source, *names(10), hours=96)
    [doubt] = (await boards.memory(source)).suspicions
    assert (doubt.kind, doubt.expected, doubt.shown, doubt.held) == ("drop", 37, 10, 30)
    for _ in range(12):
        await boards.pull(source, *names(10))
    memory = await boards.memory(source)
    assert not memory.suspicions and memory.counts == (10,)
    assert boards.open() == names(10)
    async with boards.database.as_fleet() as unit:
        [settled] = await doubts_of(unit, source)
    assert settled.settled_as == "expired" and settled.held == 0
    assert settled.settled_pull_id == (await boards.source(source)).newest_pull_id


async def test_looks_count_in_the_doubt_they_were_asked_for_and_settle_it(boards: Boards):
    source = boards.add("north")
    await boards.pull(source, *names(40))
    asked = (await boards.pull(source, *names(20), hours=96)).probes
    async with boards.database.as_fleet() as unit:
        for posting in asked[:2]:
            standing = await note_look(unit, posting, "gone", now=boards.now)
            assert standing is not None and standing.is_doubted and not standing.is_listed
        await note_look(unit, boards.posting("p000"), "open", now=boards.now - timedelta(days=9))
        [doubt] = await doubts_of(unit, source)
    assert (doubt.probed_gone, doubt.probed_alive) == (2, 0)
    await boards.pull(source, *names(20))
    reasons = boards.owner.execute("SELECT DISTINCT closed_reason FROM postings ORDER BY 1").fetchall()
    assert reasons == [("not_listed",), ("page_gone",), (None,)]


async def test_a_look_from_before_a_posting_was_shown_again_says_nothing(boards: Boards):
    source = boards.add("north")
    await boards.pull(source, *names(3))
    async with boards.database.as_fleet() as unit:
        await note_look(unit, boards.posting("p002"), "gone", now=boards.now)
    await boards.pull(source, *names(3))
    await boards.pull(source, *names(2))
    assert boards.open() == names(3)
    [watched] = (await boards.memory(source, *names(2))).watched
    assert watched.probed is None and watched.missed == 1


async def test_a_page_is_gone_since_it_was_first_seen_to_be(boards: Boards):
    source = boards.add("north")
    await boards.pull(source, *names(3))
    posting = boards.posting("p002")
    async with boards.database.as_fleet() as unit:
        await note_look(unit, posting, "gone", now=START)
        later = await note_look(unit, posting, "filled", now=START + timedelta(days=1))
        assert later is not None and later.gone_since == START
        assert later.is_watched and later.is_listed and later.is_open and not later.is_doubted
        alive = await note_look(unit, posting, "open", now=START + timedelta(days=2))
        assert alive is not None and alive.gone_since is None
        assert await note_look(unit, PostingId(posting + 1_000), "open", now=START) is None


async def test_three_boards_that_fail_together_open_the_circuit_and_one_that_reads_ends_it(boards: Boards):
    sources = [boards.add(name) for name in ("north", "south", "east", "west")]
    for source in sources:
        await boards.pull(source, *names(5), hours=0.1)
    boards.now += timedelta(hours=6)
    failing = {"coverage": "failed", "problem": "platform_error"}
    for source in (boards.add("never read"), *sources[:2]):
        await boards.pull(source, hours=0.1, **failing)
    async with boards.database.as_fleet() as unit:
        assert not await incidents(unit), "a board that never read is no third"
    await boards.pull(sources[2], hours=0.1, **failing)
    async with boards.database.as_fleet() as unit:
        [incident] = await incidents(unit)
    assert (incident.platform, incident.boards, incident.problem) == ("ashby", 3, "platform_error")
    held = await boards.pull(sources[3], *names(1), hours=0.1)
    assert not held.counted and not held.misses
    trial = await boards.pull(sources[0], *names(5), hours=1)
    assert trial.counted
    async with boards.database.as_fleet() as unit:
        assert not await incidents(unit)


async def test_an_empty_board_is_remembered_whole(boards: Boards):
    source = boards.add("north")
    await boards.pull(source, *names(6))
    decisions = await boards.pull(source, coverage="surprising_empty")
    assert decisions.held == 6 and len(decisions.probes) == 6
    async with boards.database.as_fleet() as unit:
        await note_look(unit, decisions.probes[0], "filled", now=boards.now)
    await boards.pull(source, coverage="surprising_empty")
    await boards.pull(source, coverage="surprising_empty")
    assert boards.open() == []
    missed = boards.owner.execute("SELECT DISTINCT missed FROM listings").fetchall()
    assert missed == [(1,)], "it is plainly empty from here on"
