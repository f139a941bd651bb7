"""What each answer would touch, and what it did, in a few words. Pure."""

from matcher.resolutions.types import Item, MessageItem, Option, Resolved, Touched, Verb
from schema.ids import ApplicationId
from schema.text import grouped

_TOUCHED: dict[Verb, str] = {
    "create_application": "adds 1 application and attaches {messages}",
    "not_an_application": "sets {messages} aside",
    "not_job_mail": "hides {messages} from your mail",
    "undo": "brings back what was before, for {messages}",
    "accept_status": "changes {applications}",
    "decline_status": "keeps what you set",
    "mark_done": "settles {asks}",
    "merge": "makes {applications} one, with {messages}",
    "keep_apart": "keeps {applications} apart and asks no more",
    "split": "moves {messages} to a new application",
}
_TOLD: dict[Verb, str] = {
    "accept_status": "The status follows the mail.",
    "decline_status": "The status stays as you set it.",
    "mark_done": "Marked as done.",
    "merge": "Made one application.",
    "keep_apart": "Kept as two applications.",
    "split": "Split off as a new application.",
    "not_job_mail": "Marked as not job mail.",
    "not_an_application": "Not about any of your applications.",
    "undo": "Taken back.",
}


def effect(option: Option, item: Item, target: ApplicationId | None = None) -> str:
    """`attaches 1 message`, `moves 3 messages`: what pressing it would change, for one of the offered."""
    held = item.application_ids if isinstance(item, MessageItem) else []
    attached = target in held if target else bool(held)
    touched = option.touches
    match option.choice:
        case "confirm" | "assign" if attached and target:
            return f"keeps {_messages(touched)} here, as your word"
        case "confirm" | "assign":
            return f"{'moves' if held else 'attaches'} {_messages(touched)}"
        case "confirm_all":
            return f"attaches {_messages(touched)} to {_applications(touched)}"
        case "reject" if attached:
            return f"takes {_messages(touched)} off"
        case "reject":
            return "is never proposed again for this message"
        case choice:
            return _TOUCHED[choice].format(
                messages=_messages(touched), applications=_applications(touched), asks=_asks(touched)
            )


def told(done: Resolved, name: str) -> str:
    """What an answer did, as a sentence; `name` is of the application it ended with, empty without one."""
    match done.choice:
        case "reject":
            return "Not that one." if done.outcome == "asks" else "Not that one; no other application fits."
        case "confirm_all":
            return f"Attached to {_applications(done.touched)}."
        case "confirm" | "assign" | "create_application":
            return f"Added as a new application: {name}." if done.created else f"Attached to {name or 'it'}."
        case choice:
            return _TOLD[choice]


def agreed(rate: float | None, answered: int) -> str:
    """`9 of 10`: so often the person agreed with the first application; empty until measured."""
    return "" if rate is None else f"{grouped(round(rate * answered))} of {grouped(answered)}"


def counted(number: int, one: str, many: str) -> str:
    return f"{grouped(number)} {one if number == 1 else many}"


def _messages(touched: Touched) -> str:
    return counted(len(touched.messages), "message", "messages")


def _applications(touched: Touched) -> str:
    return counted(len(touched.applications), "application", "applications")


def _asks(touched: Touched) -> str:
    return counted(len(touched.asks), "ask", "asks")
