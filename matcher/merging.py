"""Two records that are one application: put together and taken apart by the person, losing nothing.

The merged record keeps its names, numbers, notes and every decision that names it; it is only marked as stood
for by the other. So mail for either finds both, and taking them apart needs nothing guessed.
"""

from datetime import datetime

import msgspec

from matcher.acts.store import append_act, take_back
from matcher.acts.types import Act, NewAct
from matcher.applications.rules import carried
from matcher.applications.store import (
    application,
    follow,
    merge_records,
    merged_records,
    own_words,
    set_own_words,
)
from matcher.applications.types import OwnWords
from matcher.decisions.store import hold_account
from matcher.pairs.store import answer_pair, reopen_pair
from schema.db import Unit
from schema.errors import Refusal
from schema.ids import ActId, ApplicationId


class CannotMerge(Refusal):
    """These two records cannot be put together."""

    code = "cannot_merge"
    kind = "conflict"


class Replaced(msgspec.Struct, frozen=True, kw_only=True):
    """What a merge changed: which records followed the merged one, and the words of the one that stands."""

    followers: list[ApplicationId]
    before: OwnWords
    after: OwnWords


async def merge(unit: Unit, into: ApplicationId, merged: ApplicationId, *, now: datetime) -> ActId:
    """Have `into` stand for `merged`, and for what was merged into that.

    What the person said only of `merged` (a status, a date of applying) goes along; the later status counts.
    Raises `Missing` or `CannotMerge`; nothing was changed then.
    """
    await hold_account(unit)
    await _require_mergeable(unit, into, merged)
    followers = await merged_records(unit, merged)
    before = await own_words(unit, into)
    after = carried(before, await own_words(unit, merged))
    await merge_records(unit, [merged, *followers], into, now=now)
    await set_own_words(unit, into, after, now=now)
    await answer_pair(unit, into, merged, "merged", now=now)
    await follow(unit, [into, merged], now=now)
    replaced = Replaced(followers=followers, before=before, after=after)
    new = NewAct(
        about="pair",
        choice="merge",
        application_id=into,
        other_application_id=merged,
        replaced=msgspec.Raw(msgspec.json.encode(replaced)),
    )
    return await append_act(unit, new, now=now)


async def keep_apart(unit: Unit, one: ApplicationId, other: ApplicationId, *, now: datetime) -> ActId:
    """The person says that these are two applications; the pair is not proposed again."""
    await hold_account(unit)
    await _require_mergeable(unit, one, other)
    await answer_pair(unit, one, other, "kept_apart", now=now)
    new = NewAct(about="pair", choice="keep_apart", application_id=one, other_application_id=other)
    return await append_act(unit, new, now=now)


async def undo_pair(unit: Unit, act_id: ActId, *, now: datetime) -> Act:
    """Takes a merge, or the word that two are two, back.

    Raises `Missing`, `UndoneAlready`, or `CannotMerge` when the records were merged on elsewhere since.
    """
    await hold_account(unit)
    act = await take_back(unit, act_id, now=now)
    into, merged = act.application_id, act.other_application_id
    if act.about != "pair" or into is None or merged is None:
        raise CannotMerge("That act put no records together.")
    if act.choice == "merge":
        await _part(unit, act, into, merged, now)
    await reopen_pair(unit, into, merged)
    await follow(unit, [into, merged], now=now)
    return act


async def _part(unit: Unit, act: Act, into: ApplicationId, merged: ApplicationId, now: datetime) -> None:
    found = await application(unit, merged)
    if found.merged_into_id != into:
        raise CannotMerge("These records were put together with another one since; take that back first.")
    replaced = msgspec.json.decode(act.replaced or b"", type=Replaced)
    await merge_records(unit, [merged], None, now=now)
    await merge_records(unit, replaced.followers, merged, now=now)
    if await own_words(unit, into) == replaced.after:
        await set_own_words(unit, into, replaced.before, now=now)


async def _require_mergeable(unit: Unit, into: ApplicationId, merged: ApplicationId) -> None:
    if into == merged:
        raise CannotMerge("That is the same record.")
    for application_id in (into, merged):
        found = await application(unit, application_id)
        if found.merged_into_id is not None:
            raise CannotMerge("One of them is part of another application already.")
        if found.dismissed_at is not None:
            raise CannotMerge("One of them is dismissed; bring it back first.")
