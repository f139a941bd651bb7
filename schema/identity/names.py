"""Companies and titles in comparable form, so that two spellings of one name are equal.

Comparable text is for comparing only, never for showing. Says nothing about which two names mean the same
thing: brands, groups and near names are the matcher's business. Pure.
"""

import re
import unicodedata

import msgspec

from schema.identity.name_words import (
    ALSO_SMALL,
    ALSO_WORDS,
    AND,
    AT_AN_END,
    JOINING,
    JOINS_A_LEVEL,
    LEGAL,
    LEGAL_FRONT,
    LEGAL_GLUED,
    LEGAL_PHRASES,
    LEVELS,
    NOT_A_LEVEL,
    ROLES_WITH_LEVEL,
    TEAM,
    TEAM_PHRASES,
    TITLE_WORDS,
)
from schema.identity.requisitions import requisitions_in
from schema.identity.tokens import MAX_NAME_CHARS, folded, words

_BRACKETED = re.compile(r"[(\[{\uff08\u3010]([^()\[\]{}\uff08\uff09\u3010\u3011]{0,200})[)\]}\uff09\u3011]")
_DOT_COM = re.compile(r"(?<=\w)\.com\b|\bwww\.", re.IGNORECASE)
_AT = re.compile(r"\s(?:at|@)\s+", re.IGNORECASE)
_CAPITALS = re.compile(r"[^\W\d_][^\W\d_.]{0,11}(?:[./][^\W\d_.]{1,4}){0,4}\.?")
_SPACED_DOTS = re.compile(r"(?<=\b[^\W\d_]\.)[ \u00a0](?=[^\W\d_]\.)")
_GENDER_MARKS = re.compile(
    r"(?<!\w)[mwfdhxn](?:\s?[/|*,]\s?[mwfdhxnu*]){1,3}(?!\w)|\ball genders\b", re.IGNORECASE
)


class TitleParts(msgspec.Struct, frozen=True, kw_only=True):
    """A title taken apart.

    `role` is the title's words without level, brackets and requisition numbers; `levels` holds level words
    under one name each (`senior`, `intern`, `2`, `director`); `brackets` the comparable text of each bracket
    that says something: "(Data Cloud)" and "(Agentforce)" tell two openings apart.
    """

    role: tuple[str, ...]
    levels: frozenset[str]
    brackets: tuple[str, ...]
    requisitions: tuple[str, ...]

    @property
    def key(self) -> str:
        """Equal for two spellings of one title, level and brackets included, requisition not."""
        return " | ".join((" ".join(self.role), " ".join(sorted(self.levels)), *sorted(self.brackets)))


def comparable_company(text: str) -> str:
    """The name's own words, joined by spaces; "" when nothing in `text` is a letter or digit.

    Drops legal forms, hiring-team words ("Talent Team", "Careers at") and brackets, but never the last word.
    """
    return " ".join(company_words(text))


def company_words(text: str) -> tuple[str, ...]:
    text = unicodedata.normalize("NFKC", text[:MAX_NAME_CHARS]).strip()
    named = _DOT_COM.sub("", _employer_after_at(text))
    plain = _BRACKETED.sub(" ", _without_glued(named))
    found = words(folded(plain)) or words(folded(named))
    return tuple(_in_one_joint(_without_ends(found, _written_as_forms(plain))))


def _in_one_joint(found: list[str]) -> list[str]:
    """ "Meyer und Sohn" and "Meyer & Sohn" are one."""
    last = len(found) - 1
    return ["and" if word in AND and 0 < place < last else word for place, word in enumerate(found)]


def title_parts(text: str) -> TitleParts:
    """Any text; an empty role when nothing in it is a letter or digit."""
    text = text[:MAX_NAME_CHARS]
    numbers = requisitions_in(text)
    for number in reversed(numbers):
        text = text[: number.start] + " " + text[number.end :]
    text = _without_marks(text)
    brackets = (" ".join(words(folded(inside))) for inside in _BRACKETED.findall(text))
    found = words(folded(_BRACKETED.sub(" ", text))) or words(folded(text))
    plain = [part for word in found for part in _spelled(word)]
    role, levels = _apart(plain)
    return TitleParts(
        role=tuple(role),
        levels=frozenset(levels),
        brackets=tuple(inside for inside in brackets if inside),
        requisitions=tuple(number.key for number in numbers),
    )


def title_words(text: str) -> list[str]:
    """The comparable words of any text, each as `title_parts` spells it, so that a title is found in it."""
    return [part for word in words(folded(_without_marks(text))) for part in _spelled(word)]


