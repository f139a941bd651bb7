"""What pulls leave behind on a real PostgreSQL: validators, closes, failures, and nothing by halves."""

import asyncio
from datetime import timedelta

import pytest
from fixtures.scripted_boards import ScriptedBoards, broken, partly, shown, unchanged, whole

from pipeline.sources import settling, tasks
from pipeline.sources.rules import MOST_FAILURES, WHOLE_EVERY
from pipeline.sources.store import switch_on
from pipeline.sources.tasks import sweep
from pipeline.sources.types import Validators
from pipeline.worker.types import Permanent, Transient
from schema.tasks import PullDueSources

PILOT, COOK = shown("Pilot"), shown("Cook")


async def test_an_unchanged_board_shows_what_it_showed_and_writes_no_row(catalog: ScriptedBoards):
    source = await catalog.source()
    await catalog.pull(source, whole(PILOT, COOK, etag='"1"'))
    before = catalog.versions()
    catalog.clock.move(hours=6)
    assert (await catalog.pull(source, unchanged())).word == "nothing_new"
    assert catalog.adapters["ashby"].known == [None, Validators(etag='"1"')]
    assert catalog.versions() == before
    assert catalog.rows(
        "SELECT coverage, observed, refused, written FROM pulls ORDER BY id DESC LIMIT 1"
    ) == [("complete", 2, 0, 0)]
    assert catalog.one("SELECT last_complete_at FROM sources") == catalog.clock.now()
    # It is read whole at times all the same: validators were seen that never change.
    catalog.clock.move(seconds=WHOLE_EVERY.total_seconds())
    await catalog.pull(source, whole(PILOT, COOK, etag='"1"'))
    assert catalog.adapters["ashby"].known[-1] is None


async def test_what_was_not_whole_leaves_nothing_to_ask_again_with(catalog: ScriptedBoards):
    source = await catalog.source()
    validators = "SELECT etag FROM sources"
    await catalog.pull(source, whole(PILOT, etag='"1"'))
    assert catalog.one(validators) == '"1"'
    # Nothing was read, and nothing written: the whole state from before is still the one that is known.
    with pytest.raises(Transient):
        await catalog.pull(source, broken("cut_short"))
    assert catalog.one(validators) == '"1"'
    # Rows of a list that was cut: "unchanged" would now speak of another state than the one stored.
    await catalog.pull(source, partly(shown("Pilot", locations=("Bergen",))))
    assert catalog.one(validators) is None
    assert catalog.one("SELECT count(*) FROM listings WHERE missed > 0") == 0


async def test_a_posting_that_is_no_longer_listed_closes_and_comes_back_as_itself(catalog: ScriptedBoards):
    source = await catalog.source()
    crew = [shown(f"Mate {number}") for number in range(4)]
    await catalog.pull(source, whole(PILOT, COOK, *crew))
    posting = catalog.one("SELECT id FROM postings WHERE title = 'Cook'")
    catalog.clock.move(days=4)
    await catalog.pull(source, whole(PILOT, *crew))
    closed = "SELECT closed_at, closed_reason FROM postings WHERE title = 'Cook'"
    assert catalog.rows(closed) == [(catalog.clock.now(), "not_listed")]
    assert catalog.one("SELECT closed FROM pulls ORDER BY id DESC LIMIT 1") == 1
    catalog.clock.move(hours=6)
    await catalog.pull(source, whole(PILOT, COOK, *crew))
    assert catalog.rows("SELECT id, closed_at, description_state FROM postings WHERE title = 'Cook'") == [
        (posting, None, "stored")
    ]
    events = "SELECT event, reason, source_id, pull_id IS NOT NULL FROM posting_events WHERE posting_id = %s"
    assert catalog.rows(events + " ORDER BY id", posting) == [
        ("opened", "first shown", source, True),
        ("closed", "not_listed", source, True),
        ("reopened", "listed_again", source, True),
    ]


