"""The Gmail API proper: which operation a call is, who may do it, what it costs, and its answer."""

from base64 import urlsafe_b64decode
from collections.abc import Callable
from dataclasses import dataclass

from emulators.gmail import listing, views
from emulators.gmail.grants import EVERYTHING, GMAIL, METADATA, READONLY, Access
from emulators.gmail.mailbox import SYSTEM_LABELS, Mailbox
from emulators.gmail.message import Message
from emulators.gmail.oauth import bearer
from emulators.gmail.refusals import (
    NAMED,
    Refused,
    delegation_denied,
    insufficient,
    invalid,
    not_found,
    unauthorized,
    unknown_address,
)
from emulators.gmail.wire import Answer, Request, as_json
from emulators.gmail.world import Call, World

READING = frozenset((READONLY, f"{GMAIL}modify", EVERYTHING))
HEADERS_TOO = READING | {METADATA}
WRITING = frozenset((f"{GMAIL}modify", EVERYTHING))
PREFIX = ["gmail", "v1", "users"]
Doing = Callable[["Asked"], object]


@dataclass(frozen=True)
class Asked:
    """A call that got in: whose mailbox, which ids of its path, and the request."""

    world: World
    mailbox: Mailbox
    ids: list[str]
    request: Request
    scopes: tuple[str, ...]

    def message(self) -> Message:
        found = self.mailbox.messages.get(self.ids[0])
        if found is None:
            raise Refused(not_found())
        return found

    def only_headers(self) -> bool:
        """That scope takes the body away even from those who hold a wider one beside it."""
        return METADATA in self.scopes


@dataclass(frozen=True)
class Operation:
    name: str
    do: Doing
    scopes: frozenset[str] = READING


def _profile(asked: Asked) -> object:
    mailbox = asked.mailbox
    return {
        "emailAddress": mailbox.email,
        "messagesTotal": len(mailbox.messages),
        "threadsTotal": len(mailbox.threads),
        "historyId": str(mailbox.history.current),
    }


def _label(label_id: str, name: str) -> dict[str, object]:
    return {"id": label_id, "name": name, "type": "system" if label_id in SYSTEM_LABELS else "user"}


def _labels(asked: Asked) -> object:
    return {"labels": [_label(label_id, name) for label_id, name in asked.mailbox.labels.items()]}


def _one_label(asked: Asked) -> object:
    if asked.ids[0] not in asked.mailbox.labels:
        raise Refused(not_found())
    held = [each for each in asked.mailbox.messages.values() if asked.ids[0] in each.labels]
    unread = [each for each in held if "UNREAD" in each.labels]
    counts = {
        "messagesTotal": len(held),
        "messagesUnread": len(unread),
        "threadsTotal": len({each.thread_id for each in held}),
        "threadsUnread": len({each.thread_id for each in unread}),
    }
    return _label(asked.ids[0], asked.mailbox.labels[asked.ids[0]]) | counts


def _list(asked: Asked) -> object:
    if asked.only_headers() and asked.request.first("q"):
        raise Refused(insufficient("Metadata scope does not support 'q' parameter"))
    return listing.messages(asked.world, asked.mailbox, asked.request)


def _style(asked: Asked) -> str:
    style = asked.request.first("format", "full").lower()
    if style not in views.FORMATS:
        raise Refused(invalid(f"Invalid value at 'format' (TYPE_ENUM), \"{style}\""))
    if asked.only_headers() and style in {"full", "raw"}:
        raise Refused(insufficient(f"Metadata scope doesn't allow format {style.upper()}"))
    return style


def _get(asked: Asked) -> object:
    style = _style(asked)
    return views.view(asked.message(), style, asked.request.query.get("metadataHeaders", []))


def _attachment(asked: Asked) -> object:
    content = asked.message().attachments.get(asked.ids[1])
    if content is None:
        raise Refused(invalid("Invalid attachment token"))
    return {"size": len(content), "data": views.base64url(content)}


