"""What the profile says for a meaning, as one text. Pure; says nothing where the profile says nothing."""

import re
from collections.abc import Callable

import msgspec

from extension_api.answers.meanings import Meaning
from extension_api.answers.words import word_set, words
from extension_api.countries import BY_CODE
from extension_api.profiles.types import Education, PayInterval, Profile, Work

_INTERVAL_WORDS: dict[str, PayInterval] = {
    "annual": "year",
    "annually": "year",
    "yearly": "year",
    "year": "year",
    "monthly": "month",
    "month": "month",
    "daily": "day",
    "day": "day",
    "hourly": "hour",
    "hour": "hour",
}
_CURRENCY_WORDS = word_set(
    "usd eur gbp chf cad aud nzd inr rs rupees lakh lakhs lpa ctc sek nok dkk pln czk huf ron jpy cny sgd "
    "hkd aed ils brl mxn zar try"
)
_TRUNK = re.compile(r"^\(?0\)?\s*")
_KEEPS_ITS_ZERO = "IT"


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """What the rest of the form asks, where it changes how one field is to be filled."""

    asks: frozenset[Meaning]


def value_of(meaning: Meaning, profile: Profile, form: Form, entry: int = 0) -> str:
    """The text, or "" when the profile does not say. `entry` counts repeated sections from 0."""
    if meaning in _WORK:
        return _WORK[meaning](profile.work[entry]) if entry < len(profile.work) else ""
    if meaning in _EDUCATION:
        return _EDUCATION[meaning](profile.education[entry]) if entry < len(profile.education) else ""
    reading = _READINGS.get(meaning)
    return reading(profile, form) if reading else ""


def country_name(code: str) -> str:
    return BY_CODE[code].name if code in BY_CODE else ""


def full_name(profile: Profile) -> str:
    return " ".join(part for part in (profile.first_name, profile.last_name) if part)


def place(profile: Profile) -> str:
    """ "London, United Kingdom": the city alone would name several places."""
    address = profile.address
    return ", ".join(part for part in (address.city, country_name(address.country)) if part and address.city)


def _phone(profile: Profile, form: Form) -> str:
    """A number without calling code gets it, or, where another field asks for the country, stands without
    the zero that is dialled only inside the country."""
    number, country = profile.phone.number, BY_CODE.get(profile.phone.country)
    if not number or number.startswith("+") or country is None:
        return number
    national = number if country.alpha_2 == _KEEPS_ITS_ZERO else _TRUNK.sub("", number)
    return national if "phone_country" in form.asks else f"+{country.calling_code} {national}"


def _phone_country(profile: Profile, _: Form) -> str:
    return country_name(profile.phone.country or profile.address.country)


def _address(profile: Profile, form: Form) -> str:
    """The street alone where the form has fields for the rest."""
    address = profile.address
    if form.asks & {"city", "postal_code", "region"}:
        return address.street
    return ", ".join(part for part in (address.street, address.city) if part and address.street)


def _postal_address(profile: Profile, _: Form) -> str:
    address = profile.address
    town = " ".join(part for part in (address.city, address.postal_code) if part)
    parts = (address.street, address.street_2, town, address.region, country_name(address.country))
    return ", ".join(part for part in parts if part) if address.street else ""


_PRECISION = {"date": 10, "month": 7, "year": 4}


def dated(value: str, typed: str) -> str:
    """A date for a field that asks for one of that precision, else "": half a date is none. A plain box gets
    the month as people write it."""
    if typed in _PRECISION:
        return value if len(value) >= _PRECISION[typed] else ""
    year, _, month = value.partition("-")
    return f"{month}/{year}" if len(month) == len("12") else value


def has_current_work(profile: Profile) -> bool:
    return any(work.is_current for work in profile.work)


def _current(profile: Profile) -> Work:
    """The position said to be current, else the first, which people list as their latest."""
    held = [work for work in profile.work if work.is_current] or profile.work
    return held[0] if held else Work()


def salary_text(profile: Profile, label: str) -> str:
    """The expectation with its unit, unless the label asks for another unit than the profile has."""
    salary = profile.salary
    if salary is None:
        return ""
    asked = words(label)
    intervals = {_INTERVAL_WORDS[word] for word in asked if word in _INTERVAL_WORDS}
    currencies = _CURRENCY_WORDS.intersection(asked)
    if intervals - {salary.interval} or currencies - {salary.currency.lower()}:
        return ""
    return f"{salary.amount} {salary.currency} per {salary.interval}"


_WORK: dict[Meaning, Callable[[Work], str]] = {
    "entry_company": lambda work: work.company,
    "entry_title": lambda work: work.title,
    "entry_location": lambda work: work.location,
    "entry_summary": lambda work: work.summary,
    "entry_start": lambda work: work.start,
    "entry_end": lambda work: "" if work.is_current else work.end,
    "entry_current": lambda work: "Yes" if work.is_current else "",
}
_EDUCATION: dict[Meaning, Callable[[Education], str]] = {
    "school": lambda education: education.school,
    "degree": lambda education: education.degree,
    "field_of_study": lambda education: education.field_of_study,
    "grade": lambda education: education.grade,
    "school_start": lambda education: education.start,
    "school_end": lambda education: education.end,
}
_READINGS: dict[Meaning, Callable[[Profile, Form], str]] = {
    "first_name": lambda profile, _: profile.first_name,
    "middle_name": lambda profile, _: profile.middle_name,
    "last_name": lambda profile, _: profile.last_name,
    "full_name": lambda profile, _: full_name(profile),
    "preferred_name": lambda profile, _: profile.preferred_name or profile.first_name,
    "pronouns": lambda profile, _: profile.pronouns,
    "email": lambda profile, _: profile.email,
    "phone": _phone,
    "phone_country": _phone_country,
    "street": lambda profile, _: profile.address.street,
    "street_2": lambda profile, _: profile.address.street_2,
    "address": _address,
    "postal_address": _postal_address,
    "postal_code": lambda profile, _: profile.address.postal_code,
    "city": lambda profile, _: profile.address.city,
    "region": lambda profile, _: profile.address.region,
    "country": lambda profile, _: country_name(profile.address.country),
    "location": lambda profile, _: place(profile),
    "linkedin": lambda profile, _: profile.links.linkedin,
    "github": lambda profile, _: profile.links.github,
    "portfolio": lambda profile, _: profile.links.portfolio or profile.links.website,
    "website": lambda profile, _: profile.links.website or profile.links.portfolio,
    "twitter": lambda profile, _: profile.links.twitter,
    "current_company": lambda profile, _: _current(profile).company,
    "current_title": lambda profile, _: _current(profile).title,
    "headline": lambda profile, _: profile.headline,
    "summary": lambda profile, _: profile.summary,
    "notice_period": lambda profile, _: profile.notice_period,
}
