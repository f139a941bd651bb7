"""What a reading of a board would become: admitted or refused by which rule, and what stays unknown. Pure."""

from collections.abc import Iterable
from datetime import datetime

from pipeline.postings.types import PostingRow
from pipeline.previews.types import Preview, Ruled, Sample, Unknown
from pipeline.sources.admission import Verdict
from pipeline.sources.records import judged
from pipeline.sources.registry import Place
from pipeline.sources.types import BoardReading, Listing, Source
from schema.ids import SourceId
from schema.text import clean, shorten

_EXAMPLES = 3
_SAMPLES = 8
_MAX_CHARS = 200

_Judged = tuple[Listing, Verdict, PostingRow | None]


def preview_of(place: Place, reading: BoardReading, *, company: str | None, now: datetime) -> Preview:
    """Costly for large boards: run it in a thread. Texts are not looked into."""
    source = _source(place, company)
    verdicts = judged(source, reading.listings, [None] * len(reading.listings), now)
    found: list[_Judged] = [
        (each, *verdict) for each, verdict in zip(reading.listings, verdicts, strict=True)
    ]
    postings = [posting for _, _, posting in found if posting is not None]
    return Preview(
        coverage=reading.coverage,
        evidence=reading.evidence,
        listings=len(found),
        admitted=len(postings),
        refused=_ruled(each for each in found if not each[1].is_admitted),
        marked=_ruled(each for each in found if each[1].is_admitted and each[1].reason),
        samples=[_sample(posting) for posting in postings[:_SAMPLES]],
        unknown=_unknown(postings),
    )


def _source(place: Place, company: str | None) -> Source:
    return Source(
        id=SourceId(0),
        platform=place.platform,
        board=place.board,
        company=company,
        url=place.url,
        enabled=True,
        failures_in_a_row=0,
        blocked_until=None,
        last_pull_at=None,
        last_complete_at=None,
        etag=None,
        last_modified=None,
        read_whole_at=None,
        rests_until=None,
        off_since=None,
        off_reason=None,
        newest_pull_id=None,
    )


def _ruled(found: Iterable[_Judged]) -> list[Ruled]:
    """By rule and reason, the most frequent first."""
    titles: dict[tuple[str, str], list[str]] = {}
    for listing, verdict, _ in found:
        named = shorten(clean(listing.title).strip(), _MAX_CHARS) or f"without a title ({listing.vendor_id})"
        titles.setdefault((verdict.rule, verdict.reason or ""), []).append(shorten(clean(named), _MAX_CHARS))
    ruled = [
        Ruled(rule=rule, reason=reason, number=len(named), examples=named[:_EXAMPLES])
        for (rule, reason), named in titles.items()
    ]
    return sorted(ruled, key=lambda each: -each.number)


def _sample(posting: PostingRow) -> Sample:
    return Sample(
        title=posting.title,
        company=posting.company,
        places=posting.locations[:_EXAMPLES],
        workplace=posting.workplace,
    )


def _unknown(postings: list[PostingRow]) -> list[Unknown]:
    counts = {
        "employer": sum(each.company is None for each in postings),
        "place": sum(not each.locations for each in postings),
        "country": sum(not each.countries for each in postings),
        "workplace": sum(each.workplace is None for each in postings),
        "kind of employment": sum(each.employment_type is None for each in postings),
        "pay in fields": sum(each.pay_source != "field" for each in postings),
        "date": sum(each.posted_at is None and each.posted_on is None for each in postings),
    }
    return [Unknown(what=what, number=number) for what, number in counts.items() if number]
