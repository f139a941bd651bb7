"""A text cut into alternatives ("Paris or London") and those into tokens ("Paris", "TX", "USA"). Pure.

What is no place (remote, HQ, "7 Locations", postal codes) is taken off; what is left may still be none.
"""

import re

from pipeline.normal.cities import cities_named
from pipeline.normal.countries import (
    country_coded,
    country_named,
    regions_coded,
    regions_named,
    three_letters,
)
from pipeline.normal.place_offices import without_quarter
from pipeline.normal.place_words import AREAS, HOURS, NOISE, VAGUE, WIDE, WORDS
from pipeline.normal.spelling import folded

_MAX_ALTERNATIVES = 60
_MAX_TOKENS = 60
_HARD = re.compile(
    r"\s*(?:[|\u2022\u00b7;\n]|\s/\s|\s\\\s|(?<=[a-z])/(?=[A-Z]))\s*|,?\s+(?:or|oder|ou|o)\s+"
    r"|(?<!,)\s+OR\s+(?=[A-Z])|,?\s*&\s*(?=[A-Z])"
)
_AND = re.compile(r",?\s+(?:and|und|et|y|e|\+)\s+")
_SOFT = re.compile(
    r"\s*[,()\[\]{}\u060c\u3001\uff0c\uff08\uff09]+\s*|\s+[-\u2013\u2014]+\s*|\s*[\u2013\u2014]\s*"
    r"|\s*:\s*|-\s+|\s*\*+\s*"
)
_POSTAL = re.compile(
    r"\b(?:[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d|(?:[A-Z]{1,2}-)?\d{4,6}(?:-\d{3,4})?)\b"
)
_JOINTS = re.compile(r"[-/_]|(?<=\w)\.(?=\w)")
_CODE_AT_END = re.compile(r"^(.{2,}?)\s+([A-Z]{2,3})$")
_CODE_AT_START = re.compile(r"^([A-Z]{2,3})\s+(.{3,})$")
_IN = re.compile(r"\b(?:in|within|across|from)\s+(?:the\s+)?([^,]{2,40})$")
_LEADING_OR = re.compile(r"^(?:or|and|oder|und)\s+")
#: What a company calls a building: "LO9-London".
_SITE = re.compile(r"[A-Z]{1,4}\d{1,3}")
#: Two letters that screens draw as a country's flag.
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_FLAG_A = 0x1F1E6
#: Codes that people write small.
_SMALL = {"us": "US", "uk": "UK"}
_MAX_WORDS = 8
_EDGES = " \t-\u2013\u2014,.:/|'\"#@&+"


def without_flags(text: str) -> str:
    """With the code of its country for each flag."""
    return _FLAG.sub(lambda flag: f", {three_letters(_flagged(flag[0]))}, ", text)


def _flagged(letters: str) -> str:
    return "".join(chr(ord(each) - _FLAG_A + ord("A")) for each in letters)


def alternatives(text: str) -> list[str]:
    """The places a text offers side by side; a name such as "Trinidad and Tobago" is not cut."""
    found: list[str] = []
    for each in _HARD.split(text)[:_MAX_ALTERNATIVES]:
        part = _LEADING_OR.sub("", each)
        found += [part] if is_known(folded(part)) else _AND.split(part)
    return [part.strip(_EDGES) for part in found if part.strip(_EDGES)][:_MAX_ALTERNATIVES]


def tokens(alternative: str) -> list[str]:
    """The parts of one alternative, in its order, each a name or a code and without noise."""
    alternative = without_quarter(alternative)
    found: list[str] = []
    for part in _SOFT.split(HOURS.sub(" ", _POSTAL.sub(" ", alternative)))[:_MAX_TOKENS]:
        found += _named_parts(part.strip(_EDGES))
    return found[:_MAX_TOKENS]


def is_known(name: str) -> bool:
    """Whether a folded name is one in any table."""
    return bool(
        name in AREAS or name in WIDE or country_named(name) or regions_named(name) or cities_named(name)
    )


def is_code(token: str) -> bool:
    """Whether a token is written as codes are, and is one."""
    code = token.replace(".", "")
    return code.isascii() and code.isupper() and bool(country_coded(code) or regions_coded(code))


def _named_parts(part: str) -> list[str]:
    """One token, or several where known names are joined by hyphens, slashes or a code at an end."""
    part = _SMALL.get(part, part)
    if not part or is_known(folded(part)) or is_code(part):
        return [part] if part else []
    plain = _without_noise(part)
    if plain != part:
        return _named_parts(plain) if plain else []
    return _joined(part) or _with_code(part) or _two_names(part) or _without_vague(part)


def _without_noise(part: str) -> str:
    return " ".join(NOISE.sub(" ", part).split()).strip(_EDGES)


def _joined(part: str) -> list[str]:
    """ "US-CA-Menlo Park", "London/Berlin": cut only where every piece is a place or noise."""
    pieces = [piece.strip(_EDGES) for piece in _JOINTS.split(part)]
    if len(pieces) == 1:
        return []
    names = [name for piece in pieces if (name := _without_noise(piece))]
    if names and _SITE.fullmatch(names[0]):
        return [name for name in names[1:2] if is_known(folded(name))]
    return names if all(is_code(name) or is_known(folded(name)) for name in names) else []


def _two_names(part: str) -> list[str]:
    """ "Dublin Ireland", "anywhere in the U.S.": a name and a country or region right behind it."""
    words = part.split()[:_MAX_WORDS]
    for cut in range(len(words) - 1, 0, -1):
        left, right = " ".join(words[:cut]), " ".join(words[cut:])
        if is_known(folded(left)) and _contains(folded(right), folded(left)):
            return [left, right]
    match = _IN.search(part)
    if match is not None and (is_code(match[1].replace(".", "")) or is_known(folded(match[1]))):
        return [match[1].replace(".", "")]
    return []


def _contains(land: str, name: str) -> bool:
    """Whether a country or region of that name has a city or region of the other."""
    if country_named(land) and land not in WORDS:
        return True
    countries = {each.country for each in regions_named(land)}
    return any(each.country in countries for each in (*cities_named(name), *regions_named(name)))


def _with_code(part: str) -> list[str]:
    """ "Sydney NSW", "US Boston"."""
    for pattern in (_CODE_AT_END, _CODE_AT_START):
        match = pattern.match(part)
        if match is not None:
            name, code = (match[1], match[2]) if pattern is _CODE_AT_END else (match[2], match[1])
            if is_code(code) and (is_known(folded(name)) or is_code(name)):
                return [match[1], match[2]]
    return []


def _without_vague(part: str) -> list[str]:
    """The part, or the place left of it without directions and time zones."""
    plain = " ".join(VAGUE.sub(" ", part).split()).strip(_EDGES)
    if plain and plain != part and (is_known(folded(plain)) or is_code(plain)):
        return [plain]
    return [] if not plain else [part]