async def test_a_board_whose_rows_were_all_refused_is_not_empty(catalog: ScriptedBoards):
    source = await catalog.source()
    for _ in range(2):
        await catalog.pull(source, whole(shown("Ghost", is_listed=False)))
        catalog.clock.move(hours=6)
    assert catalog.rows("SELECT DISTINCT coverage, observed, refused FROM pulls") == [("complete", 1, 1)]
    assert catalog.one("SELECT count(*) FROM suspicions") == 0


async def test_a_posting_its_employer_takes_off_the_board_closes_though_its_row_stays(
    catalog: ScriptedBoards,
):
    """JazzHR and Ashby go on sending the row, and say in it that it is not listed."""
    source, other = await catalog.source(), await catalog.source(board="northwind-eu")
    crew = [shown(f"Mate {number}") for number in range(4)]
    await catalog.pull(source, whole(PILOT, COOK, *crew))
    await catalog.pull(other, whole(COOK))
    withdrawn = [shown(name, is_listed=False) for name in ("Pilot", "Cook")]
    await catalog.pull(source, partly(*withdrawn, *crew))
    closed = "SELECT title, closed_reason FROM postings WHERE closed_at IS NOT NULL ORDER BY title"
    assert catalog.rows(closed) == []
    await catalog.pull(source, whole(*withdrawn, *crew))
    assert catalog.rows(closed) == [("Pilot", "not_listed")]
    assert catalog.one("SELECT closed FROM pulls ORDER BY id DESC LIMIT 1") == 1
    await catalog.pull(source, whole(PILOT, COOK, *crew))
    assert catalog.rows(closed) == []
    # All of them at once are a doubt first, as any list that would close half a board.
    ghosts = [shown(f"Mate {number}", is_listed=False) for number in range(4)]
    gone = [*withdrawn, *ghosts]
    await catalog.pull(source, whole(*gone))
    assert catalog.rows(closed) == []
    assert catalog.rows("SELECT kind, held FROM suspicions WHERE settled_at IS NULL") == [("blast", 5)]
    catalog.clock.move(days=3)
    await catalog.pull(source, whole(*gone))
    assert len(catalog.rows(closed)) == 5
    assert catalog.one("SELECT count(*) FROM suspicions WHERE settled_at IS NULL") == 0


async def test_what_a_person_brought_is_not_closed_by_a_board_that_never_listed_it(catalog: ScriptedBoards):
    source = await catalog.source()
    await catalog.pull(source, whole(PILOT, COOK))
    catalog.rows("UPDATE posting_events SET source_id = NULL, pull_id = NULL")
    await catalog.pull(source, whole(COOK, shown("Pilot", is_listed=False)))
    assert catalog.one("SELECT count(*) FROM postings WHERE closed_at IS NOT NULL") == 0


async def test_one_title_with_two_requisitions_stays_two_postings(catalog: ScriptedBoards):
    source = await catalog.source()
    await catalog.pull(
        source,
        whole(
            shown("Architect (Agentforce)", vendor_id="1", requisition_id="R-1"),
            shown("Architect (Data Cloud)", vendor_id="2", requisition_id="R-2"),
            shown("Architect (Data Cloud)", vendor_id="3", requisition_id="R-3"),
        ),
    )
    assert catalog.rows("SELECT vendor_id, title, requisition_id FROM postings ORDER BY vendor_id") == [
        ("1", "Architect (Agentforce)", "R-1"),
        ("2", "Architect (Data Cloud)", "R-2"),
        ("3", "Architect (Data Cloud)", "R-3"),
    ]


