"""What a person confirmed before the run, said the way a person says it on the review page."""

from datetime import datetime

from matcher.resolutions.answering import resolve
from matcher.resolutions.store import item
from schema.db import Unit
from schema.ids import ApplicationId, MessageId


async def confirm(unit: Unit, message_id: MessageId, target: ApplicationId, *, now: datetime) -> None:
    shown = await item(unit, message_id)
    await resolve(unit, message_id, version=shown.version, choice="assign", target=target, now=now)
