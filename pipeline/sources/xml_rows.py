"""Rows of foreign XML feeds, read so that one odd character costs that character and never the board. Pure.

A document type definition is refused whatever it says: no feed needs one, and what it could do is harm.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import cast
from xml.etree.ElementTree import Element, ParseError

import msgspec
from defusedxml import ElementTree as Defused
from defusedxml.common import DefusedXmlException

from schema.text import clean

_MAX_DEPTH = 8
_MAX_CHARS = 200_000
_DECLARATION = re.compile(r"<\?xml[^>]{0,200}\?>")
_ENCODING = re.compile(rb"<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}[\"']([A-Za-z0-9._-]{1,40})")
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: Sections hold text as it is; outside them an ampersand that opens no XML entity is one of HTML, or a slip.
_AMPERSAND = re.compile(
    r"<!\[CDATA\[(?:[^\]]++|\](?!\]>))*+(?:\]\]>)?|&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z0-9]{1,31};|#[0-9]{1,7};|#[xX][0-9A-Fa-f]{1,6};)?"
)
_parsed = cast("Callable[..., Element]", Defused.fromstring)  # pyright: ignore[reportUnknownMemberType]


class XmlNotReadable(ValueError):
    """The bytes are no XML, or XML of a kind that is not read."""


class XmlRow(msgspec.Struct, frozen=True, kw_only=True):
    """One element of a feed, still in the platform's words. Names may stand in any namespace ("{*}name")."""

    element: Element

    def text(self, path: str) -> str:
        """The text of the first such child, edges trimmed; "" when there is none."""
        found = self.element.find(path)
        return "" if found is None else clean("".join(found.itertext())).strip()

    def texts(self, path: str) -> list[str]:
        told = (clean("".join(each.itertext())).strip() for each in self.element.findall(path))
        return [each for each in told if each]

    def rows(self, path: str) -> list["XmlRow"]:
        return [XmlRow(element=each) for each in self.element.findall(path)]

    def without(self, *names: str) -> bytes:
        """The row as JSON text that jsonb can hold, less some children."""
        return msgspec.json.encode(_record(self.element, frozenset(names), _MAX_DEPTH))

    @property
    def fingerprint(self) -> str:
        told = "\x00".join(_told(self.element))
        return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()


def root_of(body: bytes) -> XmlRow:
    """The root element. Raises `XmlNotReadable`."""
    try:
        return XmlRow(element=_parsed(body, forbid_dtd=True))
    except (DefusedXmlException, RecursionError) as error:
        raise XmlNotReadable("a document type definition") from error
    except (ParseError, ValueError, LookupError):
        return _root_of_loose(body)


def _root_of_loose(body: bytes) -> XmlRow:
    """What XML forbids and platforms send: control characters, entities of HTML, a wrong encoding."""
    named = _ENCODING.match(body.lstrip()[:300])
    try:
        text = body.decode(named[1].decode("ascii") if named else "utf-8-sig", "replace")
    except (LookupError, ValueError):
        text = body.decode("utf-8", "replace")
    tidy = _NO_XML.sub("", _DECLARATION.sub("", text.lstrip("\ufeff \t\r\n"), count=1))
    try:
        return XmlRow(element=_parsed(_AMPERSAND.sub(_escaped, tidy), forbid_dtd=True))
    except (DefusedXmlException, ParseError, ValueError, RecursionError) as error:
        raise XmlNotReadable("not the XML of a feed") from error


def _escaped(found: re.Match[str]) -> str:
    whole = found[0]
    if not whole.startswith("&"):
        return whole
    meant = unescape(whole) if found[1] else whole
    return _NO_XML.sub("", meant).replace("&", "&amp;").replace("<", "&lt;")


def _told(element: Element) -> Iterator[str]:
    for each in element.iter():
        yield each.tag
        yield (each.text or "").strip()
        yield from (f"{name}={value}" for name, value in sorted(each.attrib.items()))
        yield "/"


def _record(element: Element, left_out: frozenset[str], depth: int) -> object:
    if not len(element) or depth == 0:
        return clean("".join(element.itertext())).strip()[:_MAX_CHARS]
    told: dict[str, list[object]] = {}
    for child in element:
        name = child.tag.rpartition("}")[2]
        if name not in left_out:
            told.setdefault(name, []).append(_record(child, left_out, depth - 1))
    return {name: values[0] if len(values) == 1 else values for name, values in told.items()}
