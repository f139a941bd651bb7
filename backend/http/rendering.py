"""Templates to HTML: one Jinja environment, strict about names, escaping everything.

A template is given one struct called `view`, never a loose handful of names, plus `chrome`: what the layout
around it needs. Times, unknowns and counts have one look each, as filters here and macros in `_parts.html`.
"""

import hashlib
from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import cast

import jinja2
import msgspec
from jinja2.runtime import Context
from markupsafe import Markup, escape

from backend.accounts.types import Account
from backend.http import times
from backend.http.agents import browser
from backend.http.flash import Flash
from backend.http.words import word
from schema.identity.spelling import spelled
from schema.text import grouped

BACKEND = Path(__file__).parents[1]
STATIC = BACKEND / "static"


class NavItem(msgspec.Struct, frozen=True, kw_only=True):
    """One place in the navigation; `waiting` is how much there needs the person, `also` an address that
    belongs to it without standing below it."""

    path: str
    label: str
    key: str
    waiting: int = 0
    also: str = ""


class Chrome(msgspec.Struct, frozen=True, kw_only=True):
    """What the layout around a page needs. `account` is None for a visitor."""

    path: str
    now: datetime
    account: Account | None = None
    nav: tuple[NavItem, ...] = ()
    flash: Flash | None = None

    @property
    def zone(self) -> str:
        return self.account.time_zone if self.account else "UTC"

    @property
    def language(self) -> str:
        return self.account.language if self.account else "en"


class Renderer:
    """Templates to HTML."""

    def __init__(self, folder: Path = BACKEND / "templates") -> None:
        self.environment = environment(folder)

    def render(self, template: str, view: msgspec.Struct, chrome: Chrome) -> str:
        return self.environment.get_template(template).render(view=view, chrome=chrome)


@cache
def environment(folder: Path) -> jinja2.Environment:
    """The environment of one folder; what it compiled serves every app of the process."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    filters = cast("dict[str, object]", made.filters)
    filters.update(
        browser=browser,
        when=when,
        day=day,
        local_day=local_day,
        exact=exact,
        count=count,
        plural=plural,
        size=size,
        spelled=spelled,
        word=word,
    )
    names = cast("dict[str, object]", made.globals)
    names.update(static=fingerprinted(STATIC), unknown=unknown)
    return made


def fingerprinted(folder: Path) -> Mapping[str, str]:
    """File name to the address that changes with its content, so that it can be cached for ever."""
    found: dict[str, str] = {}
    for path in sorted(folder.iterdir()):
        if path.is_file():
            mark = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
            found[path.name] = f"/static/{path.name}?v={mark}"
    return found


@jinja2.pass_context
def when(context: Context, at: datetime | None) -> Markup:
    """An instant, short, in the person's zone, exact on hover; unknown has its own look."""
    if at is None:
        return unknown()
    chrome = cast("Chrome", context["chrome"])
    where = times.zone(chrome.zone)
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        at.isoformat(), times.exact(at, where), times.short(at, chrome.now, where)
    )


@jinja2.pass_context
def exact(context: Context, at: datetime) -> str:
    """An instant to the second, as text, for attributes and prose."""
    return times.exact(at, times.zone(cast("Chrome", context["chrome"]).zone))


def day(on: date | None) -> Markup:
    """A day of which no time is known."""
    if on is None:
        return unknown()
    return Markup('<time datetime="{}">{}</time>').format(on.isoformat(), times.day(on))


@jinja2.pass_context
def local_day(context: Context, at: datetime) -> Markup:
    """The day of an instant in the person's zone, for which the hour says nothing."""
    where = times.zone(cast("Chrome", context["chrome"]).zone)
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        at.isoformat(), times.exact(at, where), times.local_day(at, where)
    )


def unknown(word: str = "unknown") -> Markup:
    return Markup('<span class="unknown">{}</span>').format(word)


def count(number: int | None) -> Markup:
    """A figure with thin thousands, or the look of unknown."""
    return unknown() if number is None else escape(grouped(number))


def size(number_bytes: int | None) -> Markup | str:
    """`812 bytes`, `27 kB`, `3.4 MB`, `120 MB`: of a file, as file managers say it."""
    if number_bytes is None:
        return unknown()
    for unit, factor in (("GB", 1_000_000_000), ("MB", 1_000_000)):
        if number_bytes >= factor:
            return f"{number_bytes / factor:.{1 if number_bytes < 10 * factor else 0}f} {unit}"
    return f"{number_bytes // 1000} kB" if number_bytes >= 1000 else plural(number_bytes, "byte", "bytes")  # noqa: PLR2004


def plural(number: int, one: str, many: str) -> str:
    """`1 message`, `2 messages`."""
    return f"{grouped(number)} {one if number == 1 else many}"
