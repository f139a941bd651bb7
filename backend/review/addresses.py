"""Where each item of the queue is shown, and which item an address means. Pure.

A message's address is its number alone, as every other page links to it.
"""

from matcher.resolutions.types import ItemId, Kind

ITEMS = "/review"


def kind_of(item_id: ItemId) -> str:
    return item_id.partition(":")[0]


def path_of(item_id: ItemId) -> str:
    """`message:12` is `/review/12`, `pair:3-9` is `/review/pair/3-9`; an application has its own page."""
    kind, _, key = item_id.partition(":")
    if kind == "application":
        return f"/applications/{key}"
    return f"{ITEMS}/{key}" if kind == "message" else f"{ITEMS}/{kind}/{key}"


def item_id(kind: Kind, key: int) -> ItemId:
    return ItemId(f"{kind}:{key}")
