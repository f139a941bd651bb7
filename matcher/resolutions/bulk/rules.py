"""What may be said of a whole pattern, what that touches, and which messages are shown of it. Pure."""

from collections.abc import Sequence

from matcher.resolutions.bulk.types import Alike
from matcher.resolutions.choices import option, unless
from matcher.resolutions.messages.many import Word
from matcher.resolutions.messages.rules import outcome_of
from matcher.resolutions.types import BulkChoice, Option, Touched
from matcher.resolutions.versions import version

CHOICES: tuple[BulkChoice, ...] = ("confirm", "not_an_application", "not_job_mail")
SAMPLE = 10


def mark(pattern: str, alike: Sequence[Alike]) -> str:
    """Over all that was looked at: another message, decision or candidate makes another mark."""
    return version(pattern, [(each.message_id, each.decision_id, each.application_id) for each in alike])


def meant_by(choice: BulkChoice, alike: Sequence[Alike]) -> list[Alike]:
    """Those whose proposed act is of that kind: only what has a candidate can be confirmed."""
    return [each for each in alike if choice != "confirm" or each.application_id is not None]


def options(alike: Sequence[Alike]) -> list[Option]:
    return [_option(choice, meant_by(choice, alike)) for choice in CHOICES]


def sampled(alike: Sequence[Alike]) -> list[Alike]:
    """Up to ten, spread evenly over all, the first always among them."""
    count = min(SAMPLE, len(alike))
    return [alike[place * len(alike) // count] for place in range(count)]


def word(choice: BulkChoice, each: Alike) -> Word:
    outcome = outcome_of(choice, ())
    chosen = (each.application_id,) if outcome == "attached" and each.application_id is not None else ()
    return Word(message_id=each.message_id, choice=choice, outcome=outcome, application_ids=chosen)


def _option(choice: BulkChoice, meant: Sequence[Alike]) -> Option:
    targets = {each.application_id for each in meant if each.application_id is not None}
    touches = Touched(
        messages=[each.message_id for each in meant],
        applications=sorted(targets) if choice == "confirm" else [],
    )
    return option(choice, unless((not meant, "None of them has a candidate to confirm.")), touches)
