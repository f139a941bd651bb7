"""Names of countries and their regions (ISO 3166), and nothing about which of them a text means.

The tables are read once a process, when the first place is read.
"""

import gettext
import unicodedata
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.resources import files

import msgspec

from pipeline.normal.spelling import folded

#: Names of countries are read in the languages job boards are written in.
_LANGUAGES = (
    "ar", "bg", "cs", "da", "de", "el", "es", "et", "fi", "fr", "he", "hr", "hu", "id", "it", "ja",
    "ko", "lt", "lv", "nb_NO", "nl", "pl", "pt", "pt_BR", "ro", "ru", "sk", "sl", "sr", "sv", "th",
    "tr", "uk", "vi", "zh_CN", "zh_TW",
)  # fmt: skip
#: Regions also have names abroad: Bavaria, Kalifornien, Lombardie.
_REGION_LANGUAGES = ("en", "de", "fr", "es", "it")
_OTHER_NAMES = {
    "america": "US", "united states of america": "US", "u s": "US", "u s a": "US", "eeuu": "US",
    "ee uu": "US", "etats unis": "US", "estados unidos": "US", "great britain": "GB", "britain": "GB",
    "royaume uni": "GB", "reino unido": "GB", "grossbritannien": "GB", "holland": "NL",
    "south korea": "KR", "korea": "KR", "republic of korea": "KR", "czech republic": "CZ",
    "ivory coast": "CI", "uae": "AE", "emirates": "AE", "russia": "RU", "turkey": "TR", "turkiye": "TR",
    "vietnam": "VN", "taiwan": "TW", "bosnia": "BA", "kosovo": "XK", "swaziland": "SZ", "burma": "MM",
    "hong kong sar": "HK", "macau": "MO", "prc": "CN", "mainland china": "CN",
    "republic of ireland": "IE", "россия": "RU", "сша": "US", "великобритания": "GB", "чехия": "CZ",
    "한국": "KR", "영국": "GB", "台灣": "TW", "臺灣": "TW", "台湾": "TW", "美国": "US", "英国": "GB",
    "米国": "US", "アメリカ": "US", "イギリス": "GB", "ksa": "SA", "macedonia": "MK",
}  # fmt: skip
_OTHER_CODES = {"UK": "GB", "UAE": "AE", "KSA": "SA", "EL": "GR"}
#: Colombia in Romanian, and cities and a district elsewhere.
_OTHERWISE_MEANT = frozenset({"columbia"})
_MISSPELLED_CHARS = range(8, 41)
_LIKENESS = 0.9
#: Without its marks a shorter name is a word: "My" is what the United States are called in Vietnamese.
_SHORTEST = 4
#: Macron, dot below, line below.
_TRANSCRIPTION = "\u0304\u0323\u0331"
#: English names the tables lack.
_OTHER_REGIONS = {
    "lombardy": "IT-25", "tuscany": "IT-52", "piedmont": "IT-21", "sicily": "IT-82",
    "sardinia": "IT-88", "apulia": "IT-75", "catalonia": "ES-CT", "andalusia": "ES-AN",
    "basque country": "ES-PV", "brittany": "FR-BRE", "normandy": "FR-NOR", "corsica": "FR-20R",
    "flanders": "BE-VLG", "wallonia": "BE-WAL", "dc": "US-DC", "washington dc": "US-DC",
    "north rhine westphalia": "DE-NW", "lower saxony": "DE-NI", "district of columbia": "US-DC",
}  # fmt: skip


class Region(msgspec.Struct, frozen=True, gc=False):
    """A state, province or the like. `code` is its part of the ISO 3166-2 code."""

    country: str
    code: str
    name: str


class _CountryRow(msgspec.Struct, frozen=True, gc=False):
    alpha_2: str
    alpha_3: str
    name: str
    official_name: str = ""
    common_name: str = ""


class _RegionRow(msgspec.Struct, frozen=True, gc=False):
    code: str
    name: str


def country_named(name: str) -> str | None:
    """`name` is folded; the code is ISO 3166-1 alpha-2."""
    return _countries().get(name.removeprefix("the "))


@lru_cache(maxsize=1_000)
def country_misspelled(name: str) -> str | None:
    """The country a folded name of eight letters and more comes within a letter or two of, if only one."""
    if len(name) not in _MISSPELLED_CHARS or not name.isascii():
        return None
    near = get_close_matches(name, _countries(), n=5, cutoff=_LIKENESS)
    codes = {_countries()[each] for each in near}
    return codes.pop() if len(codes) == 1 else None


