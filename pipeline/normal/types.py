"""What a posting means, as far as it can be told: what the platform does not settle stays unknown."""

from typing import Literal

import msgspec

from pipeline.sources.types import EmploymentType, Pay, Posted, Workplace

Seniority = Literal[
    "intern", "entry", "mid", "senior", "lead", "principal", "manager", "director", "executive"
]


class Place(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One place. `text` is how it was shown; `country` an ISO 3166-1 alpha-2 code; None is unknown."""

    text: str
    city: str | None = None
    region: str | None = None
    country: str | None = None


class Normal(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """`workplace_signals` are the platform's and ours, as "name=value"; `workplace_conflict` when they
    disagree.

    `pay_text` are the words amounts were read from, or what a platform says beside the one range in `pay`.
    """

    title: str
    places: tuple[Place, ...]
    countries: tuple[str, ...]
    workplace: Workplace | None
    workplace_conflict: bool
    workplace_signals: tuple[str, ...]
    employment_type: EmploymentType | None
    seniority: Seniority | None
    pay: Pay | None
    pay_text: str | None
    posted: Posted | None
