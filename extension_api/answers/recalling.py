"""Which remembered answer goes into a field, and whether it is filled or only shown. Pure.

An answer for this employer comes before one for everywhere, an exact question before one in other words. What
holds for one employer or one place only, what may have gone out of date, and what the profile's work rights
speak against is never filled by itself.
"""

import re
from collections.abc import Sequence

import msgspec

from extension_api.answers.legal import answer
from extension_api.answers.legal_senses import sense_of
from extension_api.answers.mapping import CHOSEN, Mapped, mapped, option_for
from extension_api.answers.memory import MARGIN, SUGGEST, Found, Memory
from extension_api.answers.options import is_yes_or_no, yes_or_no
from extension_api.answers.ranges import span
from extension_api.answers.remembering import asked_text
from extension_api.answers.wording import Wording, wording
from extension_api.answers.words import word_set
from extension_api.profiles.types import Profile
from extension_api.protocol import Action, FieldDescription, Reason
from schema.ids import AnswerId

_DATED = re.compile(r"\b(?:19|20)\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{1,2} ?(?:st|nd|rd|th)\b")
_DATES_ASKED = word_set(
    "start date when earliest wann datum starttermin startdatum eintrittsdatum eintrittstermin beginn "
    "beginnen anfangen fruhestens fruhester fruhestmoglich verfugbar verfugbarkeit quand debut debuter "
    "commencer disponible disponibilite demarrer cuando fecha inicio empezar comenzar disponibilidad "
    "incorporacion incorporarse incorporarte"
)
_LONG_CHARS = 300
_YEARS = frozenset({"year"})
_AT_LEAST = frozenset({"least", "more"})
_BOUNDING = frozenset({"minimum", "or"})
_COUNTED = 0.9
_EXACT = 0.99
_SAME = 0.95
_LIKE = 0.6


class Recalled(msgspec.Struct, frozen=True, kw_only=True):
    """`rule` names how the answer was found. `is_employers`: it was remembered for this employer; `is_same`:
    for this very question, be it in other words."""

    answer_id: AnswerId
    action: Action
    mapped: Mapped
    rule: str
    confidence: float
    is_employers: bool
    is_same: bool


def recalled(
    field: FieldDescription, memory: Memory, employers: frozenset[str], profile: Profile
) -> Recalled | Reason | None:
    """What was remembered for this field; why it cannot be used; None when nothing was."""
    label = asked_text(field)
    asked = wording(label, is_yes_no=is_yes_or_no(field.options))
    found = [
        one
        for one in memory.like(label, asked)
        if not one.answer.company_key or one.answer.company_key in employers
    ]
    refused: Reason | None = None
    for those in _ranked(found, field):
        chosen = _agreed(those, field, asked)
        if isinstance(chosen, tuple):
            return _told(chosen[0], chosen[1], field, asked, profile)
        refused = refused or chosen
    if refused is not None:
        return refused
    return _counted(found, field, asked) or _alike(found, field, asked) or _unsure(found)


def _ranked(found: Sequence[Found], field: FieldDescription) -> list[list[Found]]:
    """Answers to the same question in groups, the best first: employer, exact words, options, kind."""
    groups: dict[tuple[bool, bool, bool], list[Found]] = {}
    for one in found:
        if one.agreement == "same":
            alike = one.answer.options == field.options
            rank = (one.answer.company_key != "", one.is_exact, alike)
            groups.setdefault(rank, []).append(one)
    return [groups[rank] for rank in sorted(groups, reverse=True)]


def _agreed(those: Sequence[Found], field: FieldDescription, asked: Wording) -> tuple[Found, Mapped] | Reason:
    """The one thing a group of answers says in this field."""
    good: list[tuple[Found, Mapped]] = []
    refused: Reason = "no_option_matches"
    for one in those:
        result = mapped(one.answer.given, field, asked)
        if isinstance(result, Mapped):
            good.append((one, result))
        else:
            refused = result
    if not good:
        return refused
    said = {_said(result) for _, result in good}
    return good[0] if len(said) == 1 else "several_answers_match"


def _said(result: Mapped) -> tuple[str, ...]:
    text = result.value or result.option
    return (" ".join(text.casefold().split()),) if text else tuple(sorted(result.options))


def _told(
    found: Found, result: Mapped, field: FieldDescription, asked: Wording, profile: Profile
) -> Recalled | Reason:
    if _is_contradicted(field, result, profile):
        return "several_answers_match"
    only_shown = result.certainty == "suggest" or _is_only_shown(found, result, field, asked, profile)
    by = "exact" if found.is_exact else "same_words"
    return Recalled(
        answer_id=found.answer.id,
        action="suggest" if only_shown else "fill",
        mapped=result,
        rule=f"remembered_{by}",
        confidence=(_EXACT if found.is_exact else _SAME) * (_LIKE if only_shown else 1.0),
        is_employers=bool(found.answer.company_key),
        is_same=True,
    )


