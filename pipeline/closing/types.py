"""What is remembered of a board, what one reading of it says, and what that decides."""

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from pipeline.sources.types import PullProblem
from schema.ids import PostingId, PullId
from schema.vocabulary import Coverage

SuspicionKind = Literal["drop", "blast", "empty", "gone"]
Settlement = Literal["recovered", "confirmed", "expired"]
ProbeState = Literal["open", "filled", "gone"]
CloseReason = Literal["not_listed", "page_gone", "filled", "board_empty", "board_gone"]
"""`postings.closed_reason` of what a board decided; the pull stands beside it."""

IncidentProblem = PullProblem | Literal["surprising_empty"]


class Watched(msgspec.Struct, frozen=True, kw_only=True):
    """A listing the board showed once. Wanted of every listing this reading does not show, and of those it
    shows whose posting is closed.

    `posting_id` None: the rules refused it. `returns`: how often its posting was reopened. `probed` is what
    its own page said since the board showed it last, at `looked_at`.
    """

    vendor_id: str
    posting_id: PostingId | None
    is_open: bool
    missed: int
    last_seen_at: datetime | None = None
    shown_elsewhere: bool = False
    returns: int = 0
    probed: ProbeState | None = None
    looked_at: datetime | None = None


class Suspicion(msgspec.Struct, frozen=True, kw_only=True):
    """A doubt about a board: it holds closes back until it is settled. `confirmed_at` is the last time a
    reading said the same again; `confirmations` counts those, spaced. `held`: postings it keeps open."""

    kind: SuspicionKind
    raised_at: datetime
    expires_at: datetime
    expected: int
    shown: int
    held: int = 0
    confirmations: int = 0
    confirmed_at: datetime | None = None
    probed_gone: int = 0
    probed_alive: int = 0
    settled_as: Settlement | None = None


class Circuit(msgspec.Struct, frozen=True, kw_only=True):
    """An incident of a platform: no reading of its boards counts until `open_until`; then one is a trial."""

    opened_at: datetime
    open_until: datetime
    problem: IncidentProblem
    boards: int


class Peers(msgspec.Struct, frozen=True, kw_only=True):
    """The platform's other boards that were read a short while ago: `failing` failed newly, having been fine
    the time before."""

    read: int = 0
    failing: int = 0


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """`counts`: listings of the last complete pulls, the newest last, none older than the last level that was
    decided on. `open_postings`: open ones this board showed, now or before. `closed` and `returned`: how many
    the board closed and reopened lately. `withdrawn`: open ones it showed, that its rows now keep off it."""

    misses_to_close: int
    counts: tuple[int, ...] = ()
    open_postings: int = 0
    closed: int = 0
    returned: int = 0
    last_complete_at: datetime | None = None
    watched: tuple[Watched, ...] = ()
    withdrawn: tuple[Watched, ...] = ()
    suspicions: tuple[Suspicion, ...] = ()
    circuit: Circuit | None = None
    peers: Peers = Peers()


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """`shown`: vendor ids, refused listings too; of an unchanged board those it showed the last time."""

    at: datetime
    coverage: Coverage
    shown: frozenset[str] = frozenset()
    problem: PullProblem | None = None


class Misses(msgspec.Struct, frozen=True, kw_only=True):
    """Listings whose `missed` becomes this."""

    missed: int
    vendor_ids: tuple[str, ...]


class Closes(msgspec.Struct, frozen=True, kw_only=True):
    reason: CloseReason
    posting_ids: tuple[PostingId, ...]


class Decisions(msgspec.Struct, frozen=True, kw_only=True):
    """What one reading decides. `held`: postings that would close but for a doubt. `suspicions`: every one
    that was raised or changed, as it is now. `circuit`: the platform's, as it is now. `counted`: whether the
    reading was evidence at all. `pause`: how long the board may rest when it has nothing to lose."""

    counted: bool = False
    misses: tuple[Misses, ...] = ()
    closes: tuple[Closes, ...] = ()
    reopens: tuple[PostingId, ...] = ()
    held: int = 0
    suspicions: tuple[Suspicion, ...] = ()
    probes: tuple[PostingId, ...] = ()
    circuit: Circuit | None = None
    pause: timedelta | None = None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A posting whose page was looked at. `is_watched`: a board that is read has shown it; `is_listed`: one
    shows it still; `is_doubted`: there is a doubt about one of them, or an incident of the platform."""

    is_open: bool
    is_watched: bool
    is_listed: bool
    is_doubted: bool
    gone_since: datetime | None


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What a look at one page decides; `again_at`: when a second look is wanted before it decides."""

    closes: CloseReason | None = None
    reopens: bool = False
    again_at: datetime | None = None


class Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """A suspicion as pages show it, settled or not."""

    kind: SuspicionKind
    raised_at: datetime
    expires_at: datetime
    expected: int
    shown: int
    held: int
    confirmations: int
    confirmed_at: datetime | None
    probed_gone: int
    probed_alive: int
    settled_at: datetime | None
    settled_as: Settlement | None
    settled_pull_id: PullId | None


class Incident(msgspec.Struct, frozen=True, kw_only=True):
    """A circuit as pages show it."""

    platform: str
    opened_at: datetime
    open_until: datetime
    problem: str
    boards: int
