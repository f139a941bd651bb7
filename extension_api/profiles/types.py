"""The profile: every fact a person may state about themself, with the limits of each.

An empty text, an empty list or None means the person has not said; nothing here is ever guessed. Closed
choices that forms ask for by law (equal opportunity) or that bind (work authorisation) have no default.
"""

from typing import Annotated, Literal

import msgspec

Line = Annotated[str, msgspec.Meta(max_length=200)]
Paragraphs = Annotated[str, msgspec.Meta(max_length=10_000, extra={"form": "paragraphs"})]
Email = Annotated[str, msgspec.Meta(max_length=320, extra={"form": "email"})]
PhoneNumber = Annotated[str, msgspec.Meta(max_length=40, extra={"form": "phone"})]
Link = Annotated[str, msgspec.Meta(max_length=2_000, extra={"form": "link"})]
CountryCode = Annotated[str, msgspec.Meta(pattern="^([A-Z]{2})?$", extra={"form": "country"})]
"""ISO 3166-1 alpha-2 in capitals, or empty."""
PartialDate = Annotated[
    str, msgspec.Meta(pattern="^([0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?)?$", extra={"form": "date"})
]
"""A year, a month or a day, as precise as the person gave it, or empty."""

Gender = Literal["female", "male", "non_binary", "declined"]
YesNoDeclined = Literal["yes", "no", "declined"]
Race = Literal[
    "american_indian_or_alaska_native",
    "asian",
    "black_or_african_american",
    "native_hawaiian_or_pacific_islander",
    "white",
    "two_or_more",
    "declined",
]
Veteran = Literal["not_a_veteran", "veteran", "protected_veteran", "declined"]
Fluency = Literal["basic", "conversational", "fluent", "native"]
PayInterval = Literal["year", "month", "day", "hour"]


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the profile; an unknown key in it is refused by name."""


class Phone(Part, frozen=True, kw_only=True):
    """`number` as the person writes it; `country` says whose calling code it has when it carries none."""

    country: CountryCode = ""
    number: PhoneNumber = ""


class Address(Part, frozen=True, kw_only=True):
    street: Line = ""
    street_2: Line = ""
    city: Line = ""
    region: Line = ""
    postal_code: Annotated[str, msgspec.Meta(max_length=20)] = ""
    country: CountryCode = ""


class Links(Part, frozen=True, kw_only=True):
    linkedin: Link = ""
    github: Link = ""
    website: Link = ""
    portfolio: Link = ""
    twitter: Link = ""


class Work(Part, frozen=True, kw_only=True):
    """One position. `is_current` is stated, never concluded from a missing end."""

    company: Line = ""
    title: Line = ""
    location: Line = ""
    start: PartialDate = ""
    end: PartialDate = ""
    is_current: bool = False
    summary: Paragraphs = ""


class Education(Part, frozen=True, kw_only=True):
    school: Line = ""
    degree: Line = ""
    field_of_study: Line = ""
    start: PartialDate = ""
    end: PartialDate = ""
    grade: Line = ""


class Language(Part, frozen=True, kw_only=True):
    name: Line
    fluency: Fluency | None = None


class WorkRight(Part, frozen=True, kw_only=True):
    """What the person states for one country; None means they have not said."""

    country: Annotated[str, msgspec.Meta(pattern="^[A-Z]{2}$", extra={"form": "country"})]
    authorised: bool | None = None
    needs_sponsorship: bool | None = None


class Salary(Part, frozen=True, kw_only=True):
    amount: Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]
    currency: Annotated[str, msgspec.Meta(pattern="^[A-Z]{3}$", extra={"form": "currency"})]
    interval: PayInterval = "year"


class EqualOpportunity(Part, frozen=True, kw_only=True):
    """Explicit choices only; "declined" is a choice, None is none and fills nothing."""

    gender: Gender | None = None
    hispanic_or_latino: YesNoDeclined | None = None
    race: Race | None = None
    veteran: Veteran | None = None
    disability: YesNoDeclined | None = None


class Profile(Part, frozen=True, kw_only=True):
    first_name: Line = ""
    middle_name: Line = ""
    last_name: Line = ""
    preferred_name: Line = ""
    pronouns: Line = ""
    email: Email = ""
    phone: Phone = Phone()
    address: Address = Address()
    links: Links = Links()
    headline: Line = ""
    summary: Paragraphs = ""
    work: Annotated[list[Work], msgspec.Meta(max_length=50)] = []
    education: Annotated[list[Education], msgspec.Meta(max_length=30)] = []
    skills: Annotated[list[Line], msgspec.Meta(max_length=200)] = []
    languages: Annotated[list[Language], msgspec.Meta(max_length=50)] = []
    work_rights: Annotated[list[WorkRight], msgspec.Meta(max_length=60)] = []
    notice_period: Line = ""
    salary: Salary | None = None
    equal_opportunity: EqualOpportunity = EqualOpportunity()
