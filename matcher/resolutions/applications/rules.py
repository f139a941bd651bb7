"""What may be done to an application's messages and records. Pure."""

import msgspec

from matcher.resolutions.choices import option, unless
from matcher.resolutions.types import Option, ShownApplication, Touched
from schema.ids import ActId, ApplicationId, AskId, MessageId


class Holding(msgspec.Struct, frozen=True, kw_only=True):
    """What one application holds, its merged records' share included, and the last act about it that stands:
    a merge into it, or a split of it."""

    application_id: ApplicationId
    message_ids: list[MessageId]
    merged_ids: list[ApplicationId]
    ask_ids: list[AskId]
    others: bool
    act_id: ActId | None
    act_choice: str | None
    act_other_id: ApplicationId | None
    other_merged_into_id: ApplicationId | None


def options(held: Holding, shown: ShownApplication) -> list[Option]:
    touches = Touched(
        messages=held.message_ids, applications=[held.application_id, *held.merged_ids], asks=held.ask_ids
    )
    gone = (shown.is_dismissed, "It is dismissed; bring it back first.")
    part = (shown.merged_into_id is not None, "It is part of another application; take that back first.")
    split = unless(gone, part, (not held.message_ids, "It has no message that could be split off."))
    merge = unless(gone, part, (not held.others, "There is no other application to put it together with."))
    undo = unless(
        (held.act_id is None, "There is nothing of yours to take back."),
        (
            held.act_choice == "merge" and held.other_merged_into_id != held.application_id,
            "That record was put together with another one since.",
        ),
    )
    return [
        option("merge", merge, touches, target_source="applications"),
        option("split", split, touches),
        option("undo", undo, touches),
    ]


def why(held: Holding, shown: ShownApplication) -> str:
    if shown.merged_into_id is not None:
        return "It is part of another application."
    count = len(held.merged_ids)
    return f"It stands for {count + 1} records." if count else "It is a record of its own."
