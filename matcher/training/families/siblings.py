"""Several applications at one employer, told apart by their titles, or not at all."""

from collections.abc import Sequence

from matcher.training import senders
from matcher.training.families.register import situation
from matcher.training.letters import Facts
from matcher.training.naming import Employer
from matcher.training.scene import Applied, Note, Scene, about, nothing, open_between

_ANY = ("receipt", "refusal", "interview", "assessment", "info_request", "status", "closed", "offer")
_LATER = ("refusal", "interview", "assessment", "info_request", "status", "closed")


@situation(3, "two applications at one employer; the message names the title of one")
def two_roles_named(scene: Scene) -> None:
    for applied in _both(scene, scene.roles(2)):
        if scene.maybe(0.8):
            scene.wait(1, 15)
            _named(scene, applied)


@situation(6, "two applications at one employer, and nothing in the message tells which is meant")
def two_roles_unnamed(scene: Scene) -> None:
    both = _both(scene, scene.roles(2))
    for _ in range(scene.chance.randrange(1, 3)):
        scene.wait(2, 15)
        _unnamed(scene, both)


@situation(
    1, "more than twenty applications at one employer; a title or a number tells which is meant, or nothing"
)
def many_roles(scene: Scene) -> None:
    employer = scene.employer()
    applied = [scene.apply(employer, role, requisition=True) for role in scene.roles(18)]
    applied += [
        scene.apply(employer, role, requisition=True)
        for role in scene.naming.levels_of(scene.naming.leveled(scene.language), scene.language, 3)
    ]
    scene.wait(1, 6)
    for one in scene.chance.sample(applied, 5):
        _named(scene, one, *(("requisition",) if scene.maybe(0.4) else ()))
        scene.wait(0.5, 4)
    _unnamed(scene, scene.chance.sample(applied, 4))


@situation(2, "the same title on two levels; the message names the level by writing out one of them")
def seniority_siblings(scene: Scene) -> None:
    role = scene.naming.leveled(scene.language)
    first, second = scene.naming.levels_of(role, scene.language, 2)
    pair = (first, second) if scene.maybe(0.5) else (role, second)
    both = _both(scene, pair)
    for applied in both:
        scene.wait(1, 12)
        _named(scene, applied)
    if role not in pair:
        _cut_short(scene, both, role)


@situation(2, "two longer titles with one beginning, and the message names no more than that beginning")
def title_cut_short(scene: Scene) -> None:
    role = scene.naming.leveled(scene.language)
    first, second = scene.naming.extensions_of(role, scene.language)
    both = _both(scene, (first, second))
    scene.wait(1, 12)
    _named(scene, both[0])
    _cut_short(scene, both, role)


@situation(1, "the person recorded no title; there is one application at this employer, and it is named")
def record_without_role(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role(), knows_role=False)
    for _ in range(2):
        scene.wait(1, 12)
        _named(scene, applied)


@situation(2, "an internship beside the full position; the message names one of them")
def intern_siblings(scene: Scene) -> None:
    role = scene.naming.leveled(scene.language)
    for applied in _both(scene, (role, scene.naming.intern_of(role, scene.language))):
        scene.wait(1, 12)
        _named(scene, applied)


@situation(
    2, "one title is the beginning of the other; the message writes out the longer one, or only the shorter"
)
def longer_sibling(scene: Scene) -> None:
    role = scene.naming.leveled(scene.language)
    for applied in _both(scene, (role, scene.naming.extension_of(role, scene.language))):
        scene.wait(1, 12)
        _named(scene, applied)


@situation(2, "the same title in two cities; the message names the city, or nobody can tell")
def two_cities(scene: Scene) -> None:
    role = scene.naming.leveled(scene.language)
    both = _both(scene, scene.naming.places_of(role, scene.language))
    for applied in both:
        scene.wait(1, 10)
        _named(scene, applied)
    _cut_short(scene, both, role)


@situation(2, "the same title twice at one employer, and only the title is named")
def same_title_twice(scene: Scene) -> None:
    role = scene.role()
    both = _both(scene, (role, role), requisition=True)
    scene.wait(2, 12)
    facts = scene.facts(both[0], "company", "role")
    scene.send(
        Note(kind=scene.chance.choice(_LATER), by=scene.desk(both[0]), truth=open_between(*both), facts=facts)
    )
    scene.wait(1, 5)
    for applied in both:
        _named(scene, applied, "requisition")


@situation(3, "it is about another opening of the same employer, which the person never recorded")
def other_role_untracked(scene: Scene) -> None:
    known, unknown = scene.roles(2)
    applied = scene.apply(scene.employer(), known)
    scene.wait(1, 12)
    _named(scene, applied)
    scene.wait(1, 20)
    facts = scene.facts(applied, "company", "role", role=unknown)
    kind = scene.chance.choice(("receipt", "refusal", "closed"))
    scene.send(Note(kind=kind, by=scene.desk(applied), truth=nothing(), facts=facts, unrecorded=True))


@situation(1, "one refusal answers every application at this employer")
def one_refusal_for_several(scene: Scene) -> None:
    both = _both(scene, scene.roles(2))
    scene.wait(5, 20)
    items = "\n".join(
        scene.chance.choice(("- {role}", "* {role}", "{role}")).format(role=each.role) for each in both
    )
    facts = Facts(company=both[0].employer.short, items=items)
    scene.send(Note(kind="several_refusal", by=scene.desk(both[0]), truth=about(*both), facts=facts))


@situation(1, "somebody answers on two applications in one message")
def both_in_one(scene: Scene) -> None:
    both = _both(scene, scene.roles(2))
    scene.wait(5, 20)
    by = senders.somebody(both[0].employer, scene.person(), scene.chance)
    facts = Facts(company=both[0].employer.short, old_role=both[0].role, new_role=both[1].role)
    scene.send(Note(kind="both_reply", by=by, truth=about(*both), facts=facts))


def _both(
    scene: Scene, roles: Sequence[str], employer: Employer | None = None, *, requisition: bool | None = None
) -> list[Applied]:
    """Applied to within the same days, so that the time tells nothing."""
    at = employer or scene.employer()
    found: list[Applied] = []
    for role in scene.chance.sample(list(roles), len(roles)):
        found.append(scene.apply(at, role, requisition=requisition))
        scene.wait(0, 0.2)
    return found


def _cut_short(scene: Scene, possible: Sequence[Applied], role: str) -> None:
    scene.wait(1, 10)
    facts = scene.facts(possible[0], "company", "role", role=role)
    kind = scene.chance.choice(_LATER)
    scene.send(Note(kind=kind, by=scene.desk(possible[0]), truth=open_between(*possible), facts=facts))


def _named(scene: Scene, applied: Applied, *more: str) -> None:
    facts = scene.facts(applied, "company", "role", *more)
    kind = scene.chance.choice(_ANY)
    scene.send(Note(kind=kind, by=scene.desk(applied), truth=about(applied), facts=facts))


def _unnamed(scene: Scene, possible: Sequence[Applied]) -> None:
    facts = scene.facts(possible[0], "company")
    kind = scene.chance.choice(_LATER)
    scene.send(Note(kind=kind, by=scene.desk(possible[0]), truth=open_between(*possible), facts=facts))
