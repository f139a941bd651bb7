"""Amounts of money as people write them: "48.000 €", "$120K to $150K", "£45-60k pa", "12-15 LPA". Pure.

A number that is written wrong ("140,0000", "1$70,000") is no amount, and neither is the range it stands in.
"""

import re
from collections.abc import Iterator

import msgspec

from pipeline.sources.types import PayInterval

#: Signs and words of currencies; None where several currencies share one and only the country can tell.
_SIGNS: dict[str, str | None] = {
    "us$": "USD", "usd": "USD", "$": "$", "c$": "CAD", "ca$": "CAD", "cad": "CAD", "a$": "AUD",
    "au$": "AUD", "aud": "AUD", "nz$": "NZD", "nzd": "NZD", "s$": "SGD", "sgd": "SGD", "hk$": "HKD",
    "hkd": "HKD", "r$": "BRL", "brl": "BRL", "mx$": "MXN", "mxn": "MXN", "nt$": "TWD", "twd": "TWD",
    "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP", "gbp": "GBP", "₹": "INR",
    "inr": "INR", "chf": "CHF", "¥": "¥", "jpy": "JPY", "cny": "CNY", "rmb": "CNY", "₩": "KRW",
    "krw": "KRW", "₪": "ILS", "ils": "ILS", "nis": "ILS", "zł": "PLN", "zl": "PLN", "pln": "PLN",
    "kr": "kr", "rs": "rs", "rs.": "rs", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "kč": "CZK", "czk": "CZK",
    "huf": "HUF",
    "ron": "RON", "₺": "TRY", "try": "TRY", "₴": "UAH", "uah": "UAH", "₽": "RUB", "rub": "RUB",
    "aed": "AED", "sar": "SAR", "zar": "ZAR", "₱": "PHP", "php": "PHP", "฿": "THB", "thb": "THB",
    "myr": "MYR", "idr": "IDR", "₫": "VND", "vnd": "VND", "₦": "NGN", "ngn": "NGN", "kes": "KES",
    "egp": "EGP", "cop": "COP", "clp": "CLP", "ars": "ARS", "pen": "PEN", "bgn": "BGN", "円": "JPY",

}  # fmt: skip
#: Signs of several currencies, by the country of the job; elsewhere the dollar is the American one.
_SHARED: dict[str, dict[str, str]] = {
    "rs": {"IN": "INR", "PK": "PKR", "LK": "LKR", "NP": "NPR"},
    "kr": {"SE": "SEK", "NO": "NOK", "DK": "DKK", "IS": "ISK"},
    "¥": {"JP": "JPY", "CN": "CNY"},
}
_OTHER_DOLLARS = frozenset({
    "CA", "AU", "NZ", "SG", "HK", "TW", "MX", "AR", "CL", "CO", "UY", "JM", "TT", "BB", "BS", "BZ",
    "FJ", "NA", "DO",
})  # fmt: skip
#: How many of a unit are about one US dollar: only to tell whether an amount can be pay at all.
_ORDER: dict[str, float] = {
    "JPY": 150, "INR": 85, "KRW": 1350, "HUF": 360, "CZK": 23, "PLN": 4, "SEK": 10, "NOK": 10, "DKK": 7,
    "MXN": 18, "BRL": 5, "ZAR": 18, "PHP": 57, "THB": 34, "IDR": 16_000, "VND": 25_000, "CLP": 950,
    "COP": 4_100, "ARS": 1_000, "TRY": 34, "RUB": 90, "UAH": 41, "ILS": 3.7, "AED": 3.7, "SAR": 3.75,
    "HKD": 7.8, "CNY": 7.2, "TWD": 32, "MYR": 4.5, "NGN": 1_500, "KES": 130, "EGP": 50, "RON": 4.6,
    "PKR": 280, "LKR": 300, "NPR": 135,
}  # fmt: skip
#: What one worker is paid, in US dollars, from next to nothing to a chief's.
_LIKELY: dict[PayInterval, tuple[float, float]] = {
    "hour": (3, 1_000), "day": (25, 8_000), "week": (100, 25_000), "month": (250, 80_000),
    "year": (3_000, 2_500_000), "once": (100, 1_000_000),
}  # fmt: skip
_WIDEST = 5.0
#: Amounts from here up, in currencies of that size, are a year's where nothing else is said.
_YEARLY_FROM = 14_000
_DOLLAR_LIKE = 2

