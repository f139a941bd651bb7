"""Wordings made to mislead, asked of two people whose right answers are opposite: no answer is wrong.

One may work everywhere and needs nobody, the other needs an employer's help everywhere. Each is known by a
profile, by what they remembered, by both, and by a profile beside answers remembered the wrong way round.
"""

import tomllib
from pathlib import Path
from typing import Literal

import msgspec
import pytest
from fixtures.persona import MORGAN

from extension_api.answers.evaluation import field_of, remembered_as, said
from extension_api.answers.memory import NOTHING, Memory
from extension_api.answers.options import yes_or_no
from extension_api.answers.rules import Known, plan
from extension_api.profiles.types import Profile, WorkRight

COUNTRIES = ("US", "GB", "DE", "FR", "ES")
WORDS = {"yn": ("No", "Yes"), "jn": ("Nein", "Ja"), "on": ("Non", "Oui"), "sn": ("No", "Sí")}
REMEMBERED = (
    ("Are you legally authorized to work in the country in which this job is located?", "yn", True),
    ("Are you legally authorized to work in the United States?", "yn", True),
    ("Are you authorized to work in the United States for any employer?", "yn", True),
    ("Do you have the right to work in the United Kingdom?", "yn", True),
    ("Do you require sponsorship to work in the United States?", "yn", False),
    ("Will you now or in the future require sponsorship to work in the United States?", "yn", False),
    ("Do you require visa sponsorship?", "yn", False),
    ("Can you work in the United States without sponsorship?", "yn", True),
    ("Brauchen Sie ein Visum, um in Deutschland zu arbeiten?", "jn", False),
    ("Haben Sie eine Arbeitserlaubnis für Deutschland?", "jn", True),
    ("Avez-vous le droit de travailler en France ?", "on", True),
    ("Avez-vous besoin d'un visa pour travailler en Suisse ?", "on", False),
    ("¿Tiene permiso de trabajo en Andorra?", "sn", True),
    ("¿Necesita un visado para trabajar en Andorra?", "sn", False),
)
KNOWN_BY = ("profile", "memory", "both", "profile beside wrong answers")
Way = Literal["profile", "memory", "both", "profile beside wrong answers"]


class _Group(msgspec.Struct, frozen=True):
    cases: list[tuple[str, str, str, str]]


GROUPS = msgspec.convert(
    tomllib.loads((Path(__file__).parent / "turned.toml").read_text()), type=dict[str, _Group]
)
CASES = [case for group in GROUPS.values() for case in group.cases]


def profile(*, is_free: bool, states: bool) -> Profile:
    rights = [WorkRight(country=one, authorised=is_free, needs_sponsorship=not is_free) for one in COUNTRIES]
    return msgspec.structs.replace(MORGAN, work_rights=rights if states else [])


def memory(*, is_free: bool) -> Memory:
    rows = enumerate(REMEMBERED, 1)
    return Memory(
        [remembered_as(at, label, kind, WORDS[kind][yes == is_free]) for at, (label, kind, yes) in rows]
    )


def known(way: Way, *, is_free: bool) -> tuple[Profile, Memory]:
    own = profile(is_free=is_free, states=way != "memory")
    if way == "profile":
        return own, NOTHING
    return own, memory(is_free=is_free != (way == "profile beside wrong answers"))


def test_enough_wordings_were_thought_of():
    assert len({(label, kind) for label, kind, _, _ in CASES}) >= 75
    assert set(GROUPS) == {"en", "de", "fr", "es"}


@pytest.mark.parametrize("way", KNOWN_BY)
@pytest.mark.parametrize("is_free", [True, False], ids=["free to work", "needs an employer's help"])
def test_nobody_is_answered_for_wrongly(way: Way, is_free: bool):
    own, remembered = known(way, is_free=is_free)
    wrong = []
    for label, kind, of_free, of_needing in CASES:
        right = of_free if is_free else of_needing
        line = plan([field_of("k", label, kind)], own, [], Known(memory=remembered))[0]
        told = said(line)
        if line.action != "leave" and told != right and yes_or_no(told) != right.lower():
            wrong.append((line.action, label, kind, told, right))
    assert wrong == []


def test_some_of_them_are_answered():
    own, remembered = known("both", is_free=True)
    lines = [
        plan([field_of("k", label, kind)], own, [], Known(memory=remembered))[0]
        for label, kind, _, _ in CASES
    ]
    assert sum(line.action == "fill" for line in lines) >= 3