def _is_contradicted(field: FieldDescription, result: Mapped, profile: Profile) -> bool:
    """The profile's work rights say the opposite: one of the two is wrong, and nobody here knows which."""
    asked = sense_of(asked_text(field))
    right = next((one for one in profile.work_rights if asked and one.country == asked.country), None)
    stated = answer(asked.asked, right) if asked and right else None
    said = yes_or_no(result.option or result.value or "")
    return stated is not None and said is not None and said != ("yes" if stated else "no")


def _is_only_shown(
    found: Found, result: Mapped, field: FieldDescription, asked: Wording, profile: Profile
) -> bool:
    text = result.value or result.option or ""
    everywhere = not found.answer.company_key
    if everywhere and (asked.is_about_employer or asked.is_about_place):
        return True
    if asked.is_legal and not asked.countries and (asked.is_about_place or _rights_differ(profile)):
        return True
    if not _DATES_ASKED.isdisjoint(asked.subject) and _DATED.search(text):
        return True
    return everywhere and field.kind == "textarea" and len(text) > _LONG_CHARS


def _rights_differ(profile: Profile) -> bool:
    """What holds in one country does not in another, so a question that names none has two answers."""
    authorised = {one.authorised for one in profile.work_rights} - {None}
    sponsored = {one.needs_sponsorship for one in profile.work_rights} - {None}
    return len(authorised) > 1 or len(sponsored) > 1


def _counted(found: Sequence[Found], field: FieldDescription, asked: Wording) -> Recalled | None:
    """ "At least 5 years of it?" from how many years were remembered of just that."""
    if (
        asked.ask != "yes_no"
        or asked.units != _YEARS
        or len(asked.numbers) != 1
        or not asked.bounds <= _AT_LEAST
    ):
        return None
    if asked.negations or asked.tense or asked.is_directed:
        return None
    for one in found:
        said = one.wording
        years = span(one.answer.given[0]) if _counts_the_same(said, asked) else None
        if years is None or years.low != years.high or years.unit not in {"", "year"}:
            continue
        least = float(asked.numbers[0])
        is_so = years.low > least or (years.low == least and "more" not in asked.bounds)
        result = option_for("Yes" if is_so else "No", field.options, asked) if field.kind in CHOSEN else None
        if isinstance(result, Mapped) and result.certainty == "fill":
            return Recalled(
                answer_id=one.answer.id,
                action="fill",
                mapped=result,
                rule="remembered_years",
                confidence=_COUNTED,
                is_employers=bool(one.answer.company_key),
                is_same=True,
            )
    return None


def _counts_the_same(said: Wording, asked: Wording) -> bool:
    """How many years of the same thing, and of nothing narrower or wider."""
    alike = said.subject == asked.subject and said.qualifiers == asked.qualifiers - _BOUNDING
    plain = not (said.negations or said.tense or said.numbers or said.is_directed)
    return alike and plain and bool(said.subject) and said.ask != "yes_no" and said.units == _YEARS


def _alike(found: Sequence[Found], field: FieldDescription, asked: Wording) -> Recalled | None:
    """The answer to the question most like this one, to be shown, when no other is as near."""
    near = [
        (one, result)
        for one in found
        if one.agreement == "close"
        and one.likeness >= SUGGEST
        and isinstance(result := mapped(one.answer.given, field, asked), Mapped)
        and not _may_be_the_opposite(asked, one.wording, result)
        and not _is_elsewhere(one)
    ]
    near.sort(key=lambda pair: (pair[0].answer.company_key != "", pair[0].likeness), reverse=True)
    if not near:
        return None
    best, result = near[0]
    rivals = [one for one, other in near[1:] if _said(other) != _said(result)]
    if any(best.likeness - one.likeness < MARGIN for one in rivals):
        return None
    return Recalled(
        answer_id=best.answer.id,
        action="suggest",
        mapped=result,
        rule="remembered_alike",
        confidence=_LIKE * best.likeness / 100,
        is_employers=bool(best.answer.company_key),
        is_same=False,
    )


def _is_elsewhere(found: Found) -> bool:
    """ "Our company" and "this office" were somebody else's when the answer was given."""
    here = found.wording.is_about_employer or found.wording.is_about_place
    return here and not found.answer.company_key


def _may_be_the_opposite(asked: Wording, said: Wording, result: Mapped) -> bool:
    """A yes says nothing of a narrower question, a no nothing of a wider one."""
    answered = yes_or_no(result.option or result.value or "")
    more = asked.subject - said.subject
    widened = bool(more) and "or" in asked.qualifiers - said.qualifiers
    wider = widened or bool(said.subject - asked.subject)
    narrower = bool(more) and not widened
    return (answered == "yes" and narrower) or (answered == "no" and wider)


def _unsure(found: Sequence[Found]) -> Reason | None:
    unsure = any(one.agreement == "unsure" and one.likeness >= SUGGEST for one in found)
    return "polarity_unsure" if unsure else None