_SIGN = (
    r"(?:(?:US|CA|AU|NZ|HK|MX|NT|[CASR])?\$|[€£₹¥₩₪₺₴₽₱฿₫₦]|万?円|Rs\.?(?![A-Za-z])"
    r"|(?:USD|EUR|GBP|CAD|AUD|NZD|SGD|HKD|BRL|MXN|TWD|INR|CHF|JPY|CNY|RMB|KRW|ILS|NIS|PLN|SEK|NOK|DKK|CZK"
    r"|HUF|RON"
    r"|TRY|UAH|RUB|AED|SAR|ZAR|PHP|THB|MYR|IDR|VND|NGN|KES|EGP|COP|CLP|ARS|PEN|BGN|Euros?|euros?|zł|kr"
    r"|Kč)(?![A-Za-z]))"
)
_NUMBER = (
    r"(?:\d{1,3}(?:[.,'\u2019\u00a0\u202f\u2009 ]\d{3})+(?:[.,]\d{1,2})?|\d{1,2}(?:,\d{2}){1,2},\d{3}"
    r"|\d{1,7}(?:[.,]\d{1,2})?)(?![\d]|[.,']\d)"
)
_TIMES = (
    r"(?:\s?(?:[kK](?!\w)|[mM](?:illions?|io|n|ln|M)?(?![a-zA-Z])|[bB](?:illions?|n)?(?![a-zA-Z])"
    r"|trillion|[lL]akhs?|[lL]acs?|LPA|[lL](?![a-zA-Z])|[万萬만]|thousand|Tsd\.?))"
)
_PER = r"(?:\s?(?:/|per\s|an?\s)\s?(?:hours?|hr|h|years?|yr|annum|months?|mo|day|week)\b\.?)"
_TO = (
    r"(?:\s{0,2}(?:[-\u2013\u2014\u2212\u2011~\u301c\uff5e]|to|bis|à|and|und|et|y|through|up to|hasta|tot|do"
    r"|до)\s{0,2}|\s(?:a|al|e)\s)"
)
_MONEY = re.compile(
    rf"(?<![\d.,A-Za-z#])(?P<s1>{_SIGN}(?:\s?{_SIGN})?)?\s?(?<![\d.,A-Za-z])(?P<n1>{_NUMBER})(?P<t1>{_TIMES})?(?P<e1>\s?{_SIGN})?{_PER}?"
    rf"(?:{_TO}(?P<s2>{_SIGN})?\s?(?P<n2>{_NUMBER})(?P<t2>{_TIMES})?(?P<e2>\s?{_SIGN})?)?",
)
_ONE_SIGN = re.compile(_SIGN)
_SIGN_LETTERS = "$€£₹¥₩₪₺₴₽₱฿₫₦"
_GOES_ON = re.compile(rf"\s?[-\u2013\u2014\u2212]\s?{_SIGN}?\s?\d")
#: "130,000+", and pay something is added to: "65k base salary + commission".
_OPEN = re.compile(
    r"\+|\s?(?:\(?(?:guaranteed|base|basic|salary|gross|annual(?:ly)?|per (?:year|annum|month|hour)|pa|usd"
    r"|eur|gbp)\)?,?\s){0,4}"
    r"(?:\+|plus\b|and (?:a )?(?:bonus|commission))",
    re.IGNORECASE,
)
_TEN_THOUSAND = 1e4
_THOUSAND = {"k": 1e3, "thousand": 1e3, "tsd": 1e3, "tsd.": 1e3}
_LAKH = 1e5
_THOUSANDS = 1e3
_LEAST_IN_FULL = 1e4


class Amount(msgspec.Struct, frozen=True, kw_only=True):
    """A range or one number, and where it stands. `sign` as written; `is_open` for "130,000+"."""

    start: int
    end: int
    low: float
    high: float
    sign: str | None
    is_range: bool
    is_open: bool
    is_lakh: bool


def amounts_in(line: str) -> Iterator[Amount]:
    """Every amount of one line. A range whose ends do not go together is none, and hides what it covers."""
    for match in _MONEY.finditer(line):
        if match["t1"] is None and match["t2"] is None and not _sign_of(match) and len(match["n1"]) < 4:  # noqa: PLR2004 - "5 to 7 years"
            continue
        found = None if _is_torn(match, line) else _amount(match, line)
        if found is not None:
            yield found


def currency_of(sign: str | None, countries: tuple[str, ...]) -> str | None:
    """The ISO 4217 code a sign means in a job in `countries`; None where it can be several."""
    meant = _SIGNS.get((sign or "").lower())
    if meant == "$":
        return "USD" if "US" in countries or not _OTHER_DOLLARS.intersection(countries) else None
    if meant is not None and meant in _SHARED:
        by_country = {_SHARED[meant].get(country) for country in countries}
        return by_country.pop() if len(by_country) == 1 else None
    return meant


