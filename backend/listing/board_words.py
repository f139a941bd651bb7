"""What reads of boards and pages came to, in words: coverage, problems, doubts. For pages and commands."""

from collections.abc import Mapping

import msgspec

from pipeline.closing.types import Settlement, SuspicionKind
from pipeline.kept.types import Look
from pipeline.sources.rules import is_passing
from pipeline.sources.types import Evidence, PullProblem
from schema.text import grouped
from schema.vocabulary import Coverage


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """A phrase and its tone."""

    text: str
    tone: str


COVERAGE: Mapping[Coverage, Said] = {
    "complete": Said(text="complete", tone="good"),
    "partial": Said(text="partial", tone="warn"),
    "capped": Said(text="cut at a limit", tone="warn"),
    "surprising_empty": Said(text="suddenly empty", tone="warn"),
    "failed": Said(text="failed", tone="bad"),
}
COVERAGE_MEANS: Mapping[Coverage, str] = {
    "complete": "The list ended by itself and every row was read: what it does not show is missing.",
    "partial": "Not every row could be read, or the platform says there are more: nothing counts as missing.",
    "capped": "A limit ended the list before its end: nothing counts as missing.",
    "surprising_empty": "Whole and empty, where there were postings before: doubted until it is confirmed.",
    "failed": "No whole list was had: nothing that was read before is touched.",
}
PROBLEMS: Mapping[str, str] = {
    "unreachable": "the host could not be reached",
    "timeout": "the host did not answer in time",
    "cut_short": "the answer broke off",
    "too_large": "the answer is larger than is read",
    "refused_address": "the address leads where nothing may be asked",
    "too_many_redirects": "the address leads in circles",
    "robots_forbid": "the site's robots.txt forbids it",
    "policy_forbid": "the platform's terms forbid it",
    "host_blocked": "the host wants to be left alone for a while",
    "too_slow": "its host wants longer pauses than reading all of the board can wait for",
    "throttled": "the platform asks for a pause",
    "board_unknown": "the platform knows no such board",
    "access_refused": "the platform refuses to show it",
    "platform_error": "the platform has a fault",
    "not_a_board": "the answer is no list of openings",
    "page_gone": "its page is gone",
    "gone": "its platform says it is gone",
    "filled": "its platform says it is filled",
    "no_posting": "the page states no posting in a form that programs can read",
    "several_postings": "the page states several postings, and none of them as its own",
    "no_title": "the page states a posting without a title",
    "not_a_page": "the answer is no web page",
    "no_address": "the address is none",
}
DOUBTS: Mapping[SuspicionKind, str] = {
    "drop": "It shows {shown} postings where about {expected} were expected: too deep a fall to believe.",
    "blast": "One read would close most of its postings: it shows {shown} of {expected}.",
    "empty": "It shows nothing, where {expected} postings were open.",
    "gone": "Its platform knows no such board any more; {expected} postings of it are open.",
}
SETTLED: Mapping[Settlement, str] = {
    "recovered": "the postings came back",
    "confirmed": "confirmed: what was missing is closed",
    "expired": "it ran out: what was missing is closed",
}
PASSES = (
    "Such a trouble passes. A host that did not answer is asked anew after a minute, and one whose "
    "robots.txt has a fault after ten."
)
LOOKS: Mapping[Look, Said] = {
    "never": Said(text="its page was not asked", tone="quiet"),
    "waits": Said(text="its page is being read", tone="plain"),
    "read": Said(text="read from its page", tone="good"),
    "nothing": Said(text="its page says nothing readable", tone="quiet"),
    "closed": Said(text="probably closed", tone="quiet"),
    "failed": Said(text="its page could not be read", tone="warn"),
}

TRIED = Said(text="its page could not be had yet", tone="warn")
"""A try met a trouble that passes, and another follows."""


def problem_said(problem: str | None) -> str:
    """The phrase of a code; the code itself for one that has none."""
    return "" if problem is None else PROBLEMS.get(problem, problem.replace("_", " "))


LOOK_CUT = (
    "A look takes a minute and a half, and the list is longer: this is its beginning. "
    "A read goes on to the end."
)


def look_advice(problem: PullProblem | None) -> str:
    """What a person can do about a board that a look could not read; "" when there is nothing to say."""
    if problem == "board_unknown":
        return "See that its name is written as in its address; some platforms tell capitals apart."
    if problem is not None and is_passing(problem):
        return PASSES
    return ""


def evidence_said(evidence: Evidence) -> list[str]:
    """What a read saw, one short sentence each, the telling ones first."""
    counted = (
        (evidence.rows, "rows read"),
        (evidence.unreadable_rows, "rows could not be read"),
        (evidence.repeated_rows, "rows came twice"),
        (evidence.odd_fields, "odd fields were left out"),
        (evidence.repeated_pages, "pages repeated an earlier one"),
    )
    said = [problem_said(evidence.problem)] if evidence.problem else []
    if evidence.status is not None and evidence.problem:
        said.append(f"status {evidence.status}")
    if evidence.is_unchanged:
        said.append("the platform says that nothing changed")
    said += [f"{grouped(number)} {words}" for number, words in counted if number]
    if evidence.vendor_total is not None:
        said.append(f"the platform counts {grouped(evidence.vendor_total)}")
    if evidence.cap is not None:
        said.append(f"cut at {grouped(evidence.cap)}")
    if evidence.ended_naturally:
        said.append("the list ended by itself")
    if evidence.answers:
        answers = "1 answer" if evidence.answers == 1 else f"{grouped(evidence.answers)} answers"
        said.append(f"{answers}, {grouped(-(-evidence.answer_bytes // 1000))} kB")
    return said
