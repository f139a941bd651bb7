"""The ordinary life of one application, from the receipt to its end."""

from matcher.training.families.register import situation
from matcher.training.scene import Applied, Note, Scene, about

_NEXT = ("interview", "scheduled", "assessment", "info_request", "status")
_ENDS = ("refusal", "refusal", "refusal", "closed", "offer")


@situation(5, "one application at this employer, and the employer is named")
def one_role(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(0, 0.2)
    _written(scene, applied, "receipt")
    if scene.maybe(0.5):
        scene.wait(2, 25)
        _written(scene, applied, scene.chance.choice(_NEXT))
    if scene.maybe(0.7):
        scene.wait(3, 40)
        _written(scene, applied, scene.chance.choice(_ENDS))


@situation(1, "one application at this employer; every stage of it names the employer")
def whole_process(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(0, 0.1)
    for kind in ("receipt", "assessment", "interview", "scheduled", "status", scene.chance.choice(_ENDS)):
        _written(scene, applied, kind)
        scene.wait(2, 12)


@situation(2, "one application at this employer, told in a page without any plain text")
def html_only(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    for kind in ("receipt", scene.chance.choice((*_NEXT, *_ENDS))):
        scene.wait(1, 20)
        facts = (
            scene.facts(applied, "company", "role") if scene.maybe(0.6) else scene.facts(applied, "company")
        )
        scene.send(Note(kind=kind, by=scene.desk(applied), truth=about(applied), facts=facts, body="html"))


@situation(1, "one application at this employer; its withdrawal is confirmed by name")
def withdrawn(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(0, 1)
    _written(scene, applied, "receipt")
    scene.wait(5, 30)
    _written(scene, applied, "withdrawn")


@situation(1, "one application at this employer; the receipt was late and came behind the refusal")
def late_receipt(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(1, 9)
    _written(scene, applied, "refusal")
    scene.wait(0.1, 3)
    _written(scene, applied, "receipt")


@situation(1, "the same words once more, as the platform sent them twice or the archive holds them twice")
def duplicate(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(0, 10)
    facts = scene.facts(applied, "company", "role")
    sent = scene.send(
        Note(
            kind=scene.chance.choice(("receipt", "refusal")),
            by=scene.desk(applied),
            truth=about(applied),
            facts=facts,
        )
    )
    for _ in range(scene.chance.randrange(1, 3)):
        scene.again(sent, same_id=scene.maybe(0.4))


def _written(scene: Scene, applied: Applied, kind: str) -> None:
    must = ("company", "role") if scene.maybe(0.55) else ("company",)
    scene.send(
        Note(kind=kind, by=scene.desk(applied), truth=about(applied), facts=scene.facts(applied, *must))
    )
