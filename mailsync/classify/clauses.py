"""A sentence cut into clauses, those dropped that only suppose something ("if you are selected, ..."). Pure.

A clause about applicants in general ("those we select will be invited") stays but is marked: it can refuse
nobody in particular and promise nothing to the reader.
"""

import re
from collections.abc import Iterator

import msgspec

from mailsync.classify.languages.language import Language, Spelling

_SPACES = re.compile(r"[^\w'&/+%$\u20ac-]+|(?<!\w)['/+-]+|['/+-]+(?!\w)")


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """`text` bare and ready for patterns; `full` with its fillers, for signs of bad news.

    `about_others` when it speaks of applicants in general.
    """

    text: str
    full: str
    about_others: bool


def clauses(lower: str, language: Language) -> Iterator[Clause]:
    """What the sentence asserts, clause by clause."""
    cutting = language.cutting
    text = written_out(lower, language.spelling)
    for courtesy in cutting.courtesies:
        text = courtesy.apply(text)
    for clause in cutting.split.split(text):
        if not clause or cutting.supposed.search(clause):
            continue
        full = cutting.harmless.sub(" ", clause)
        if said := bare(full, language.spelling):
            yield Clause(text=said, full=full, about_others=cutting.group.search(said) is not None)


def written_out(lower: str, spelling: Spelling) -> str:
    """Contractions and synonyms in one form; commas kept."""
    for replacement in spelling.replacements:
        lower = replacement.apply(lower)
    return lower


def bare(clause: str, spelling: Spelling) -> str:
    """Without fillers and commas: the form every pattern is written for."""
    return _SPACES.sub(" ", spelling.fillers.sub(" ", clause)).strip()
