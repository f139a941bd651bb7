"""Job boards, testers, schedulers and signing services: none of them is the employer."""

from matcher.training import senders
from matcher.training.families.register import situation
from matcher.training.letters import Facts
from matcher.training.scene import Applied, Note, Scene, about, nothing, open_between
from matcher.training.senders import Sender
from matcher.training.wording import filled, wording


@situation(2, "a board confirms the application and names the employer")
def board_receipt(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    _on_board(scene, applied, senders.board(scene.chance))


@situation(2, "the board and the platform both confirm the same application")
def confirmed_twice(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    _on_board(scene, applied, senders.board(scene.chance))
    scene.wait(0, 0.2)
    facts = scene.facts(applied, "company", "role")
    scene.send(Note(kind="receipt", by=scene.desk(applied), truth=about(applied), facts=facts))


@situation(1, "a board sums up what happened to several applications")
def daily_digest(scene: Scene) -> None:
    applied = [scene.apply(scene.employer(), role) for role in scene.roles(scene.chance.randrange(2, 4))]
    scene.wait(1, 10)
    lines = wording(scene.language, scene.box.split).kind["digest_line"].bodies
    items = "\n".join(
        filled(scene.chance.choice(lines), {"role": each.role, "company": each.employer.short}, scene.chance)
        for each in applied
    )
    by = senders.board(scene.chance)
    scene.send(Note(kind="digest", by=by, truth=about(*applied), facts=Facts(items=items)))


@situation(2, "a tester's mail names the employer, where there is one application; unnamed, it may be any")
def assessment_vendor(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(2, 15)
    by = senders.vendor(scene.chance)
    if scene.maybe(0.6):
        facts = scene.facts(applied, "company", *(("role",) if scene.maybe(0.5) else ()))
        scene.send(Note(kind="vendor_test", by=by, truth=about(applied), facts=facts))
    else:
        scene.send(Note(kind="vendor_test", by=by, truth=open_between(applied)))


@situation(2, "a scheduling tool's mail names the employer in its text; unnamed, it may be any")
def scheduling_tool(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(2, 15)
    host = scene.person()
    tool = senders.scheduler(scene.chance)
    by = Sender(name=tool.name, address=tool.address, person=host)
    if scene.maybe(0.6):
        facts = scene.facts(applied, "company", "role")
        scene.send(Note(kind="booking", by=by, truth=about(applied), facts=facts))
    else:
        scene.send(Note(kind="booking", by=by, truth=open_between(applied)))


@situation(1, "a signing service carries the contract of an employer it names")
def signing_service(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(15, 40)
    facts = scene.facts(applied, "company", "role")
    scene.send(Note(kind="signing", by=senders.signing(scene.chance), truth=about(applied), facts=facts))


@situation(1, "a board or a tester writes for an employer the person never recorded")
def board_untracked(scene: Scene) -> None:
    employer = scene.employer()
    facts = Facts(company=employer.short, role=scene.role(), must=("company",))
    kind, by = scene.chance.choice(
        (("board_receipt", senders.board(scene.chance)), ("vendor_test", senders.vendor(scene.chance)))
    )
    scene.send(Note(kind=kind, by=by, truth=nothing(), facts=facts, unrecorded=True))


def _on_board(scene: Scene, applied: Applied, by: Sender) -> None:
    must = ("company", "role") if scene.maybe(0.7) else ("company",)
    facts = scene.facts(applied, *must)
    scene.send(Note(kind="board_receipt", by=by, truth=about(applied), facts=facts))
