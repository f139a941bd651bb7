"""What an import of a JSON Resume file could not take over, in the words of the profile's form. Pure."""

import re

import msgspec

from backend.pages.profile_fields import GROUPS, SINGLE
from extension_api.profiles.json_resume.node import NO_PLACE, Remark

_ENTRY = re.compile(r"(\w+)\[(\d+)\]\.?(.*)")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_FIELDS = {
    "work": {
        "name": "company",
        "position": "title",
        "startDate": "start",
        "endDate": "end",
        "highlights": "summary",
    },
    "education": {
        "institution": "school",
        "studyType": "degree",
        "area": "field_of_study",
        "startDate": "start",
        "endDate": "end",
        "score": "grade",
        "gpa": "grade",
    },
    "languages": {"language": "name"},
}
_BASICS = {
    "label": "headline",
    "phone": "phone.number",
    "url": "links.website",
    "website": "links.website",
    "location.address": "address.street",
    "location.postalCode": "address.postal_code",
    "location.city": "address.city",
    "location.region": "address.region",
    "location.countryCode": "address.country",
    "location.country": "address.country",
}
_ENTRIES = {"profiles": "Link", "skills": "Skill"}


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """Where in the form, and what about it."""

    place: str
    why: str


class Sorted(msgspec.Struct, frozen=True, kw_only=True):
    look: list[Told]
    """Taken over with a doubt, or not understood."""
    no_place: list[str]
    """What Jobtrail keeps nothing of yet."""


def sorted_out(remarks: list[Remark]) -> Sorted:
    return Sorted(
        look=[Told(place=place_of(each.path), why=each.why) for each in remarks if each.why != NO_PLACE],
        no_place=list(dict.fromkeys(place_of(each.path) for each in remarks if each.why == NO_PLACE)),
    )


def place_of(path: str) -> str:
    """`Position 1, To` for `work[0].endDate` of the file, or for `work[0].end` of the profile."""
    inside = path.removeprefix("basics.")
    entry = _ENTRY.fullmatch(inside)
    if entry:
        return _in_entry(entry[1], int(entry[2]) + 1, entry[3])
    name = _BASICS.get(inside, inside)
    if name in SINGLE:
        return SINGLE[name].label
    return GROUPS[name].title if name in GROUPS else _words(inside)


def _in_entry(name: str, number: int, inner: str) -> str:
    group = GROUPS.get(name)
    one = group.one if group else _ENTRIES.get(name, _words(name))
    if not inner:
        return f"{one} {number}"
    field = _FIELDS.get(name, {}).get(inner.partition("[")[0], inner.partition("[")[0])
    labels = {each.name: each.label for each in group.fields} if group else {}
    return f"{one} {number}, {labels.get(field) or _words(inner)}"


def _words(path: str) -> str:
    """`Volunteer work` for `volunteerWork`: what the form has no word for."""
    last = _CAMEL.sub(" ", path).replace("_", " ").replace(".", ", ").strip()
    return last[:1].upper() + last[1:].lower() or "The file"
