"""Messages that name an opening by a number or an address and by nothing else."""

from urllib.parse import quote

import msgspec

from matcher.training import senders
from matcher.training.families.register import situation
from matcher.training.letters import Facts
from matcher.training.scene import Applied, Note, Scene, about, open_between
from matcher.training.senders import Sender

_ANY = ("receipt", "refusal", "interview", "assessment", "info_request", "status", "closed")


@situation(2, "the requisition number is that of one application; no name is in sight")
def requisition_only(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role(), requisition=True)
    scene.wait(1, 15)
    _sent(scene, applied, Facts(requisition=applied.requisition, must=("requisition",)))


@situation(1, "two applications of one title; the requisition number tells them apart")
def requisition_among_two(scene: Scene) -> None:
    employer, role = scene.employer(), scene.role()
    both = [scene.apply(employer, role, requisition=True) for _ in range(2)]
    scene.wait(1, 15)
    for applied in both:
        facts = scene.facts(applied, "company", "role", "requisition")
        _sent(scene, applied, facts, scene.desk(applied))


@situation(
    2, "the title is that of an application, the requisition number that of another opening nobody recorded"
)
def requisition_of_another(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role(), requisition=True)
    scene.wait(2, 15)
    facts = msgspec.structs.replace(
        scene.facts(applied, "company", "role", "requisition"), requisition=_alike(scene, applied.requisition)
    )
    kind = scene.chance.choice(_ANY)
    scene.send(Note(kind=kind, by=scene.desk(applied), truth=open_between(applied), facts=facts))


@situation(2, "it links to the very posting; no name is in sight")
def posting_url_only(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role(), posting=True)
    scene.wait(1, 15)
    _sent(scene, applied, Facts(url=applied.posting.url, must=("url",)))


@situation(1, "it links to the very posting through a click counter or a mail filter that shows the target")
def wrapped_link(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role(), posting=True)
    scene.wait(1, 15)
    _sent(scene, applied, Facts(url=_wrapped(scene, applied.posting.url), must=("url",)))


@situation(1, "two applications of one title; each message links to the posting of one")
def posting_among_two(scene: Scene) -> None:
    employer, role = scene.employer(), scene.role()
    platform = scene.chance.choice(senders.PLATFORMS)
    both = [scene.apply(employer, role, posting=True, platform=platform) for _ in range(2)]
    scene.wait(1, 15)
    for applied in both:
        facts = scene.facts(applied, "company", "role", "url")
        _sent(scene, applied, facts, scene.desk(applied))


@situation(
    1, "the application knows the board and the posting's number there; the message links to just that"
)
def board_and_number(scene: Scene) -> None:
    platform = scene.chance.choice(("greenhouse", "lever", "ashby"))
    applied = scene.apply(scene.employer(), scene.role(), platform=platform, posting=False, by_number=True)
    scene.wait(1, 15)
    _sent(scene, applied, Facts(url=applied.posting.url, must=("url",)))


@situation(1, "the person recorded nothing but the posting's address, and the message links to it")
def record_of_address_only(scene: Scene) -> None:
    applied = scene.apply(
        scene.employer(), scene.role(), posting=True, requisition=False, knows_role=False, knows_company=False
    )
    scene.wait(1, 15)
    _sent(scene, applied, scene.facts(applied, "company", "role", "url"), scene.desk(applied))


def _sent(scene: Scene, applied: Applied, facts: Facts, by: Sender | None = None) -> None:
    """From a desk that serves many employers, unless another is given."""
    desk = by or senders.shared_desk(applied.posting.platform)
    scene.send(
        Note(
            kind=scene.chance.choice(_ANY),
            by=desk,
            truth=about(applied),
            facts=facts,
            behind_words=scene.maybe(0.5),
        )
    )


def _alike(scene: Scene, number: str) -> str:
    """Another number of the same making."""
    digits = [str(scene.chance.randrange(1, 9)) if letter.isdigit() else letter for letter in number]
    changed = "".join(digits)
    return changed if changed != number else f"{number[:-1]}{'1' if number[-1] != '1' else '2'}"


def _wrapped(scene: Scene, url: str) -> str:
    there = quote(url, safe="")
    return scene.chance.choice(
        (
            f"https://eur02.safelinks.protection.outlook.com/?url={there}&data=05%7C02&reserved=0",
            f"https://click.mailer.example/track?u={there}&id=77a1",
            f"https://www.google.com/url?q={there}&sa=D",
            f"{url}{'&' if '?' in url else '?'}utm_source=mail&utm_medium=email&utm_campaign=confirm",
            f"https://links.mailer.example/redirect?url={there}",
        )
    )
