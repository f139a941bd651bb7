"""Drift in the catalog is found, told, and mended once."""

from fixtures.scripted_boards import ScriptedBoards, shown, whole

from pipeline.keeping.reconcile import Drift, reconcile


async def test_rows_that_contradict_each_other_are_found_and_mended(catalog: ScriptedBoards):
    source = await catalog.source()
    gone = await catalog.source("lever")
    await catalog.pull(source, whole(*(shown(name) for name in ("Pilot", "Cook", "Mate", "Clerk"))))
    await catalog.pull(gone, whole(shown("Smith")))
    sound = await reconcile(catalog.db, catalog.clock, mends=True)
    assert sound.total == 0

    catalog.rows("DELETE FROM sources WHERE id = %s", gone)
    catalog.rows(
        "UPDATE postings SET closed_at = %s - interval '1 day', closed_reason = 'not_listed'"
        " WHERE title = 'Cook'",
        catalog.clock.now(),
    )
    catalog.rows(
        "DELETE FROM posting_events WHERE posting_id = (SELECT id FROM postings WHERE title = 'Mate')"
    )
    catalog.rows(
        "UPDATE listings SET posting_id = (SELECT id FROM postings WHERE title = 'Pilot')"
        " WHERE vendor_id = 'clerk'"
    )
    # A listing at the wrong posting leaves the right one without any board.
    drift = Drift(mislinked=1, unshown=2, shown_but_closed=1, untold=2)
    assert await reconcile(catalog.db, catalog.clock, mends=False) == drift
    assert await reconcile(catalog.db, catalog.clock, mends=False) == drift
    mended = await reconcile(catalog.db, catalog.clock, mends=True)
    assert mended.total > 0
    assert (await reconcile(catalog.db, catalog.clock, mends=True)).total == 0
    assert catalog.rows("SELECT title, closed_reason FROM postings ORDER BY title") == [
        ("Clerk", None),
        ("Cook", None),
        ("Mate", None),
        ("Pilot", None),
        ("Smith", "board_removed"),
    ]
    events = (
        "SELECT e.event, e.reason FROM posting_events e JOIN postings p ON p.id = e.posting_id"
        " WHERE p.title = %s"
    )
    assert catalog.rows(events + " ORDER BY e.at, e.id", "Mate") == [("opened", "first shown")]
    assert catalog.rows(events + " ORDER BY e.id", "Smith")[-1] == ("closed", "board_removed")
    assert (
        await catalog.pull(source, whole(*(shown(name) for name in ("Pilot", "Cook", "Mate", "Clerk"))))
    ).word == "nothing_new"
