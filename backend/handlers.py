"""Which function does which kind of task. A worker claims only the kinds listed here."""

from backend.leaving.tasks import delete_account
from extension_api.documents.tasks import read_document
from extension_api.drafts.tasks import write_handler
from mailsync.archive.tasks import import_mail
from mailsync.classify.language_model.tasks import interpret_handler
from mailsync.gmail.deletion import delete_mail
from mailsync.passes.tasks import classify_mail, sweep_mail
from matcher.evidence.tasks import match_account
from matcher.resolutions.bulk.tasks import match_bulk
from matcher.trackers.tasks import apply_tracker, undo_tracker
from pipeline.keeping.tasks import tidy
from pipeline.kept.tasks import forget_own, read_own_handler
from pipeline.previews.tasks import preview_handler
from pipeline.sources.judging import judge_refused
from pipeline.sources.looking.tasks import look_handler
from pipeline.sources.tasks import pull_handler, sweep
from pipeline.twins.tasks import find_twins
from pipeline.worker.types import Handlers
from schema.settings import BadSetting, Settings
from schema.tasks import (
    ApplyTracker,
    BulkMatch,
    ClassifyMail,
    DeleteAccount,
    DeleteMail,
    FindTwins,
    ForgetOwnPosting,
    ImportMail,
    InterpretMail,
    JudgeRefused,
    LookAtPostings,
    MatchAccount,
    PreviewSource,
    PullDueSources,
    PullSource,
    ReadDocument,
    ReadOwnPosting,
    SweepMail,
    TidyCatalog,
    UndoTracker,
    WriteDraft,
)

KINDS = "JOBTRAIL_WORKER_KINDS"


def handlers(settings: Settings) -> Handlers:
    """The handlers of this release that this worker is set to run."""
    every: Handlers = {
        ApplyTracker: apply_tracker,
        BulkMatch: match_bulk,
        ClassifyMail: classify_mail,
        DeleteAccount: delete_account,
        DeleteMail: delete_mail,
        FindTwins: find_twins,
        ForgetOwnPosting: forget_own,
        ImportMail: import_mail,
        InterpretMail: interpret_handler(settings.model),
        JudgeRefused: judge_refused,
        LookAtPostings: look_handler(settings.source),
        MatchAccount: match_account,
        PreviewSource: preview_handler(settings.source),
        PullDueSources: sweep,
        PullSource: pull_handler(settings.source),
        ReadDocument: read_document,
        ReadOwnPosting: read_own_handler(settings.source),
        SweepMail: sweep_mail,
        TidyCatalog: tidy,
        UndoTracker: undo_tracker,
        WriteDraft: write_handler(settings.model),
    }
    return _wanted(every, settings.worker.kinds)


def _wanted(every: Handlers, kinds: str) -> Handlers:
    """Raises `BadSetting` for a kind this release does not know, and when none is left."""
    named = [word.strip() for word in kinds.split(",") if word.strip()]
    known = {payload.KIND for payload in every}
    for word in named:
        if word.removeprefix("-") not in known:
            raise BadSetting(
                f"{KINDS}: {word!r} is no kind of task; there are {', '.join(sorted(known))}.", field=KINDS
            )
    only = {word for word in named if not word.startswith("-")} or known
    left_out = {word.removeprefix("-") for word in named if word.startswith("-")}
    chosen = {each: handler for each, handler in every.items() if each.KIND in only - left_out}
    if not chosen:
        raise BadSetting(f"{KINDS}={kinds!r} leaves this worker nothing to do.", field=KINDS)
    return chosen
