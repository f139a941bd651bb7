"""What Rippling's rows and records say, in the catalog's words. Pure.

Pay is told in tiers, of levels or places: they are one range only where all of them are in one currency and
for one stretch of time. `createdOn` is when the posting was made, not when it was shown.
"""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from urllib.parse import quote

import msgspec

from pipeline.sources.adapters.labels import agreed, employment_called, interval_called, workplace_called
from pipeline.sources.reading import names, posted_at, told_in_parts
from pipeline.sources.rows import Row, fitted
from pipeline.sources.rules import currency_code, finite, usable_id
from pipeline.sources.types import EmploymentType, Listing, Pay, PlaceHint, Posted, PostingPlace, Workplace

_PLAUSIBLE = range(1990, 2100)
_DAY_CHARS = 10
#: The code; beside it `id` holds the employer's own words.
_EMPLOYMENT: dict[str, EmploymentType] = {
    "SALARIED_FT": "full_time",
    "HOURLY_FT": "full_time",
    "SALARIED_PT": "part_time",
    "HOURLY_PT": "part_time",
    "CONTRACTOR": "contract",
    "TEMP": "temporary",
    "INTERN": "intern",
}


class _Place(msgspec.Struct, frozen=True, rename="camel"):
    name: str | None = None
    label: str | None = None
    city: str | None = None
    state: str | None = None
    country: str | None = None
    country_code: str | None = None
    workplace_type: str | None = None

    @property
    def shown(self) -> str:
        return (self.name or self.label or "").strip()


class _Row(msgspec.Struct, frozen=True, rename="camel"):
    id: str | None = None
    uuid: str | None = None
    name: str = ""
    url: str | None = None
    locations: list[_Place] = []
    work_location: _Place | None = None
    language: str | None = None

    @property
    def vendor_id(self) -> str | None:
        return usable_id((self.id or self.uuid or "").lower())

    @property
    def places(self) -> list[_Place]:
        return self.locations or ([] if self.work_location is None else [self.work_location])


class _Employment(msgspec.Struct, frozen=True):
    label: str | None = None
    id: str | None = None


class _Tier(msgspec.Struct, frozen=True, rename="camel"):
    currency: str | None = None
    frequency: str | None = None
    range_start: float | None = None
    range_end: float | None = None


class _Record(msgspec.Struct, frozen=True, rename="camel"):
    uuid: str | None = None
    id: str | None = None
    name: str = ""
    url: str | None = None
    company_name: str | None = None
    description: dict[str, str | None] | str | None = None
    work_locations: list[str] = []
    locations: list[_Place] = []
    employment_type: _Employment | None = None
    created_on: str | None = None
    pay_range_details: list[_Tier] = []
    language: str | None = None


class Merged(msgspec.Struct, frozen=True, kw_only=True):
    """`repeated` rows were other places of a posting, `nameless` ones had no identity."""

    listings: tuple[Listing, ...]
    repeated: int
    nameless: int
    odd_fields: int


def merged(board: str, rows: Iterable[Row]) -> Merged:
    """One listing a posting, with the places of all its rows."""
    found: dict[str, list[tuple[Row, _Row]]] = {}
    nameless = read = odd_fields = 0
    for row in rows:
        told, odd = fitted(row, _Row)
        odd_fields += odd
        vendor_id = None if told is None else told.vendor_id
        if told is None or vendor_id is None:
            nameless += 1
            continue
        read += 1
        found.setdefault(vendor_id, []).append((row, told))
    return Merged(
        listings=tuple(_listing(board, vendor_id, each) for vendor_id, each in found.items()),
        repeated=read - len(found),
        nameless=nameless,
        odd_fields=odd_fields,
    )


