"""Which platforms can be read, which may not be, and which board an address belongs to."""

import msgspec

from pipeline.sources.adapters.ashby import Ashby
from pipeline.sources.adapters.greenhouse import Greenhouse
from pipeline.sources.adapters.lever import Lever
from pipeline.sources.adapters.workable import Workable
from pipeline.sources.adapters.workday import Workday
from pipeline.sources.types import Adapter
from schema.errors import Refusal
from schema.identity.spelling import spelled
from schema.identity.urls import posting_url

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
    "workday": Workday(),
}


def place_of(url: str) -> Place:
    """The board an address belongs to; also the address of one of its postings will do.

    Raises `NotABoard`, `PlatformForbidsReading` or `PlatformNotRead`, each saying why.
    """
    found = posting_url(url.strip())
    if found is None:
        raise NotABoard("That is not a web address.", field="url")
    if found.platform is None or found.board is None:
        raise NotABoard("The address names no board of a platform Jobtrail knows.", field="url")
    if found.platform in POLICY:
        raise PlatformForbidsReading(POLICY[found.platform], field="url")
    if found.platform not in ADAPTERS:
        raise PlatformNotRead(
            f"Boards of {spelled(found.platform)} cannot be read yet; Jobtrail reads "
            f"{', '.join(map(spelled, sorted(ADAPTERS)))} today.",
            field="url",
        )
    return Place(platform=found.platform, board=found.board, url=url.strip())
