"""Conversations: who answers what, what stands in the history below, and what the provider glued together."""

import msgspec

from matcher.training import senders
from matcher.training.families.register import situation
from matcher.training.letters import Facts
from matcher.training.naming import Employer
from matcher.training.scene import Applied, Note, Scene, Sent, about, open_between


@situation(2, "somebody answers within a conversation whose first message named employer and title")
def human_reply(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    first = _opened(scene, applied)
    for _ in range(scene.chance.randrange(1, 4)):
        scene.wait(0.2, 5)
        quotes = first if scene.maybe(0.5) else None
        first = scene.send(
            Note(kind="human_reply", by=first.sender, truth=about(applied), answers=first, quotes=quotes)
        )


@situation(1, "two applications at one employer; the answer continues the conversation about one of them")
def reply_among_two(scene: Scene) -> None:
    both = _two(scene)
    for applied in both:
        first = _opened(scene, applied)
        scene.wait(0.5, 4)
        scene.send(Note(kind="human_reply", by=first.sender, truth=about(applied), answers=first))


@situation(2, "the answer names one title, and the history below it speaks of the other application")
def quoted_sibling(scene: Scene) -> None:
    one, other = _two(scene)
    by = senders.somebody(one.employer, scene.person(), scene.chance)
    first = scene.send(
        Note(kind="named_reply", by=by, truth=about(other), facts=scene.facts(other, "company", "role"))
    )
    scene.wait(0.5, 5)
    facts = scene.facts(one, "company", "role")
    note = Note(kind="named_reply", by=by, truth=about(one), facts=facts, quotes=first, subject=one.role)
    scene.send(msgspec.structs.replace(note, answers=first) if scene.maybe(0.4) else note)


@situation(2, "the provider put two openings of one employer into one thread; each message names its own")
def glued_thread(scene: Scene) -> None:
    both = _two(scene)
    by = senders.relay(both[0].employer, both[0].posting.platform, scene.person(), scene.chance)
    thread = scene.thread()
    for applied in both:
        scene.wait(0.2, 6)
        must = ("company", "role") if scene.maybe(0.5) else ("company", "role", "requisition")
        kind = scene.chance.choice(("receipt", "refusal", "status"))
        facts = scene.facts(applied, *must)
        scene.send(Note(kind=kind, by=by, truth=about(applied), facts=facts, thread=thread))


@situation(2, "two openings share a thread of the provider, and the third message names neither")
def glued_thread_unnamed(scene: Scene) -> None:
    both = _two(scene)
    by = scene.own_desk(both[0].employer)
    thread = scene.thread()
    for applied in both:
        scene.wait(0.2, 3)
        facts = scene.facts(applied, "company", "role")
        scene.send(Note(kind="receipt", by=by, truth=about(applied), facts=facts, thread=thread))
    scene.wait(4, 20)
    kind = scene.chance.choice(("refusal", "status", "interview", "info_request"))
    facts = scene.facts(both[0], "company")
    scene.send(Note(kind=kind, by=by, truth=open_between(*both), facts=facts, thread=thread))


@situation(
    1, "somebody wrote about one application, as the person confirmed, and writes again by the same address"
)
def known_contact(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(1, 10)
    by = senders.stranger(scene.person(), scene.chance)
    facts = scene.facts(applied, "company", "role")
    first = scene.send(Note(kind="interview", by=by, truth=about(applied), facts=facts, confirmed=True))
    scene.wait(1, 6)
    facts = Facts(role=applied.role, must=("role",))
    scene.send(
        Note(kind="named_reply", by=by, truth=about(applied), facts=facts, subject=first.draft.subject)
    )


@situation(4, "a stranger's address, no employer, no title: it may be any application or none")
def unknown_writer(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(2, 12)
    by = senders.stranger(scene.person(), scene.chance)
    kind = scene.chance.choice(("human_reply", "interview", "scheduled", "info_request"))
    scene.send(Note(kind=kind, by=by, truth=open_between(applied)))


def _two(scene: Scene) -> list[Applied]:
    employer: Employer = scene.employer()
    found: list[Applied] = []
    for role in scene.roles(2):
        found.append(scene.apply(employer, role))
        scene.wait(0, 0.2)
    scene.wait(1, 6)
    return found


def _opened(scene: Scene, applied: Applied) -> Sent:
    """A person of the employer begins a conversation and says what it is about."""
    scene.wait(1, 8)
    by = senders.somebody(applied.employer, scene.person(), scene.chance)
    kind = scene.chance.choice(("named_reply", "interview", "info_request"))
    facts = scene.facts(applied, "company", "role")
    return scene.send(Note(kind=kind, by=by, truth=about(applied), facts=facts))