def _threads(asked: Asked) -> object:
    return listing.threads(asked.world, asked.mailbox, asked.request)


def _thread(asked: Asked) -> object:
    members = asked.mailbox.threads.get(asked.ids[0])
    if not members:
        raise Refused(not_found())
    style, named = _style(asked), asked.request.query.get("metadataHeaders", [])
    held = [asked.mailbox.messages[each] for each in members]
    newest = str(max(each.history_id for each in held))
    return {
        "id": asked.ids[0],
        "historyId": newest,
        "messages": [views.view(each, style, named) for each in held],
    }


def _history(asked: Asked) -> object:
    return listing.history(asked.world, asked.mailbox, asked.request)


def _send_as(asked: Asked) -> object:
    addresses = [asked.mailbox.email, *asked.mailbox.aliases]
    return {
        "sendAs": [
            {
                "sendAsEmail": each,
                "displayName": asked.mailbox.name,
                "isPrimary": not index,
                "isDefault": not index,
            }
            for index, each in enumerate(addresses)
        ]
    }


def _watch(asked: Asked) -> object:
    expires = int((asked.world.clock.now() + 7 * 86_400) * 1000)
    return {"historyId": str(asked.mailbox.history.current), "expiration": str(expires)}


def _stop(_: Asked) -> object:
    return None


def _brief(message: Message) -> dict[str, object]:
    return {"id": message.id, "threadId": message.thread_id, "labelIds": sorted(message.labels)}


