"""Mail about none of the person's applications, however much it looks so."""

from matcher.training import senders
from matcher.training.families.register import situation
from matcher.training.letters import Facts
from matcher.training.naming import Employer
from matcher.training.scene import Note, Scene, nothing
from matcher.training.senders import Sender


@situation(6, "it comes from an employer the person never recorded an application at")
def untracked_employer(scene: Scene) -> None:
    employer, role = scene.employer(), scene.role()
    by = senders.relay(employer, scene.chance.choice(senders.PLATFORMS), scene.person(), scene.chance)
    for kind in scene.chance.sample(
        ("receipt", "refusal", "interview", "status"), scene.chance.randrange(1, 3)
    ):
        facts = Facts(company=employer.short, role=role, must=("company", "role"))
        scene.send(Note(kind=kind, by=by, truth=nothing(), facts=facts, unrecorded=True))
        scene.wait(2, 20)


@situation(3, "a recruiter of an employer applied to writes about something new; no machine attaches that")
def outreach_from_tracked(scene: Scene) -> None:
    known, other = scene.roles(2)
    applied = scene.apply(scene.employer(), known)
    scene.wait(5, 60)
    by = senders.somebody(applied.employer, scene.person(), scene.chance)
    facts = Facts(company=applied.employer.short, role=other)
    scene.send(Note(kind="outreach", by=by, truth=nothing(), facts=facts))


@situation(2, "a recruiter nobody knows offers a job")
def outreach_from_stranger(scene: Scene) -> None:
    employer, person = scene.employer(), scene.person()
    by = scene.chance.choice(
        (senders.somebody(employer, person, scene.chance), senders.stranger(person, scene.chance))
    )
    scene.send(
        Note(kind="outreach", by=by, truth=nothing(), facts=Facts(company=employer.short, role=scene.role()))
    )


@situation(5, "a list of jobs on offer, one of them at an employer applied to")
def job_alert(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(1, 30)
    employers = [applied.employer, scene.employer(), scene.employer()]
    roles = scene.roles(3) if scene.maybe(0.5) else [applied.role, *scene.roles(2)]
    items = "\n".join(
        scene.chance.choice(("{role}\n{at}\n", "{role} - {at}", "{role}, {at}")).format(
            role=role, at=at.short
        )
        for role, at in zip(roles, employers, strict=True)
    )
    facts = Facts(company=applied.employer.short, role=roles[0], items=items)
    scene.send(Note(kind="alert", by=senders.alert(scene.chance), truth=nothing(), facts=facts, bulk=True))


@situation(2, "news and invitations to everybody who ever applied there")
def employer_marketing(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(5, 90)
    for kind in scene.chance.sample(("marketing", "marketing", "survey"), 2):
        by = scene.own_desk(applied.employer)
        facts = Facts(company=applied.employer.short)
        scene.send(Note(kind=kind, by=by, truth=nothing(), facts=facts, bulk=True))
        scene.wait(5, 30)


@situation(2, "it is about the person's account at a career site, not about an application")
def candidate_account(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    by = scene.desk(applied)
    scene.send(Note(kind="account", by=by, truth=nothing(), facts=Facts(company=applied.employer.short)))


@situation(6, "it has nothing to do with jobs")
def unrelated(scene: Scene) -> None:
    for _ in range(2):
        shop = scene.naming.shop()
        domain = Employer(name=shop, short=shop, slug=f"{shop.split()[0].lower()}").domain
        by = Sender(name=shop, address=f"service@{domain}".encode("ascii", "ignore").decode())
        scene.send(
            Note(kind="unrelated", by=by, truth=nothing(), facts=Facts(shop=shop), bulk=scene.maybe(0.5))
        )
        scene.wait(1, 20)


@situation(1, "friends make an appointment")
def private_appointment(scene: Scene) -> None:
    by = senders.stranger(scene.person(), scene.chance)
    scene.send(Note(kind="private", by=by, truth=nothing()))


@situation(3, "the person wrote it; no machine attaches that")
def own_sent_mail(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(1, 10)
    by = _owner(scene)
    facts = Facts(company=applied.employer.short, role=applied.role)
    scene.send(
        Note(kind="own_note", by=by, truth=nothing(), facts=facts, by_owner=True, to=scene.desk(applied))
    )


@situation(1, "a stranger writes under the person's own address")
def spoofed_owner(scene: Scene) -> None:
    scene.send(Note(kind="spoof", by=_owner(scene), truth=nothing()))


def _owner(scene: Scene) -> Sender:
    owner = scene.box.owner
    return Sender(name=owner.name, address=scene.box.address, person=owner, automatic=False)
