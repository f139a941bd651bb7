"""Employers named like ordinary words, and the same words meaning something else."""

from matcher.training.families.register import situation
from matcher.training.letters import Facts
from matcher.training.scene import Note, Scene, about, nothing

_ANY = ("receipt", "refusal", "interview", "assessment", "info_request", "status", "closed")
_TITLES = {
    "en": "{word} Engineer",
    "fr": "Ingénieur {word}",
    "de": "{word}-Ingenieur",
    "es": "Ingeniero {word}",
}


@situation(2, "the employer's name is an ordinary word, and the mail names it as the employer")
def common_word(scene: Scene) -> None:
    applied = scene.apply(scene.naming.common_word(), scene.role())
    for _ in range(2):
        scene.wait(1, 12)
        facts = scene.facts(applied, "company", "role")
        kind = scene.chance.choice(_ANY)
        scene.send(Note(kind=kind, by=scene.desk(applied), truth=about(applied), facts=facts))


@situation(1, "the word that names one employer is part of a title at another; the mail names the other")
def word_in_title(scene: Scene) -> None:
    word = scene.naming.common_word()
    scene.apply(word, scene.role())
    title = _TITLES[scene.language].format(word=word.short)
    scene.wait(0, 2)
    applied = scene.apply(scene.employer(), title)
    scene.wait(1, 12)
    facts = scene.facts(applied, "company", "role")
    scene.send(
        Note(kind=scene.chance.choice(_ANY), by=scene.desk(applied), truth=about(applied), facts=facts)
    )
    scene.wait(1, 12)
    stranger = scene.employer()
    facts = Facts(company=stranger.short, role=title, must=("company", "role"))
    scene.send(
        Note(kind="receipt", by=scene.own_desk(stranger), truth=nothing(), facts=facts, unrecorded=True)
    )
