"""The `q` of `messages.list`: a subset of Gmail's search language, read into a predicate.

Words match whole words. `OR` binds tighter than standing side by side, `{}` is OR, `()` is AND, `-` negates.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from emulators.gmail.message import Message, words

TOKEN = re.compile(r'\s+|([-+]?[\w-]+:(?=["({\w.@<+-]))|(-?["(){}])|([^\s"(){}]+)')
QUOTED = re.compile(r'[^"]*')
PACIFIC = ZoneInfo("America/Los_Angeles")
UNIT = {"d": 86_400, "m": 30 * 86_400, "y": 365 * 86_400, "h": 3_600}
SIZE = {"": 1, "k": 1_024, "m": 1_048_576}
Predicate = Callable[[Message], bool]


@dataclass
class Search:
    """Reads one query; `accepts` is its predicate, with spam and trash hidden unless asked for."""

    q: str
    now: float
    owner: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    show_hidden: bool = False

    def __post_init__(self) -> None:
        self._tokens = _tokens(self.q)
        matches = self._all("", None) if self._tokens else None
        if self.show_hidden:
            self.accepts = matches or (lambda _: True)
        else:
            self.accepts = _visible(matches)

    def _all(self, name: str, end: str | None) -> Predicate:
        """Everything up to a closing bracket, all of it wanted (in curly brackets: any)."""
        either = end == "}"
        parts: list[list[Predicate]] = []
        joined = False
        while self._tokens:
            token = self._tokens.pop(0)
            if token == end:
                break
            if token in {"OR", "AND", "|"}:
                joined = token != "AND"
                continue
            if joined and parts:
                parts[-1].append(self._one(token, name))
            else:
                parts.append([self._one(token, name)])
            joined = False
        return _combined(parts, any if either else all)

    def _one(self, token: str, name: str) -> Predicate:
        if token.startswith("-") and len(token) > 1:
            inner = self._one(token[1:], name)
            return lambda message: not inner(message)
        if token in {"(", "{"}:
            return self._all(name, ")" if token == "(" else "}")
        if token.endswith(":") and token[:-1].lower() in FIELDS:
            return self._one(self._tokens.pop(0), token[:-1].lower()) if self._tokens else _never
        return self._value(name, token.strip('"'))

    def _value(self, name: str, value: str) -> Predicate:
        if name in {"in", "label", "is"} and value.lower() in {"anywhere", "spam", "trash"}:
            self.show_hidden = True
        return FIELDS[name](self, value)

    def person(self, value: str) -> str:
        return words(self.owner if value.lower() == "me" else value)


def _tokens(q: str) -> list[str]:
    found: list[str] = []
    at = 0
    while at < len(q):
        match = TOKEN.match(q, at)
        assert match
        at = match.end()
        token = match.group().strip()
        if token in {'"', '-"'}:
            inner = QUOTED.match(q, at)
            assert inner
            at = inner.end() + 1
            token = f'{token}{inner.group()}"'
        if token:
            found.append(token)
    return found


def _visible(matches: Predicate | None) -> Predicate:
    if matches is None:
        return lambda message: message.labels.isdisjoint(("SPAM", "TRASH"))
    return lambda message: message.labels.isdisjoint(("SPAM", "TRASH")) and matches(message)


def _combined(parts: list[list[Predicate]], outer: Callable[..., bool]) -> Predicate:
    if len(parts) == 1 and len(parts[0]) == 1:
        return parts[0][0]
    return lambda message: outer(any(each(message) for each in part) for part in parts)


def _never(_: Message) -> bool:
    return False


def _in_header(name: str) -> Callable[[Search, str], Predicate]:
    def read(search: Search, value: str) -> Predicate:
        wanted = search.person(value)
        return lambda message: wanted in message.searched(name)

    return read


def _word(_: Search, value: str) -> Predicate:
    wanted = words(value)
    return lambda message: wanted in message.everything


def _label(search: Search, value: str) -> Predicate:
    """By id or by name, with hyphens for blanks and slashes as the search box writes them."""
    plain = value.lower()
    if plain == "anywhere":
        return lambda _: True
    if plain == "archive":
        return lambda message: message.labels.isdisjoint(("INBOX", "SENT", "DRAFT", "SPAM", "TRASH"))
    wanted = {"drafts": "draft"}.get(plain, plain)
    ids = {
        each
        for each, name in search.labels.items()
        if wanted in {each.lower(), re.sub(r"[ /]", "-", name.lower()), name.lower()}
    }
    return lambda message: not message.labels.isdisjoint(ids)


def _is(search: Search, value: str) -> Predicate:
    if value.lower() == "read":
        return lambda message: "UNREAD" not in message.labels
    return _label(search, value)


def _category(_: Search, value: str) -> Predicate:
    wanted = f"CATEGORY_{ {'primary': 'PERSONAL'}.get(value.lower(), value.upper()) }"
    return lambda message: wanted in message.labels


def _has(_: Search, value: str) -> Predicate:
    return (lambda message: message.has_attachment) if value.lower() == "attachment" else _never


def _filename(_: Search, value: str) -> Predicate:
    wanted = value.lower()
    return lambda message: any(wanted in (part.get_filename() or "").lower() for part in message.mime.walk())


def _instant(value: str) -> float | None:
    """Milliseconds since 1970: of midnight in California, or of epoch seconds; else nothing."""
    if value.isdigit() and len(value) <= 11:
        return int(value) * 1000
    try:
        year, month, day = (int(part) for part in re.split(r"[/-]", value))
        return datetime(year, month, day, tzinfo=PACIFIC).timestamp() * 1000
    except ValueError:
        return None


def _date(*, after: bool) -> Callable[[Search, str], Predicate]:
    def read(_: Search, value: str) -> Predicate:
        at = _instant(value)
        if at is None:
            return _never
        return lambda message: (message.internal_date >= at) == after

    return read


def _age(*, newer: bool) -> Callable[[Search, str], Predicate]:
    def read(search: Search, value: str) -> Predicate:
        if not re.fullmatch(r"\d{1,5}[dmyh]", value.lower()):
            return _never
        at = (search.now - int(value[:-1]) * UNIT[value[-1].lower()]) * 1000
        return lambda message: (message.internal_date >= at) == newer

    return read


def _size(*, larger: bool) -> Callable[[Search, str], Predicate]:
    def read(_: Search, value: str) -> Predicate:
        match = re.fullmatch(r"(\d{1,12})([km]?)b?", value.lower())
        if not match:
            return _never
        limit = int(match.group(1)) * SIZE[match.group(2)]
        return lambda message: (len(message.raw) > limit) == larger

    return read


def _message_id(_: Search, value: str) -> Predicate:
    wanted = value.strip("<>")
    return lambda message: message.header("message-id").strip("<> ") == wanted


FIELDS: dict[str, Callable[[Search, str], Predicate]] = {
    "": _word,
    **{name: _in_header(name) for name in ("from", "to", "cc", "bcc", "subject")},
    "list": _in_header("list-id"),
    "label": _label,
    "in": _label,
    "is": _is,
    "category": _category,
    "has": _has,
    "filename": _filename,
    "after": _date(after=True),
    "newer": _date(after=True),
    "before": _date(after=False),
    "older": _date(after=False),
    "newer_than": _age(newer=True),
    "older_than": _age(newer=False),
    "larger": _size(larger=True),
    "smaller": _size(larger=False),
    "rfc822msgid": _message_id,
}
