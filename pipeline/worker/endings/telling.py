"""Says in the log that a try met a trouble that passes, in one sentence. Decides nothing.

What a handler named is nobody's to mend while further tries follow; somebody should look once there is none
left, or when it is a trouble of our own.
"""

import structlog

from pipeline.worker.claims.types import Claimed
from pipeline.worker.endings.settle import Settled
from pipeline.worker.endings.types import Again, Ending

log = structlog.get_logger()

_SAID = {
    "cut_short": "{host} broke off its answer",
    "database_trouble": "the database did not do what was asked of it",
    "host_blocked": "{host} wants to be left alone",
    "out_of_credit": "the model's provider has no credit left",
    "out_of_memory": "there was not enough memory",
    "overtaken": "another run was faster",
    "platform_error": "{host} answered with an error",
    "throttled": "{host} wants to be asked less often",
    "timeout": "{host} did not answer in time",
    "unavailable": "{host} is not available",
    "unreachable": "{host} could not be reached",
}


def tell(task: Claimed, ending: Ending, settled: Settled) -> None:
    """Nothing of any other ending. No address a person chose: a task's host is a platform's."""
    if not isinstance(ending, Again) or not ending.why:
        return
    fields = {"task": task.id, "kind": task.kind, "attempt": task.attempts, "why": ending.why}
    if ending.error:
        fields["error"] = ending.error
    said = _SAID.get(ending.why, "a passing trouble").format(host=task.host or "the host")
    if settled.wait is None:
        said += f"; the last try of {task.max_attempts}, given up"
        log.warning(said, **fields)
    else:
        said += f"; tried again in {settled.wait.total_seconds():.0f} s"
        (log.warning if ending.error else log.info)(said, **fields)
