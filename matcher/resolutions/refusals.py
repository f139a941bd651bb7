"""Why an answer is refused. Whatever the reason, nothing was changed."""

from matcher.resolutions.types import Bulk, HistoryEntry, Item
from schema.errors import Refusal


class StaleState(Refusal):
    """This changed since you looked at it; here is how it stands now."""

    code = "stale_state"
    kind = "conflict"

    def __init__(
        self, item: Item | None = None, *, entry: HistoryEntry | None = None, bulk: Bulk | None = None
    ) -> None:
        super().__init__()
        self.item = item
        self.entry = entry
        self.bulk = bulk


class ChoiceNotEligible(Refusal):
    """This choice is not open here."""

    code = "choice_not_eligible"
    kind = "conflict"


class TargetRequired(Refusal):
    """Say which application it is about."""

    code = "target_required"
    kind = "invalid"
