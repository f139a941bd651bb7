"""What an adapter takes and gives. Everything downstream reads these and never a platform's own answer."""

from collections.abc import Awaitable
from datetime import date, datetime
from typing import Literal, Protocol

import msgspec

from schema.ids import SourceId
from schema.vocabulary import Coverage

Workplace = Literal["onsite", "hybrid", "remote"]
EmploymentType = Literal["full_time", "part_time", "contract", "temporary", "intern"]
PayInterval = Literal["year", "month", "week", "day", "hour", "once"]
PaySource = Literal["field", "text"]
PostedMeaning = Literal["first_published", "last_published", "created", "updated"]
"""`created`: when the platform made the posting, which may be long before anybody could see it."""
FetchProblem = Literal[
    "unreachable",
    "timeout",
    "cut_short",
    "too_large",
    "refused_address",
    "too_many_redirects",
    "robots_forbid",
    "policy_forbid",
    "host_blocked",
    "too_slow",
]
PullProblem = Literal[
    "unreachable",
    "timeout",
    "cut_short",
    "too_large",
    "refused_address",
    "too_many_redirects",
    "robots_forbid",
    "policy_forbid",
    "host_blocked",
    "too_slow",
    "throttled",
    "board_unknown",
    "access_refused",
    "platform_error",
    "not_a_board",
]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One whole answer of a platform: a body that was cut short never becomes one."""

    url: str
    status: int
    body: bytes
    content_type: str = ""
    validators: "Validators | None" = None
    retry_after_seconds: int | None = None


class Validators(msgspec.Struct, frozen=True, kw_only=True):
    """What a host gave to ask it later whether an answer changed; at least one is known."""

    etag: str | None = None
    last_modified: str | None = None


class FetchFailed(Exception):
    """No whole answer was had. `problem` says why; `detail` is for the log.

    `until` is known for a host that wants to be left alone.
    """

    def __init__(self, problem: FetchProblem, detail: str = "", *, until: datetime | None = None) -> None:
        self.problem: FetchProblem = problem
        self.until = until
        super().__init__(detail or problem)


class Fetch(Protocol):
    """Gets an address, within the manners of its host and the limits of `client.py`. Raises `FetchFailed`.

    `json` is posted as it is; `known` asks for an answer only if it differs (else status 304, no body).
    """

    def __call__(
        self, url: str, /, *, json: bytes | None = None, known: Validators | None = None
    ) -> Awaitable[Answer]: ...


class Pay(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """At least one end is known; `currency` None is unknown, never a default."""

    low: float | None
    high: float | None
    currency: str | None
    interval: PayInterval | None
    source: PaySource


class Posted(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Exactly one of the two: a platform that names a day says nothing about the time."""

    meaning: PostedMeaning
    at: datetime | None = None
    on: date | None = None


class PlaceHint(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One place in the platform's own words, in as many parts as it tells; `text` is how it is shown."""

    text: str = ""
    city: str | None = None
    region: str | None = None
    country: str | None = None


class Listing(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One row of a board, as the platform shows it.

    `description` None: the list does not carry it; "": it does and there is none. `record` is the row as JSON
    without the description; `fingerprint` covers the whole row as it was sent. `places` only where the
    platform tells a place in parts. `workplace_signals` are what it says of remote work, as "name=value".
    """

    vendor_id: str
    record: bytes
    fingerprint: str
    title: str = ""
    is_listed: bool = True
    requisition_id: str | None = None
    company: str | None = None
    locations: tuple[str, ...] = ()
    places: tuple[PlaceHint, ...] = ()
    workplace: Workplace | None = None
    workplace_signals: tuple[str, ...] = ()
    employment_type: EmploymentType | None = None
    pay: Pay | None = None
    posted: Posted | None = None
    apply_url: str | None = None
    page_url: str | None = None
    language: str | None = None
    description: str | None = None


class Evidence(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why a coverage statement says what it says."""

    answers: int = 0
    answer_bytes: int = 0
    vendor_total: int | None = None
    cap: int | None = None
    repeated_pages: int = 0
    is_unchanged: bool = False
    rows: int = 0
    repeated_rows: int = 0
    unreadable_rows: int = 0
    odd_fields: int = 0
    ended_naturally: bool = False
    problem: PullProblem | None = None
    status: int | None = None
    retry_after_seconds: int | None = None


class BoardReading(msgspec.Struct, frozen=True, kw_only=True):
    """Listings and what the read proves. Only `complete` lets an absent posting count as missed."""

    listings: tuple[Listing, ...]
    coverage: Coverage
    evidence: Evidence
    validators: Validators | None = None


class PostingPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Where one posting stands, to look at it alone."""

    board: str
    vendor_id: str
    page_url: str
    apply_url: str | None = None


DetailState = Literal["open", "filled", "gone", "unknown"]
"""`unknown` closes nothing: the platform refused, failed, or answered something that is no posting."""


class Detail(msgspec.Struct, frozen=True, kw_only=True):
    """One posting looked at alone. `listing` is known when it is open and its page could be read."""

    state: DetailState
    evidence: Evidence
    listing: Listing | None = None


class Adapter(Protocol):
    """Reads one platform's boards. Never swallows an error and never calls a list that was cut complete."""

    #: Complete pulls in a row without a posting before it may close: 1 for one answer, 3 for pages.
    misses_to_close: int
    #: Whether every board is asked at one host of the platform (then its queue lane is the platform's).
    has_one_host: bool

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:
        """Everything the board shows. With `known`, an unchanged board is `complete` with `is_unchanged` in
        its evidence and no listings."""
        ...

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:
        """One posting by itself: its text where lists carry none, and whether it still stands."""
        ...


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """One board. `newest_pull_id` is its revision: a reading planned under an older one is stale.

    `off_since` is known when the product switched it off, after too many failures in a row.
    """

    id: SourceId
    platform: str
    board: str
    company: str | None
    url: str
    enabled: bool
    failures_in_a_row: int
    blocked_until: datetime | None
    last_pull_at: datetime | None
    last_complete_at: datetime | None
    etag: str | None
    last_modified: str | None
    read_whole_at: datetime | None
    rests_until: datetime | None
    off_since: datetime | None
    off_reason: str | None
    newest_pull_id: int | None
