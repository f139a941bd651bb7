"""What open pages are told: hints that something changed, and the state of a task as it stands now.

Both travel over one NOTIFY channel, best effort. A hint carries no content: the page reads again. A message
that is lost loses nothing, because every page also shows the truth on its own GET.
"""

from typing import Literal

import msgspec

from schema.db import Unit
from schema.ids import AccountId
from schema.text import clean, shorten
from schema.vocabulary import TaskStatus

CHANNEL = "jobtrail_live"
Topic = Literal["applications", "mail", "review", "postings", "tasks", "profile", "devices"]

NOTE_MAX = 200
_PAYLOAD_BYTES = 8000
"""PostgreSQL refuses a notification of that length or more."""
_LARGEST = 2**63 - 1


class Hint(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="hint"):
    """`account_id` None is for operators; `subject` is the id of what changed, when there is one."""

    account_id: int | None
    topic: Topic
    subject: int | None = None


class TaskProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a task is, in the shape of the column `tasks.progress`; `total` None while nobody knows."""

    done: int
    total: int | None = None
    note: str = ""

    def __post_init__(self) -> None:
        """Raises `TypeError`: one number that is none would spoil every list its task stands in."""
        for number in (self.done, self.total or 0):
            if type(number) is not int or abs(number) > _LARGEST:
                raise TypeError("progress is told in whole numbers")


class TaskState(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="task"):
    """One task as it stood after a committed change. An account's task goes to the pages of that account and
    of operators, one of the fleet (`account_id` None) to operators only."""

    account_id: int | None
    id: int
    kind: str
    status: TaskStatus
    attempts: int
    progress: TaskProgress | None = None
    subjects: dict[str, int] = {}
    """What the task works on, by the payload's own ids: `import_id: 5` reads `{"import": 5}`."""


Message = Hint | TaskState


def announce(
    unit: Unit, topic: Topic, subject: int | None = None, *, account_id: AccountId | None = None
) -> None:
    """Tell open pages, after the commit, that `topic` changed: of the unit's account, or from a fleet unit
    of `account_id`; operators hear of everything that belongs to no account."""
    hint = Hint(account_id=unit.account_id or account_id, topic=topic, subject=subject)
    unit.tell(CHANNEL, encoded(hint))


def encoded(message: Message) -> str:
    """`message` as a notification's payload: short enough, and without what PostgreSQL cannot carry."""
    if isinstance(message, TaskState) and message.progress:
        note = shorten(clean(message.progress.note), NOTE_MAX)
        progress = msgspec.structs.replace(message.progress, note=note)
        message = msgspec.structs.replace(message, progress=progress)
    body = msgspec.json.encode(message)
    if len(body) >= _PAYLOAD_BYTES and isinstance(message, TaskState):
        body = msgspec.json.encode(msgspec.structs.replace(message, subjects={}))
    return body.decode()


def heard(payload: str) -> Message | None:
    """The message in a notification; None when it is none of ours, such as another release's."""
    try:
        return msgspec.json.decode(payload, type=Message)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None


def subjects_of(payload: bytes) -> dict[str, int]:
    """What a task with this payload (JSON as stored) works on: its numbers called `*_id`. Of a payload that
    no release wrote it may be nothing."""
    try:
        fields = msgspec.json.decode(payload, type=dict[str, object])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
    return {
        name.removesuffix("_id"): value
        for name, value in fields.items()
        if name.endswith("_id") and isinstance(value, int) and not isinstance(value, bool)
        if abs(value) <= _LARGEST
    }
