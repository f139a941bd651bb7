"""`list` of messages, threads and history: filters, pages with opaque tokens that die, estimates that lie."""

import secrets
from dataclasses import dataclass
from itertools import islice

from emulators.gmail.history import TYPES
from emulators.gmail.mailbox import Mailbox
from emulators.gmail.message import Message
from emulators.gmail.refusals import Refused, invalid, not_found
from emulators.gmail.search import Predicate, Search
from emulators.gmail.wire import Request
from emulators.gmail.world import World

Shown = dict[str, object]


@dataclass(frozen=True)
class Continued:
    """What a page token stands for: the same question, from a place on."""

    question: tuple[str, ...]
    place: object


def _question(mailbox: Mailbox, request: Request) -> tuple[str, ...]:
    names = ("q", "includeSpamTrash", "startHistoryId", "labelId")
    asked = [request.first(name) for name in names]
    lists = [",".join(sorted(request.query.get(name, []))) for name in ("labelIds", "historyTypes")]
    return (request.path, mailbox.email, *asked, *lists)


def _limit(request: Request) -> int:
    text = request.first("maxResults", "100")
    if not text.isdigit():
        raise Refused(invalid(f"Invalid value at 'max_results' (TYPE_UINT32), {text}"))
    return min(int(text) or 100, 500)


def _token(world: World, question: tuple[str, ...], place: object) -> str:
    token = secrets.token_urlsafe(18)
    world.pages[token] = (Continued(question, place), world.clock.now())
    return token


def _place(world: World, question: tuple[str, ...], request: Request) -> object:
    token = request.first("pageToken")
    if not token:
        return None
    continued, since = world.pages.get(token, (None, 0.0))
    alive = since + world.page_lifetime > world.clock.now()
    if not isinstance(continued, Continued) or continued.question != question or not alive:
        raise Refused(invalid("Invalid pageToken"))
    return continued.place


def accepting(world: World, mailbox: Mailbox, request: Request) -> Predicate:
    shown = request.first("includeSpamTrash").lower() == "true"
    wanted = set(request.query.get("labelIds", []))
    if wanted - mailbox.labels.keys():
        raise Refused(invalid(f"Invalid label: {min(wanted - mailbox.labels.keys())}"))
    # Asking for a label that is hidden shows it.
    shown = shown or not wanted.isdisjoint(("SPAM", "TRASH"))
    search = Search(request.first("q"), world.clock.now(), mailbox.email, mailbox.labels, show_hidden=shown)
    if not wanted:
        return search.accepts
    return lambda message: wanted <= message.labels and search.accepts(message)


def messages(world: World, mailbox: Mailbox, request: Request) -> Shown:
    question, limit = _question(mailbox, request), _limit(request)
    place = _place(world, question, request)
    walk = mailbox.walk(accepting(world, mailbox, request), place)  # type: ignore[arg-type]
    found = list(islice(walk, limit))
    shown: Shown = {}
    if found:
        shown["messages"] = [{"id": each.id, "threadId": each.thread_id} for each in found]
    more = next(walk, None) is not None
    if more:
        shown["nextPageToken"] = _token(world, question, found[-1].place)
    return shown | {"resultSizeEstimate": _estimate(world, len(found), more=more)}


def threads(world: World, mailbox: Mailbox, request: Request) -> Shown:
    """Newest thread first, by its newest message that matches."""
    question, limit = _question(mailbox, request), _limit(request)
    start = _place(world, question, request) or 0
    assert isinstance(start, int)
    newest: dict[str, Message] = {}
    for message in mailbox.walk(accepting(world, mailbox, request)):
        newest.setdefault(message.thread_id, message)
    found = list(newest.values())[start : start + limit]
    shown: Shown = {}
    if found:
        shown["threads"] = [
            {"id": each.thread_id, "snippet": each.snippet, "historyId": str(each.history_id)}
            for each in found
        ]
    more = start + limit < len(newest)
    if more:
        shown["nextPageToken"] = _token(world, question, start + limit)
    return shown | {"resultSizeEstimate": _estimate(world, len(found), more=more)}


def _estimate(world: World, count: int, *, more: bool) -> int:
    """Google is known to say 201 for almost anything that does not fit a page."""
    if world.lying == "always too many":
        return count * 7 + 13
    if world.lying == "always too few":
        return count // 2
    return 201 if more else count


def history(world: World, mailbox: Mailbox, request: Request) -> Shown:
    question, limit = _question(mailbox, request), _limit(request)
    start = request.first("startHistoryId")
    if not start.isdigit():
        raise Refused(invalid(f"Invalid value at 'start_history_id' (TYPE_UINT64), \"{start}\""))
    if not mailbox.history.knows(int(start), world.clock.now()):
        raise Refused(not_found())
    place = _place(world, question, request)
    position = place if isinstance(place, int) else mailbox.history.position(int(start))
    asked = request.query.get("historyTypes", list(TYPES))
    kinds = {TYPES[each] for each in asked if each in TYPES}
    records, following = mailbox.history.page(position, limit, kinds, request.first("labelId"))
    shown: Shown = {"historyId": str(mailbox.history.current)}
    if records:
        shown["history"] = [record.as_json() for record in records]
    if following is not None:
        shown["nextPageToken"] = _token(world, question, following)
    return shown
