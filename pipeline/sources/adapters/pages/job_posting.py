"""A schema.org JobPosting as a listing, in the words of the page. Pure.

What an employer did not say stays unknown: `estimatedSalary` is somebody else's guess, and `validThrough` is
advice that never closes anything. Both stay in the record.
"""

import hashlib
from html import unescape

import msgspec

from pipeline.sources.adapters.amounts import amount, one_range
from pipeline.sources.adapters.labels import agreed, employment_called, interval_called
from pipeline.sources.adapters.pages.things import Thing, plain
from pipeline.sources.stamps import posted
from pipeline.sources.types import EmploymentType, Listing, Pay, PayInterval, PlaceHint, Workplace

_MAX_PLACES = 100
_MAX_RECORD_BYTES = 200_000


def listing_of(
    posting: Thing, *, vendor_id: str, page_url: str, workplace_signals: tuple[str, ...] = ()
) -> Listing:
    """`workplace_signals` are what the platform says besides the posting itself."""
    places = _places(posting)
    signals = (*_signals(posting), *workplace_signals)
    whole = msgspec.json.encode(plain(posting), order="sorted")
    return Listing(
        vendor_id=vendor_id,
        record=_record(posting),
        fingerprint=hashlib.sha256(whole).hexdigest(),
        title=_short_text(posting.text("title", "name")),
        requisition_id=_requisition(posting),
        company=_company(posting),
        locations=tuple(dict.fromkeys(place.text for place in places if place.text)),
        places=places,
        workplace=_workplace(posting),
        workplace_signals=signals,
        employment_type=employment(posting.texts("employmentType")),
        pay=_pay(posting),
        posted=posted(posting.text("datePosted"), "last_published"),
        page_url=page_url,
        language=posting.text("inLanguage") or None,
        description=_description(posting),
    )


def _record(posting: Thing) -> bytes:
    record = msgspec.json.encode(plain(posting, "description"))
    return record if len(record) <= _MAX_RECORD_BYTES else b"{}"


def _short_text(text: str) -> str:
    """Entities undone once, since many write them into values that are no HTML; tags are left alone."""
    return " ".join(unescape(text).split())


def _description(posting: Thing) -> str | None:
    text = posting.text("description")
    if not text:
        return None
    # Escaped once more than it needs: no tag stands in it, and undoing one layer brings them out.
    return unescape(text) if "<" not in text and "&lt;" in text else text


def _company(posting: Thing) -> str | None:
    for organization in posting.things("hiringOrganization"):
        if name := _short_text(organization.text("name", "legalName")):
            return name
    return _short_text(posting.text("hiringOrganization")) or None


def _requisition(posting: Thing) -> str | None:
    for identifier in posting.things("identifier"):
        if value := identifier.text("value"):
            return value
    return posting.text("identifier") or None


def _places(posting: Thing) -> tuple[PlaceHint, ...]:
    found = [_place(each) for each in posting.things("jobLocation")]
    found += [PlaceHint(text=_short_text(text)) for text in posting.texts("jobLocation")]
    if not found:
        areas = posting.things("applicantLocationRequirements")
        names = [each.text("name") for each in areas] + posting.texts("applicantLocationRequirements")
        found = [PlaceHint(text=_short_text(name), country=_short_text(name)) for name in names if name]
    told = [place for place in found if place.text]
    return tuple(dict.fromkeys(told[:_MAX_PLACES]))


def _place(location: Thing) -> PlaceHint:
    address = next(iter(location.things("address")), None)
    if address is None:
        parts = location if location.text("addressLocality", "addressCountry") else None
        whole = _short_text(location.text("address") or location.text("name"))
        return PlaceHint(text=whole) if parts is None else _place_in_parts(parts, location)
    return _place_in_parts(address, location)


def _place_in_parts(address: Thing, location: Thing) -> PlaceHint:
    city, region = _short_text(address.text("addressLocality")), _short_text(address.text("addressRegion"))
    country = _short_text(_country(address))
    text = ", ".join(dict.fromkeys(part for part in (city, region, country) if part))
    spare = _short_text(address.text("streetAddress") or location.text("name"))
    return PlaceHint(text=text or spare, city=city or None, region=region or None, country=country or None)


def _country(address: Thing) -> str:
    for country in address.things("addressCountry"):
        if name := country.text("name", "alternateName", "identifier", "@id"):
            return name
    return address.text("addressCountry")


def _workplace(posting: Thing) -> Workplace | None:
    told = {each.upper() for each in posting.texts("jobLocationType")}
    return "remote" if "TELECOMMUTE" in told else None


def _signals(posting: Thing) -> tuple[str, ...]:
    return tuple(f"jobLocationType={each}" for each in posting.texts("jobLocationType")[:5])


def employment(words: list[str]) -> EmploymentType | None:
    """The one kind that is named; an internship is one whatever its hours."""
    parts = [part.replace("_", " ") for each in words for part in each.split(",")]
    named: set[EmploymentType | None] = {employment_called(part) for part in parts}
    if "intern" in named:
        return "intern"
    return agreed(named)


def _pay(posting: Thing) -> Pay | None:
    """One range in one currency, or nothing: several are several tiers, which are never joined."""
    salaries = posting.things("baseSalary")
    if not salaries:
        figure = amount(posting.number("baseSalary"))
        unit = interval_called(posting.text("salaryUnit", "unitText"))
        return one_range(figure, figure, posting.text("salaryCurrency"), unit)
    if len(salaries) != 1 or len(salaries[0].things("value")) > 1:
        return None
    salary = salaries[0]
    value = next(iter(salary.things("value")), salary)
    currency = salary.text("currency") or value.text("currency") or posting.text("salaryCurrency")
    low, high = _ends(value)
    return one_range(low, high, currency, _unit(salary, value))


def _ends(value: Thing) -> tuple[float | None, float | None]:
    low, high = amount(value.number("minValue")), amount(value.number("maxValue"))
    if low is None and high is None:
        low = high = amount(value.number("value"))
    return low, high


def _unit(salary: Thing, value: Thing) -> PayInterval | None:
    return interval_called(value.text("unitText", "unitCode") or salary.text("unitText", "unitCode"))
