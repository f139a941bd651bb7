"""Between a profile and the texts of its form, in both directions. Pure.

Nothing is judged here: what cannot be read stays as it was typed, and `extension_api.profiles.rules` says
what is wrong with it, under the path that is also the field's name.
"""

import re
from collections.abc import Callable, Mapping
from typing import cast

import msgspec

from backend.http.forms import Form
from backend.pages.profile_fields import GROUPS, SINGLE, Field, Group, Kind, label_of
from extension_api.countries import BY_CODE, country_named
from extension_api.profiles.rules import Checked, checked
from extension_api.profiles.types import Profile

Document = dict[str, object]
ROWS_MAX = 200
_DIGITS_MAX = 18
_ENTRY = re.compile(r"([a-z_]{1,30})\[([0-9]{1,3})\]\.([a-z_]{1,30})")
_ITEM = re.compile(r"skills\[[0-9]+\]")
_NO_COUNTRY = "Not a country Jobtrail knows; choose one of the list."


def form_of(profile: Profile, *, blank: Mapping[str, int] | None = None) -> Form:
    """The form filled with a profile, with blank entries after the filled ones."""
    document = cast("Document", msgspec.to_builtins(profile))
    values: dict[str, str] = {}
    for name, field in SINGLE.items():
        values[name] = _shown(field, _at(document, name))
    for group in GROUPS.values():
        entries = cast("list[Document]", document[group.name])
        for place, entry in enumerate(entries):
            values.update(_entry_shown(group, place, entry))
        for place in range(len(entries), len(entries) + (blank or {}).get(group.name, 0)):
            values.update(_entry_shown(group, place, {}))
    return Form.of(**values)


def tidied(form: Form) -> Form:
    """The submitted form with its blank entries dropped and the rest counted from 0 again."""
    values = {name: form.value(name) for name in ("revision", *SINGLE)}
    for group in GROUPS.values():
        kept = [entry for entry in entries_of(form, group) if any(text.strip() for text in entry.values())]
        for place, entry in enumerate(kept):
            values.update({_name(group, place, name): text for name, text in entry.items()})
    return Form.of(**values)


def with_blank(form: Form, group: Group) -> Form:
    """The form with one more entry to fill in."""
    place = len(entries_of(form, group))
    return Form.of(**{**form.values, **_entry_shown(group, place, {})})


def without(form: Form, group: Group, place: int) -> Form:
    """The form with one entry emptied and dropped."""
    gone = {_name(group, place, field.name) for field in group.fields}
    return tidied(Form.of(**{name: text for name, text in form.values.items() if name not in gone}))


def entries_of(form: Form, group: Group) -> list[dict[str, str]]:
    """The entries of a list as typed, blank ones included, in the order of their numbers."""
    known = {field.name for field in group.fields}
    found: dict[int, dict[str, str]] = {}
    for name, text in form.values.items():
        match = _ENTRY.fullmatch(name)
        if match and match[1] == group.name and match[3] in known:
            found.setdefault(int(match[2]), {})[match[3]] = text
    return [found[place] for place in sorted(found)][:ROWS_MAX]


def read(form: Form) -> Checked:
    """The profile in a tidied form. Its faults stand at their fields in the form afterwards."""
    document: Document = {}
    for name, field in SINGLE.items():
        value = _read(field, form.value(name))
        if value is not None:
            _put(document, name, value)
    if not form.value("salary.amount").strip() and not form.value("salary.currency").strip():
        document.pop("salary", None)
    for group in GROUPS.values():
        document[group.name] = [_entry_read(group, entry) for entry in entries_of(form, group)]
    found = checked(document)
    for fault in found.faults:
        _refuse(form, fault.path, fault.message)
    return found


def _refuse(form: Form, path: str, message: str) -> None:
    field = "skills" if _ITEM.match(path) else path
    if message == "Needed here." and form.fault(field):
        return  # what stands there is wrong, and was said
    if message.startswith("A country by its"):
        message = _NO_COUNTRY
    form.refuse(field, f"{label_of(path)}: {message[:1].lower()}{message[1:]}")


def _entry_shown(group: Group, place: int, entry: Document) -> dict[str, str]:
    return {_name(group, place, field.name): _shown(field, entry.get(field.name)) for field in group.fields}


def _entry_read(group: Group, entry: dict[str, str]) -> Document:
    read = {field.name: _read(field, entry.get(field.name, "")) for field in group.fields}
    return {
        name: value for name, value in read.items() if value is not None and (value or name != group.needs)
    }


def _name(group: Group, place: int, name: str) -> str:
    return f"{group.name}[{place}].{name}"


def _shown(field: Field, value: object) -> str:
    match field.kind:
        case "country":
            country = BY_CODE.get(str(value or ""))
            return country.name if country else str(value or "")
        case "lines":
            return "\n".join(cast("list[str]", value or []))
        case "yes_no":
            return "" if value is None else "yes" if value else "no"
        case "tick":
            return "1" if value else ""
        case _:
            return "" if value is None else str(value)


def _read(field: Field, text: str) -> object:
    """The value a field's text stands for; None when the person said nothing."""
    read = _READ.get(field.kind)
    return text if read is None else read(text)


def _country(text: str) -> str:
    country = country_named(text.strip()) or BY_CODE.get(text.strip().upper())
    return country.alpha_2 if country else text.strip()


def _lines(text: str) -> list[str]:
    return [line for line in (line.strip() for line in text.split("\n")) if line]


def _yes_no(text: str) -> bool | str | None:
    return {"yes": True, "no": False}.get(text, text or None)


def _number(text: str) -> int | str | None:
    digits = text.replace(" ", "").replace(",", "").strip()
    if digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS_MAX:
        return int(digits)
    return text or None


def _choice(text: str) -> str | None:
    return text or None


_READ: dict[Kind, Callable[[str], object]] = {
    "country": _country,
    "lines": _lines,
    "yes_no": _yes_no,
    "tick": bool,
    "number": _number,
    "choice": _choice,
}


def _at(document: Document, path: str) -> object:
    name, _, rest = path.partition(".")
    value = document.get(name)
    if not rest:
        return value
    return _at(cast("Document", value), rest) if isinstance(value, dict) else None


def _put(document: Document, path: str, value: object) -> None:
    *folders, last = path.split(".")
    for name in folders:
        document = cast("Document", document.setdefault(name, {}))
    document[last] = value
