"""Who wrote about an application, read from its messages, and the only writer of `contacts`."""

from datetime import datetime
from typing import NewType

import msgspec

from matcher.contacts.rules import Correspondent, Sender, correspondents
from schema.db import Unit
from schema.ids import ApplicationId
from schema.live import announce
from schema.query import Query
from schema.text import clean

ContactId = NewType("ContactId", int)
SENDERS_MAX = 50


class NewContact(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    address: str = ""
    phone: str = ""
    note: str = ""


class Contact(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody the person wrote down."""

    contact_id: ContactId
    name: str
    address: str
    phone: str
    note: str
    created_at: datetime


class _Added(msgspec.Struct, frozen=True, kw_only=True):
    contact_id: ContactId


class _Of(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId


SENDERS = Query(
    "contacts.senders",
    Sender,
    """SELECT lower(g.sender_address) AS address, g.sender_name AS name,
         count(DISTINCT g.id)::int AS messages, min(g.sent_at) AS first_at, max(g.sent_at) AS last_at
       FROM application_records o
       JOIN attachments t ON t.application_id = o.record_id
       JOIN messages g ON g.account_id = t.account_id AND g.id = t.message_id
       WHERE o.application_id = %(application_id)s AND NOT g.from_owner AND g.sender_address <> ''
       GROUP BY lower(g.sender_address), g.sender_name
       ORDER BY max(g.sent_at) DESC NULLS LAST LIMIT %(limit)s""",
)
LIST = Query(
    "contacts.list",
    Contact,
    """SELECT c.id AS contact_id, c.name, c.address, c.phone, c.note, c.created_at
       FROM application_records o JOIN contacts c ON c.application_id = o.record_id
       WHERE o.application_id = %(application_id)s AND c.removed_at IS NULL
       ORDER BY c.id""",
)
ADD = Query(
    "contacts.add",
    _Added,
    """INSERT INTO contacts (application_id, name, address, phone, note, created_at)
       SELECT id, %(name)s, %(address)s, %(phone)s, %(note)s, %(now)s
       FROM applications WHERE id = %(application_id)s RETURNING id AS contact_id""",
)
REMOVE = Query(
    "contacts.remove",
    _Of,
    """UPDATE contacts SET removed_at = %(now)s
       WHERE id = %(contact_id)s AND removed_at IS NULL RETURNING application_id""",
)
RESTORE = Query(
    "contacts.restore",
    _Of,
    """UPDATE contacts SET removed_at = NULL
       WHERE id = %(contact_id)s AND removed_at IS NOT NULL RETURNING application_id""",
)


async def correspondents_of(unit: Unit, application_id: ApplicationId) -> list[Correspondent]:
    """Who wrote from the other side, by the messages attached to it and no others."""
    return correspondents(await unit.all(SENDERS, application_id=application_id, limit=SENDERS_MAX))


async def contacts_of(unit: Unit, application_id: ApplicationId) -> list[Contact]:
    return await unit.all(LIST, application_id=application_id)


async def add_contact(
    unit: Unit, application_id: ApplicationId, new: NewContact, *, now: datetime
) -> ContactId:
    """Another account's application is `Missing`."""
    texts = {name: clean(text) for name, text in msgspec.structs.asdict(new).items()}
    added = await unit.one(ADD, application_id=application_id, now=now, **texts)
    announce(unit, "applications", application_id)
    return added.contact_id


async def remove_contact(unit: Unit, contact_id: ContactId, *, now: datetime) -> ApplicationId:
    """Whose it was; `Missing` when there is none, or none any more."""
    found = await unit.one(REMOVE, contact_id=contact_id, now=now)
    announce(unit, "applications", found.application_id)
    return found.application_id


async def restore_contact(unit: Unit, contact_id: ContactId) -> ApplicationId:
    """Takes `remove_contact` back."""
    found = await unit.one(RESTORE, contact_id=contact_id)
    announce(unit, "applications", found.application_id)
    return found.application_id
