"""Which function does which kind of task. A worker claims only the kinds listed here."""

from matcher.evidence.tasks import match_account
from pipeline.sources.tasks import pull_handler, sweep
from pipeline.worker.types import Handlers
from schema.settings import Settings
from schema.tasks import MatchAccount, PullDueSources, PullSource


def handlers(settings: Settings) -> Handlers:
    """Every handler of this release, for this installation."""
    return {
        MatchAccount: match_account,
        PullDueSources: sweep,
        PullSource: pull_handler(settings.source),
    }
