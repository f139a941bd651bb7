"""What is a name of an employer or of a role, and where in the text it ends. Pure."""

import re

from mailsync.classify.languages.language import Names

_LONGEST_COMPANY = 80
_LONGEST_ROLE = 120
_SENTENCE_INSIDE = re.compile(r"(?<!\b[SJDM]r)(?<!\bSt)(?<!\bAsst)(?<!\bAssoc)[.!?](?=\s)")
_NUMBER = r"(?:[A-Z]{1,5}[-_]?)?\d{3,12}(?:-\d{1,6})?"
# "R-1234 Baker" and "Baker (Job ID 1234)" are a Baker; the number is told on its own.
_NUMBER_BEFORE = re.compile(rf"{_NUMBER}[ \t]*[:|\u2013\u2014-]?[ \t]+(?=[A-Z])")
_NUMBER_BEHIND = re.compile(
    r"[ \t,|\u2013\u2014-]*[(\[]?"
    r"(?i:\b(?:job|req\w*|ref\w*|position)?[ ]?(?:id|no|number|code|ref)?\.?[ ]?[:#]?[ ]?)"
    rf"\b{_NUMBER}[)\]]?[.,;:]?$"
)
_TRAILING = " \t\n.,;:!?|-\u2013\u2014&/("


def trimmed(text: str, start: int, end: int, names: Names, *, company: bool) -> tuple[int, int]:
    """The name without what does not belong to it: a sentence that follows, team words, marks at the ends."""
    found = text[start:end]
    inside = _SENTENCE_INSIDE.search(found)
    if inside is not None and (company or inside.start() > 0):
        found = found[: inside.start()]
    if company:
        found = names.behind_company.sub("", found)
    else:
        found = _NUMBER_BEHIND.sub("", found)
        before = _NUMBER_BEFORE.match(found)
        if before is not None:
            start, found = start + before.end(), found[before.end() :]
    found = found.rstrip(_TRAILING)
    if found.count(")") > found.count("("):
        found = found.rstrip(")")
    return start, start + len(found)


def is_company(name: str, names: Names) -> bool:
    words = [word.strip(".,'").lower() for word in name.split()]
    if not words or len(name) > _LONGEST_COMPANY or not any(letter.isalpha() for letter in name):
        return False
    return (
        words[0] not in names.not_a_company
        and words[-1] not in names.role_heads
        and not names.not_a_company.issuperset(words)
    )


def is_role(name: str, names: Names, *, sure: bool) -> bool:
    words = [word.strip(".,'()").lower() for word in name.replace("/", " ").split()]
    if not words or len(name) > _LONGEST_ROLE or not any(letter.isalpha() for letter in name):
        return False
    if words[0] in names.not_a_role or names.not_a_company.issuperset(words):
        return False
    return sure or not names.role_heads.isdisjoint(words)
