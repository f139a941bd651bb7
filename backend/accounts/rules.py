"""Pure decisions about accounts: what is an address, a password, a name; when a session ends. No I/O."""

import hashlib
import re
import secrets
import unicodedata
import zoneinfo
from datetime import datetime, timedelta

from schema.text import clean, grouped
from schema.throttle import Rate

SESSION_LIFE = timedelta(days=30)
SEEN_EVERY = timedelta(minutes=1)
INVITATION_LIFE = timedelta(days=7)
PASSWORD_MIN = 10
PASSWORD_MAX = 1000
PASSWORD_CHARACTERS = 4
"""Different ones a password has at least."""
OWN_WORD_MIN = 3
"""Shorter words of the person's own are too common to forbid."""
NAME_MAX = 200
EMAIL_MIN = 3
EMAIL_MAX = 320
LANGUAGES = {"en": "English"}

SIGN_INS_OF_PEER = Rate(name="sign_in.peer", burst=30, seconds_each=10)
SIGN_INS_OF_ADDRESS = Rate(name="sign_in.address", burst=10, seconds_each=30)
DOORS_OF_PEER = Rate(name="door.peer", burst=20, seconds_each=15)
"""Owner tokens and invitation codes tried from one peer."""

_CONTINENTS = frozenset({"Africa", "America", "Antarctica", "Arctic", "Asia", "Australia", "Europe"})
_PARTS_OF_THE_WORLD = _CONTINENTS | {"Atlantic", "Indian", "Pacific"}
_ADDRESS = re.compile(r"[^\s@<>\"(),:;\\\[\]]{1,64}@[^\s@<>\"(),:;\\\[\]]{1,255}")


def address(text: str) -> str:
    """`text` as addresses are compared: trimmed, composed, lower case."""
    return unicodedata.normalize("NFC", clean(text).strip()).lower()


def is_address(text: str) -> bool:
    return EMAIL_MIN <= len(text) <= EMAIL_MAX and _ADDRESS.fullmatch(text) is not None


def password_fault(password: str, *, email: str, name: str) -> str | None:
    """Why `password` is refused, as a sentence; None when it is fine."""
    if len(password) < PASSWORD_MIN:
        return f"The password needs at least {PASSWORD_MIN} characters."
    if len(password) > PASSWORD_MAX:
        return f"The password may have at most {grouped(PASSWORD_MAX)} characters."
    if len(set(password)) < PASSWORD_CHARACTERS:
        return f"The password needs at least {PASSWORD_CHARACTERS} different characters."
    lowered = password.casefold()
    own = {email.casefold(), email.split("@", maxsplit=1)[0].casefold(), name.casefold()}
    known = [word for word in own if len(word) >= OWN_WORD_MIN and word in lowered]
    if any(not lowered.replace(word, "").strip(" 0123456789!?.") for word in known):
        return "The password must not be your name or address."
    return None


def time_zones() -> list[str]:
    """Zones to choose from, by continent and ocean; UTC first. Older names are understood, not offered."""
    names = {name for name in zoneinfo.available_timezones() if name.partition("/")[0] in _PARTS_OF_THE_WORLD}
    return ["UTC", *sorted(names)]


def is_time_zone(name: str) -> bool:
    return name == "UTC" or name in zoneinfo.available_timezones()


def new_token() -> str:
    """256 random bits, in characters that a URL and a cookie can hold."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is stored of a random token; with 256 bits there is nothing to salt or stretch."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def is_due(last_seen_at: datetime, now: datetime) -> bool:
    """Whether a session that was last seen then is written again."""
    return now - last_seen_at >= SEEN_EVERY
