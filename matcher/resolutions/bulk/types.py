"""What an answer to a whole pattern looks at, and what it keeps to be done later. Only structs."""

import msgspec

from matcher.resolutions.types import BulkChoice
from schema.ids import ApplicationId, DecisionId, MessageId


class Alike(msgspec.Struct, frozen=True, kw_only=True):
    """One waiting message of a pattern, with the candidate a confirmation would mean; None without one."""

    message_id: MessageId
    decision_id: DecisionId
    application_id: ApplicationId | None


class Meant(msgspec.Struct, frozen=True, kw_only=True):
    """Exactly what the person decided about: of these messages those whose decision is still the same."""

    choice: BulkChoice
    alike: list[Alike]
