"""A proposed status taken over or declined, and either taken back.

The caller holds the account's lock, has compared the versions and found the choice open.
"""

from datetime import datetime

import msgspec

from matcher.acts.store import append_act
from matcher.acts.types import Act, NewAct
from matcher.applications.store import put_status
from matcher.resolutions.refusals import ChoiceNotEligible
from matcher.resolutions.statuses.rules import Before, Proposal
from matcher.resolutions.statuses.store import proposals
from matcher.resolutions.types import Verb
from matcher.timeline.store import restand
from schema.db import Unit
from schema.ids import ActId, ApplicationId
from schema.live import announce


async def answer_status(unit: Unit, application_id: ApplicationId, choice: Verb, *, now: datetime) -> ActId:
    """The act it became. What is taken over is dated by its message: mail sent later still counts."""
    found = (await proposals(unit, [application_id]))[application_id]
    act_id = await append_act(unit, _act(found, choice), now=now)
    if choice == "accept_status":
        await put_status(unit, application_id, found.proposal, at=found.proposal_at, now=now)
    else:
        await _stand(unit, application_id)
    announce(unit, "review")
    return act_id


async def undo_status(unit: Unit, act: Act, *, now: datetime) -> None:
    """Put back what an act about a status replaced; the act is marked undone already."""
    if act.application_id is None:
        raise ChoiceNotEligible
    if act.choice == "accept_status" and act.replaced:
        before = msgspec.json.decode(act.replaced, type=Before)
        await put_status(unit, act.application_id, before.status, at=before.status_at, now=now)
    else:
        await _stand(unit, act.application_id)
    announce(unit, "review")


def _act(found: Proposal, choice: Verb) -> NewAct:
    before = Before(status=found.status, status_at=found.status_at)
    return NewAct(
        about="status",
        choice=choice,
        application_id=found.application_id,
        message_id=found.proposal_message_id,
        stage=found.proposal,
        replaced=msgspec.Raw(msgspec.json.encode(before)),
    )


async def _stand(unit: Unit, application_id: ApplicationId) -> None:
    """What was declined, or is no longer, is read from the acts, which are as they shall be by now."""
    await restand(unit, [application_id])
    announce(unit, "applications", application_id)
