"""A preview ends while somebody still waits and says that it saw a part, or why no board was found."""

from datetime import UTC, datetime

import pytest
from emulators.web import Reply, Web
from emulators.workday import WorkdaySite, jobs

from pipeline.previews import reading
from pipeline.previews.reading import looked_at, previewed
from pipeline.sources.client import Fetcher
from pipeline.sources.find import asked_for
from pipeline.sources.registry import place_of
from pipeline.sources.types import PullProblem


async def test_a_preview_stops_after_its_time_and_tells_what_it_saw(
    web: Web, fetch: Fetcher, monkeypatch: pytest.MonkeyPatch
):
    site = WorkdaySite(jobs=jobs(130))
    web.sites[site.host] = site
    place = place_of(f"https://{site.host}/{site.name}")
    now = datetime.now(UTC)
    whole = await previewed(place, fetch, company=None, now=now)
    assert (whole.coverage, whole.listings) == ("complete", 130)
    monkeypatch.setattr(reading, "MOST_SECONDS", 0.0)
    asked = len(web.pages())
    part = await previewed(place, fetch, company=None, now=now)
    assert (part.coverage, part.listings, len(web.pages()) - asked) == ("partial", 20, 1)
    assert (whole.is_cut, part.is_cut, part.evidence.problem) == (False, True, None)


@pytest.mark.parametrize(
    ("reply", "problem", "said"),
    [
        (Reply(b"x" * 100, kept=10), "cut_short", "the answer was cut short"),
        (Reply(b'"https://jobs.smartrecruiters.com/A"'), "policy_forbid", "a board that is not read"),
        (Reply(b"<h1>Join us</h1>"), None, "its page shows none"),
        (Reply(b"", 404), None, "status 404"),
    ],
)
async def test_a_page_without_a_board_to_read_says_why(
    web: Web, fetch: Fetcher, reply: Reply, problem: PullProblem | None, said: str
):
    web.sites["careers.northwind.example"] = lambda _: reply
    asked = asked_for("https://careers.northwind.example/jobs", datetime.now(UTC))
    place, found = await looked_at(asked, fetch, company=None, now=datetime.now(UTC))
    assert (place, found.coverage, found.evidence.problem) == (asked, "failed", problem)
    assert said in found.refusal
