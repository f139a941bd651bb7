"""What each kind of evidence brings: the same mailbox again without it."""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import get_args

import msgspec
from msgspec.structs import replace

from matcher.evaluation.figures import Group, group
from matcher.evaluation.mailbox import Tell
from matcher.evaluation.run import NewAccount, Prepared, evaluated
from matcher.evidence.weights import current_weights, on_trial
from schema.clock import Clock
from schema.db import Database
from schema.vocabulary import EvidenceName

KINDS: tuple[EvidenceName, ...] = get_args(EvidenceName)


class Without(msgspec.Struct, frozen=True, kw_only=True):
    """`kind` None: nothing was taken away."""

    kind: EvidenceName | None
    figures: Group


async def ablated(
    database: Database, clock: Clock, new_account: NewAccount, mail: Prepared, tell: Tell
) -> AsyncIterator[Without]:
    for kind in (None, *KINDS):
        with on_trial(replace(current_weights(), without=(kind,) if kind else ())):
            outcome = await evaluated(database, clock, new_account, mail, tell)
        yield Without(kind=kind, figures=group("all", outcome.judged))


def json_lines(found: Sequence[Without]) -> Iterator[str]:
    return (msgspec.json.encode(each).decode() for each in found)


def lines(found: Sequence[Without]) -> Iterator[str]:
    """A table for people, and for docs/matching.md."""
    whole = found[0].figures
    yield "| without | precision | wrong per 1,000 | recall | abstention | asked | right first | brings |"
    yield "|---|---|---|---|---|---|---|---|"
    for each in found:
        told = each.figures
        shares = (told.precision, told.recall, told.abstained, told.top_1)
        precision, recall, abstained, first = ("-" if s.value is None else f"{s.value:.4f}" for s in shares)
        yield (
            f"| {each.kind or 'nothing'} | {precision} | {told.wrong_per_1000:.2f} | {recall} | {abstained} "
            f"| {told.asked:,} | {first} | {'' if each.kind is None else brings(whole, told)} |"
        )


def brings(whole: Group, without: Group) -> str:
    """In words, by what gets worse without it."""
    told: list[str] = []
    fewer = whole.recall.hits - without.recall.hits
    if fewer > 0:
        told.append(f"{fewer} links")
    if without.wrong > whole.wrong:
        told.append(f"{without.wrong - whole.wrong} wrong links kept out")
    if not told:
        asked = without.asked - whole.asked
        told.append(f"{asked} questions fewer" if asked > 0 else "nothing here")
    if fewer < 0:
        told.append(f"costs {-fewer} links")
    return ", ".join(told)
