"""Applications that time tells apart: applied again, too early, moved elsewhere."""

from matcher.training.families.register import situation
from matcher.training.letters import Facts
from matcher.training.scene import Applied, Note, Scene, about, nothing


@situation(
    2,
    "applied for one title again after the refusal; what came before the second belongs to the first",
)
def applied_again_same_role(scene: Scene) -> None:
    employer, role = scene.employer(), scene.role()
    first = scene.apply(employer, role, dated=True, requisition=False, posting=False)
    for kind in ("receipt", "refusal"):
        scene.wait(1, 20)
        _told(scene, first, kind)
    scene.wait(30, 200)
    second = scene.apply(employer, role, dated=True, requisition=False, posting=False)
    scene.wait(0.01, 0.3)
    for kind in ("receipt", scene.chance.choice(("refusal", "interview", "assessment"))):
        _told(scene, second, kind)
        scene.wait(3, 20)


@situation(1, "applied for another title after the refusal; each message names its title")
def applied_again_other_role(scene: Scene) -> None:
    employer = scene.employer()
    for role in scene.roles(2):
        applied = scene.apply(employer, role)
        for kind in ("receipt", "refusal"):
            scene.wait(1, 20)
            _told(scene, applied, kind)
        scene.wait(20, 120)


@situation(1, "the refusal of an earlier, unrecorded attempt was sent before the person applied")
def before_applying(scene: Scene) -> None:
    employer, role = scene.employer(), scene.role()
    start = scene.now
    scene.wait(40, 90)
    applied = scene.apply(employer, role, dated=True)
    after = scene.now
    scene.now = start
    _told(scene, applied, scene.chance.choice(("receipt", "refusal")), counts=False)
    scene.now = after
    scene.wait(1, 10)
    _told(scene, applied, "receipt")


@situation(1, "moved to another opening: old and new number are named, and only the old one is recorded")
def moved_requisition(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role(), requisition=True)
    scene.wait(3, 20)
    facts = Facts(
        company=applied.employer.short,
        old_requisition=applied.requisition,
        new_requisition=scene.requisition(),
        old_role=applied.role,
        new_role=scene.role(),
    )
    scene.send(Note(kind="moved", by=scene.desk(applied), truth=about(applied), facts=facts))


@situation(1, "moved from one recorded opening to another that is recorded too: it is about both")
def moved_between_recorded(scene: Scene) -> None:
    employer = scene.employer()
    old, new = (scene.apply(employer, role, requisition=True) for role in scene.roles(2))
    scene.wait(3, 20)
    facts = Facts(
        company=employer.short,
        old_requisition=old.requisition,
        new_requisition=new.requisition,
        old_role=old.role,
        new_role=new.role,
    )
    scene.send(Note(kind="moved", by=scene.desk(old), truth=about(old, new), facts=facts))


def _told(scene: Scene, applied: Applied, kind: str, *, counts: bool = True) -> None:
    note = Note(
        kind=kind,
        by=scene.desk(applied),
        truth=about(applied) if counts else nothing(),
        facts=scene.facts(applied, "company", "role"),
        unrecorded=not counts,
    )
    scene.send(note)
