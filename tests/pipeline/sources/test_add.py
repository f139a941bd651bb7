"""Any address of a board makes it a source, once; what cannot or may not be read is refused with a reason."""

import pytest
from fixtures.people import FixedClock

from pipeline.sources import registry, store
from pipeline.sources.add import add_source
from pipeline.sources.registry import NotABoard, PlatformForbidsReading, PlatformNotRead, place_of
from schema.db import Database
from schema.errors import Refusal
from schema.identity.platforms import PLATFORMS

UUID = "3414ba28-35f7-45d3-8e13-35c883959635"


@pytest.mark.parametrize(
    "url",
    ["https://jobs.ashbyhq.com/Northwind", " http://jobs.ashbyhq.com/Northwind/ ",
     f"https://jobs.ashbyhq.com/Northwind/{UUID}/application?utm_source=x",
     "https://api.ashbyhq.com/posting-api/job-board/Northwind?includeCompensation=true"],
)  # fmt: skip
def test_any_address_of_a_board_names_it_as_it_is_written(url):
    place = place_of(url)
    assert (place.platform, place.board) == ("ashby", "Northwind")


@pytest.mark.parametrize(
    ("url", "refusal", "word"),
    [
        ("nonsense", NotABoard, "not a web address"),
        ("javascript:alert(1)", NotABoard, "not a web address"),
        ("https://northwind.example/careers", NotABoard, "names no board"),
        (f"https://northwind.example/careers?ashby_jid={UUID}", NotABoard, "names no board"),
        (f"https://jobs.ashbyhq.com/{'n' * 301}", NotABoard, "Ashby, but names no board"),
        ("https://apply.workable.com/j/ABCDEF1234", NotABoard, "Workable, but names no board"),
        ("https://jobs.smartrecruiters.com/Northwind", PlatformForbidsReading, "robots"),
        ("https://www.linkedin.com/jobs/view/12345", PlatformForbidsReading, "LinkedIn's terms"),
        ("https://northwind.bamboohr.com/careers", PlatformForbidsReading, "terms"),
        ("https://northwind.breezy.hr/", PlatformForbidsReading, "terms"),
        ("https://northwind.freshteam.com/jobs", PlatformNotRead, "Freshteam"),
        ("https://jobs.jobvite.com/northwind/jobs", PlatformNotRead, "retired"),
        (
            "https://northwind.fa.us2.oraclecloud.com/hcmUI/CandidateExperience/en/sites/CX_1",
            PlatformForbidsReading,
            "internal",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(url, refusal, word):
    with pytest.raises(refusal) as raised:
        place_of(url)
    assert word in raised.value.detail
    assert raised.value.field == "url"
    assert isinstance(raised.value, Refusal)


def test_the_tables_of_platforms_agree():
    known = {platform.name for platform in PLATFORMS}
    assert known >= registry.ADAPTERS.keys() | registry.POLICY.keys() | registry.RETIRED.keys()
    assert not registry.ADAPTERS.keys() & (registry.POLICY.keys() | registry.RETIRED.keys())
    assert registry.ADAPTERS.keys() >= registry.CLOSING.keys()


async def test_a_board_is_added_once_whatever_the_case_of_its_name(database: Database, clock: FixedClock):
    added = []
    for url in ("https://jobs.ashbyhq.com/Northwind", "https://jobs.ashbyhq.com/northwind"):
        async with database.as_fleet() as unit:
            added.append(await add_source(unit, url, company=" North\x00wind ", now=clock.now()))
    assert [each.is_new for each in added] == [True, False]
    assert added[0].source_id == added[1].source_id
    async with database.as_fleet() as unit:
        (source,) = await store.every_source(unit)
    assert (source.board, source.company, source.enabled) == ("Northwind", "Northwind", True)
    assert (source.last_pull_at, source.newest_pull_id) == (None, None)
