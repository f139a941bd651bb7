"""Which platforms can be read, which may not be, and which board an address belongs to."""

from datetime import UTC, datetime
from typing import TypeGuard
from urllib.parse import urlsplit

import msgspec

from pipeline.sources.adapters.ashby import Ashby
from pipeline.sources.adapters.greenhouse import Greenhouse
from pipeline.sources.adapters.jazzhr import JazzHr
from pipeline.sources.adapters.lever import Lever
from pipeline.sources.adapters.manatal import Manatal
from pipeline.sources.adapters.pages.icims import Icims
from pipeline.sources.adapters.pages.successfactors import SuccessFactors
from pipeline.sources.adapters.personio import Personio
from pipeline.sources.adapters.pinpoint import Pinpoint
from pipeline.sources.adapters.recruitee import Recruitee
from pipeline.sources.adapters.rippling import Rippling
from pipeline.sources.adapters.teamtailor import Teamtailor
from pipeline.sources.adapters.workable import Workable
from pipeline.sources.adapters.workday import Workday
from pipeline.sources.types import Adapter
from schema.errors import Refusal
from schema.identity.spelling import spelled
from schema.identity.urls import MAX_CANONICAL_CHARS, posting_url

#: Platforms whose terms or robots rules forbid reading. Off, with the reason shown.
POLICY: dict[str, str] = {
    "smartrecruiters": "SmartRecruiters' robots rules close its posting API to everyone but one network.",
    "bamboohr": "BambooHR's terms forbid automated reading.",
    "breezy": "Breezy's terms forbid automated reading.",
    "oracle": "Oracle documents its recruiting endpoints for internal use only.",
    "linkedin": "LinkedIn's terms forbid automated reading.",
    "indeed": "Indeed's terms forbid automated reading.",
    "glassdoor": "Glassdoor's terms forbid automated reading.",
}


#: As `sources` holds it.
_MAX_BOARD_CHARS = 300


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    """A platform that may be read until an announced day."""

    since: datetime
    reason: str


CLOSING: dict[str, Closing] = {
    "recruitee": Closing(
        since=datetime(2027, 2, 10, tzinfo=UTC),
        reason="Since 10 February 2027 Recruitee gives its offers only to holders of the employer's token.",
    ),
}
#: Platforms whose boards no adapter reads for a reason that will not pass; their pages may be read.
RETIRED: dict[str, str] = {
    "jobvite": "Jobvite has retired its public list of jobs; what is left answers with nothing and no error.",
}


class NotABoard(Refusal):
    """The address does not lead to a board of a platform Jobtrail knows."""

    code = "source_unknown"


class PlatformForbidsReading(Refusal):
    """This platform does not allow its boards to be read by programs."""

    code = "source_forbidden"
    kind = "forbidden"


class PlatformNotRead(Refusal):
    """Jobtrail knows this platform but cannot read its boards yet."""

    code = "source_unsupported"
    kind = "unsupported"


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A board that can be read."""

    platform: str
    board: str
    url: str


#: By platform, as `schema/identity` names it.
ADAPTERS: dict[str, Adapter] = {
    "ashby": Ashby(),
    "greenhouse": Greenhouse(),
    "lever": Lever(),
    "workable": Workable(),
    "icims": Icims(),
    "jazzhr": JazzHr(),
    "manatal": Manatal(),
    "personio": Personio(),
    "pinpoint": Pinpoint(),
    "recruitee": Recruitee(),
    "successfactors": SuccessFactors(),
    "teamtailor": Teamtailor(),
    "rippling": Rippling(),
    "workday": Workday(),
}


def why_forbidden(platform: str, now: datetime) -> str | None:
    """Why a platform may not be read today; None when it may."""
    closing = CLOSING.get(platform)
    if closing is not None and now >= closing.since:
        return closing.reason
    return POLICY.get(platform)


def can_be_a_board(name: str | None) -> TypeGuard[str]:
    """Whether a part of an address can name a board: no platform gives one a name without end."""
    return name is not None and len(name) <= _MAX_BOARD_CHARS


def spelled_out(url: str) -> str:
    """An address as people paste it, with the scheme they left out."""
    text = url.strip()
    return text if "://" in text else f"https://{text}"


def place_of(url: str, now: datetime | None = None) -> Place:
    """The board an address belongs to; also the address of one of its postings will do.

    Without `now`, platforms that close on an announced day count as open. Raises `NotABoard`,
    `PlatformForbidsReading` or `PlatformNotRead`, each saying why.
    """
    address = spelled_out(url)
    found = posting_url(address) if len(address) <= MAX_CANONICAL_CHARS else None
    if found is None or "." not in (urlsplit(found.canonical).hostname or ""):
        raise NotABoard("That is not a web address.", field="url")
    if found.platform is None:
        raise NotABoard("The address names no board of a platform Jobtrail knows.", field="url")
    forbidden = POLICY.get(found.platform) if now is None else why_forbidden(found.platform, now)
    if forbidden is not None:
        raise PlatformForbidsReading(forbidden, field="url")
    if not can_be_a_board(found.board):
        raise NotABoard(
            f"The address is one of {spelled(found.platform)}, but names no board there.", field="url"
        )
    if found.platform in RETIRED:
        raise PlatformNotRead(RETIRED[found.platform], field="url")
    if found.platform not in ADAPTERS:
        raise PlatformNotRead(
            f"Boards of {spelled(found.platform)} cannot be read yet; Jobtrail reads "
            f"{', '.join(map(spelled, sorted(ADAPTERS)))} today.",
            field="url",
        )
    return Place(platform=found.platform, board=found.board, url=address)
