"""Messages the person forwarded from another mailbox: written out in the text, or attached."""

from matcher.training.families.register import situation
from matcher.training.scene import Note, Scene, about
from matcher.training.senders import Sender

_ANY = ("receipt", "refusal", "interview", "assessment", "status")


@situation(2, "the person forwards a message that names employer and title")
def forwarded_inline(scene: Scene) -> None:
    _forward(scene, attached=False)


@situation(1, "the person forwards it as an attachment, usually without a word")
def forwarded_attached(scene: Scene) -> None:
    _forward(scene, attached=True)


def _forward(scene: Scene, *, attached: bool) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    scene.wait(1, 15)
    facts = scene.facts(applied, "company", "role")
    original = Note(kind=scene.chance.choice(_ANY), by=scene.desk(applied), truth=about(applied), facts=facts)
    owner = scene.box.owner
    elsewhere = f"{owner.local_part}@old-mail.example"
    address = elsewhere if scene.maybe(0.75) else scene.box.address
    by = Sender(name=owner.name, address=address, person=owner, automatic=False)
    scene.forward(original, by, attached=attached, wordless=scene.maybe(0.8 if attached else 0.7))
