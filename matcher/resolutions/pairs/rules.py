"""Which answers are open for a pair of records, and which of the two would stand for both. Pure."""

from datetime import datetime
from typing import Literal

import msgspec

from matcher.resolutions.choices import option, unless
from matcher.resolutions.types import Option, ShownApplication, Touched
from schema.ids import ActId, ApplicationId, AskId, MessageId
from schema.vocabulary import ApplicationOrigin

_DOUBTED: frozenset[ApplicationOrigin] = frozenset({"derived", "import"})


class PairRow(msgspec.Struct, frozen=True, kw_only=True):
    """A pair as it was proposed or answered, what both records hold, and the last standing act about it.

    `said_id` is the last act of all, taken back or not: what was answered and undone was not looked at.
    """

    application_id: ApplicationId
    other_application_id: ApplicationId
    says: str
    found_at: datetime
    answer: Literal["merged", "kept_apart"] | None
    act_id: ActId | None
    act_choice: str | None
    into_id: ApplicationId | None
    said_id: ActId | None
    message_ids: list[MessageId]
    ask_ids: list[AskId]

    @property
    def key(self) -> tuple[ApplicationId, ApplicationId]:
        return self.application_id, self.other_application_id


def options(row: PairRow, first: ShownApplication, second: ShownApplication) -> list[Option]:
    touches = Touched(messages=row.message_ids, applications=list(row.key), asks=row.ask_ids)
    gone = is_gone(first, second)
    merge = unless((row.answer == "merged", "You put them together already."), (gone, _GONE))
    apart = unless((row.answer == "kept_apart", "You said so already."), (gone, _GONE))
    undo = unless(
        (row.act_id is None, "There is nothing of yours to take back."),
        (not is_on_top(row, first, second), "They were put together with another record since."),
    )
    return [
        option("merge", merge, touches, target_source="candidates", target=stands_for(first, second)),
        option("keep_apart", apart, Touched(applications=list(row.key))),
        option("undo", undo, touches),
    ]


def stands_for(first: ShownApplication, second: ShownApplication) -> ApplicationId:
    """The record that would stand for both: one the person made before one that was concluded, then the
    older one."""
    ordered = sorted((first, second), key=lambda one: (one.origin in _DOUBTED, one.application_id))
    return ordered[0].application_id


def is_on_top(row: PairRow, first: ShownApplication, second: ShownApplication) -> bool:
    """Whether what the last act did still stands as it left it."""
    if row.act_choice != "merge":
        return row.act_choice == "keep_apart"
    merged = second if row.into_id == first.application_id else first
    return merged.merged_into_id == row.into_id


def is_gone(first: ShownApplication, second: ShownApplication) -> bool:
    return any(one.is_dismissed or one.merged_into_id is not None for one in (first, second))


def why(row: PairRow) -> str:
    if row.answer == "merged":
        return "You put them together."
    return "You said that they are two." if row.answer == "kept_apart" else row.says


_GONE = "One of them is dismissed, or part of another application already."
