"""Which function does which kind of task. A worker claims only the kinds listed here."""

from matcher.evidence.tasks import match_account
from pipeline.worker.types import Handlers
from schema.settings import Settings
from schema.tasks import MatchAccount


def handlers(_settings: Settings) -> Handlers:
    """Every handler of this release."""
    return {MatchAccount: match_account}