def _without_marks(text: str) -> str:
    """Without "(m/w/d)" and its kin, which are searched only where they can stand."""
    if any(joint in text for joint in "/|*,") or "genders" in text.casefold():
        return _GENDER_MARKS.sub(" ", text)
    return text


def _employer_after_at(text: str) -> str:
    """ "Careers at Northwind" is Northwind; "Ada at Northwind" may be a person and is left alone."""
    front, _, employer = _split_at(text)
    team = words(folded(front))
    return (
        employer
        if employer and team and all(word in TEAM or word in {"the", "and"} for word in team)
        else text
    )


def _split_at(text: str) -> tuple[str, str, str]:
    found = _AT.search(text)
    return (text[: found.start()], "at", text[found.end() :]) if found else (text, "", "")


def _without_glued(text: str) -> str:
    for form in LEGAL_GLUED:
        text = text.removeprefix(form).removesuffix(form) if text != form else text
    return text


def _written_as_forms(text: str) -> frozenset[str]:
    """Words written in capitals or with dots or strokes inside, which ordinary words are not; of a name typed
    small altogether those that end none by chance."""
    if text == text.lower():
        return ALSO_SMALL
    pieces = (
        piece
        for piece in _CAPITALS.findall(_SPACED_DOTS.sub("", text))
        if not _is_plain_word(piece.rstrip("."))
    )
    return frozenset("".join(words(folded(piece))) for piece in pieces)


def _is_plain_word(piece: str) -> bool:
    return piece.isalpha() and (piece.islower() or piece[1:].islower())


def _without_ends(found: list[str], forms: frozenset[str]) -> list[str]:
    whole = found
    while (shorter := _one_end_less(found, forms, is_begun=found is not whole)) is not found:
        found = shorter
    return found


def _one_end_less(found: list[str], forms: frozenset[str], *, is_begun: bool) -> list[str]:
    """`is_begun` when something behind the name was taken away before."""
    if len(found) < 2:  # noqa: PLR2004 - one word is left alone
        return found
    for phrase in (*TEAM_PHRASES, *LEGAL_PHRASES):
        if tuple(found[-len(phrase) :]) == phrase and len(found) > len(phrase):
            return found[: -len(phrase)]
    last, first = found[-1], found[0]
    if last in TEAM or _is_legal(last, forms):
        return found[:-1]
    if last in JOINING and (is_begun or len(found) > 2):  # noqa: PLR2004 - what joined forms that are gone
        return found[:-1]
    if first == "the" or (first in LEGAL_FRONT and _is_legal(first, forms)):
        return found[1:]
    return found


def _is_legal(word: str, forms: frozenset[str]) -> bool:
    return word in LEGAL and (word not in ALSO_WORDS or word in forms)


def _spelled(word: str) -> list[str]:
    return TITLE_WORDS.get(word, word).split()


def _apart(plain: list[str]) -> tuple[list[str], set[str]]:
    levels = {ROLES_WITH_LEVEL[word] for word in plain if word in ROLES_WITH_LEVEL}
    role: list[str] = []
    for place, word in enumerate(plain):
        if word in LEVELS and _is_level(plain, place):
            levels.add(LEVELS[word])
        elif not _joins_a_level(plain, place):
            role.append(word)
    return (role, levels) if role else (plain, levels)


def _joins_a_level(plain: list[str], place: int) -> bool:
    """ "en" of "Comercial en prácticas", "de" of "Stage de vente"."""
    if plain[place] not in JOINS_A_LEVEL:
        return False
    is_behind = place == 1 and plain[0] in LEVELS
    is_before = plain[place] == "en" and plain[place + 1 : place + 2] != [] and plain[place + 1] in AT_AN_END
    return is_behind or is_before


def _is_level(plain: list[str], place: int) -> bool:
    word = plain[place]
    beside = {*plain[max(place - 1, 0) : place], *plain[place + 1 : place + 2]}
    if beside & NOT_A_LEVEL.get(word, frozenset()):
        return False
    if word == "i" or word.isdigit():
        return place == len(plain) - 1 and place > 0
    if word in AT_AN_END and 0 < place < len(plain) - 1 and plain[place - 1] != "en":
        return False
    if word in AT_AN_END and place and plain[place - 1] in {"de", "d"}:
        return False
    # "Sales Associate" and "Tech Lead" are roles; "Associate Designer" and "Lead Designer" are on a level.
    return word not in {"associate", "lead"} or place < len(plain) - 1
