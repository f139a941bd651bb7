"""JSON-LD as pages really carry it. A script that cannot be read costs that script and nothing else. Pure."""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import cast

from selectolax.lexbor import LexborHTMLParser

from pipeline.sources.adapters.pages.things import MAX_DEPTH, Thing, Value, bare
from schema.text import clean

_MAX_SCRIPTS = 200
_MAX_CHARS = 2_000_000
#: What every reader of JSON holds exactly; numbers beyond it are labels made of digits.
_MOST_NUMBER = 2**53
_WRAPPERS = ("<![CDATA[", "]]>", "<!--", "-->")
_DECODER = json.JSONDecoder(strict=False)
#: Strings stay; comments and commas before a closing bracket go.
_SLIPS = re.compile(
    r'"(?:[^"\\]++|\\.)*+"?|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?|,(?=\s*+[}\]])', re.DOTALL
)


def things_of(tree: LexborHTMLParser) -> list[Thing]:
    """The outer items of every script of the page."""
    found: list[Thing] = []
    for script in tree.css("script")[:_MAX_SCRIPTS]:
        kind = (script.attributes.get("type") or "").strip().lower()
        if kind.partition(";")[0].strip() == "application/ld+json":
            found.extend(things_in(script.text(deep=True)))
    return found


def things_in(text: str) -> list[Thing]:
    values = [value for told in _documents(text[:_MAX_CHARS]) for value in _values(told, MAX_DEPTH)]
    return [value for value in values if isinstance(value, Thing)]


def _documents(text: str) -> list[object]:
    """The JSON of one script, read ever more loosely until something is understood."""
    inner = _between_brackets(text)
    if not inner:
        return []
    for spelled in (
        lambda: inner,
        lambda: _SLIPS.sub(_kept, inner),
        lambda: _SLIPS.sub(_kept, unescape(inner)),
    ):
        told = list(_all_read(spelled()))
        if told:
            return told
    return []


def _between_brackets(text: str) -> str:
    for wrapper in _WRAPPERS:
        text = text.replace(wrapper, "")
    starts = [at for at in (text.find("{"), text.find("[")) if at >= 0]
    end = max(text.rfind("}"), text.rfind("]"))
    return text[min(starts) : end + 1] if starts and end >= 0 else ""


def _kept(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else " "


def _all_read(text: str) -> Iterator[object]:
    """One document, or several written behind each other; what follows the first slip is not looked at."""
    at = 0
    while at < len(text):
        try:
            told, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield told
        while at < len(text) and text[at] in " \t\r\n;,":
            at += 1


def _values(told: object, depth: int) -> Iterator[Value]:
    if depth == 0 or told is None:
        return
    if isinstance(told, str):
        yield clean(told)
    elif isinstance(told, int | float) and abs(told) < _MOST_NUMBER:
        yield told
    elif isinstance(told, int):
        yield str(told)
    elif isinstance(told, list):
        for each in cast("list[object]", told):
            yield from _values(each, depth - 1)
    elif isinstance(told, dict):
        yield from _of_object(cast("dict[str, object]", told), depth - 1)


def _of_object(told: dict[str, object], depth: int) -> Iterator[Value]:
    """A value in its wrapping, the members of a graph, or an item."""
    for wrapping in ("@value", "@list", "@set"):
        if wrapping in told:
            yield from _values(told[wrapping], depth)
            return
    if "@graph" in told:
        yield from _values(told["@graph"], depth)
    types = _values(told.get("@type", told.get("type")), depth)
    yield Thing(
        types=frozenset(bare(each) for each in types if isinstance(each, str)),
        values={
            clean(name if name.startswith("@") else bare(name)): values
            for name, value in told.items()
            if name != "@graph" and (values := tuple(_values(value, depth)))
        },
    )


def with_references(posting: Thing, things: list[Thing]) -> Thing:
    """Properties that only name another item of the page ("@id") get that item in their place."""
    by_id = {thing.text("@id"): thing for thing in things if len(thing.values) > 1}
    return Thing(
        types=posting.types,
        values={
            name: tuple(_followed(value, by_id) for value in values)
            for name, values in posting.values.items()
        },
    )


def _followed(value: Value, by_id: dict[str, Thing]) -> Value:
    if isinstance(value, Thing) and value.values.keys() == {"@id"}:
        return by_id.get(value.text("@id"), value)
    return value
