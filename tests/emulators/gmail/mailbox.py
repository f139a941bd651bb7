"""One person's mailbox: messages in list order, threads, labels, drafts, and the history all of it leaves."""

import random
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator

from emulators.gmail.clock import Clock
from emulators.gmail.history import History
from emulators.gmail.message import Message, message_ids

CATEGORIES = tuple(f"CATEGORY_{name}" for name in ("PERSONAL", "SOCIAL", "PROMOTIONS", "UPDATES", "FORUMS"))
FLAGS = ("CHAT", "SENT", "INBOX", "IMPORTANT", "TRASH", "DRAFT", "SPAM", "STARRED", "UNREAD")
SYSTEM_LABELS = FLAGS + CATEGORIES
Place = tuple[int, str]


class Mailbox:
    def __init__(self, email: str, clock: Clock, seed: int = 0) -> None:
        self.email = email
        self.name = email.partition("@")[0]
        self.subject = str(10**20 + seed)
        self.aliases: list[str] = []
        self.index_lag = 0.0
        self.history = History(seed)
        self.messages: dict[str, Message] = {}
        self.threads: dict[str, list[str]] = {}
        self.labels: dict[str, str] = {name: name for name in SYSTEM_LABELS}
        self._clock = clock
        self._chance = random.Random(seed)
        self._places: list[Place] = []
        self._thread_of: dict[str, str] = {}
        self._last_id = 0x18C0_0000_0000_0000 + seed * 0x1_0000_0000

    def deliver(
        self,
        raw: bytes,
        labels: Iterable[str] = ("INBOX", "UNREAD"),
        *,
        internal_date: int | None = None,
        thread_id: str | None = None,
    ) -> Message:
        """A new message, with its history record; the date is in milliseconds."""
        now = self._clock.now()
        date = int(now * 1000) if internal_date is None else internal_date
        self._last_id += self._chance.randrange(1, 0x10000)
        message = Message(f"{self._last_id:x}", "", raw, set(labels), date, delivered_at=now)
        message.thread_id = thread_id or self._thread(message)
        self.messages[message.id] = message
        self.threads.setdefault(message.thread_id, []).append(message.id)
        insort(self._places, message.place)
        message.history_id = self._record("messagesAdded", message)
        return message

    def delete(self, message_id: str) -> None:
        message = self.messages.pop(message_id)
        del self._places[bisect_left(self._places, message.place)]
        self.threads[message.thread_id].remove(message_id)
        if not self.threads[message.thread_id]:
            del self.threads[message.thread_id]
        self._record("messagesDeleted", message)

    def relabel(self, message_id: str, add: Iterable[str] = (), remove: Iterable[str] = ()) -> Message:
        message = self.messages[message_id]
        added, removed = set(add) - message.labels, set(remove) & message.labels
        message.labels = (message.labels | added) - removed
        for kind, changed in (("labelsAdded", added), ("labelsRemoved", removed)):
            if changed:
                message.history_id = self._record(kind, message, changed)
        return message

    def trash(self, message_id: str) -> None:
        self.relabel(message_id, ["TRASH"], ["INBOX"])

    def untrash(self, message_id: str) -> None:
        self.relabel(message_id, [], ["TRASH"])

    def save_draft(self, raw: bytes, replacing: str | None = None) -> Message:
        """Every autosave is another message in the same thread; the one before is gone."""
        thread = None
        if replacing is not None:
            thread = self.messages[replacing].thread_id
            self.delete(replacing)
        return self.deliver(raw, ["DRAFT"], thread_id=thread)

    def send_draft(self, message_id: str) -> Message:
        draft = self.messages[message_id]
        self.delete(message_id)
        return self.deliver(draft.raw, ["SENT"], thread_id=draft.thread_id)

    def add_label(self, name: str) -> str:
        label_id = f"Label_{len(self.labels) - len(SYSTEM_LABELS) + 1}"
        self.labels[label_id] = name
        return label_id

    def walk(self, accepts: Callable[[Message], bool], before: Place | None = None) -> Iterator[Message]:
        """Newest first, from below a place."""
        indexed = self._clock.now() - self.index_lag
        at = len(self._places) if before is None else bisect_left(self._places, before)
        for index in range(at - 1, -1, -1):
            message = self.messages[self._places[index][1]]
            if (not self.index_lag or message.delivered_at <= indexed) and accepts(message):
                yield message

    def _thread(self, message: Message) -> str:
        known = (self._thread_of.get(each) for each in message_ids(message, "in-reply-to", "references"))
        thread = next((each for each in known if each in self.threads), message.id)
        for own in message_ids(message, "message-id"):
            self._thread_of[own] = thread
        return thread

    def _record(self, kind: str, message: Message, labels: Iterable[str] = ()) -> int:
        return self.history.add(
            kind,  # type: ignore[arg-type]
            (message.id, message.thread_id),
            tuple(sorted(message.labels)),
            self._clock.now(),
            tuple(sorted(labels)),
        )
