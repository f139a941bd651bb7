"""Why a message asks, or how it stands, as one plain sentence. Pure.

The matcher names its doubt at the head of the pattern, `doubt:name+name`; one that no release knows is just
doubt.
"""

from typing import Literal

from schema.vocabulary import MatchOutcome

_WHY = {
    "weak": "One of your applications fits, but too little speaks for it to attach it without asking you.",
    "close": "Two of your applications fit about equally well.",
    "contradicted": "One of your applications fits, but something in the message speaks against it.",
    "unread": "It is in the right place for one of your applications, but what it says could not be told.",
    "outreach": "It looks like somebody offering you something new, in a conversation you already have.",
    "several": "It seems to be about more than one of your applications.",
    "alone": "It is about an application, but none of yours fits.",
    "unproven": "It names an employer and a role, but only a receipt or a refusal proves that you applied.",
}
_UNKNOWN = "Its evidence was not enough to attach it without asking you."
_BY_PERSON: dict[str, str] = {
    "attached": "You said what it is about.",
    "not_an_application": "You said that it is about none of your applications.",
    "not_job_mail": "You said that it is not about a job.",
}


def doubt_of(pattern: str) -> str:
    return pattern.partition(":")[0]


def why_it_asks(pattern: str) -> str:
    return _WHY.get(doubt_of(pattern), _UNKNOWN)


def why_it_stands(outcome: MatchOutcome | Literal["not_examined"], pattern: str, *, by_person: bool) -> str:
    if outcome == "asks":
        return why_it_asks(pattern)
    if outcome == "not_examined":
        return "Nobody looked at it yet."
    if by_person:
        return _BY_PERSON.get(outcome, "You decided about it.")
    return (
        "Its evidence was enough to attach it."
        if outcome == "attached"
        else "None of your applications fits."
    )
