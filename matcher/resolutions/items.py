"""Any item by its id, and many at once. Reads only."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from matcher.resolutions.applications.store import application_items
from matcher.resolutions.asks.store import ask_items
from matcher.resolutions.messages.store import message_items
from matcher.resolutions.names import Subject, subject_of
from matcher.resolutions.pairs.store import pair_items
from matcher.resolutions.statuses.store import status_items
from matcher.resolutions.types import Item, ItemId, Kind
from schema.db import Unit
from schema.errors import Missing
from schema.ids import ApplicationId, AskId, MessageId


async def item(unit: Unit, item_id: ItemId) -> Item:
    """One item, whether it waits or not. Another account's is `Missing`, as is what is no item's id."""
    found = await items(unit, [item_id])
    if not found:
        raise Missing
    return found[0]


async def items(unit: Unit, item_ids: Sequence[ItemId]) -> list[Item]:
    """These items in the order asked for; what is not there is left out."""
    subjects = {item_id: subject_of(item_id) for item_id in item_ids}
    by_kind: dict[Kind, list[Subject]] = defaultdict(list)
    for subject in subjects.values():
        by_kind[subject.kind].append(subject)
    found: dict[ItemId, Item] = {}
    for kind, wanted in by_kind.items():
        found |= {each.id: each for each in await _of_kind(unit, kind, wanted)}
    return [found[item_id] for item_id in item_ids if item_id in found]


async def _of_kind(unit: Unit, kind: Kind, wanted: Sequence[Subject]) -> Collection[Item]:
    match kind:
        case "message":
            return (await message_items(unit, [MessageId(each.first) for each in wanted])).values()
        case "status":
            return (await status_items(unit, [ApplicationId(each.first) for each in wanted])).values()
        case "ask":
            return (await ask_items(unit, [AskId(each.first) for each in wanted])).values()
        case "pair":
            pairs = [(ApplicationId(each.first), ApplicationId(each.second)) for each in wanted]
            return (await pair_items(unit, pairs)).values()
        case "application":
            return (await application_items(unit, [ApplicationId(each.first) for each in wanted])).values()