def country_coded(code: str) -> str | None:
    """`code` in capitals, of two or three letters."""
    return _country_codes().get(code)


def three_letters(code: str) -> str:
    """The longer code of a country, which no region shares: DEU is not Delaware."""
    return next((long for long, short in _country_codes().items() if short == code and len(long) == 3), code)  # noqa: PLR2004


def regions_named(name: str) -> tuple[Region, ...]:
    """Regions of that folded name, in every country."""
    return _regions().get(name, ())


def regions_coded(code: str) -> tuple[Region, ...]:
    """Regions whose code is `code`, in capitals, in every country."""
    return _region_codes().get(code, ())


def region(country: str, code: str) -> Region | None:
    return next((each for each in regions_coded(code) if each.country == country), None)


def load() -> None:
    """Read every table now; each reads itself when it is first asked."""
    for table in (_countries, _country_codes, _regions, _region_codes):
        table()


def _country_rows() -> list[_CountryRow]:
    data = files("pycountry").joinpath("databases", "iso3166-1.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, list[_CountryRow]])["3166-1"]


@cache
def _countries() -> dict[str, str]:
    rows = _country_rows()
    names: dict[str, str] = {}
    for words in map(_translator, ("iso3166-1",) * len(_LANGUAGES), _LANGUAGES):
        told = ((folded(words.gettext(row.common_name or row.name)), row.alpha_2) for row in rows)
        names |= {name: code for name, code in told if _is_spelled_out(name)}
    for row in rows:
        for name in filter(None, (row.name, row.official_name, row.common_name)):
            names |= {folded(part): row.alpha_2 for part in (name, name.partition(",")[0])}
    return names | _OTHER_NAMES


def _is_spelled_out(name: str) -> bool:
    return name not in _OTHERWISE_MEANT and (len(name) >= _SHORTEST or not name.isascii())


@cache
def _country_codes() -> dict[str, str]:
    rows = _country_rows()
    codes = {row.alpha_2: row.alpha_2 for row in rows}
    return codes | {row.alpha_3: row.alpha_2 for row in rows} | _OTHER_CODES


@cache
def _all_regions() -> tuple[tuple[Region, str], ...]:
    """Every region, and its whole name as ISO writes it."""
    data = files("pycountry").joinpath("databases", "iso3166-2.json").read_bytes()
    rows = msgspec.json.decode(data, type=dict[str, list[_RegionRow]])["3166-2"]
    english = _translator("iso3166-2", "en")
    parts = ((row.code.partition("-"), row.name) for row in rows)
    return tuple(
        (Region(code[0], code[2], _plain(next(_names_in(english.gettext(name))))), name)
        for code, name in parts
    )


@cache
def _regions() -> dict[str, tuple[Region, ...]]:
    abroad = [_translator("iso3166-2", language) for language in _REGION_LANGUAGES]
    found: dict[str, tuple[Region, ...]] = {}
    for each, full_name in _all_regions():
        whole_names = {full_name, *(words.gettext(full_name) for words in abroad)}
        for name in {folded(part) for whole in whole_names for part in _names_in(whole)}:
            found[name] = (*found.get(name, ()), each)
    by_code = {f"{each.country}-{each.code}": each for each, _ in _all_regions()}
    return found | {name: (by_code[code],) for name, code in _OTHER_REGIONS.items() if code in by_code}


@cache
def _region_codes() -> dict[str, tuple[Region, ...]]:
    found: dict[str, tuple[Region, ...]] = {}
    for each, _ in _all_regions():
        if each.code.isalpha():
            found[each.code] = (*found.get(each.code, ()), each)
    return found


def _plain(name: str) -> str:
    """Without the marks of transcriptions that nobody writes: "Karn\u0101taka"."""
    apart = unicodedata.normalize("NFD", name)
    return unicodedata.normalize("NFC", "".join(each for each in apart if each not in _TRANSCRIPTION))


def _names_in(name: str) -> Iterator[str]:
    """ISO writes some names twice: "Catalunya [Cataluña]", "Madrid, Comunidad de"."""
    for part in name.replace("]", "").replace("[", "/").replace(";", "/").split("/"):
        yield part.partition(",")[0].strip()


def _translator(domain: str, language: str) -> gettext.NullTranslations:
    """Read directly: what `gettext.translation` reads, it holds for good."""
    path = files("pycountry").joinpath("locales", language, "LC_MESSAGES", f"{domain}.mo")
    if not path.is_file():
        return gettext.NullTranslations()
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)
