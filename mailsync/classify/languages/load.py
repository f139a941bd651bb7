"""Reads the languages: what their files hold becomes structs. `folder.py` says how the files are written."""

import re
from functools import cache
from typing import get_args

import msgspec

from mailsync.classify.languages.folder import Folder, Strict, Text, one_line
from mailsync.classify.languages.language import (
    KINDS,
    AroundNames,
    AroundPatterns,
    Cutting,
    Family,
    Labels,
    Language,
    Names,
    Naming,
    Noise,
    Pattern,
    Phrase,
    Replacement,
    Signs,
    Spelling,
    Titles,
    When,
)
from mailsync.classify.types import NoiseReason

NAMES = ("english", "french", "german", "spanish")
_FAMILIES: tuple[Family, ...] = get_args(Family)
_DECIDING: tuple[Family, ...] = tuple(
    family for family in _FAMILIES if family not in ("receipt", "thanks", "reviewing")
)
_PHRASE_FILES = ("refusal", "progress", "receipt", "contact")


class _Phrase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    cues: str
    pattern: Text
    veto: Text = ""
    in_subject: bool = False
    from_people: bool = False
    from_strangers: bool = False
    sender: str = ""
    alone: bool = False


class _Replace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pattern: Text
    by: str


class _Spelling(Strict, frozen=True, kw_only=True):
    fillers: Text
    replace: tuple[_Replace, ...] = ()


class _Courtesy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pattern: Text
    rest: str = ""


class _Clauses(Strict, frozen=True, kw_only=True):
    split: Text
    supposed: Text
    group: Text
    harmless: Text
    courtesy: tuple[_Courtesy, ...] = ()


