"""What a single fact must look like, and the one spelling it is kept in. Pure.

Each form takes a tidy text and gives the kept text, or raises `NotThatForm` with a sentence for the person.
"""

import re
from collections.abc import Callable
from datetime import date
from urllib.parse import urlsplit

from extension_api.countries import BY_CODE
from schema.text import clean

_EMAIL = re.compile(r"[^@\s<>\"]{1,64}@[^@\s<>\"]{1,255}")
_PHONE = re.compile(r"\+?[0-9 ().\-/]{3,40}(?:(?:ext|x|ext\.) ?[0-9]{1,6})?", re.IGNORECASE)
_BARE_ADDRESS = re.compile(r"[A-Za-z0-9.-]{1,253}\.[A-Za-z]{2,24}(?:[/?#]\S{0,2000})?")
_PARTIAL_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?(?:-([0-9]{2}))?")
_MIN_PHONE_DIGITS = 4


class NotThatForm(ValueError):
    """The text is no fact of that form; the message tells the person what is expected."""


def line(text: str) -> str:
    return " ".join(clean(text).split())


def paragraphs(text: str) -> str:
    return clean(text).replace("\r\n", "\n").replace("\r", "\n").strip()


def email(text: str) -> str:
    kept = line(text)
    host = kept.rpartition("@")[2]
    if kept and not (_EMAIL.fullmatch(kept) and "." in host.strip(".")):
        raise NotThatForm("An e-mail address, like ada@example.org.")
    return kept


def phone(text: str) -> str:
    kept = line(text)
    digits = sum(char.isdigit() for char in kept)
    if kept and not (_PHONE.fullmatch(kept) and digits >= _MIN_PHONE_DIGITS):
        raise NotThatForm("A phone number, like +44 20 7946 0018.")
    return kept


def link(text: str) -> str:
    """A web address; one written without its scheme is completed with https."""
    kept = line(text)
    if kept and _BARE_ADDRESS.fullmatch(kept):
        kept = f"https://{kept}"
    if kept and not _is_web_address(kept):
        raise NotThatForm("A web address, like https://example.org/ada.")
    return kept


def _is_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and " " not in text


def country(text: str) -> str:
    kept = line(text)
    if kept and kept not in BY_CODE:
        raise NotThatForm("A country by its two-letter code, like DE.")
    return kept


def currency(text: str) -> str:
    kept = line(text)
    if not re.fullmatch("[A-Z]{3}", kept):
        raise NotThatForm("A currency by its three-letter code, like EUR.")
    return kept


def partial_date(text: str) -> str:
    """A year, a month or a day that exists."""
    kept = line(text)
    found = _PARTIAL_DATE.fullmatch(kept)
    if kept and not (found and _exists(found[1], found[2], found[3])):
        raise NotThatForm("A date as 2024, 2024-05 or 2024-05-17.")
    return kept


def _exists(year: str, month: str | None, day: str | None) -> bool:
    try:
        date(int(year), int(month or "1"), int(day or "1"))
    except ValueError:
        return False
    return True


FORMS: dict[str, Callable[[str], str]] = {
    "line": line,
    "paragraphs": paragraphs,
    "email": email,
    "phone": phone,
    "link": link,
    "country": country,
    "currency": currency,
    "date": partial_date,
}
