"""What a person confirmed before the run, said the way a person says it on the review page."""

from datetime import datetime

from matcher.resolutions.answering import resolve
from matcher.resolutions.items import item
from matcher.resolutions.names import message_item
from matcher.resolutions.types import Answer
from schema.db import Unit
from schema.ids import ApplicationId, MessageId


async def confirm(unit: Unit, message_id: MessageId, target: ApplicationId, *, now: datetime) -> None:
    shown = await item(unit, message_item(message_id))
    await resolve(unit, shown.id, Answer(choice="assign", version=shown.version, target=target), now=now)
