"""Personio's public XML feed: one answer holds the whole board, texts included.

A text is there only in the language that was asked for, so a position may come without one. The feed names no
page of a position; its address follows from tenant and number. Newer feeds carry pay in fields whose names
nobody has written down: they stay in the record, unread.
"""

import asyncio
from urllib.parse import urlsplit

from pipeline.sources.adapters.gathering import Gathering
from pipeline.sources.adapters.pages.look import looked_at_page
from pipeline.sources.reading import asked, is_unchanged, not_a_board, unchanged, with_validators
from pipeline.sources.rules import failed, usable_id
from pipeline.sources.stamps import posted
from pipeline.sources.types import (
    Answer,
    BoardReading,
    Detail,
    EmploymentType,
    Evidence,
    Fetch,
    Listing,
    PostingPlace,
    Validators,
)
from pipeline.sources.xml_rows import XmlNotReadable, XmlRow, root_of

_ROOT = "workzag-jobs"
_PATH = "/xml"
#: The type wins where it says what the hours cannot.
_EMPLOYMENT: dict[str, EmploymentType] = {
    "intern": "intern",
    "internship": "intern",
    "freelance": "contract",
    "contractor": "contract",
    "temporary": "temporary",
}
_SCHEDULES: dict[str, EmploymentType] = {"full-time": "full_time", "part-time": "part_time"}


class Personio:
    """Both endings of a tenant's name lead to one board; a few tenants answer at one of them only."""

    misses_to_close = 1
    has_one_host = False

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:
        reading = failed(Evidence(problem="board_unknown"))
        odd: BoardReading | None = None
        for ending in ("de", "com"):
            answer = await asked(fetch, _feed(board, ending), known)
            if known is not None and isinstance(answer, Answer) and is_unchanged(answer):
                return unchanged(known)
            reading = (
                failed(answer)
                if isinstance(answer, Evidence)
                else await asyncio.to_thread(read_board, answer, board)
            )
            # An unknown name is sent to the vendor's own pages; the other ending may know it.
            if reading.evidence.problem not in {"board_unknown", "not_a_board"}:
                return reading
            if isinstance(answer, Answer) and urlsplit(answer.url).path == _PATH:
                odd = reading
        # The tenant's own host stands and shows something else: nothing says that it is gone.
        return odd or reading

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:
        return await looked_at_page(place, fetch, board_url=_feed(place.board, "de"))


def _feed(board: str, ending: str) -> str:
    return f"https://{board}.jobs.personio.{ending}{_PATH}?language=en"


def read_board(answer: Answer, board: str) -> BoardReading:
    try:
        root = root_of(answer.body)
    except XmlNotReadable:
        return not_a_board(answer)
    if root.element.tag != _ROOT:
        return not_a_board(answer)
    gathering = Gathering()
    gathering.took(answer)
    for position in root.rows("position"):
        gathering.add(_listing(position, board))
    return with_validators(gathering.reading("natural"), answer)


def _listing(position: XmlRow, board: str) -> Listing | None:
    number = position.text("id")
    vendor_id = usable_id(f"{board}/{number}") if number.isascii() and number.isdigit() else None
    if vendor_id is None:
        return None
    offices = [position.text("office"), *position.texts("additionalOffices/office")]
    page = f"https://{board}.jobs.personio.com/job/{number}"
    return Listing(
        vendor_id=vendor_id,
        record=position.without("jobDescriptions"),
        fingerprint=position.fingerprint,
        title=position.text("name"),
        company=position.text("subcompany") or None,
        locations=tuple(dict.fromkeys(office for office in offices if office)),
        employment_type=_employment(position),
        posted=posted(position.text("createdAt"), "created"),
        apply_url=f"{page}#apply",
        page_url=page,
        description=_description(position),
    )


def _employment(position: XmlRow) -> EmploymentType | None:
    named = _EMPLOYMENT.get(position.text("employmentType").lower())
    return named or _SCHEDULES.get(position.text("schedule").lower())


def _description(position: XmlRow) -> str | None:
    """The sections under their names; None when none came, for another language may have them."""
    sections = [
        (section.text("name"), section.text("value"))
        for section in position.rows("jobDescriptions/jobDescription")
    ]
    told = [f"<h3>{_escaped(name)}</h3>{value}" if name else value for name, value in sections if value]
    return "".join(told) or None


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
