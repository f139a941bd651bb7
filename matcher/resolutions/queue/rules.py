"""Where an item stands in the queue, and how it is told in one line. Pure."""

from matcher.resolutions.names import ask_item, message_item, pair_item, status_item, subject_of
from matcher.resolutions.queue.types import Waiting
from matcher.resolutions.types import Item, ItemId, Line, Place, WaitingKind
from schema.ids import ApplicationId, AskId, MessageId

_NUMBERS: dict[WaitingKind, int] = {"message": 4, "status": 3, "ask": 2, "pair": 1}
_KINDS: dict[int, WaitingKind] = {number: kind for kind, number in _NUMBERS.items()}
_ASKED = {
    "finish_assessment": "Finish the assessment?",
    "choose_time": "Choose a time?",
    "send_information": "Send the information?",
    "answer_offer": "Answer the offer?",
}
_PROPOSED = {
    "applied": "Back to applied?",
    "acknowledged": "Received?",
    "assessment": "Now at an assessment?",
    "interviewing": "Now interviewing?",
    "offer": "An offer?",
    "rejected": "Rejected?",
    "withdrawn": "Withdrawn?",
    "closed": "Position closed?",
}


def place_number(kind: WaitingKind) -> int:
    return _NUMBERS[kind]


def shown_kind(number: int) -> WaitingKind:
    return _KINDS[number]


def line_of(row: Waiting) -> Line:
    kind = shown_kind(row.number)
    return Line(
        id=_id(kind, row),
        kind=kind,
        rank=row.rank,  # pyright: ignore[reportArgumentType]
        at=row.at,
        title=_title(kind, row),
        company=row.company,
        role=row.role,
        sender=row.sender_name or row.sender_address,
    )


def place_of(item: Item) -> Place:
    """Where it stands while it waits; of what does not wait, where it would."""
    subject = subject_of(item.id)
    kind = "message" if subject.kind == "application" else subject.kind
    return Place(rank=item.rank, at=item.at, kind=kind, first=subject.first, second=subject.second)


def _id(kind: WaitingKind, row: Waiting) -> ItemId:
    match kind:
        case "message":
            return message_item(MessageId(row.first))
        case "status":
            return status_item(ApplicationId(row.first))
        case "ask":
            return ask_item(AskId(row.first))
        case "pair":
            return pair_item(ApplicationId(row.first), ApplicationId(row.second))


def _title(kind: WaitingKind, row: Waiting) -> str:
    match kind:
        case "message":
            return row.subject or ""
        case "status":
            return _PROPOSED.get(row.word or "", "Another stage?")
        case "ask":
            return _ASKED.get(row.word or "", "Done?")
        case "pair":
            return "One application or two?"
