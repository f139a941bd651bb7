"""A preview of a board of many pages ends while somebody still waits, and says that it saw a part."""

from datetime import UTC, datetime

import pytest
from emulators.web import Web
from emulators.workday import WorkdaySite, jobs

from pipeline.previews import reading
from pipeline.previews.reading import previewed
from pipeline.sources.client import Fetcher
from pipeline.sources.registry import place_of


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
