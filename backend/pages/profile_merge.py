"""Two edits of one profile, side by side: what each changed, and one profile that loses neither. Pure.

Facts only one side touched are taken from that side. Where both said something different, the person's own
words stay in the form and both are shown. A list, such as the positions, counts as one fact.
"""

from typing import Literal, cast

import msgspec

from backend.pages.profile_fields import GROUPS, SINGLE, Group, label_of
from backend.pages.profile_form import Document, form_of
from extension_api.profiles.types import Profile
from schema.text import shorten

SHOWN_CHARS = 400


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that differs. `kept` says which of the two the form holds now."""

    label: str
    yours: str
    theirs: str
    kept: Literal["yours", "theirs"]


class Merged(msgspec.Struct, frozen=True, kw_only=True):
    profile: Profile
    differences: list[Difference]


def merged(base: Profile, yours: Profile, theirs: Profile) -> Merged:
    """`base` is what both started from."""
    old, mine, other = (_document(profile) for profile in (base, yours, theirs))
    document, kept = _merge(old, mine, other, "")
    texts = form_of(yours).values, form_of(theirs).values
    return Merged(
        profile=msgspec.convert(document, Profile),
        differences=[
            Difference(
                label=_label(path),
                yours=_told(path, mine, texts[0]),
                theirs=_told(path, other, texts[1]),
                kept=side,
            )
            for path, side in kept.items()
        ],
    )


Sides = dict[str, Literal["yours", "theirs"]]


def _merge(old: Document, mine: Document, other: Document, path: str) -> tuple[Document, Sides]:
    found: Document = {}
    sides: Sides = {}
    for name, value in mine.items():
        here = f"{path}.{name}" if path else name
        before, theirs = old.get(name), other.get(name)
        if isinstance(value, dict) and isinstance(theirs, dict):
            inner = cast("Document", before if isinstance(before, dict) else {})
            found[name], below = _merge(inner, cast("Document", value), cast("Document", theirs), here)
            sides.update(below)
            continue
        found[name] = theirs if value == before else value
        if value != theirs:
            sides[here] = "theirs" if value == before else "yours"
    return found, sides


def _document(profile: Profile) -> Document:
    return cast("Document", msgspec.to_builtins(profile))


def _label(path: str) -> str:
    return "Pay you ask for" if path == "salary" else label_of(path)


def _told(path: str, document: Document, texts: dict[str, str]) -> str:
    """A fact as the person reads it; a list as one line per entry."""
    if path in GROUPS:
        entries = cast("list[Document]", document[path])
        return shorten(
            "\n".join(_entry(GROUPS[path], place, texts) for place in range(len(entries))), SHOWN_CHARS
        )
    if path == "salary":
        said = (texts[f"salary.{part}"] for part in ("amount", "currency", "interval"))
        return " ".join(word for word in said if word) if document[path] else ""
    field = SINGLE.get(path)
    text = texts.get(path, "")
    if field is not None and field.options:
        return dict(field.options).get(text, text) if text else ""
    return shorten(text, SHOWN_CHARS)


def _entry(group: Group, place: int, texts: dict[str, str]) -> str:
    said = (texts.get(f"{group.name}[{place}].{field.name}", "") for field in group.fields[:2])
    return ", ".join(word for word in said if word)
