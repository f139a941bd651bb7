"""Folds one page of changes into entries of the ledger. Pure.

Order is by history id, whatever order the records came in; what is told twice counts once. Within a page only
the outcome matters: what was added and deleted again is never fetched. A deletion is final, ids are not used
again; what was only missing from a list comes back when anything is told of it.
"""

from collections.abc import Iterable, Mapping

import msgspec

from mailsync.gmail.types import Change, Entry, GmailId, Known, LedgerState, Record, Scope

_NEVER = (("DRAFT", "draft"), ("CHAT", "chat"))
_ON_REQUEST = (("SPAM", "spam"), ("TRASH", "trash"))


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a page says of one message. `labels` None: not told as a whole, only what came and went."""

    gmail_id: GmailId
    thread_id: str | None = None
    added: bool = False
    deleted: bool = False
    labels: frozenset[str] | None = None
    on: frozenset[str] = frozenset()
    off: frozenset[str] = frozenset()


def fold(records: Iterable[Record]) -> list[Outcome]:
    """One outcome per message, in the order of its first mention."""
    outcomes: dict[GmailId, Outcome] = {}
    for record in sorted(records, key=lambda record: record.number):
        for change in record.changes:
            before = outcomes.get(change.gmail_id, Outcome(gmail_id=change.gmail_id))
            outcomes[change.gmail_id] = _after(before, change)
    return list(outcomes.values())


def _after(before: Outcome, change: Change) -> Outcome:
    on, off, labels = before.on, before.off, before.labels
    moved = frozenset(change.labels)
    if change.kind == "labels_added":
        on, off, labels = on | moved, off - moved, None if labels is None else labels | moved
    elif change.kind == "labels_removed":
        on, off, labels = on - moved, off | moved, None if labels is None else labels - moved
    if change.has is not None:
        labels = frozenset(change.has)
    return msgspec.structs.replace(
        before,
        thread_id=change.thread_id or before.thread_id,
        added=before.added or change.kind == "added",
        deleted=before.deleted or change.kind == "deleted",
        labels=labels,
        on=on,
        off=off,
    )


def left_out(labels: Iterable[str], scope: Scope) -> str | None:
    """Why a message with these labels is not wanted; None when it is."""
    has = frozenset(labels)
    unwanted = _NEVER if scope.include_spam else (*_NEVER, *_ON_REQUEST)
    for label, reason in unwanted:
        if label in has:
            return reason
    return "not_labelled" if scope.labels and not scope.labels & has else None


def entries(outcomes: Iterable[Outcome], known: Mapping[GmailId, Known], scope: Scope) -> list[Entry]:
    """The rows that change; those that already say it are left alone."""
    found = [_entry(outcome, known.get(outcome.gmail_id), scope) for outcome in outcomes]
    return [entry for entry in found if entry is not None]


def _entry(outcome: Outcome, known: Known | None, scope: Scope) -> Entry | None:
    if known is not None and known.state == "gone" and known.reason == "deleted":
        return None
    labels = _labels(outcome, known)
    state, reason = _state(outcome, _unwanted(outcome, labels, scope), known, only_new=scope.only_new)
    entry = Entry(
        gmail_id=outcome.gmail_id,
        state=state,
        reason=reason,
        labels=None if labels is None else sorted(labels),
        thread_id=outcome.thread_id or (known.thread_id if known else None),
    )
    return None if known is not None and _says(known, entry) else entry


def _labels(outcome: Outcome, known: Known | None) -> frozenset[str] | None:
    """All labels the message has now; None when not all are known."""
    if outcome.labels is not None:
        return outcome.labels
    if known is None or known.labels is None:
        return None
    return (frozenset(known.labels) | outcome.on) - outcome.off


def _unwanted(outcome: Outcome, labels: frozenset[str] | None, scope: Scope) -> str | None:
    if labels is not None:
        return left_out(labels, scope)
    # Enough to see a draft or the trash, not enough to miss a label.
    return left_out(outcome.on, msgspec.structs.replace(scope, labels=frozenset()))


def _state(
    outcome: Outcome, unwanted: str | None, known: Known | None, *, only_new: bool
) -> tuple[LedgerState, str | None]:
    if outcome.deleted:
        return "gone", "deleted"
    if known is not None and known.state in {"stored", "not_kept", "quarantined"}:
        return known.state, known.reason
    if unwanted:
        return "left_out", unwanted
    if known is not None and known.state == "wanted":
        return "wanted", known.reason
    if only_new and not outcome.added and (known is None or known.reason == "narrowed"):
        return "left_out", "narrowed"
    return _revived(known)


def _revived(known: Known | None) -> tuple[LedgerState, str | None]:
    """What was read before is not fetched again."""
    if known is not None and known.is_stored:
        return "stored", None
    if known is not None and known.is_read:
        return "not_kept", known.reason or "not_kept"
    return "wanted", None


def _says(known: Known, entry: Entry) -> bool:
    return (known.state, known.reason, known.labels, known.thread_id) == (
        entry.state,
        entry.reason,
        entry.labels,
        entry.thread_id,
    )
