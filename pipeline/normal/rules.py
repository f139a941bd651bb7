"""What a listing means, in the columns of `postings`. Pure: what goes in settles what comes out."""

from datetime import datetime

from pipeline.normal.dates import likely_posted
from pipeline.normal.employment import employment_type
from pipeline.normal.pay import pay_of
from pipeline.normal.places import places_of
from pipeline.normal.seniority import seniority_hint
from pipeline.normal.titles import titled
from pipeline.normal.types import Normal
from pipeline.normal.workplace import workplace_of
from pipeline.sources.types import Listing

#: Words of level and kind stand in the first of them.
_MAX_TITLE_CHARS = 300


def normal(listing: Listing, text: str | None, now: datetime) -> Normal:
    """`text` is the description as people read it; None when it was not fetched. Never raises."""
    title = titled(listing.title)
    short = title[:_MAX_TITLE_CHARS]
    places = places_of(listing, short)
    workplace = workplace_of(listing, short, text)
    countries = tuple(dict.fromkeys(each.country for each in places if each.country))
    pay, pay_text = pay_of(listing.pay, text, countries)
    return Normal(
        title=title,
        places=places,
        countries=countries,
        workplace=workplace.workplace,
        workplace_conflict=workplace.conflicts,
        workplace_signals=workplace.signals,
        employment_type=employment_type(listing.employment_type, short),
        seniority=seniority_hint(short),
        pay=pay,
        pay_text=pay_text,
        posted=likely_posted(listing.posted, now),
    )
