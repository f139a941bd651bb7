"""Boards in words for a terminal. Decides nothing and asks nobody."""

from collections.abc import Sequence

from backend.cli.task_words import plain
from backend.listing.board_words import (
    COVERAGE,
    COVERAGE_MEANS,
    LOOK_CUT,
    evidence_said,
    look_advice,
    problem_said,
)
from pipeline.catalog.boards.types import BoardLine
from pipeline.previews.types import Preview, Ruled
from pipeline.sources.registry import Place
from schema.identity.spelling import spelled
from schema.text import grouped


def board_line(board: BoardLine) -> str:
    """A line for `source list`."""
    read = f"{board.last_pull_at:%Y-%m-%d %H:%M}" if board.last_pull_at else "never"
    state = "on" if board.enabled else "off"
    coverage = COVERAGE[board.coverage].text if board.coverage else "not read"
    line = f"{board.id:<6}{state:<5}{coverage:<16}{read:<18}{spelled(board.platform):<16}{plain(board.board)}"
    return "  ".join([line, *_remarks(board)])


def _remarks(board: BoardLine) -> list[str]:
    said: list[str] = []
    if board.failures_in_a_row:
        failures = "failure" if board.failures_in_a_row == 1 else "failures in a row"
        said.append(f"{board.failures_in_a_row} {failures}: {problem_said(board.problem)}")
    if board.doubts and board.doubted_until:
        said.append(f"doubted, until {board.doubted_until:%Y-%m-%d %H:%M} at most")
    if board.off_reason:
        said.append(f"off: {plain(board.off_reason)}")
    return said


def print_preview(place: Place, found: Preview) -> None:
    """What a read would bring, a fact a line."""
    print(f"{spelled(place.platform)} {plain(place.board)}: {COVERAGE[found.coverage].text}")
    if found.coverage == "failed":
        print(f"  the board could not be read: {'; '.join(evidence_said(found.evidence))}")
        if advice := look_advice(found.evidence.problem):
            print(f"  {advice}")
        return
    print(f"  {LOOK_CUT if found.is_cut else COVERAGE_MEANS[found.coverage]}")
    print(f"  {'; '.join(evidence_said(found.evidence))}")
    print(f"{grouped(found.listings)} listings, {grouped(found.admitted)} would be shown")
    _print_ruled("refused", found.refused)
    _print_ruled("shown with a remark", found.marked)
    for sample in found.samples:
        places = "; ".join(sample.places) or "place unknown"
        print(f"  {plain(sample.title)}  ({plain(places)})")
    if found.unknown:
        print("not stated: " + ", ".join(f"{each.what} by {grouped(each.number)}" for each in found.unknown))


def _print_ruled(word: str, ruled: Sequence[Ruled]) -> None:
    for each in ruled:
        examples = plain("; ".join(each.examples))
        print(f"{grouped(each.number)} {word}, rule {each.rule}: {each.reason}, such as {examples}")
