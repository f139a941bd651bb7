"""Whose domain an address belongs to: a name in a domain of one's own, or nobody's at services. Pure."""

from mailsync.classify.senders import Sender
from mailsync.parse.types import Address

PUBLIC_MAIL = frozenset((
    "gmail", "googlemail", "outlook", "hotmail", "live", "msn", "yahoo", "ymail", "icloud", "me", "mac",
    "aol", "gmx", "web", "proton", "protonmail", "pm", "fastmail", "hey", "zoho", "mail", "yandex", "qq",
    "163", "126", "tutanota", "tuta", "posteo", "orange", "wanadoo", "free", "laposte", "sfr", "t-online",
    "freenet", "example", "google", "amazonses", "sendgrid", "mailgun", "outlook365", "googlegroups",
    "btconnect", "btinternet", "bluewin", "arcor", "sbcglobal",
))  # fmt: skip
_SECOND_LEVEL = frozenset((
    "co", "com", "org", "net", "ac", "gov", "edu", "or", "ne", "go", "sch", "nhs", "gouv", "ltd", "plc", "uk",
))  # fmt: skip
_COUNTRY_CHARS = 3


def own_label(address: Address, sender: Sender | None) -> str | None:
    """The name in a domain of one's own: "northwind" of mail.northwind.co.uk; None at relays and services."""
    labels = address.domain.lower().split(".")
    if len(labels) < 2 or (sender is not None and not sender.plain):  # noqa: PLR2004 - a name and a top level
        return None
    place = -2
    if len(labels) > 2 and labels[-2] in _SECOND_LEVEL and len(labels[-1]) <= _COUNTRY_CHARS + 4:  # noqa: PLR2004
        place = -3
    return None if labels[place] in PUBLIC_MAIL else labels[place]
