"""An option of an item that is answered without a target, or with one of a few. Pure."""

from matcher.resolutions.types import Option, TargetSource, Touched, Verb
from schema.ids import ApplicationId


def option(
    choice: Verb,
    reason: str | None,
    touches: Touched,
    *,
    target_source: TargetSource | None = None,
    target: ApplicationId | None = None,
) -> Option:
    """`reason` None opens it."""
    return Option(
        choice=choice,
        eligible=reason is None,
        reason=reason,
        needs_target=target_source is not None and target is None,
        target_source=target_source,
        target=target,
        touches=touches,
    )


def unless(*closed: tuple[bool, str]) -> str | None:
    """The first reason that holds; None when none does."""
    return next((sentence for holds, sentence in closed if holds), None)
