"""An application recorded out of a message, and put away again when the answer is taken back."""

from datetime import datetime

from matcher.applications.rules import completed
from matcher.applications.store import application, dismiss, insert_application, merged_records
from matcher.applications.types import NewApplication
from matcher.evidence.identifiers import identifiers_of
from matcher.resolutions.messages.question import Question
from matcher.resolutions.messages.store import put_by_person
from matcher.resolutions.types import NewFromMessage
from schema.db import Unit
from schema.errors import Invalid
from schema.ids import ApplicationId


async def created(unit: Unit, question: Question, new: NewFromMessage, *, now: datetime) -> ApplicationId:
    """A new application in the words of the message, where the person gave none of their own."""
    company, role = new.company or question.company, new.role or question.role
    if not company and not role:
        raise Invalid("Name the employer or the role; the message names neither.", field="company")
    found = identifiers_of(question.letter)
    links = [] if found.is_a_list else [link for link in found.links if link.target.kind == "posting"]
    numbers = {number.key: number.fact.value for number in found.numbers}
    made = NewApplication(
        origin="manual",
        company=company,
        role=role,
        url=links[0].fact.value if len(links) == 1 else None,
        requisition_id=next(iter(numbers.values())) if len(numbers) == 1 else None,
    )
    return await insert_application(unit, completed(made, None), now=now, ask_for_match=False)


async def dismiss_if_untouched(
    unit: Unit, application_id: ApplicationId, *, messages: int, now: datetime
) -> None:
    """What an answer created goes with it, unless the person has put something of their own there since.

    `messages` is how many the answer itself attached to it. What a machine attached counts for nothing: it
    came because the application was there, and is looked at again when it is not.
    """
    made = await application(unit, application_id)
    if made.status is not None or made.note or await merged_records(unit, application_id):
        return
    if await put_by_person(unit, application_id) <= messages:
        await dismiss(unit, application_id, now=now)