class _Noise(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    reason: NoiseReason
    pattern: Text


class _NoiseFile(Strict, frozen=True, kw_only=True):
    subject: tuple[_Noise, ...] = ()
    text: tuple[_Noise, ...] = ()


class _Naming(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pattern: Text
    weight: int = 2
    sure: bool = False


class _Labels(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    employer: str = ""
    role: str = ""
    place: str = ""
    contact: str = ""
    deadline: str = ""
    appointment: str = ""


class _When(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    deadline: Text = ""
    promise: Text = ""
    meeting: Text = ""
    settled: Text = ""
    proposed: Text = ""


class _Names(Strict, frozen=True, kw_only=True):
    role_heads: str
    also_companies: str = ""
    compounds: bool = False
    not_a_company: str
    not_alone: str = ""
    not_a_role: str
    behind_company: Text
    before_role: Text = ""
    behind_role: Text = ""
    joins_role: Text
    title_tail: Text
    client: Text = ""
    closings: Text = ""
    elsewhere: Text = ""
    labels: _Labels = _Labels()
    when: _When = _When()
    company_in_subject: tuple[_Naming, ...] = ()
    company_in_text: tuple[_Naming, ...] = ()
    company_on_a_line: tuple[_Naming, ...] = ()
    role_in_subject: tuple[_Naming, ...] = ()
    role_in_text: tuple[_Naming, ...] = ()
    role_above_employer: tuple[_Naming, ...] = ()


class _Titles(Strict, frozen=True, kw_only=True):
    plain: str
    other_gender: str = ""
    gender_letters: str
    endings: tuple[tuple[str, str], ...] = ()
    ways_of_working: str
    part_time: str
    unmarked: Text = ""
    applied_to: Text


@cache
def languages() -> tuple[Language, ...]:
    """Every language, read once a process. A file that is wrong stops the process, naming the place."""
    return tuple(_language(name) for name in NAMES)


@cache
def around_names() -> tuple[AroundNames, ...]:
    """Of every language in the order of `NAMES`; the rest of the languages is not read for it."""
    return tuple(_around_names(Folder(name)) for name in NAMES)


def _around_names(folder: Folder) -> AroundNames:
    told = folder.read("around_names")
    own = msgspec.convert(told.pop("fragments", {}), dict[str, Text])
    patterns = msgspec.convert(told.pop("patterns"), dict[str, Text])
    cues = one_line(msgspec.convert(told.pop("joint_cues"), str))
    words = msgspec.convert(told, dict[str, str])
    return AroundNames(
        joint_cues=tuple(cues.split("|")),
        patterns=AroundPatterns(**{name: folder.compiled(text, own) for name, text in patterns.items()}),
        **{name: frozenset(text.split()) for name, text in words.items()},
    )


def _language(name: str) -> Language:
    folder = Folder(name)
    code = folder.words.code
    phrases = _phrases(folder, code)
    deciding = [phrase for family in _DECIDING for phrase in phrases[family]]
    noise = msgspec.convert(folder.read("noise"), _NoiseFile)
    return Language(
        code=code,
        stopwords=frozenset(folder.words.stopwords.split()),
        spelling=_spelling(folder),
        cutting=_cutting(folder),
        phrases=tuple(phrase for phrase in deciding if not phrase.alone),
        last_resort=tuple(phrase for phrase in deciding if phrase.alone),
        receipt=phrases["receipt"],
        thanks=phrases["thanks"],
        reviewing=phrases["reviewing"],
        signs=_signs(folder),
        subject_noise=_noises(folder, noise.subject, noise.fragments),
        text_noise=_noises(folder, noise.text, noise.fragments),
        names=_names(folder),
        titles=_titles(folder),
    )


def _phrases(folder: Folder, code: str) -> dict[Family, tuple[Phrase, ...]]:
    found: dict[Family, list[Phrase]] = {family: [] for family in _FAMILIES}
    for file in _PHRASE_FILES:
        told = folder.read(file)
        own = msgspec.convert(told.pop("fragments", {}), dict[str, Text])
        for family, rows in msgspec.convert(told, dict[Family, tuple[_Phrase, ...]]).items():
            found[family] += [_phrase(folder, code, family, row, own) for row in rows]
    return {family: tuple(phrases) for family, phrases in found.items()}


def _phrase(folder: Folder, code: str, family: Family, row: _Phrase, own: dict[str, Text]) -> Phrase:
    return Phrase(
        name=f"{code}.{row.name}",
        kind=KINDS[family],
        cues=tuple(row.cues.split("|")),
        pattern=folder.compiled(row.pattern, own),
        veto=folder.compiled(row.veto, own) if row.veto else None,
        in_subject=row.in_subject,
        from_people=row.from_people,
        from_strangers=row.from_strangers,
        sender=row.sender,
        alone=row.alone,
    )


def _spelling(folder: Folder) -> Spelling:
    told = msgspec.convert(folder.read("spelling"), _Spelling)
    return Spelling(
        replacements=tuple(
            Replacement(folder.compiled(row.pattern, told.fragments), row.by) for row in told.replace
        ),
        fillers=folder.compiled(told.fillers, told.fragments),
    )


def _cutting(folder: Folder) -> Cutting:
    told = msgspec.convert(folder.read("clauses"), _Clauses)
    own = told.fragments
    return Cutting(
        split=folder.compiled(told.split, own),
        courtesies=tuple(Replacement(folder.compiled(row.pattern, own), row.rest) for row in told.courtesy),
        supposed=folder.compiled(told.supposed, own),
        group=folder.compiled(told.group, own),
        harmless=folder.compiled(told.harmless, own),
    )


def _signs(folder: Folder) -> Signs:
    told = folder.read("signs")
    own = msgspec.convert(told.pop("fragments", {}), dict[str, Text])
    texts = msgspec.convert(told, dict[str, Text])
    return Signs(**{name: folder.compiled(text, own) for name, text in texts.items()})


def _noises(folder: Folder, rows: tuple[_Noise, ...], own: dict[str, Text]) -> tuple[Noise, ...]:
    return tuple(Noise(row.reason, folder.compiled(row.pattern, own)) for row in rows)


def _titles(folder: Folder) -> Titles:
    told = msgspec.convert(folder.read("titles"), _Titles)
    return Titles(
        plain=frozenset(told.plain.split()),
        other_gender=frozenset(told.other_gender.split()),
        gender_letters=told.gender_letters,
        endings=told.endings,
        ways_of_working=_word_runs(told.ways_of_working),
        part_time=_word_runs(told.part_time),
        unmarked=folder.compiled(told.unmarked, told.fragments) if told.unmarked else None,
        applied_to=folder.compiled(told.applied_to, told.fragments),
    )


def _word_runs(told: str) -> tuple[tuple[str, ...], ...]:
    """ "full-time permanent": two, the first of two words."""
    return tuple(tuple(run.split("-")) for run in told.split())


def _names(folder: Folder) -> Names:
    told = msgspec.convert(folder.read("naming"), _Names)

    def namings(rows: tuple[_Naming, ...], flags: re.RegexFlag = re.NOFLAG) -> tuple[Naming, ...]:
        return tuple(
            Naming(
                pattern=folder.compiled(row.pattern, told.fragments, flags), weight=row.weight, sure=row.sure
            )
            for row in rows
        )

    def optional(text: Text, flags: re.RegexFlag = re.NOFLAG) -> Pattern | None:
        return folder.compiled(text, told.fragments, re.IGNORECASE | flags) if text else None

    def sure(text: Text) -> Pattern:
        """One that never matches where nothing is given."""
        return optional(text) or re.compile(r"(?!)")

    return Names(
        company_in_subject=namings(told.company_in_subject),
        company_in_text=namings(told.company_in_text),
        company_on_a_line=namings(told.company_on_a_line, re.MULTILINE),
        role_in_subject=namings(told.role_in_subject),
        role_in_text=namings(told.role_in_text),
        role_above_employer=namings(told.role_above_employer, re.MULTILINE),
        role_heads=frozenset(told.role_heads.split()),
        compounds=told.compounds,
        also_companies=frozenset(told.also_companies.split()),
        not_a_company=frozenset(told.not_a_company.split()),
        not_alone=frozenset(told.not_alone.split()),
        not_a_role=frozenset(told.not_a_role.split()),
        behind_company=folder.compiled(told.behind_company, told.fragments, re.DOTALL),
        before_role=folder.compiled(told.before_role, told.fragments) if told.before_role else None,
        behind_role=folder.compiled(told.behind_role, told.fragments, re.DOTALL)
        if told.behind_role
        else None,
        joins_role=folder.compiled(told.joins_role, told.fragments),
        title_tail=folder.compiled(told.title_tail, told.fragments),
        client=optional(told.client),
        closings=optional(told.closings),
        elsewhere=optional(told.elsewhere, re.MULTILINE),
        labels=Labels(**{name: _label(words) for name, words in msgspec.structs.asdict(told.labels).items()}),
        when=When(**{name: sure(text) for name, text in msgspec.structs.asdict(told.when).items()}),
    )


def _label(words: str) -> Pattern | None:
    """At the start of a line, marked or not, longest first so that "job title" is not "job"."""
    if not words:
        return None
    longest = sorted((re.escape(word.strip()) for word in words.split("|")), key=len, reverse=True)
    named = "|".join(longest).replace(r"\ ", "[ ]")
    mark = r"(?P<mark>[ \t*]{0,3}[:\uff1a][ \t*]*|[ \t*]*\n[ \t\n]{0,6}|[ ]+)(?=\S)"
    return re.compile(rf"^[ \t*\u2022\u00b7>-]{{0,6}}(?:{named}){mark}", re.IGNORECASE | re.MULTILINE)