async def test_a_board_that_fails_for_good_is_switched_off_until_a_person_wants_it(catalog: ScriptedBoards):
    source = await catalog.source()
    for number in range(MOST_FAILURES):
        assert catalog.rows("SELECT enabled, failures_in_a_row FROM sources") == [(True, number)]
        with pytest.raises(Permanent):
            await catalog.pull(source, broken("access_refused", status=403))
        catalog.clock.move(hours=80)
    enabled, since, why = catalog.rows("SELECT enabled, off_since, off_reason FROM sources")[0]
    assert not enabled
    assert since == catalog.clock.now() - timedelta(hours=80)
    assert "access_refused" in why
    assert (await catalog.pull(source, whole(PILOT))).word == "switched_off"
    assert (await sweep(catalog.run(), PullDueSources())).word == "nothing_due"
    async with catalog.db.as_fleet() as unit:
        assert await switch_on(unit, source)
    assert (await catalog.pull(source, whole(PILOT))).word == "complete"
    assert catalog.rows("SELECT enabled, off_since, off_reason, failures_in_a_row FROM sources") == [
        (True, None, None, 0)
    ]


async def test_a_crash_between_the_stages_changes_nothing(catalog: ScriptedBoards, monkeypatch):
    source = await catalog.source()
    await catalog.pull(source, whole(PILOT))
    before = catalog.rows("SELECT title, closed_at FROM postings"), catalog.one("SELECT count(*) FROM pulls")

    class Crash(Exception):
        """The process ends here."""

    for module, stage in (
        (tasks, "record_pull"),
        (settling, "write_listings"),
        (settling, "decided"),
        (settling, "ask_for_twins"),
        (settling.store, "note_pulled"),
    ):

        async def crash(*_: object, **__: object) -> None:
            raise Crash

        with monkeypatch.context() as patch:
            patch.setattr(module, stage, crash)
            with pytest.raises(Crash):
                await catalog.pull(source, whole(COOK, shown("Mate")))
        after = catalog.rows("SELECT title, closed_at FROM postings")
        assert (after, catalog.one("SELECT count(*) FROM pulls")) == before
        assert catalog.one("SELECT count(*) FROM tasks") == 1  # of the first pull
    await catalog.pull(source, whole(COOK, shown("Mate")))
    assert catalog.one("SELECT count(*) FROM postings WHERE closed_at IS NULL AND title <> 'Pilot'") == 2


async def test_of_two_pulls_at_once_one_stands_and_the_other_comes_again(catalog: ScriptedBoards):
    source = await catalog.source()
    reading = whole(*(shown(f"Mate {number}") for number in range(40)))
    outcomes = await asyncio.gather(
        *(catalog.pull(source, reading) for _ in range(3)), return_exceptions=True
    )
    assert [type(each) for each in outcomes].count(Transient) == 2
    assert catalog.rows("SELECT count(*), count(DISTINCT vendor_id) FROM listings") == [(40, 40)]
    assert catalog.one("SELECT count(*) FROM posting_events") == 40
    assert (await catalog.pull(source, reading)).word == "nothing_new"


async def test_a_list_without_texts_takes_nothing_from_a_posting_that_was_read(catalog: ScriptedBoards):
    source = await catalog.source()
    await catalog.pull(
        source, whole(shown("Pilot", locations=("Oslo", "Bergen"), employment_type="contract"))
    )
    told = "SELECT title, locations, employment_type, description_state FROM postings"
    await catalog.pull(
        source, whole(shown("Pilot", title="Senior Pilot", locations=("2 Places",), description=None))
    )
    assert catalog.rows(told) == [("Senior Pilot", ["Oslo", "Bergen"], "contract", "stored")]


async def test_a_row_without_its_employer_keeps_what_twins_are_found_by(catalog: ScriptedBoards):
    source = await catalog.source(company=None)
    key = "SELECT company, twin_key FROM postings"
    await catalog.pull(source, whole(shown("Pilot", company="Northwind AS")))
    known = catalog.rows(key)
    assert known[0][1] is not None
    bare = {"company": None, "description": None}
    await catalog.pull(source, whole(shown("Pilot", locations=("2 Places",), **bare)))
    assert catalog.rows(key) == known
    # Another title makes another key, which only the page can tell.
    await catalog.pull(source, whole(shown("Pilot", title="Steward", **bare)))
    assert catalog.rows(key) == [("Northwind AS", None)]