def _strings(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else []


def _insert(asked: Asked) -> object:
    """Unlike arriving mail, inserted mail has only the labels it is given."""
    content = asked.request.json()
    raw = str(content.get("raw", ""))
    thread = content.get("threadId")
    return _brief(
        asked.mailbox.deliver(
            urlsafe_b64decode(raw + "=" * (-len(raw) % 4)),
            _strings(content.get("labelIds")),
            thread_id=str(thread) if thread in asked.mailbox.threads else None,
        )
    )


def _modify(asked: Asked) -> object:
    content = asked.request.json()
    add, remove = _strings(content.get("addLabelIds")), _strings(content.get("removeLabelIds"))
    return _brief(asked.mailbox.relabel(asked.message().id, add, remove))


def _trash(asked: Asked) -> object:
    asked.mailbox.trash(asked.message().id)
    return _brief(asked.message())


def _untrash(asked: Asked) -> object:
    asked.mailbox.untrash(asked.message().id)
    return _brief(asked.message())


def _delete(asked: Asked) -> object:
    asked.mailbox.delete(asked.message().id)


# By method and path below the user, `*` for an id.
OPERATIONS: dict[tuple[str, ...], Operation] = {
    ("GET", "profile"): Operation("getProfile", _profile, HEADERS_TOO),
    ("GET", "labels"): Operation("labels.list", _labels, HEADERS_TOO),
    ("GET", "labels", "*"): Operation("labels.get", _one_label, HEADERS_TOO),
    ("GET", "messages"): Operation("messages.list", _list, HEADERS_TOO),
    ("GET", "messages", "*"): Operation("messages.get", _get, HEADERS_TOO),
    ("GET", "messages", "*", "attachments", "*"): Operation("messages.attachments.get", _attachment),
    ("GET", "threads"): Operation("threads.list", _threads),
    ("GET", "threads", "*"): Operation("threads.get", _thread, HEADERS_TOO),
    ("GET", "history"): Operation("history.list", _history, HEADERS_TOO),
    ("GET", "settings", "sendAs"): Operation("sendAs.list", _send_as, READING | {f"{GMAIL}settings.basic"}),
    ("POST", "watch"): Operation("watch", _watch, HEADERS_TOO),
    ("POST", "stop"): Operation("stop", _stop, HEADERS_TOO),
    ("POST", "messages"): Operation("messages.insert", _insert, WRITING | {f"{GMAIL}insert"}),
    ("POST", "messages", "*", "modify"): Operation("messages.modify", _modify, WRITING),
    ("POST", "messages", "*", "trash"): Operation("messages.trash", _trash, WRITING),
    ("POST", "messages", "*", "untrash"): Operation("messages.untrash", _untrash, WRITING),
    ("DELETE", "messages", "*"): Operation("messages.delete", _delete, frozenset((EVERYTHING,))),
}


class Api:
    def __init__(self, world: World) -> None:
        self._world = world

    def operation(self, request: Request) -> tuple[Operation, list[str]] | None:
        below = request.segments[4:]
        for width in (below, [*below[:1], "*", *below[2:]], [*below[:1], "*", *below[2:3], "*", *below[4:]]):
            found = OPERATIONS.get((request.method, *width))
            if found and len(width) == len(below):
                return found, [part for part, shape in zip(below, width, strict=True) if shape == "*"]
        return None

    def answer(self, request: Request, place_in_batch: int = 0) -> Answer:
        found = self.operation(request) if request.segments[:3] == PREFIX else None
        if found is None:
            return unknown_address()
        operation, ids = found
        world = self._world
        fault = world.fault_for(operation.name, request)
        with world.lock:
            instead = world.faults.instead(fault, request, world.clock.now()) if fault else None
            access = world.grants.opened_by(bearer(request))
            answer, units = (
                (instead, 0) if instead else self._admitted(operation, ids, request, access, place_in_batch)
            )
            if fault and not instead:
                answer = world.faults.spoil(fault, answer)
            world.fetched.update(answer.fetched)
            self._note(operation.name, request, answer, units, access, str(fault.kind) if fault else "")
        return answer

    def _admitted(
        self,
        operation: Operation,
        ids: list[str],
        request: Request,
        access: Access | None,
        place_in_batch: int,
    ) -> tuple[Answer, int]:
        """The answer and the units it cost."""
        units = 0
        try:
            email = self._entitled(operation, request, access)
            units = self._charged(operation, email, place_in_batch)
            assert access
            asked = Asked(self._world, self._world.mailboxes[email], ids, request, access.scopes)
            return self._done(operation, asked), units
        except Refused as refused:
            return refused.answer, units

    def _entitled(self, operation: Operation, request: Request, access: Access | None) -> str:
        if access is None:
            raise Refused(unauthorized(missing=not bearer(request)))
        if operation.scopes.isdisjoint(access.scopes):
            raise Refused(insufficient())
        email, user = access.grant.email, request.segments[3]
        if user not in {"me", email}:
            raise Refused(delegation_denied(user))
        return email

    def _charged(self, operation: Operation, email: str, place_in_batch: int) -> int:
        quota, now = self._world.quota, self._world.clock.now()
        units = quota.costs[operation.name]
        refused = quota.refusal(email, units, now, place_in_batch)
        if refused:
            raise Refused(NAMED[refused](now))
        return units

    def _done(self, operation: Operation, asked: Asked) -> Answer:
        fields = views.mask_of(asked.request.first("fields"))
        content = operation.do(asked)
        if content is None:
            return Answer(204, b"")
        answer = as_json(views.masked(content, fields))
        whole = operation.name == "messages.get" and asked.request.first("format", "full").lower() in {
            "full",
            "raw",
        }
        if whole:
            answer.fetched = ((asked.mailbox.email, asked.ids[0]),)
        return answer

    def _note(
        self, name: str, request: Request, answer: Answer, units: int, access: Access | None, fault: str
    ) -> None:
        email = access.grant.email if access else ""
        now = self._world.clock.now()
        token = bearer(request)
        self._world.calls.append(
            Call(
                name,
                request.method,
                request.target,
                answer.status,
                units,
                email,
                token,
                now,
                request.in_batch,
                fault,
            )
        )
