"""The form of one phrase family: a pattern over bare clauses, with literal cues that are looked for first."""

import re

import msgspec

from schema.vocabulary import EventKind

APPLICATION = (
    r"(?:application|candidacy|candidature|submission|profile|resume|cv|background|experience|qualifications?"
    r"|skills?|skillset|interview|assessment)"
)
POSITION = (
    r"(?:position|role|job|vacancy|opening|requisition|posting|opportunity|internship|placement|post"
    r"|apprenticeship"
    r"|spot|program(?:me)?|search|traineeship|fellowship)s?"
)
TALK = (
    r"(?:interview|call|chat|conversation|meeting|discussion|screen(?:ing)?|phone screen|zoom|video call"
    r"|intro)"
)


class Phrase(msgspec.Struct, frozen=True):
    """The clause holds one of the `cues` or `pattern` is not tried; `veto` takes the meaning away again."""

    name: str
    kind: EventKind
    cues: tuple[str, ...]
    pattern: re.Pattern[str]
    veto: re.Pattern[str] | None = None

    def says(self, clause: str) -> bool:
        if not any(cue in clause for cue in self.cues) or self.pattern.search(clause) is None:
            return False
        return self.veto is None or self.veto.search(clause) is None


def phrase(name: str, kind: EventKind, cues: str, pattern: str, veto: str = "") -> Phrase:
    """`cues` separated by a bar. A gap of words takes any word, hyphens and all."""
    return Phrase(name, kind, tuple(cues.split("|")), _compiled(pattern), _compiled(veto) if veto else None)


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(r"(?: \w+)", r"(?: \S+)").replace(r"(?:\w+ )", r"(?:\S+ )"))
