"""A parent ends with the last of its children: done, or failed with the code of the first that failed."""

from pipeline.worker.endings import store
from pipeline.worker.events.store import Noted, note
from schema.db import Unit
from schema.ids import TaskId


async def settle_parents(unit: Unit, child: int) -> list[TaskId]:
    """End the waiting ancestors of `child`, which has just ended in this unit; the ids of those that did.

    The parent's row is locked before its children are counted, in a statement of its own: of two last
    children that end at the same time, the second one sees the first.
    """
    ended: list[TaskId] = []
    while (parent := await store.locked_parent(unit, child)) is not None and parent.status == "waiting":
        children = await store.children(unit, parent.id)
        if children.open:
            break
        code = _code(children)
        await store.end_parent(unit, parent.id, code)
        if code is not None:
            await note(unit, [Noted(task_id=parent.id, event="failed", code=code)])
        ended.append(parent.id)
        child = parent.id
    return ended


def _code(children: store.Children) -> str | None:
    if children.code is not None:
        return children.code
    return "child_cancelled" if children.cancelled else None
