"""The ids of items and of lines of the history: one word for the kind, then numbers. Pure."""

import re

import msgspec

from matcher.resolutions.types import EntryId, ItemId, Kind
from schema.errors import Missing
from schema.ids import ActId, ApplicationId, AskId, DecisionId, MessageId

_LARGEST = 2**63 - 1
_ITEM = re.compile(r"(message|status|ask|application):([1-9][0-9]{0,18})", re.ASCII)
_PAIR = re.compile(r"pair:([1-9][0-9]{0,18})-([1-9][0-9]{0,18})", re.ASCII)
_ENTRY = re.compile(r"(decision|act):([1-9][0-9]{0,18})", re.ASCII)


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """What an item's id names; `second` is 0 for all but a pair."""

    kind: Kind
    first: int
    second: int = 0


def message_item(message_id: MessageId) -> ItemId:
    return ItemId(f"message:{message_id}")


def status_item(application_id: ApplicationId) -> ItemId:
    return ItemId(f"status:{application_id}")


def ask_item(ask_id: AskId) -> ItemId:
    return ItemId(f"ask:{ask_id}")


def pair_item(first: ApplicationId, second: ApplicationId) -> ItemId:
    return ItemId(f"pair:{min(first, second)}-{max(first, second)}")


def application_item(application_id: ApplicationId) -> ItemId:
    return ItemId(f"application:{application_id}")


def decision_entry(decision_id: DecisionId) -> EntryId:
    return EntryId(f"decision:{decision_id}")


def act_entry(act_id: ActId) -> EntryId:
    return EntryId(f"act:{act_id}")


def subject_of(item_id: str) -> Subject:
    """Raises `Missing` for what is no id of an item: nothing is under that address."""
    if found := _PAIR.fullmatch(item_id):
        first, second = _number(found[1]), _number(found[2])
        if first < second:
            return Subject(kind="pair", first=first, second=second)
    if found := _ITEM.fullmatch(item_id):
        return Subject(kind=found[1], first=_number(found[2]))  # pyright: ignore[reportArgumentType]
    raise Missing


def act_of(entry_id: str) -> ActId | None:
    """The act a line of the history is; None when it is a decision. Raises `Missing` for neither."""
    kind, number = _entry(entry_id)
    return ActId(number) if kind == "act" else None


def decision_of(entry_id: str) -> DecisionId:
    return DecisionId(_entry(entry_id)[1])


def _entry(entry_id: str) -> tuple[str, int]:
    found = _ENTRY.fullmatch(entry_id)
    if found is None:
        raise Missing
    return found[1], _number(found[2])


def _number(digits: str) -> int:
    number = int(digits)
    if number > _LARGEST:
        raise Missing
    return number
