"""What a platform's addresses look like, written as addresses, and how one is read with them.

A pattern is an address without its scheme:

- `{name}` or `{name:type}` takes a part and names it; the type says what may stand there and in which case;
- `[...]` may be absent, `(a|b)` is one of several, `*` is anything within one segment;
- `{locale/}` is an optional language segment, `{title_}` a readable title in front of an id;
- `/*` at the end lets anything follow ("/apply", "/thanks"); parameters stand after `?`, in any order.

Knows no platform by name; the tables stand in `platforms/`. Pure.
"""

import re
from collections.abc import Callable, Iterable
from typing import Literal
from urllib.parse import unquote

import msgspec

from schema.identity.addresses import Address

#: What an address leads to: one posting, the list of one employer, or a page we cannot say more about.
Kind = Literal["posting", "board", "page"]
Case = Literal["lower", "upper", "as written"]
Groups = dict[str, str]

_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_NOT_A_BOARD = r"(?!(?:embed|api|oneclick-ui|j|v1|wday|job_app|users)(?:/|$))"
_NOT_A_TENANT = r"(?!(?:www|app|api|apply|jobs|help|support|status|blog|cdn|images|developers?)\.)"
_TYPES: dict[str, tuple[str, Case]] = {
    "": (r"[^/]+", "lower"),
    "name": (_NOT_A_BOARD + r"[^/]+", "lower"),
    "exact": (_NOT_A_BOARD + r"[^/]+", "as written"),
    "tenant": (_NOT_A_TENANT + r"[a-z0-9_-]+", "lower"),
    "hosts": (r"[a-z0-9_.-]+", "lower"),
    "region": (r"(?:\.[a-z]{2,3}[0-9]?)?", "lower"),
    "shard": (r"wd[0-9]{1,4}", "lower"),
    "cell": (r"(?:\.wd[0-9]{1,4})?", "lower"),
    "uuid": (_UUID, "lower"),
    "number": (r"[0-9]{1,19}", "as written"),
    "long": (r"[0-9]{5,19}", "as written"),
    "hex": (r"[0-9a-fA-F]{12,32}", "lower"),
    "CODE": (r"[0-9A-Fa-f]{10}", "upper"),
    "code": (r"[A-Za-z0-9]{5,32}", "as written"),
    "mark": (r"[A-Za-z0-9._~-]{1,64}", "as written"),
    "requisition": (
        r"(?:(?i:JR|JREQ|JOB_?REQ|REQ|R|P|J)_|[A-Za-z]{1,8}-?)?[0-9][0-9A-Za-z.-]{0,40}(?:_[0-9]{1,12}){0,3}",
        "as written",
    ),
}
_TOKEN = re.compile(r"\{locale/\}|\{title_\}|\{(\w+)(?::(\w+))?\}|/\*$|[][()|*]|[^][{}()|*/]+|/")
_MARKS = {
    "[": "(?:",
    "]": ")?",
    "(": "(?:",
    ")": ")",
    "|": "|",
    "*": "[^/]*",
    "/*": "(?:/.*)?",
    "{locale/}": r"(?:[a-z]{2}(?:[-_][A-Za-z]{2,4})?(?:/|\Z))?",
    # The shortest title is tried first: numbers may hold underscores themselves ("Nurse_JR_1234").
    "{title_}": "(?:[^/]*?_)??",
}


class PostingUrl(msgspec.Struct, frozen=True, kw_only=True):
    """What an address names.

    `vendor_id` is unique on its platform over all boards: where a vendor counts per tenant, the tenant is
    part of it. `canonical` is the one spelling of the address, `board` is spelled as the vendor wants to be
    asked. Two addresses name the same posting when their `key` is equal: a platform may show one posting on
    several boards, and an employer's page may not name the board. `page` also names the board, where
    `canonical` does without; who opens or reads the posting goes to `link`.
    """

    canonical: str
    kind: Kind
    platform: str | None = None
    board: str | None = None
    vendor_id: str | None = None
    requisition: str | None = None
    page: str | None = None

    @property
    def link(self) -> str:
        return self.page or self.canonical

    @property
    def key(self) -> str:
        return f"{self.platform}:{self.vendor_id}" if self.vendor_id else self.canonical


