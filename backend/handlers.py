"""Which function does which kind of task. A worker claims only the kinds listed here."""

from mailsync.archive.tasks import import_mail
from matcher.evidence.tasks import match_account
from pipeline.sources.tasks import pull_handler, sweep
from pipeline.worker.types import Handlers
from schema.settings import Settings
from schema.tasks import ImportMail, MatchAccount, PullDueSources, PullSource


def handlers(settings: Settings) -> Handlers:
    """Every handler of this release, for this installation."""
    return {
        ImportMail: import_mail,
        MatchAccount: match_account,
        PullDueSources: sweep,
        PullSource: pull_handler(settings.source),
    }
