"""Checks a profile as it arrives from anywhere, and names every part that cannot stay. Pure.

The check never stops at the first fault: a form shows them all. What is faulty is left out of the checked
profile, so that an import can take over the rest and say what it did not.
"""

from collections.abc import Callable, Iterator
from typing import cast

import msgspec
from msgspec import inspect as types

from extension_api.profiles.forms import FORMS, NotThatForm
from extension_api.profiles.types import Education, Part, Profile, Work
from schema.errors import Refusal
from schema.text import clean, shorten

MAX_FAULTS = 100
MAX_TEXT_CHARS = 20_000
_SHOWN_FAULTS = 10


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """`path` as a person reads it: `links.linkedin`, `work[0].title`."""

    path: str
    message: str


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """The profile without its faulty parts, and every fault."""

    profile: Profile
    faults: list[Fault]


class ProfileInvalid(Refusal):
    """Something in the profile cannot be kept."""

    code = "profile_invalid"

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults
        said = "; ".join(f"{fault.path}: {fault.message}" for fault in faults[:_SHOWN_FAULTS])
        super().__init__(said, field=faults[0].path)


class StaleProfile(Refusal):
    """The profile was changed elsewhere meanwhile; nothing was saved."""

    code = "stale_profile"
    kind = "conflict"

    def __init__(self, revision: int) -> None:
        self.revision = revision
        super().__init__(f"The profile was changed elsewhere meanwhile; its revision is now {revision}.")


class _Faulty(Exception):
    """This part cannot stay; the fault is written down."""


def checked(document: object) -> Checked:
    """Check a decoded JSON document, or a profile as builtins."""
    faults: list[Fault] = []
    try:
        kept = _part(_struct(Profile), document, "", faults)
    except _Faulty:
        kept = {}
    return Checked(profile=msgspec.convert(kept, Profile), faults=faults[:MAX_FAULTS])


def checked_profile(profile: Profile) -> Profile:
    """The profile in its kept spelling, or `ProfileInvalid` with every fault."""
    result = checked(msgspec.to_builtins(profile))
    if result.faults:
        raise ProfileInvalid(result.faults)
    return result.profile


def _struct(cls: type[Part]) -> types.StructType:
    info = types.type_info(cls)
    if not isinstance(info, types.StructType):
        raise TypeError(cls)
    return info


def _part(info: types.StructType, raw: object, path: str, faults: list[Fault]) -> dict[str, object]:
    if not isinstance(raw, dict):
        raise _faulty(faults, path or "profile", "Expected named parts.")
    given = cast("dict[object, object]", raw)
    known = {field.name: field for field in info.fields}
    for key in given:
        if key not in known:
            name = shorten(clean(str(key)), 60)
            _note(faults, _joined(path, name), "Not a part of the profile.")
    kept: dict[str, object] = {}
    for name, field in known.items():
        if name in given:
            try:
                kept[name] = _value(field.type, given[name], _joined(path, name), faults)
            except _Faulty:
                continue
    _require_whole(info, kept, path, faults)
    return kept


def _require_whole(info: types.StructType, kept: dict[str, object], path: str, faults: list[Fault]) -> None:
    for field in info.fields:
        if field.required and field.name not in kept:
            raise _faulty(faults, _joined(path, field.name), "Needed here.")
    for name, message in _CROSS.get(info.cls, _no_cross_check)(kept):
        _note(faults, _joined(path, name), message)
        del kept[name]


def _value(info: types.Type, raw: object, path: str, faults: list[Fault]) -> object:
    match info:
        case types.Metadata():
            return _text(cast("types.StrType", info.type), raw, path, _form(info), faults)
        case types.StrType():
            return _text(info, raw, path, "line", faults)
        case types.StructType():
            return _part(info, raw, path, faults)
        case types.ListType():
            return _list(info, raw, path, faults)
        case types.UnionType():
            return None if raw is None or raw == "" else _value(_some(info), raw, path, faults)
        case _:
            return _plain(info, raw, path, faults)


def _form(info: types.Metadata) -> str:
    extra = cast("dict[str, str] | None", info.extra)  # pyright: ignore[reportUnknownMemberType]
    return (extra or {}).get("form", "line")


def _some(info: types.UnionType) -> types.Type:
    return next(member for member in info.types if not isinstance(member, types.NoneType))


def _text(info: types.StrType, raw: object, path: str, form: str, faults: list[Fault]) -> str:
    if not isinstance(raw, str):
        raise _faulty(faults, path, "Expected text.")
    try:
        # A text longer than any field takes is refused below without a closer look.
        kept = FORMS[form](raw) if len(raw) <= MAX_TEXT_CHARS else raw
    except NotThatForm as unfit:
        raise _faulty(faults, path, str(unfit)) from None
    if info.max_length is not None and len(kept) > info.max_length:
        said = f"At most {info.max_length} characters; this has {len(kept)}."
        raise _faulty(faults, path, said)
    return kept


def _list(info: types.ListType, raw: object, path: str, faults: list[Fault]) -> list[object]:
    if not isinstance(raw, list):
        raise _faulty(faults, path, "Expected a list.")
    given = cast("list[object]", raw)
    if info.max_length is not None and len(given) > info.max_length:
        _note(faults, path, f"At most {info.max_length} entries; this has {len(given)}.")
    kept: list[object] = []
    for index, item in enumerate(given[: info.max_length]):
        try:
            kept.append(_value(info.item_type, item, f"{path}[{index}]", faults))
        except _Faulty:
            continue
    return [item for item in kept if not _is_blank(item)]


def _is_blank(item: object) -> bool:
    """An empty row of a form says nothing and is not kept."""
    if isinstance(item, dict):
        return not any(cast("dict[str, object]", item).values())
    return item == ""


def _plain(info: types.Type, raw: object, path: str, faults: list[Fault]) -> object:
    """A number, a truth value or one of a closed set."""
    match info:
        case types.LiteralType():
            if raw in info.values:
                return raw
            raise _faulty(faults, path, f"One of: {', '.join(str(value) for value in info.values)}.")
        case types.IntType():
            low, high = info.ge or 0, info.le or 0
            if isinstance(raw, int) and not isinstance(raw, bool) and low <= raw <= high:
                return raw
            raise _faulty(faults, path, f"A whole number from {low} to {high}.")
        case _:
            if isinstance(raw, bool):
                return raw
            raise _faulty(faults, path, "Yes or no.")


def _backwards(kept: dict[str, object]) -> Iterator[tuple[str, str]]:
    start, end = str(kept.get("start") or ""), str(kept.get("end") or "")
    if kept.get("is_current") and end:
        yield "end", "A current position has no end."
    elif start and end and end < start[: len(end)]:
        yield "end", "The end is before the start."


def _two_of_a_country(kept: dict[str, object]) -> Iterator[tuple[str, str]]:
    rights = cast("list[dict[str, object]]", kept.get("work_rights") or [])
    countries = [right["country"] for right in rights]
    if len(set(countries)) < len(countries):
        yield "work_rights", "Each country once."


def _no_cross_check(_: dict[str, object]) -> Iterator[tuple[str, str]]:
    return iter(())


_CROSS: dict[type, Callable[[dict[str, object]], Iterator[tuple[str, str]]]] = {
    Work: _backwards,
    Education: _backwards,
    Profile: _two_of_a_country,
}


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _note(faults: list[Fault], path: str, message: str) -> None:
    faults.append(Fault(path=path, message=message))


def _faulty(faults: list[Fault], path: str, message: str) -> _Faulty:
    _note(faults, path, message)
    return _Faulty()
