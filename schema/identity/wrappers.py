"""Addresses that only lead to another one: mail filters, click counters, share links.

Takes the target out when it stands in the address itself. Never asks the network: a link whose target only
its owner knows stays what it is.
"""

import base64
import binascii
import re
from urllib.parse import unquote

from schema.identity.addresses import Address

#: Hosts (with their subdomains) that only forward, and the parameters that may hold the target.
_BY_HOST: dict[str, tuple[str, ...]] = {
    "safelinks.protection.outlook.com": ("url",),
    "linkprotect.cudasvc.com": ("a",),
    "clicktime.symantec.com": ("u",),
    "slack-redir.net": ("url",),
    "deref-mail.com": ("redirectUrl",),
    "l.facebook.com": ("u",),
    "lm.facebook.com": ("u",),
    "l.instagram.com": ("u",),
    "out.reddit.com": ("url",),
}
#: Pages of hosts that otherwise show their own.
_BY_PAGE: dict[tuple[str, str], tuple[str, ...]] = {
    ("linkedin.com", "/redir/redirect"): ("url",),
    ("linkedin.com", "/safety/go"): ("url",),
    ("youtube.com", "/redirect"): ("q",),
    ("duckduckgo.com", "/l"): ("uddg",),
    ("facebook.com", "/l.php"): ("u",),
}
_GOOGLE = re.compile(r"(?:www\.)?google\.(?:[a-z]{2,3}|com?\.[a-z]{2})")
#: A host or path that calls itself a click counter, and the names such counters give the target.
_COUNTER = re.compile(
    r"(?:^|[./_-])(?:clicks?|clk|track(?:ing)?|trk|redirect|redir|links?|lnk|go|out|url|ct|email|mail|e)(?:[./_-]|$)"
)
_COUNTER_PARAMETERS = (
    "url", "u", "q", "target", "targeturl", "dest", "destination", "redirect", "redirecturl", "redirect_url",
    "redirect_uri", "redirect_to", "redir", "goto", "to", "link", "r", "out", "continue",
)  # fmt: skip
_HTTP = re.compile(r"https?://[^/]", re.IGNORECASE)
_SEGMENT = re.compile(r"https?(?::|%3A)(?:%2F){2}", re.IGNORECASE)
_IN_TOKEN = re.compile(r"https?:\\*/\\*/[^\s\"<>]{4,4000}")
_PROOFPOINT_3 = re.compile(r"/v3/__(https?):/([^_]*(?:_(?!_)[^_]*)*)__(?:;([A-Za-z0-9_-]*)!!.*)?")


def target_of(address: Address) -> str | None:
    """Where an address that only forwards leads to; None for one that does not, or does not say."""
    found = _own_way(address) or _parameter(address, _forwarding_parameters(address))
    return found if found and _HTTP.match(found) else None


def mentioned_in(address: Address) -> list[str]:
    """Addresses held by any parameter, whatever the page: share links, sign-in pages that lead back."""
    values = (unquote(value) for _, value in address.query)
    return [value for value in values if _HTTP.match(value)]


def _forwarding_parameters(address: Address) -> tuple[str, ...]:
    host, path = address.host, address.path
    labels = host.split(".")
    for start in range(len(labels) - 1):
        ending = ".".join(labels[start:])
        names = _BY_HOST.get(ending) or _BY_PAGE.get((ending, path))
        if names:
            return names
    if _GOOGLE.fullmatch(host):
        return ("q", "url") if path == "/url" else ()
    return _COUNTER_PARAMETERS if _COUNTER.search(f"{labels[0]}{path.lower()}") else ()


def _parameter(address: Address, names: tuple[str, ...]) -> str | None:
    given = {key.lower(): unquote(value) for key, value in reversed(address.query)}
    candidates = (given.get(name.lower(), "") for name in names)
    return next((value for value in candidates if _HTTP.match(value)), None)


def _own_way(address: Address) -> str | None:
    """The services that write the target in a way of their own."""
    ending = ".".join(address.host.split(".")[-2:])
    match ending:
        case "awstrack.me" | "cisco.com":
            return next((unquote(part) for part in address.path.split("/") if _SEGMENT.match(part)), None)
        case "pstmrk.it":
            parts = address.path.split("/")
            return "https://" + unquote(parts[2]) if parts[1:2] == ["3s"] and parts[2:] else None
        case "mandrillapp.com":
            return _in_token(address.parameter("p") or "")
        case "customeriomail.com":
            return _in_token(address.path.rpartition("/")[2])
        case "urldefense.com" | "proofpoint.com":
            return _proofpoint(address)
        case _:
            return None


def _in_token(token: str) -> str | None:
    found = _IN_TOKEN.search(_decoded(token))
    return found[0].replace("\\", "") if found else None


def _decoded(token: str) -> str:
    try:
        return base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return ""


def _proofpoint(address: Address) -> str | None:
    written = address.parameter("u")
    if written is not None:
        return written if _HTTP.match(written) else unquote(written.replace("-", "%").replace("_", "/"))
    found = _PROOFPOINT_3.fullmatch(address.path)
    if found is None:
        return None
    # Characters the filter does not carry stand as "*" and follow, in order, after the address.
    replaced = iter(_decoded(found[3] or ""))
    return f"{found[1]}://" + re.sub(r"\*", lambda _: next(replaced, ""), found[2])
