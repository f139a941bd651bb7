"""Two records put together, or kept apart. The undo of either stands in `matcher/merging.py`.

The caller holds the account's lock, has compared the versions and found the choice open.
"""

from datetime import datetime

from matcher.merging import keep_apart, merge
from matcher.resolutions.refusals import ChoiceNotEligible
from matcher.resolutions.types import PairItem, Verb
from schema.db import Unit
from schema.ids import ActId, ApplicationId
from schema.live import announce


async def answer_pair_item(
    unit: Unit, shown: PairItem, choice: Verb, target: ApplicationId | None, *, now: datetime
) -> ActId:
    """`target` is the record that stands for both; None leaves it to the item's own choice."""
    both = (shown.first.application_id, shown.second.application_id)
    announce(unit, "review")
    if choice == "keep_apart":
        return await keep_apart(unit, *both, now=now)
    option = shown.option("merge")
    into = target or (option.target if option else None)
    if into is None or into not in both:
        raise ChoiceNotEligible("That application is not one of the two.")
    return await merge(unit, into, both[1] if into == both[0] else both[0], now=now)
