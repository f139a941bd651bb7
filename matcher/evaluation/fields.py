"""One object of a truth file, asked field by field under every spelling a field is known by. Pure.

Absent, null and empty are one thing. Whatever does not fit is refused in one line that names where and what.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import cast

from matcher.evaluation.truth import TruthUnreadable

Object = Mapping[str, object]
_YES, _NO = frozenset({"true", "yes", "1", "y"}), frozenset({"false", "no", "0", "n"})
_DAY_CHARS = len("2025-01-31")
_MILLISECONDS = 1e11


class Fields:
    """`place` is how the object is called in a complaint: "line 12", "messages[3]"."""

    def __init__(self, place: str, found: Object) -> None:
        self.place = place
        self._found = {_plain(name): value for name, value in found.items()}

    def has(self, *names: str) -> bool:
        """Whether any of them is written down, be it as null."""
        return any(name in self._found for name in names)

    def get(self, *names: str) -> object:
        """The first of them that says something."""
        return next((found for name in names if (found := self._found.get(name)) not in (None, "", [])), None)

    def wrong(self, name: str, what: str) -> TruthUnreadable:
        return TruthUnreadable(f"{self.place}, field {name}: {what}", field=name)

    def text(self, *names: str) -> str | None:
        found = self.get(*names)
        if found is None or isinstance(found, str):
            return found.strip() or None if found else None
        if isinstance(found, int | float) and not isinstance(found, bool):
            return str(found)
        raise self.wrong(self._named(names), f"a text is expected, not {_shown(found)}.")

    def texts(self, *names: str) -> tuple[str, ...]:
        """A list of texts, or one text alone."""
        told: list[str] = []
        for value in self._several(*names):
            if not isinstance(value, str | int):
                raise self.wrong(self._named(names), f"texts are expected, not {_shown(value)}.")
            told.append(str(value).strip())
        return tuple(each for each in told if each)

    def flag(self, *names: str) -> bool | None:
        found = self.get(*names)
        word = str(found).strip().casefold()
        if found is None or word in _YES | _NO:
            return None if found is None else word in _YES
        raise self.wrong(self._named(names), f"true or false is expected, not {_shown(found)}.")

    def inside(self, *names: str) -> "Fields | None":
        """An object inside this one; None where there is none, or something else stands there."""
        found = self.get(*names)
        return Fields(self.place, cast("Object", found)) if isinstance(found, dict) else None

    def objects(self, *names: str) -> list[Object]:
        """A list of objects, or one alone; or one object that has each under its id."""
        values = self._several(*names)
        if not all(isinstance(each, dict) for each in values):
            raise self.wrong(self._named(names), "a list of objects is expected.")
        found = cast("list[Object]", values)
        if len(found) == 1 and found[0] and all(isinstance(each, dict) for each in found[0].values()):
            return [{"id": key, **cast("Object", value)} for key, value in found[0].items()]
        return found

    def _several(self, *names: str) -> list[object]:
        found = self.get(*names)
        if found is None:
            return []
        return cast("list[object]", found) if isinstance(found, list) else [found]

    def time(self, *names: str) -> datetime | date | None:
        """An instant, or a day when no time of day is told. Without a zone it is UTC's."""
        found = self.get(*names)
        if found is None:
            return None
        try:
            return _time(found)
        except (ValueError, TypeError, OverflowError) as error:
            raise self.wrong(self._named(names), f"{_shown(found)} is no date or time.") from error

    def _named(self, names: tuple[str, ...]) -> str:
        return next(name for name in names if self._found.get(name) is not None)


def _time(found: object) -> datetime | date:
    if isinstance(found, int | float) and not isinstance(found, bool):
        return datetime.fromtimestamp(found / 1000 if found > _MILLISECONDS else found, UTC)
    text = str(found).strip()
    if len(text) == _DAY_CHARS:
        return date.fromisoformat(text)
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        at = parsedate_to_datetime(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _plain(name: str) -> str:
    """`sentAt`, `Sent-At` and `sent_at` are one field."""
    spaced = "".join(f"_{char}" if char.isupper() and before.islower() else char
                     for before, char in zip(" " + name, name, strict=False))  # fmt: skip
    return spaced.replace("-", "_").replace(" ", "_").lower()


def _shown(value: object) -> str:
    told = repr(value)
    return told if len(told) <= 60 else f"{told[:57]}..."  # noqa: PLR2004 - one line of a complaint
