"""Bytes to text whatever the label says: declared charset, then UTF-8, then Windows-1252. Never raises.

Only character sets of an allow-list are used. A label may name any codec of the interpreter otherwise,
and some of those are not text (`hex`), quadratic (`punycode`) or warn (`unicode_escape`).
"""

import codecs
import re

_LONGEST_LABEL = 60
_LONGEST_CUT_CHARACTER = 3  # bytes of a UTF-8 character whose end is missing

# What senders mean by these labels; each is a superset of what the label says.
_MEANT = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "big5": "big5hkscs",
}

_TEXT_CODECS = frozenset(
    codecs.lookup(name).name
    for name in (
        *("ascii", "utf-8", "utf-8-sig", "utf-7", "utf-16", "utf-16-be", "utf-16-le", "utf-32"),
        *("cp437", "cp850", "cp852", "cp866", "cp874", "cp932", "cp949", "mac-roman", "mac-cyrillic"),
        *(f"cp{page}" for page in range(1250, 1259)),
        *(f"iso8859-{part}" for part in (*range(1, 12), *range(13, 17))),  # there is no part 12
        *("koi8-r", "koi8-u", "tis-620", "big5", "big5hkscs", "gb2312", "gbk", "gb18030", "hz"),
        *("euc_jp", "shift_jis", "iso2022_jp", "iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_ext"),
        *("euc_kr", "johab", "iso2022_kr"),
    )
)
_LABEL_SPELLINGS = {
    "unicode-1-1-utf-7": "utf-7",
    "x-mac-roman": "mac-roman",
    "cp-850": "cp850",
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "iso-8859-6-i": "iso8859-6",
    "ks_c_5601-1987": "euc_kr",
    "x-sjis": "shift_jis",
    "x-gbk": "gbk",
    "x-big5": "big5",
    "x-euc-jp": "euc_jp",
    "utf8mb4": "utf-8",
    "unknown-8bit": "utf-8",
}
_ESCAPE_TO_JAPANESE = re.compile(rb"\x1b\$[@B]|\x1b\(J")


def known_charset(label: str) -> str | None:
    """The codec for a charset label, or None for an unknown one and for codecs that are not text."""
    wanted = label.strip("\"' \t").lower()[:_LONGEST_LABEL]
    if not wanted or not wanted.isascii() or not wanted.isprintable():
        return None
    wanted = _LABEL_SPELLINGS.get(wanted, wanted)
    try:
        name = codecs.lookup(wanted).name
    except (LookupError, ValueError):
        return None
    return _MEANT.get(name, name) if name in _TEXT_CODECS else None


def decode(raw: bytes, label: str = "") -> tuple[str, bool]:
    """The text, and whether the label could be believed (an absent label counts as believable)."""
    charset = known_charset(label)
    if charset is not None and charset != "cp1252":
        text = _try(raw, charset)
        if text is not None:
            return text, True
    return _guess(raw), charset is not None or not label.strip()


def _guess(raw: bytes) -> str:
    """For a missing or wrong label. UTF-8 text almost never decodes by accident, so it is asked first."""
    if _ESCAPE_TO_JAPANESE.search(raw) and (japanese := _try(raw, "iso2022_jp_ext")) is not None:
        return japanese
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        if error.start >= len(raw) - _LONGEST_CUT_CHARACTER and not before.isascii():
            return before.decode("utf-8-sig")
    return raw.decode("cp1252", errors="replace")


def _try(raw: bytes, charset: str) -> str | None:
    try:
        return raw.decode(charset)
    except (UnicodeError, ValueError):
        return _mostly(raw, charset)


def _mostly(raw: bytes, charset: str) -> str | None:
    """A text cut inside a character or with a few wrong bytes is still that charset."""
    try:
        text = raw.decode(charset, errors="replace")
    except (UnicodeError, ValueError):
        return None
    wrong = text.count("\ufffd")
    return text if wrong * 50 <= len(text) or wrong == 1 else None
