"""What an account has remembered, indexed for looking questions up, kept in this process between forms.

The key of what is kept is the account and the fingerprint of all its answers (ids, revisions and words), read
in each request: an index is used only for exactly the answers it was built from.
"""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import msgspec

from extension_api.answers.memory import NOTHING, Memory
from extension_api.remembered.store import Fingerprint, all_answers, fingerprint
from extension_api.remembered.types import Remembered
from schema.db import Unit
from schema.ids import AccountId

KEPT = 16


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Whose answers stand in which state; `answers` only where no index of them is kept yet."""

    account_id: AccountId
    state: Fingerprint
    answers: Sequence[Remembered] = ()


_memories: OrderedDict[tuple[AccountId, Fingerprint], Memory] = OrderedDict()
_lock = Lock()


async def standing(unit: Unit) -> Standing:
    """What the unit's account has remembered, read only when it is not known already."""
    state = await fingerprint(unit)
    known = _kept(unit.owner, state) is not None or not state.answers
    rows = [] if known else await all_answers(unit)
    return Standing(account_id=unit.owner, state=state, answers=rows)


def memory(of: Standing) -> Memory:
    """The index. Building it anew takes a good part of a second for thousands of new questions."""
    if not of.state.answers:
        return NOTHING
    known = _kept(of.account_id, of.state)
    return known if known is not None else _keep(of, Memory(of.answers))


def _kept(account_id: AccountId, state: Fingerprint) -> Memory | None:
    with _lock:
        known = _memories.get((account_id, state))
        if known is not None:
            _memories.move_to_end((account_id, state))
        return known


def _keep(of: Standing, built: Memory) -> Memory:
    with _lock:
        for older in [key for key in _memories if key[0] == of.account_id]:
            del _memories[older]
        _memories[of.account_id, of.state] = built
        while len(_memories) > KEPT:
            _memories.popitem(last=False)
    return built