class Platform(msgspec.Struct, frozen=True, kw_only=True):
    """Addresses of one platform: patterns that are read, and the one spelling each kind is written in.

    `page` is the spelling that names the board too, where `posting` does without.
    """

    name: str
    domains: tuple[str, ...]
    postings: tuple[str, ...]
    posting: str
    vendor_id: str = "{id}"
    requisition: str = ""
    page: str = ""
    boards: tuple[str, ...] = ()
    board: str = ""
    board_name: str = "{board}"
    tidy: Callable[[Groups], Groups] | None = None


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """One compiled pattern with the templates its groups fill."""

    platform: Platform
    kind: Kind
    host: re.Pattern[str]
    path: re.Pattern[str]
    parameters: tuple[tuple[str, re.Pattern[str]], ...]
    cases: dict[str, Case]


def by_domain(platforms: Iterable[Platform]) -> dict[str, tuple[Shape, ...]]:
    """Shapes under each domain they answer for; all postings of a domain are tried before its boards."""
    postings: dict[str, tuple[Shape, ...]] = {}
    boards: dict[str, tuple[Shape, ...]] = {}
    for each in platforms:
        for domain in each.domains:
            postings[domain] = (
                *postings.get(domain, ()),
                *(_shape(each, "posting", p) for p in each.postings),
            )
            boards[domain] = (*boards.get(domain, ()), *(_shape(each, "board", p) for p in each.boards))
    return {domain: postings[domain] + boards[domain] for domain in postings}


def read_with(shape: Shape, address: Address) -> PostingUrl | None:
    groups = _groups(shape, address)
    if groups is None:
        return None
    platform = shape.platform
    names_posting = shape.kind == "posting"
    if names_posting and platform.tidy is not None:
        groups = platform.tidy(groups)
    return PostingUrl(
        canonical="https://" + (platform.posting if names_posting else platform.board).format_map(groups),
        kind=shape.kind,
        platform=platform.name,
        board=_filled(platform.board_name, groups),
        vendor_id=_filled(platform.vendor_id, groups) if names_posting else None,
        requisition=_filled(platform.requisition, groups) if names_posting else None,
        page=_page(platform, groups) if names_posting else None,
    )


def _page(platform: Platform, groups: Groups) -> str | None:
    return "https://" + platform.page.format_map(groups) if platform.page and groups["board"] else None


def _filled(template: str, groups: Groups) -> str | None:
    return unquote(template.format_map(groups)) or None


def _groups(shape: Shape, address: Address) -> Groups | None:
    place = shape.host.fullmatch(address.host)
    page = shape.path.fullmatch(address.path) if place else None
    if place is None or page is None:
        return None
    found: dict[str, str | None] = {"board": "", "page": address.host + address.path}
    found |= {**place.groupdict(), **page.groupdict()}
    for name, pattern in shape.parameters:
        value = next((value for key, value in address.query if key == name), "")
        matched = pattern.fullmatch(value)
        if matched is None:
            return None
        found |= matched.groupdict()
    written = found.get("board") or ""
    cased = {name: _cased(value or "", shape.cases.get(name, "as written")) for name, value in found.items()}
    return {**cased, "board_as_written": written}


def _cased(value: str, case: Case) -> str:
    if case == "as written":
        return value
    if case == "upper":
        return value.upper()
    lower = value.lower()
    # Percent escapes stay in capitals, as addresses.py spells them.
    return re.sub(r"%[0-9a-f]{2}", lambda found: found[0].upper(), lower) if "%" in lower else lower


def _shape(platform: Platform, kind: Kind, pattern: str) -> Shape:
    cases: dict[str, Case] = {}
    address, _, query = pattern.partition("?")
    host, slash, path = address.partition("/")
    pairs = [pair.partition("=") for pair in query.split("&") if pair]
    return Shape(
        platform=platform,
        kind=kind,
        host=re.compile(_compiled(host, cases)),
        path=re.compile(_compiled(slash + path or "/", cases)),
        parameters=tuple((name, re.compile(_compiled(value, cases))) for name, _, value in pairs),
        cases=cases,
    )


def _compiled(pattern: str, cases: dict[str, Case]) -> str:
    return "".join(_piece(token, cases) for token in _TOKEN.finditer(pattern))


def _piece(token: re.Match[str], cases: dict[str, Case]) -> str:
    if token[1] is None:
        return _MARKS.get(token[0]) or re.escape(token[0])
    expression, cases[token[1]] = _TYPES[token[2] or ""]
    return f"(?P<{token[1]}>{expression})"