def detailed(place: PostingPlace, row: Row) -> tuple[Listing | None, int]:
    """A posting's own record, as a listing of its board."""
    told, odd = fitted(row, _Record)
    vendor_id = None if told is None else usable_id((told.uuid or told.id or "").lower())
    if told is None or vendor_id is None or not told.name:
        return None, odd
    shown = [each.shown for each in told.locations] or told.work_locations
    return Listing(
        vendor_id=vendor_id,
        record=row.without("description"),
        fingerprint=row.fingerprint,
        title=told.name,
        company=told.company_name,
        locations=_distinct(shown),
        places=_hints(told.locations),
        workplace=_workplace(told.locations),
        workplace_signals=_signals(told.locations),
        employment_type=_employment(told.employment_type),
        pay=_pay(told.pay_range_details),
        posted=_posted(told.created_on),
        apply_url=place.apply_url or told.url,
        page_url=place.page_url,
        language=told.language,
        description=_description(told.description),
    ), odd


def _listing(board: str, vendor_id: str, rows: Sequence[tuple[Row, _Row]]) -> Listing:
    first_row, first = rows[0]
    places = [place for _, told in rows for place in told.places]
    own = f"https://ats.rippling.com/{quote(board, safe='')}/jobs/{vendor_id}"
    return Listing(
        vendor_id=vendor_id,
        record=_record(first_row, places),
        # In whatever order the rows of a posting come, and however often.
        fingerprint=_print(sorted({row.fingerprint for row, _ in rows})),
        title=first.name,
        locations=_distinct(place.shown for place in places),
        places=_hints(places),
        workplace=_workplace(places),
        workplace_signals=_signals(places),
        apply_url=first.url or own,
        page_url=first.url if names("rippling", vendor_id, first.url) else own,
        language=first.language,
    )


def _record(first: Row, places: list[_Place]) -> bytes:
    return msgspec.json.encode({**first.fields, "locations": msgspec.Raw(msgspec.json.encode(places))})


def _print(parts: list[str]) -> str:
    return hashlib.sha256("".join(parts).encode()).hexdigest()


def _distinct(shown: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in shown if name.strip()))


def _hints(places: Iterable[_Place]) -> tuple[PlaceHint, ...]:
    return told_in_parts(
        PlaceHint(
            text=place.shown, city=place.city, region=place.state, country=place.country_code or place.country
        )
        for place in places
    )


def _workplace(places: Iterable[_Place]) -> Workplace | None:
    told: list[Workplace | None] = [workplace_called(place.workplace_type) for place in places]
    return agreed(told)


def _signals(places: Iterable[_Place]) -> tuple[str, ...]:
    told = (place.workplace_type for place in places)
    return tuple(dict.fromkeys(f"workplaceType={each}" for each in told if each))


def _employment(told: _Employment | None) -> EmploymentType | None:
    if told is None:
        return None
    return _EMPLOYMENT.get(told.label or "") or employment_called(told.id)


def _pay(tiers: Iterable[_Tier]) -> Pay | None:
    """From the lowest tier's least to the highest one's most; tiers that cannot be compared say nothing."""
    ranges = [range_ for tier in tiers if (range_ := _range(tier)) is not None]
    if not ranges or len({(each.currency, each.interval) for each in ranges}) > 1:
        return None
    lows = [each.low for each in ranges if each.low is not None]
    highs = [each.high for each in ranges if each.high is not None]
    return msgspec.structs.replace(
        ranges[0], low=min(lows) if lows else None, high=max(highs) if highs else None
    )


def _range(tier: _Tier) -> Pay | None:
    low, high = finite(tier.range_start), finite(tier.range_end)
    if (low is None and high is None) or (low is not None and high is not None and low > high):
        return None
    return Pay(
        low=low,
        high=high,
        currency=currency_code(tier.currency),
        interval=interval_called(tier.frequency),
        source="field",
    )


def _posted(text: str | None) -> Posted | None:
    try:
        at = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    if at.tzinfo is not None and len(text or "") > _DAY_CHARS:
        return posted_at("created", at)
    on = date(at.year, at.month, at.day)
    return Posted(meaning="created", on=on) if on.year in _PLAUSIBLE else None


def _description(told: dict[str, str | None] | str | None) -> str | None:
    """The employer's part and the posting's, in the order of the answer."""
    if told is None or isinstance(told, str):
        return told
    return "\n".join(part for part in told.values() if part and part.strip())
