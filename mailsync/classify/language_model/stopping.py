"""How a task that asks a language model ends without an answer: the same for every kind of question. Pure."""

from datetime import datetime, timedelta

from mailsync.classify.language_model.types import Trouble, TroubleKind
from pipeline.worker.types import HostClosed, Permanent, Transient

SWITCH_PAUSE = timedelta(minutes=10)
"""How often a task that the operator's switch holds back looks at it again."""
DEAD_KEY_PAUSE = timedelta(hours=1)
"""After a refused key or used-up credit one question tries again, and all others wait for it."""

_DEAD_KEY: dict[TroubleKind, str] = {"key_refused": "refuses the key", "out_of_credit": "has no credit left"}


def said_of(trouble: Trouble) -> str:
    """What the person who waits is told of a trouble that somebody has to mend; "" of any other."""
    what = _DEAD_KEY.get(trouble.kind)
    return f"The model's provider {what}; tried again later" if what else ""


def ending(trouble: Trouble, now: datetime) -> Exception:
    """What the handler raises: final, later by the provider's own word, or again within the attempts."""
    if trouble.kind in ("not_there", "request_refused"):
        return Permanent("model_request_refused")
    wait = timedelta(seconds=trouble.wait_seconds or 0)
    if trouble.kind in _DEAD_KEY:
        wait = max(wait, DEAD_KEY_PAUSE)
    return HostClosed(now + wait) if wait else Transient(trouble.kind)