def orders_of(currency: str | None, sign: str | None) -> tuple[float, ...]:
    """How many are about one US dollar, in each of the currencies that can be meant."""
    shared = _SHARED.get((sign or "").lower().rstrip("."), {}).values() if currency is None else ()
    return tuple(sorted(_ORDER.get(each, 1.0) for each in shared)) or (_ORDER.get(currency or "", 1.0),)


def is_likely(low: float, high: float, orders: tuple[float, ...], interval: PayInterval | None) -> bool:
    """Whether somebody can be paid that: "$1.00 - $250,000" is no range, and $5 a year no pay."""
    least, most = _LIKELY[interval or "year"]
    if interval is None and orders[0] > _DOLLAR_LIKE:
        # A year's or a month's, and only the words could tell.
        least = _LIKELY["month"][0]
    return least * orders[0] <= low <= high <= most * orders[-1] and high <= low * _WIDEST


def is_yearly(low: float, orders: tuple[float, ...]) -> bool:
    """Whether an amount without a period can only be a year's, in currencies of the dollar's size."""
    return orders[-1] <= _DOLLAR_LIKE and low >= _YEARLY_FROM


def _is_torn(match: re.Match[str], line: str) -> bool:
    """Whether the match is a piece of something that is written wrong, or of a savings plan ("401k")."""
    start = match.start("n1")
    loses_sign = match["s1"] is None and start > 0 and line[start - 1] in _SIGN_LETTERS
    loses_end = match["n2"] is None and _GOES_ON.match(line, match.end()) is not None
    return loses_sign or loses_end or match["n1"] in {"401", "403"}


def _sign_of(match: re.Match[str]) -> str | None:
    signs: list[str] = [
        sign for name in ("s1", "e1", "s2", "e2") for sign in _ONE_SIGN.findall(match[name] or "")
    ]
    # A code says more than the sign beside it: "$120,000 CAD".
    codes = [sign for sign in signs if sign.isalpha()]
    return (codes or signs or [None])[-1 if codes else 0]


def _amount(match: re.Match[str], line: str) -> Amount | None:
    low, low_times = _number(match["n1"]), _times(match["t1"])
    high, high_times = (
        (low, low_times) if match["n2"] is None else (_number(match["n2"]), _times(match["t2"]))
    )
    if low is None or high is None or low_times is None or high_times is None:
        return None
    if match["n2"] is not None:
        low_times, high_times = _shared_times(low, low_times, high, high_times)
    low, high = low * low_times, high * high_times
    written = f"{match['t1'] or ''}{match['t2'] or ''}".lower()
    if set(written.split()) & {"l", "ll"} and _sign_of(match) != "₹":
        return None
    return Amount(
        start=match.start(),
        end=match.end(),
        low=low,
        high=high,
        sign="INR" if "la" in written or "lpa" in written else _sign_of(match),
        is_range=match["n2"] is not None,
        is_open=match["n2"] is None and _OPEN.match(line, match.end()) is not None,
        is_lakh="lpa" in written,
    )


def _shared_times(low: float, low_times: float, high: float, high_times: float) -> tuple[float, float]:
    """ "45-60k" means thousands at both ends, and so do "45k-60" and "150-180,000"."""
    if low < _THOUSANDS and low_times == 1 and (high_times > 1 or high >= _LEAST_IN_FULL):
        return high_times if high_times > 1 else _THOUSANDS, high_times
    if high < _THOUSANDS and high_times == 1 and low_times > 1:
        return low_times, low_times
    return low_times, high_times


def _times(word: str | None) -> float | None:
    """None for millions and more: that is funding and revenue, not pay."""
    plain = (word or "").strip().lower()
    if not plain:
        return 1.0
    if plain.startswith(("lakh", "lac", "lpa")) or plain == "l":
        return _LAKH
    if plain in "万萬만":
        return _TEN_THOUSAND
    return _THOUSAND.get(plain)


def _number(text: str) -> float | None:
    """The last separator is a decimal one only before one or two digits: "48.000" are thousands."""
    plain = re.sub(r"['\u2019\u00a0\u202f\u2009 ]", "", text)
    whole, separator, rest = plain, "", ""
    for each in (".", ","):
        head, _, tail = plain.rpartition(each)
        if head and len(tail) <= 2:  # noqa: PLR2004 - cents
            whole, separator, rest = head, each, tail
    digits = whole.replace(".", "").replace(",", "")
    return float(f"{digits}.{rest}" if separator else digits) if digits.isdecimal() else None
