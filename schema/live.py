"""Hints to open pages that something changed. A hint carries no content: the page reads again.

A hint that is lost loses nothing, because every page also shows the truth on its own GET.
"""

from typing import Literal

import msgspec

from schema.db import Unit
from schema.ids import AccountId
from schema.query import Statement

CHANNEL = "jobtrail_live"
Topic = Literal["applications", "mail", "review", "postings", "tasks", "profile", "devices"]


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """`account_id` None is for operators; `subject` is the id of what changed, when there is one."""

    account_id: int | None
    topic: Topic
    subject: int | None = None


NOTIFY = Statement("live.announce", "SELECT pg_notify('jobtrail_live', %(hint)s)")


async def announce(
    unit: Unit, topic: Topic, subject: int | None = None, *, account_id: AccountId | None = None
) -> None:
    """Tell open pages, at commit, that `topic` changed: of the unit's account, or from a fleet unit of
    `account_id`; operators hear of everything that belongs to no account."""
    hint = Hint(account_id=unit.account_id or account_id, topic=topic, subject=subject)
    await unit.run(NOTIFY, hint=msgspec.json.encode(hint).decode())
