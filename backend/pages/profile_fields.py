"""The profile's form as a table: every field with its label, in the order a person reads them.

A field is named by its path in the profile, so that a fault found there belongs to the field of that name.
The table says how a field looks; what may stand in it is `extension_api.profiles`' business.
"""

from typing import ClassVar, Literal

import msgspec

Kind = Literal[
    "text", "email", "tel", "url", "date", "number", "country", "area", "lines", "choice", "yes_no", "tick"
]
Options = tuple[tuple[str, str], ...]


class Field(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    label: str
    kind: Kind = "text"
    hint: str = ""
    autocomplete: str = "off"
    limit: int = 200
    options: Options = ()
    rows: int = 4


class Section(msgspec.Struct, frozen=True, kw_only=True):
    LISTED: ClassVar[bool] = False
    id: str
    title: str
    fields: tuple[Field, ...]
    hint: str = ""


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """A list of the profile: the same fields for every entry, named `work[0].title`."""

    LISTED: ClassVar[bool] = True
    name: str
    title: str
    one: str
    fields: tuple[Field, ...]
    limit: int
    needs: str = ""
    """The field an entry cannot be without."""
    hint: str = ""

    @property
    def id(self) -> str:
        return self.name


def _field(
    name: str, label: str, kind: Kind = "text", *, hint: str = "", autocomplete: str = "off", limit: int = 200
) -> Field:
    return Field(name=name, label=label, kind=kind, hint=hint, autocomplete=autocomplete, limit=limit)


def _choice(name: str, label: str, *options: tuple[str, str], empty: str = "Not said") -> Field:
    return Field(name=name, label=label, kind="choice", options=(("", empty), *options))


_DECLINED = ("declined", "I do not wish to answer")
_YES_NO = (("yes", "Yes"), ("no", "No"))
_DATE_HINT = "2024, 2024-05 or 2024-05-17."
_PERIOD = (
    _field("start", "From", "date", hint=_DATE_HINT, limit=10),
    _field("end", "To", "date", hint=_DATE_HINT, limit=10),
)

NAME = Section(
    id="name",
    title="Name and contact",
    fields=(
        _field("first_name", "First name", autocomplete="given-name"),
        _field("middle_name", "Middle name", autocomplete="additional-name"),
        _field("last_name", "Last name", autocomplete="family-name"),
        _field("preferred_name", "Preferred name", autocomplete="nickname"),
        _field("pronouns", "Pronouns"),
        _field("email", "E-mail", "email", autocomplete="email", limit=320),
        _field(
            "phone.number",
            "Phone",
            "tel",
            autocomplete="tel",
            limit=40,
            hint="With the calling code, like +44.",
        ),
        _field(
            "phone.country", "Country of the phone number", "country", hint="When it has no calling code."
        ),
    ),
)
ADDRESS = Section(
    id="address",
    title="Address",
    fields=(
        _field("address.street", "Street and number", autocomplete="address-line1"),
        _field("address.street_2", "Second line", autocomplete="address-line2"),
        _field("address.postal_code", "Postal code", autocomplete="postal-code", limit=20),
        _field("address.city", "City", autocomplete="address-level2"),
        _field("address.region", "State or region", autocomplete="address-level1"),
        _field("address.country", "Country", "country", autocomplete="country-name"),
    ),
)
LINKS = Section(
    id="links",
    title="Links",
    fields=(
        _field("links.linkedin", "LinkedIn", "url", limit=2000),
        _field("links.github", "GitHub", "url", limit=2000),
        _field("links.website", "Website", "url", autocomplete="url", limit=2000),
        _field("links.portfolio", "Portfolio", "url", limit=2000),
        _field("links.twitter", "X or Twitter", "url", limit=2000),
    ),
)
SUMMARY = Section(
    id="summary",
    title="In short",
    fields=(
        _field("headline", "Headline", hint="What you do, in one line."),
        Field(name="summary", label="Summary", kind="area", limit=10_000, rows=5),
    ),
)
WORK = Group(
    name="work",
    title="Experience",
    one="Position",
    limit=50,
    fields=(
        _field("company", "Company"),
        _field("title", "Title"),
        _field("location", "Place"),
        *_PERIOD,
        Field(name="is_current", label="I work here now", kind="tick"),
        Field(name="summary", label="What you did", kind="area", limit=10_000),
    ),
)
EDUCATION = Group(
    name="education",
    title="Education",
    one="School",
    limit=30,
    fields=(
        _field("school", "School"),
        _field("degree", "Degree"),
        _field("field_of_study", "Field of study"),
        *_PERIOD,
        _field("grade", "Grade"),
    ),
)
SKILLS = Section(
    id="skills",
    title="Skills",
    fields=(
        Field(name="skills", label="Skills", kind="lines", hint="One on each line.", limit=40_000, rows=6),
    ),
)
LANGUAGES = Group(
    name="languages",
    title="Languages",
    one="Language",
    limit=50,
    needs="name",
    fields=(
        _field("name", "Language"),
        _choice(
            "fluency",
            "How well",
            ("basic", "Basic"),
            ("conversational", "Conversational"),
            ("fluent", "Fluent"),
            ("native", "Native"),
        ),
    ),
)
WORK_RIGHTS = Group(
    name="work_rights",
    title="Right to work",
    one="Country",
    limit=60,
    needs="country",
    hint="Answers that bind. What you do not say here is never filled in for you.",
    fields=(
        _field("country", "Country", "country"),
        Field(
            name="authorised",
            label="Allowed to work there",
            kind="yes_no",
            options=(("", "Not said"), *_YES_NO),
        ),
        Field(
            name="needs_sponsorship",
            label="Needs sponsorship",
            kind="yes_no",
            options=(("", "Not said"), *_YES_NO),
        ),
    ),
)
TERMS = Section(
    id="terms",
    title="Terms",
    fields=(
        _field("notice_period", "Notice period", hint="As you would say it: 3 months, or available at once."),
        _field("salary.amount", "Pay you ask for", "number", limit=10),
        _field("salary.currency", "Currency", hint="Three letters, like EUR.", limit=3),
        Field(
            name="salary.interval",
            label="Per",
            kind="choice",
            options=(("year", "Year"), ("month", "Month"), ("day", "Day"), ("hour", "Hour")),
        ),
    ),
)
EQUAL_OPPORTUNITY = Section(
    id="equal_opportunity",
    title="Equal opportunity",
    hint="Some forms in the United States ask this by law. Only what you choose here is filled in.",
    fields=(
        _choice(
            "equal_opportunity.gender",
            "Gender",
            ("female", "Female"),
            ("male", "Male"),
            ("non_binary", "Non-binary"),
            _DECLINED,
        ),
        _choice("equal_opportunity.hispanic_or_latino", "Hispanic or Latino", *_YES_NO, _DECLINED),
        _choice(
            "equal_opportunity.race",
            "Race",
            ("american_indian_or_alaska_native", "American Indian or Alaska Native"),
            ("asian", "Asian"),
            ("black_or_african_american", "Black or African American"),
            ("native_hawaiian_or_pacific_islander", "Native Hawaiian or Pacific Islander"),
            ("white", "White"),
            ("two_or_more", "Two or more races"),
            _DECLINED,
        ),
        _choice(
            "equal_opportunity.veteran",
            "Veteran",
            ("not_a_veteran", "Not a veteran"),
            ("veteran", "Veteran"),
            ("protected_veteran", "Protected veteran"),
            _DECLINED,
        ),
        _choice("equal_opportunity.disability", "Disability", *_YES_NO, _DECLINED),
    ),
)

LAYOUT: tuple[Section | Group, ...] = (
    NAME,
    ADDRESS,
    LINKS,
    SUMMARY,
    WORK,
    EDUCATION,
    SKILLS,
    LANGUAGES,
    WORK_RIGHTS,
    TERMS,
    EQUAL_OPPORTUNITY,
)
SECTIONS: tuple[Section, ...] = tuple(part for part in LAYOUT if isinstance(part, Section))
GROUPS: dict[str, Group] = {part.name: part for part in LAYOUT if isinstance(part, Group)}
SINGLE: dict[str, Field] = {field.name: field for section in SECTIONS for field in section.fields}


def label_of(path: str) -> str:
    """What the person calls the part of the profile at `path`, entry and all."""
    if path in SINGLE:
        return SINGLE[path].label
    name, _, rest = path.partition("[")
    group = GROUPS.get(name)
    if group is None:
        return SINGLE[name].label if name in SINGLE else path
    place, _, inner = rest.partition("].")
    field = next((field.label for field in group.fields if field.name == inner), "")
    return f"{group.one} {int(place) + 1}: {field}" if place.isdigit() and field else group.title
