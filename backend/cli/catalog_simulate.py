"""How `jobtrail catalog simulate` shows a series and what the rules made of it. Prints; computes nothing."""

from collections.abc import Mapping
from datetime import date

import msgspec

from backend.cli.parser import WrongUse
from pipeline.closing.replay import Outcome
from pipeline.closing.series import Series


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """How boards are read, and what their closing must reach."""

    name: str
    misses_to_close: int
    most_false: float
    most_stale: float


KINDS = (
    Kind(name="api", misses_to_close=1, most_false=0.056, most_stale=0.02),
    Kind(name="scraped", misses_to_close=3, most_false=0.084, most_stale=0.02),
)


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """One kind's line."""

    kind: str
    misses_to_close: int
    closes: int
    false_closes: int
    false_percent: float
    false_bar_percent: float
    open_at_end: int
    stale_open_at_end: int
    stale_open_at_end_percent: float
    stale_open_any_day_percent: float
    stale_open_bar_percent: float
    doubts: int
    mean_days_to_close: float
    within_bars: bool


class SeriesShown(msgspec.Struct, frozen=True, kw_only=True):
    rows: int
    rows_left_out: int
    files_left_out: list[str]
    boards: int
    days: int
    first_day: str
    last_day: str
    identity: str
    rows_an_id: float
    rows_a_url: float
    kinds: list[Shown]


def kinds_of(name: str) -> tuple[Kind, ...]:
    chosen = tuple(kind for kind in KINDS if name in {"", kind.name})
    if not chosen:
        raise WrongUse(f"--kind: allowed is {' or '.join(kind.name for kind in KINDS)}, not {name!r}")
    return chosen


def day(typed: str) -> date | None:
    try:
        return date.fromisoformat(typed) if typed else None
    except ValueError as error:
        raise WrongUse(f"--since: a day reads 2026-06-30, not {typed!r}") from error


def _shown(kind: Kind, outcome: Outcome) -> Shown:
    at_end = outcome.stale_at_end / outcome.open_at_end if outcome.open_at_end else 0.0
    return Shown(
        kind=kind.name,
        misses_to_close=kind.misses_to_close,
        closes=outcome.closes,
        false_closes=outcome.false_closes,
        false_percent=_percent(outcome.false_share),
        false_bar_percent=_percent(kind.most_false),
        open_at_end=outcome.open_at_end,
        stale_open_at_end=outcome.stale_at_end,
        stale_open_at_end_percent=_percent(at_end),
        stale_open_any_day_percent=_percent(outcome.stale_share),
        stale_open_bar_percent=_percent(kind.most_stale),
        doubts=outcome.doubts,
        mean_days_to_close=round(outcome.days_to_close / max(outcome.closes, 1), 1),
        within_bars=outcome.false_share <= kind.most_false
        and max(at_end, outcome.stale_share) < kind.most_stale,
    )


def _percent(share: float) -> float:
    return round(100 * share, 2)


def _series(series: Series, outcomes: Mapping[str, Outcome]) -> SeriesShown:
    days = sorted({each.on for each in series.snapshots})
    return SeriesShown(
        rows=series.rows,
        rows_left_out=series.nameless,
        files_left_out=list(series.others),
        boards=len({each.board for each in series.snapshots}),
        days=len(days),
        first_day=days[0].isoformat(),
        last_day=days[-1].isoformat(),
        identity=series.identity,
        rows_an_id=round(series.rows_an_id, 1),
        rows_a_url=round(series.rows_a_url, 1),
        kinds=[_shown(kind, outcomes[kind.name]) for kind in KINDS if kind.name in outcomes],
    )


def print_json(series: Series, outcomes: Mapping[str, Outcome]) -> None:
    print(msgspec.json.format(msgspec.json.encode(_series(series, outcomes)), indent=2).decode())


def print_table(series: Series, outcomes: Mapping[str, Outcome]) -> None:
    shown = _series(series, outcomes)
    print(
        f"{shown.rows:,} rows of {shown.boards:,} boards on {shown.days:,} days, {shown.first_day} to "
        f"{shown.last_day}; postings known by {shown.identity}"
    )
    if shown.rows_left_out:
        print(f"{shown.rows_left_out:,} rows name no board or no posting, and are left out.")
    for why in shown.files_left_out:
        print(f"Left out: {why}")
    print(
        f"{'kind':<9}{'misses':>6}{'closes':>9}{'false':>18}{'stale at end':>20}{'stale any day':>15}"
        f"{'days':>6}"
    )
    for each in shown.kinds:
        print(_line(each))
    print("false: closed, then shown again. stale: last seen over 14 days ago and open still.")
    print("days: from last seen to closed. A series knows no pages of postings, which often tell sooner.")


def _line(each: Shown) -> str:
    false = f"{each.false_closes:,} = {each.false_percent:.2f} %"
    stale = f"{each.stale_open_at_end:,}/{each.open_at_end:,} = {each.stale_open_at_end_percent:.2f} %"
    bars = f"bars {each.false_bar_percent:g} % false, {each.stale_open_bar_percent:g} % stale"
    return (
        f"{each.kind:<9}{each.misses_to_close:>6}{each.closes:>9,}{false:>18}{stale:>20}"
        f"{each.stale_open_any_day_percent:>13.2f} %{each.mean_days_to_close:>6.1f}"
        f"  {'within' if each.within_bars else 'OUTSIDE'} {bars}"
    )
