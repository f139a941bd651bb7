"""A row or an application without a day: the same application as long as nothing says otherwise."""

from datetime import date

import pytest
from fixtures.matching import MatchRunner
from fixtures.samples import Samples
from fixtures.trackers import Tables, told

from matcher.applications.store import application
from matcher.trackers import importing, tasks
from matcher.trackers.tasks import apply_tracker
from schema.tasks import ApplyTracker
from schema.vocabulary import EventKind

HEAD = "Company,Role,Applied,Link,Requisition\n"
ROW = f"{HEAD}Contoso,Writer,2026-03-12,,\n"


def attached(samples: Samples) -> list[tuple[object, ...]]:
    return samples.rows("SELECT message_id, application_id FROM attachments ORDER BY message_id")


@pytest.mark.parametrize(("recorded", "row"), [(None, "2026-03-12"), (date(2026, 3, 12), "")])
async def test_an_unknown_day_is_no_other_day(
    tables: Tables, samples: Samples, match: MatchRunner, recorded: date | None, row: str
):
    tables.clock.move(days=30)
    known = samples.application("Contoso", "Writer", applied=recorded)
    receipt = samples.message("acknowledgement", sent=12.1, employer="Contoso", role="Writer")
    await match()
    assert attached(samples) == [(receipt, known)]
    text = f"{HEAD}Contoso,Writer,{row},https://contoso.example/1,\n"
    assert await tables.counts(text) == (0, 1, 0)
    done = await tables.applied(text)
    assert told(done) == ("applied", 0, 1, 0)
    await match()
    async with tables.unit() as unit:
        one = await application(unit, known)
    assert (one.applied_on, one.canonical_url) == (date(2026, 3, 12), "https://contoso.example/1")
    assert (one.stage, attached(samples)) == ("acknowledged", [(receipt, known)])
    back = await tables.undone(done.id)
    assert (back.state, back.rows_kept) == ("undone", 0)
    await match()
    async with tables.unit() as unit:
        one = await application(unit, known)
    assert (one.applied_on, one.canonical_url, one.stage) == (recorded, None, "acknowledged")
    assert attached(samples) == [(receipt, known)]


async def test_where_the_day_is_open_and_several_fit_the_row_only_says_so(tables: Tables, samples: Samples):
    tables.clock.move(days=30)
    first = samples.application("Contoso", "Writer", applied=None)
    second = samples.application("Contoso", "Writer", applied=date(2026, 2, 20))
    third = samples.application("Contoso", "Writer", applied=None)
    assert await tables.planned(ROW) == [("new", (first, third))]
    samples.merge(third, into=first)
    assert await tables.planned(ROW) == [("new", (first,))]
    samples.merge(second, into=first)
    assert await tables.planned(ROW) == [("known", ())]
    samples.rows("UPDATE applications SET merged_into_id = NULL WHERE id = %s", third)
    done = await tables.applied(ROW)
    assert told(done) == ("applied", 1, 0, 0)
    ((made,),) = samples.rows("SELECT max(id) FROM applications")
    asked = samples.rows("SELECT application_id FROM pairs WHERE other_application_id = %s", made)
    assert (first,) in asked


@pytest.mark.parametrize(
    ("number", "link", "mail"),
    [
        ("R-100", "", None),
        ("", "https://contoso.example/2", None),
        ("", "", ("acknowledgement", 3)),
        ("", "", ("acknowledgement", 60)),
        ("", "", ("rejection", 3)),
    ],
)
async def test_a_row_of_unknown_day_is_another_when_something_contradicts(
    tables: Tables,
    samples: Samples,
    match: MatchRunner,
    number: str,
    link: str,
    mail: tuple[EventKind, int] | None,
):
    tables.clock.move(days=90)
    samples.application(
        "Contoso", "Writer", applied=None, url="https://contoso.example/1", requisition="R-200"
    )
    if mail:
        samples.message(mail[0], sent=mail[1], employer="Contoso", role="Writer")
        await match()
        assert len(attached(samples)) == 1
    assert await tables.planned(f"{HEAD}Contoso,Writer,2026-03-12,{link},{number}\n") == [("new", ())]


async def test_two_rows_of_one_file_are_two_however_long_it_is(
    tables: Tables, samples: Samples, monkeypatch: pytest.MonkeyPatch
):
    tables.clock.move(days=30)
    known = samples.application("Contoso", "Writer", applied=None)
    text = f"{ROW}Contoso,Writer,,,\nContoso,Writer,2026-02-01,,\n"
    rows = [("known", ()), ("new", (known,)), ("new", (-2,))]
    assert await tables.planned(text) == rows
    monkeypatch.setattr(importing, "AT_ONCE", 1)
    monkeypatch.setattr(tasks, "PORTION", 1)
    done = await tables.applied(text)
    await apply_tracker(tables.run(), ApplyTracker(import_id=done.id))
    assert told(await tables.one(done.id)) == ("applied", 2, 1, 0)
    assert await tables.counts(text) == (0, 3, 0)
