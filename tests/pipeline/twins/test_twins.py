"""One opening on two platforms is suggested with its evidence; a title alone suggests nothing."""

import msgspec
import pytest
from fixtures.scripted_boards import ScriptedBoards, shown, whole

from pipeline.twins.rules import TwinSide, twin_evidence, twin_key
from pipeline.twins.tasks import find_twins
from schema.ids import PostingId
from schema.tasks import FindTwins

WORDS = [f"word{number}" for number in range(120)]
SIDE = TwinSide(
    id=PostingId(1),
    platform="ashby",
    board="northwind",
    locations=["Oslo, Norway"],
    countries=["NO"],
    workplace=None,
    requisition_id=None,
    apply_url="https://jobs.ashbyhq.com/northwind/1/application",
    canonical_url="https://jobs.ashbyhq.com/northwind/1",
    description_hash="a" * 64,
    text=" ".join(WORDS),
)


def other(**changed: object) -> TwinSide:
    base = {
        "id": PostingId(2),
        "platform": "lever",
        "locations": ["Oslo"],
        "apply_url": "https://jobs.lever.co/northwind/2/apply",
        "canonical_url": "https://jobs.lever.co/northwind/2",
        "description_hash": "b" * 64,
        "text": "something else",
    }
    return msgspec.structs.replace(SIDE, **{**base, **changed})


def test_a_key_needs_an_employer_and_a_title():
    assert twin_key("Northwind GmbH", "Senior Pilot") == twin_key("northwind", "Senior  pilot")
    assert twin_key("Northwind", "Architect (Agentforce)") != twin_key("Northwind", "Architect (Data Cloud)")
    assert twin_key(None, "Pilot") is None
    assert twin_key(" - ", "Pilot") is None
    assert twin_key("Northwind", "***") is None


@pytest.mark.parametrize(
    ("twin", "evidence"),
    [
        (other(), []),
        (other(description_hash="a" * 64), ["same_text"]),
        (other(text=" ".join(WORDS).upper()), ["same_text"]),
        (other(text=" ".join([*WORDS[:118], "and", "more"])), ["near_text"]),
        (other(text=" ".join(reversed(WORDS))), []),
        (other(text=" ".join(WORDS), locations=["Bergen"]), []),
        (other(text=" ".join(WORDS), locations=[]), []),
        (other(text=" ".join(WORDS), platform="ashby"), []),
        (other(apply_url=SIDE.canonical_url), ["same_apply_url"]),
    ],
)
def test_a_twin_needs_a_place_and_something_no_two_openings_share(twin, evidence):
    assert twin_evidence(SIDE, twin) == evidence
    assert twin_evidence(twin, SIDE) == evidence


def test_a_requisition_is_evidence_and_remote_in_one_country_is_a_place():
    mine = msgspec.structs.replace(SIDE, requisition_id="R-100231", workplace="remote", locations=["Remote"])
    theirs = other(requisition_id="r100231", workplace="remote", locations=["Anywhere"])
    assert twin_evidence(mine, theirs) == ["same_requisition"]
    abroad = msgspec.structs.replace(theirs, countries=["DE"])
    assert twin_evidence(mine, abroad) == []
    assert twin_evidence(mine, msgspec.structs.replace(theirs, requisition_id="R-100232")) == []


async def test_a_pull_has_twins_looked_for_and_nothing_is_merged(catalog: ScriptedBoards):
    text = f"<p>{' '.join(WORDS)}</p>"
    ashby = await catalog.source("ashby")
    lever = await catalog.source("lever", company="Northwind Inc.")
    await catalog.pull(ashby, whole(shown("Pilot", description=text), shown("Cook")))
    await catalog.pull(
        lever,
        whole(
            shown("Pilot", vendor_id="l1", description=text + "<p>Apply now</p>"),
            shown("Cook", vendor_id="l2", description="<p>Another kitchen</p>"),
        ),
    )

    async def look() -> None:
        for (ids,) in catalog.rows(
            "SELECT payload->'posting_ids' FROM tasks WHERE kind = 'catalog.twins.v1'"
        ):
            wanted = tuple(msgspec.json.decode(ids, type=list[int]) if isinstance(ids, bytes) else ids)
            await find_twins(catalog.run(), FindTwins(posting_ids=wanted))

    await look()
    found = (
        "SELECT p.title, t.title, s.evidence FROM twin_suggestions s"
        " JOIN postings p ON p.id = s.posting_id JOIN postings t ON t.id = s.twin_id"
    )
    assert catalog.rows(found) == [("Pilot", "Pilot", ["near_text"])]
    assert catalog.one("SELECT count(*) FROM postings") == 4
    before = catalog.rows("SELECT xmin::text FROM twin_suggestions")
    await look()
    assert catalog.rows("SELECT xmin::text FROM twin_suggestions") == before
    # A text that changed speaks for one opening no longer.
    await catalog.pull(
        lever,
        whole(
            shown("Pilot", vendor_id="l1", description="<p>Other</p>"),
            shown("Cook", vendor_id="l2", description="<p>Another kitchen</p>"),
        ),
    )
    await look()
    assert catalog.rows(found) == []
