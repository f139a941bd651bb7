"""Application: people the person writes down beside those who wrote, and takes off again."""

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.accounts.rules import EMAIL_MAX, is_address
from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit
from backend.pages.application import Again, page_of
from matcher.contacts.store import ContactId, NewContact, add_contact, remove_contact, restore_contact
from schema.ids import ApplicationId

NAME_MAX = 200
PHONE_MAX = 60
NOTE_MAX = 2000


@post("/applications/{application_id:int}/contacts", include_in_schema=False)
async def add(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Html | Redirect:
    which = ApplicationId(application_id)
    form = await read_form(visit.request)
    new = _read(form)
    if not form.ok:
        return await page_of(visit, which, Again(contact=form, status=400))
    async with visit.unit() as unit:
        made = await add_contact(unit, which, new, now=visit.clock.now())
    undo = Undo(action=f"/applications/contacts/{made}/remove")
    return visit.leave(f"/applications/{which}#contacts", "Contact added.", undo=undo)


def _read(form: Form) -> NewContact:
    new = NewContact(
        name=form.text("name", "Name", limit=NAME_MAX),
        address=form.text("address", "Mail address", limit=EMAIL_MAX, required=False),
        phone=form.text("phone", "Phone", limit=PHONE_MAX, required=False),
        note=form.text("contact_note", "Note", limit=NOTE_MAX, required=False),
    )
    if new.address and form.fault("address") is None and not is_address(new.address):
        form.refuse("address", "This is not a mail address.")
    return new


@post("/applications/contacts/{contact_id:int}/remove", include_in_schema=False)
async def remove(visit: NamedDependency[Visit], contact_id: FromPath[int]) -> Redirect:
    async with visit.unit() as unit:
        which = await remove_contact(unit, ContactId(contact_id), now=visit.clock.now())
    undo = Undo(action=f"/applications/contacts/{contact_id}/restore")
    return visit.leave(f"/applications/{which}#contacts", "Contact taken off.", undo=undo)


@post("/applications/contacts/{contact_id:int}/restore", include_in_schema=False)
async def restore(visit: NamedDependency[Visit], contact_id: FromPath[int]) -> Redirect:
    async with visit.unit() as unit:
        which = await restore_contact(unit, ContactId(contact_id))
    return visit.leave(f"/applications/{which}#contacts", "The contact is back.")


ROUTES = (add, remove, restore)
