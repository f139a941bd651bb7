"""A posting's trail out of what is stored: each station is yes, no, failed, unknown or never looked. Pure."""

from pipeline.catalog.types import DescriptionState, Posting, Sighting, State, Step
from schema.identity.spelling import spelled

_FETCHED: dict[DescriptionState, tuple[State, str]] = {
    "not_fetched": ("not_looked", "nobody has fetched the description yet"),
    "fetch_failed": ("failed", "the description could not be fetched"),
    "empty": ("yes", "the platform has no description"),
    "stored": ("yes", "its text is stored"),
    "expired": ("yes", "its text was let go a while after it closed"),
}
_REASONS = {
    "first shown": "a board showed it for the first time",
    "listed_again": "a board shows it again",
    "page_open_again": "its own page stands open again",
    "not_listed": "its boards no longer show it",
    "page_gone": "its own page is gone",
    "filled": "its platform says that it is filled",
    "board_empty": "its board is empty, and that was confirmed",
    "board_gone": "its board is gone, and that was confirmed",
}


def reason_said(reason: str | None) -> str:
    """Why a posting was opened or closed, in words; a code without words as it stands."""
    return "" if reason is None else _REASONS.get(reason, reason.replace("_", " "))


def trail(posting: Posting | None, sightings: list[Sighting]) -> list[Step]:
    """Stations in their order. `posting` None: it was observed and refused, or never observed at all."""
    steps = [_observed(sightings), _admitted(sightings)]
    if posting is None:
        return steps
    return [
        *steps,
        _fetched(posting),
        Step(name="reviewed", state="not_looked"),
        _shown(posting),
        _standing(posting, sightings),
    ]


def _observed(sightings: list[Sighting]) -> Step:
    if not sightings:
        return Step(name="observed", state="unknown", why="no board that is read shows it")
    first = min(sightings, key=lambda each: each.first_seen_at)
    boards = ", ".join(f"{spelled(each.platform)} {each.board}" for each in sightings)
    return Step(name="observed", state="yes", at=first.first_seen_at, why=f"on {boards}")


def _admitted(sightings: list[Sighting]) -> Step:
    if not sightings:
        return Step(name="admitted", state="unknown")
    admitted = [each for each in sightings if each.verdict == "admitted"]
    told = min(admitted or sightings, key=lambda each: each.judged_at)
    rule = f"rule {told.rule}, version {told.rule_version}"
    why = f"{rule}: {told.reason}" if told.reason else rule
    return Step(name="admitted", state="yes" if admitted else "no", at=told.judged_at, why=why)


def _fetched(posting: Posting) -> Step:
    state, why = _FETCHED[posting.description_state]
    if posting.details_tried and posting.description_state != "stored":
        why = f"{why}; its page was asked {posting.details_tried} times"
    return Step(name="fetched", state=state, at=posting.described_at, why=why)


def _shown(posting: Posting) -> Step:
    if posting.hidden_at is not None:
        return Step(name="shown", state="no", at=posting.hidden_at, why="you have hidden it")
    return Step(name="shown", state="yes", at=posting.first_seen_at, why="every admitted posting is listed")


def _standing(posting: Posting, sightings: list[Sighting]) -> Step:
    if posting.closed_at is not None:
        return Step(name="closed", state="yes", at=posting.closed_at, why=reason_said(posting.closed_reason))
    seen = [each.last_seen_at for each in sightings if each.last_seen_at is not None]
    why = "its board showed it at the last complete read"
    if sightings and all(each.missed for each in sightings):
        why = "no board showed it at the last complete read; one time too few to close it"
    return Step(
        name="open", state="yes" if seen else "unknown", at=max(seen, default=None), why=why if seen else ""
    )
