"""From a JSON Resume file to a profile, over what the profile holds already. Pure.

Everything is looked at leniently. What is not taken over, and what should be looked at, is told with its
place: nothing is lost in silence.
"""

from collections.abc import Callable
from typing import cast
from urllib.parse import urlsplit

import msgspec

from extension_api.countries import country_named
from extension_api.profiles.json_resume.names import split_name
from extension_api.profiles.json_resume.node import NO_PLACE, Node, Remark
from extension_api.profiles.rules import checked
from extension_api.profiles.types import Profile
from schema.errors import Refusal

MAX_FILE_BYTES = 2_000_000
MAX_REMARKS = 500

_NETWORKS = {"linkedin": "linkedin", "github": "github", "twitter": "twitter", "x": "twitter"}
_HOMES = {
    "linkedin": "https://www.linkedin.com/in/",
    "github": "https://github.com/",
    "twitter": "https://x.com/",
}
_FLUENCY = (
    ("native", ("native", "mother", "bilingual", "muttersprach", "c2")),
    ("fluent", ("fluent", "full professional", "proficient", "advanced", "c1")),
    ("conversational", ("conversation", "intermediate", "professional", "working", "b1", "b2")),
    ("basic", ("basic", "beginner", "elementary", "limited", "a1", "a2")),
)
_STILL = frozenset({"present", "current", "now", "today", "heute"})
Facts = dict[str, object]


class NotJsonResume(Refusal):
    """The file is not a JSON Resume file."""

    code = "not_json_resume"


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """The profile as it would be saved, and what the person should know first."""

    profile: Profile
    remarks: list[Remark]


def imported(file: bytes, onto: Profile) -> Imported:
    """Lists in the file replace the profile's; facts the file does not state stay as they are."""
    remarks: list[Remark] = []
    root = Node(_decoded(file), "", remarks)
    facts = _facts(root)
    result = checked(facts)
    remarks += [Remark(path=fault.path, why=fault.message) for fault in result.faults]
    merged = _merged(msgspec.to_builtins(onto), msgspec.to_builtins(result.profile))
    return Imported(profile=msgspec.convert(merged, Profile), remarks=remarks[:MAX_REMARKS])


def _decoded(file: bytes) -> Facts:
    if len(file) > MAX_FILE_BYTES:
        raise NotJsonResume(f"The file is larger than {MAX_FILE_BYTES // 1_000_000} MB.")
    try:
        document: object = msgspec.json.decode(file.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NotJsonResume("The file cannot be read as JSON.") from None
    if not isinstance(document, dict) or not document.keys() & {"basics", "work", "education", "skills"}:
        raise NotJsonResume("The file has none of the sections basics, work, education and skills.")
    return cast("Facts", document)


def _merged(below: Facts, above: Facts) -> Facts:
    merged = dict(below)
    for key, value in above.items():
        if isinstance(value, dict):
            merged[key] = _merged(cast("Facts", below.get(key) or {}), cast("Facts", value))
        elif value:
            merged[key] = value
    return merged


def _facts(root: Node) -> Facts:
    for known in ("$schema", "meta"):  # about the file, not about the person
        root.ignore(known)
    basics = root.node("basics")
    facts: Facts = {
        **_basics(basics),
        "work": _each(root, "work", _work),
        "education": _each(root, "education", _education),
        "skills": [skill for node in root.nodes("skills") for skill in _skills(node)],
        "languages": _each(root, "languages", _language),
    }
    basics.finish()
    root.finish()
    return facts


def _each(root: Node, key: str, read: Callable[[Node], Facts]) -> list[object]:
    rows: list[object] = []
    for node in root.nodes(key):
        rows.append(read(node))
        node.finish()
    return rows


def _basics(basics: Node) -> Facts:
    name = split_name(whole := basics.text("name"))
    if name.last:
        basics.remark("basics.name", f"“{whole}” was split into first and last name; please look at it.")
    return {
        "first_name": name.first,
        "middle_name": name.middle,
        "last_name": name.last,
        "headline": basics.text("label"),
        "email": basics.text("email"),
        "phone": {"number": basics.text("phone")},
        "summary": basics.text("summary"),
        "address": _address(basics.node("location")),
        "links": {"website": basics.text("url", "website"), **_links(basics)},
    }


def _address(location: Node) -> Facts:
    stated = location.text("countryCode", "country")
    country = country_named(stated)
    if stated and country is None:
        location.remark(f"{location.path}.countryCode", "Not a country Jobtrail knows.")
    facts: Facts = {
        "street": location.text("address"),
        "postal_code": location.text("postalCode"),
        "city": location.text("city"),
        "region": location.text("region"),
        "country": country.alpha_2 if country else "",
    }
    location.finish()
    return facts


def _links(basics: Node) -> Facts:
    links: Facts = {}
    for node in basics.nodes("profiles"):
        network, url, user = node.text("network"), node.text("url"), node.text("username")
        slot = _NETWORKS.get(network.lower()) or _NETWORKS.get(_site(url))
        if slot and slot not in links and (url or user):
            links[slot] = url or _HOMES[slot] + user
        elif network or url or user:
            node.remark(node.path, NO_PLACE)
        node.finish()
    return links


def _site(url: str) -> str:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.").partition(".")[0]


def _work(node: Node) -> Facts:
    start, end = node.text("startDate"), node.text("endDate")
    is_current = end.lower() in _STILL
    if (
        start[:4].isdigit() and not end
    ):  # how the format writes a current position, and how people forget an end
        is_current = True
        node.remark(f"{node.path}.endDate", "No end: taken as your current position; please look at it.")
    points = [f"- {point}" for point in node.texts("highlights")]
    return {
        "company": node.text("name", "company"),
        "title": node.text("position"),
        "location": node.text("location"),
        "start": start,
        "end": "" if is_current else end,
        "is_current": is_current,
        "summary": "\n".join([text for text in (node.text("summary"),) if text] + points),
    }


def _education(node: Node) -> Facts:
    return {
        "school": node.text("institution"),
        "degree": node.text("studyType"),
        "field_of_study": node.text("area"),
        "start": node.text("startDate"),
        "end": node.text("endDate"),
        "grade": node.text("score", "gpa"),
    }


def _skills(node: Node) -> list[str]:
    found = [node.text("name"), *node.texts("keywords")]
    node.finish()
    return [skill for skill in dict.fromkeys(found) if skill]


def _language(node: Node) -> Facts:
    stated = node.text("fluency")
    fluency = next(
        (level for level, words in _FLUENCY if any(word in stated.lower() for word in words)), None
    )
    if stated and fluency is None:
        node.remark(f"{node.path}.fluency", "Jobtrail knows basic, conversational, fluent and native.")
    return {"name": node.text("language"), "fluency": fluency}
