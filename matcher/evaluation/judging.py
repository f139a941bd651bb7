"""What became of each message against the truth, and which derived applications are real. Pure.

A link is wrong unless the message is about exactly that application and this could be told. A derived
application is nobody's record: mail about a job nobody recorded may be attached to it, and so may mail of
which nobody can tell whether it is; that is then neither a right link nor a wrong one.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from mailsync.evaluation.figures import is_same
from matcher.evaluation.mailbox import ReadMessage, Settled
from matcher.evaluation.store import Decided, Derived
from matcher.evaluation.truth import TrueMessage
from matcher.evidence.role import is_one_title
from schema.identity.tokens import folded, words
from schema.ids import ApplicationId, DecisionId, MessageId

Verdict = Literal["right", "wrong", "missed", "abstained", "derived"]
Expected = Literal["one", "none", "several", "undecidable"]
Worth = Literal["right", "unsure", "double", "spurious"]


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One person's mailbox after the run. `tells_untracked`: the file says which mail is about jobs nobody
    recorded, so that mail of which it says nothing is about none."""

    messages: Sequence[ReadMessage]
    settled: Settled
    decided: Mapping[MessageId, Decided]
    proposed: Mapping[DecisionId, Sequence[ApplicationId]]
    derived: tuple[Derived, ...]
    tells_untracked: bool


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """`said` is what was decided, "unseen" when the message was never examined. `attached` names what it was
    attached to as the file does. `rank` is the place of the truth among what was proposed, from 1."""

    id: str
    person: str
    family: str
    language: str
    expected: Expected
    truth: tuple[str, ...]
    said: str
    verdict: Verdict
    attached: str | None
    rank: int | None
    pattern: str
    score: float | None
    margin: float | None
    subject: str


class JudgedDerived(msgspec.Struct, frozen=True, kw_only=True):
    person: str
    company: str
    role: str
    worth: Worth
    why: str
    messages: tuple[str, ...]


class _Worths(msgspec.Struct, frozen=True, kw_only=True):
    """`agreeing` are the messages each derived application may have."""

    derived: Mapping[ApplicationId, JudgedDerived]
    agreeing: Mapping[ApplicationId, frozenset[str]]


def judged(result: Result) -> Iterator[Judged]:
    worths = _worths(result)
    for found in result.messages:
        yield _judged(result, worths, found)


def judged_derived(result: Result) -> tuple[JudgedDerived, ...]:
    return tuple(_worths(result).derived.values())


def expected(true: TrueMessage) -> Expected:
    if not true.decidable:
        return "undecidable"
    return "none" if not true.truth else "one" if len(true.truth) == 1 else "several"


def _judged(result: Result, worths: _Worths, found: ReadMessage) -> Judged:
    true, row = found.true, result.decided.get(result.settled.messages[found.true.id])
    attached = row.application_id if row and row.outcome == "attached" else None
    truth = [result.settled.applications[each] for each in true.truth]
    proposed = result.proposed.get(row.decision_id, ()) if row else ()
    rank = next((place for place, each in enumerate(proposed, 1) if each in truth), None)
    return Judged(
        id=true.id,
        person=true.person,
        family=true.family,
        language=true.language,
        expected=expected(true),
        truth=true.truth,
        said=row.outcome if row else "unseen",
        verdict=_verdict(true, attached, truth, worths),
        attached=_named(result, attached),
        rank=rank,
        pattern=row.pattern if row else "",
        score=row.score if row else None,
        margin=row.margin if row else None,
        subject=found.read.message.subject,
    )


def _verdict(
    true: TrueMessage, attached: ApplicationId | None, truth: Sequence[ApplicationId], worths: _Worths
) -> Verdict:
    wanted = expected(true)
    if attached is None:
        return "missed" if wanted == "one" else "abstained"
    if wanted == "one" and attached == truth[0]:
        return "right"
    return "derived" if true.id in worths.agreeing.get(attached, ()) else "wrong"


def _named(result: Result, attached: ApplicationId | None) -> str | None:
    if attached is None:
        return None
    own = (name for name, each in result.settled.applications.items() if each == attached)
    drawn = (
        f"derived: {each.company}, {each.role}" for each in result.derived if each.application_id == attached
    )
    return next(own, None) or next(drawn, "an application outside the file")


def _worths(result: Result) -> _Worths:
    attached: dict[ApplicationId, list[ReadMessage]] = defaultdict(list)
    for found in result.messages:
        row = result.decided.get(result.settled.messages[found.true.id])
        if row and row.application_id is not None:
            attached[row.application_id].append(found)
    derived: dict[ApplicationId, JudgedDerived] = {}
    agreeing: dict[ApplicationId, frozenset[str]] = {}
    jobs: set[str] = set()
    for drawn in result.derived:
        mine = attached[drawn.application_id]
        good = [found for found in mine if _agrees(result, drawn, found)]
        derived[drawn.application_id] = _worth(drawn, mine, good, jobs)
        agreeing[drawn.application_id] = frozenset(found.true.id for found in good)
    return _Worths(derived=derived, agreeing=agreeing)


def _worth(
    drawn: Derived, mine: Sequence[ReadMessage], good: Sequence[ReadMessage], jobs: set[str]
) -> JudgedDerived:
    """Right once for each job; of one job derived again, a double; unsure when nobody can tell."""
    job = next((_job(drawn, found.true) for found in good if found.true.decidable), None)
    worth: Worth = "unsure" if good else "spurious"
    if job is not None:
        worth = "double" if job in jobs else "right"
        jobs.add(job)
    why = (
        ""
        if good
        else "no message attached to it is about such a job"
        if mine
        else "no message is attached to it"
    )
    return JudgedDerived(
        person=mine[0].true.person if mine else "",
        company=drawn.company or "",
        role=drawn.role or "",
        worth=worth,
        why=why,
        messages=tuple(found.true.id for found in mine),
    )


def _job(drawn: Derived, true: TrueMessage) -> str:
    told = true.about
    company, role = (told.company, told.role) if told else (drawn.company, drawn.role)
    return f"{_comparable(company or '')}|{_comparable(role or '')}"


def _agrees(result: Result, drawn: Derived, found: ReadMessage) -> bool:
    """Whether the message is about such a job, which nobody recorded, or nobody can tell whether it is."""
    true = found.true
    if not true.decidable:
        return _names_it(drawn, found)
    if true.truth:
        return False
    if true.about is not None:
        company = is_same("employer", true.about.company, drawn.company)
        return company and (true.about.role is None or is_one_title(true.about.role, drawn.role))
    return not result.tells_untracked and _names_it(drawn, found)


def _names_it(drawn: Derived, found: ReadMessage) -> bool:
    """Where the file does not say what mail is about: it must at least name both, word by word."""
    message = found.read.message
    parts = (message.sender_name, message.subject, *(message.body or "").splitlines())
    text = f" {' '.join(map(_comparable, parts))} "
    named = [_comparable(name) for name in (drawn.company or "", drawn.role or "")]
    return all(name and f" {name} " in text for name in named)


def _comparable(text: str) -> str:
    return " ".join(words(folded(text)))
