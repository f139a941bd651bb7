"""Agencies and recruiters: who stands between the person and the employer."""

from matcher.training import senders
from matcher.training.families.register import situation
from matcher.training.letters import Facts
from matcher.training.naming import Employer, Person
from matcher.training.scene import Applied, Note, Scene, about, nothing, open_between
from matcher.training.senders import Sender


@situation(2, "an agency writes and names the client and the title applied for")
def agency_names_client(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    agency = scene.naming.agency()
    by = _recruiter(scene, agency)
    for _ in range(scene.chance.randrange(1, 3)):
        scene.wait(1, 12)
        _told(scene, applied, agency, by)


@situation(5, "an agency speaks of a client it does not name; nobody can tell whether that is an application")
def agency_hides_client(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role(), posting=False, requisition=False)
    agency = scene.naming.agency()
    scene.wait(1, 12)
    role = applied.role if scene.maybe(0.5) else None
    facts = Facts(agency=agency.short, role=role, must=("role",) if role else ())
    by = _recruiter(scene, agency)
    scene.send(Note(kind="agency_update", by=by, truth=open_between(applied), facts=facts))


@situation(1, "the person recorded the agency itself, which names the title applied for")
def agency_recorded(scene: Scene) -> None:
    agency = scene.naming.agency()
    applied = scene.apply(agency, scene.role())
    by = _recruiter(scene, agency)
    for _ in range(2):
        scene.wait(1, 12)
        facts = Facts(agency=agency.short, role=applied.role, must=("role",))
        scene.send(Note(kind="agency_update", by=by, truth=about(applied), facts=facts))


@situation(2, "one address of an agency writes for two clients: named, it is clear which; unnamed, it is not")
def agency_two_clients(scene: Scene) -> None:
    both = [scene.apply(scene.employer(), role) for role in scene.roles(2)]
    agency = scene.naming.agency()
    by = _recruiter(scene, agency)
    for applied in both:
        scene.wait(1, 8)
        _told(scene, applied, agency, by, confirmed=scene.maybe(0.5))
    scene.wait(2, 10)
    facts = Facts(agency=agency.short)
    scene.send(Note(kind="agency_update", by=by, truth=open_between(*both), facts=facts))


@situation(1, "a recruiter who wrote for one employer now writes for another, where the person never applied")
def recruiter_moved(scene: Scene) -> None:
    person = scene.person()
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(1, 8)
    by = senders.somebody(applied.employer, person, scene.chance)
    facts = scene.facts(applied, "company", "role")
    scene.send(Note(kind="interview", by=by, truth=about(applied), facts=facts, confirmed=True))
    scene.wait(60, 160)
    elsewhere = scene.employer()
    by = senders.somebody(elsewhere, person, scene.chance)
    facts = Facts(company=elsewhere.short, role=scene.role())
    scene.send(Note(kind="outreach", by=by, truth=nothing(), facts=facts))


@situation(1, "a recruiter changed employers and writes about the application at the new one, by name")
def recruiter_moved_to_tracked(scene: Scene) -> None:
    person = scene.person()
    for employer in (scene.employer(), scene.employer()):
        applied = scene.apply(employer, scene.role())
        scene.wait(1, 8)
        by = senders.somebody(applied.employer, person, scene.chance)
        facts = scene.facts(applied, "company", "role")
        kind = scene.chance.choice(("interview", "named_reply", "refusal"))
        scene.send(Note(kind=kind, by=by, truth=about(applied), facts=facts))
        scene.wait(40, 100)


def _told(scene: Scene, applied: Applied, agency: Employer, by: Sender, *, confirmed: bool = False) -> None:
    facts = Facts(
        company=applied.employer.short, agency=agency.short, role=applied.role, must=("company", "role")
    )
    scene.send(Note(kind="agency_update", by=by, truth=about(applied), facts=facts, confirmed=confirmed))


def _recruiter(scene: Scene, agency: Employer) -> Sender:
    person: Person = scene.person()
    name = scene.chance.choice((person.name, f"{person.name} | {agency.short}"))
    return Sender(name=name, address=f"{person.local_part}@{agency.domain}", person=person, automatic=False)
