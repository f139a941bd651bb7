"""One employer under several names, several employers under almost one."""

import msgspec

from matcher.training import senders
from matcher.training.families.register import situation
from matcher.training.letters import Facts
from matcher.training.naming import Employer, listed, slug
from matcher.training.scene import Applied, Note, Scene, about, nothing, open_between

_ANY = ("receipt", "refusal", "interview", "assessment", "info_request", "status", "closed")


@situation(2, "the mail uses a brand that the person entered as another name of the employer")
def alias_known(scene: Scene) -> None:
    recorded, brand = scene.employer(), scene.employer()
    applied = scene.apply(recorded, scene.role(), aliases=(brand.short,))
    for _ in range(2):
        scene.wait(1, 12)
        _as(scene, applied, brand)


@situation(1, "a message under the other name was confirmed by the person before this one came")
def alias_learned(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    brand = scene.employer()
    scene.wait(1, 8)
    _as(scene, applied, brand, confirmed=True)
    scene.wait(2, 14)
    _as(scene, applied, brand)


@situation(2, "the mail uses a name nothing connects with the employer, though the title is the same")
def brand_unknown(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role(), posting=False, requisition=False)
    scene.wait(1, 12)
    brand = scene.employer()
    facts = Facts(company=brand.short, role=applied.role, must=("company", "role"))
    # A receipt or a refusal would prove an application of its own.
    kind = scene.chance.choice(("interview", "assessment", "info_request", "status"))
    scene.send(Note(kind=kind, by=scene.own_desk(brand), truth=open_between(applied), facts=facts))


@situation(
    1, "the initials of the employer, which the person entered or anybody can spell out, and the same title"
)
def acronym(scene: Scene) -> None:
    full, initials = scene.naming.acronym(scene.language)
    aliases = (initials,) if scene.maybe(0.6) else ()
    applied = scene.apply(full, scene.role(), aliases=aliases, posting=False, requisition=False)
    scene.wait(1, 12)
    facts = Facts(company=initials, role=applied.role, must=("company", "role"))
    desk = senders.Sender(name=initials, address=f"jobs@{initials.lower()}-recruiting.example")
    scene.send(Note(kind=scene.chance.choice(_ANY), by=desk, truth=about(applied), facts=facts))


@situation(1, "a short name like a ticker, which the person entered, stands for the employer")
def ticker_name(scene: Scene) -> None:
    employer = scene.employer()
    ticker = scene.naming.ticker(employer)
    applied = scene.apply(employer, scene.role(), aliases=(ticker,))
    scene.wait(1, 12)
    desk = senders.Sender(name=f"{ticker} Jobs", address=f"noreply@{ticker.lower()}-jobs.example")
    facts = Facts(company=ticker, role=applied.role, must=("company", "role"))
    scene.send(Note(kind=scene.chance.choice(_ANY), by=desk, truth=about(applied), facts=facts))


@situation(1, "the mail says that the employer has a new name, and gives the old one with it")
def former_name(scene: Scene) -> None:
    former, now = scene.employer(), scene.employer()
    applied = scene.apply(former, scene.role())
    scene.wait(2, 20)
    facts = Facts(company=now.short, former=former.short, role=applied.role, must=("role",))
    by = scene.own_desk(scene.chance.choice((former, now)))
    scene.send(Note(kind="former_name", by=by, truth=about(applied), facts=facts))


@situation(2, "a group writes for the subsidiary applied to and names both")
def group_and_subsidiary(scene: Scene) -> None:
    subsidiary, group = scene.employer(), _group(scene)
    applied = scene.apply(subsidiary, scene.role())
    scene.wait(1, 15)
    facts = Facts(company=subsidiary.short, group=group.short, role=applied.role, must=("company", "role"))
    by = scene.own_desk(scene.chance.choice((subsidiary, group)))
    scene.send(Note(kind="group_name", by=by, truth=about(applied), facts=facts))


@situation(1, "the person recorded the group, and one of its companies writes and names the group")
def subsidiary_of_recorded(scene: Scene) -> None:
    subsidiary, group = scene.employer(), _group(scene)
    applied = scene.apply(group, scene.role())
    scene.wait(1, 15)
    facts = Facts(company=subsidiary.short, group=group.short, role=applied.role, must=("company", "role"))
    by = scene.own_desk(group)
    scene.send(Note(kind="group_name", by=by, truth=about(applied), facts=facts))


@situation(3, "employers whose names contain each other; each message names one of them in full")
def near_names(scene: Scene) -> None:
    stem = scene.naming.stem()
    sectors = scene.chance.sample(listed(scene.naming.own(scene.language).sectors), 2)
    front = {"en": "Bank of {s}", "fr": "Banque {s}", "de": "Stadtwerke {s}", "es": "Banco {s}"}[
        scene.language
    ]
    names = [
        stem,
        front.format(s=stem),
        f"{stem} {sectors[0]}",
        f"{stem} {sectors[1]} {scene.naming.one_of(scene.naming.own(scene.language).legal)}",
    ]
    role = scene.role()
    employers = [Employer(name=name, short=name, slug=slug(name)) for name in names]
    *tracked, stranger = scene.chance.sample(employers, 3)
    applied = [scene.apply(employer, role if scene.maybe(0.5) else scene.role()) for employer in tracked]
    for one in applied:
        scene.wait(1, 10)
        facts = scene.facts(one, "company", "role")
        by = scene.own_desk(one.employer)
        scene.send(Note(kind=scene.chance.choice(_ANY), by=by, truth=about(one), facts=facts))
    scene.wait(1, 10)
    facts = Facts(company=stranger.name, role=role, must=("company", "role"))
    by = scene.own_desk(stranger)
    scene.send(Note(kind="receipt", by=by, truth=nothing(), facts=facts, unrecorded=True))


@situation(1, "the employer is recorded in one script and writes in another; the person entered both names")
def other_script(scene: Scene) -> None:
    latin, native = scene.naming.foreign()
    writes = msgspec.structs.replace(latin, name=native, short=native)
    applied = scene.apply(latin, scene.role(), aliases=(native,))
    if scene.maybe(0.3):
        applied = scene.apply(writes, scene.role())
    scene.wait(1, 12)
    for _ in range(2):
        _as(scene, applied, writes)
        scene.wait(1, 8)


@situation(2, "umlauts, accents, apostrophes and legal forms are written one way here and another there")
def marked_names(scene: Scene) -> None:
    employer = scene.naming.marked_name(scene.language)
    applied = scene.apply(employer, scene.role())
    for _ in range(2):
        scene.wait(1, 12)
        written = _rewritten(employer.short if scene.maybe(0.6) else employer.name, scene)
        facts = Facts(company=written, role=applied.role, must=("company", "role"))
        by = scene.own_desk(msgspec.structs.replace(employer, short=written))
        scene.send(Note(kind=scene.chance.choice(_ANY), by=by, truth=about(applied), facts=facts))


@situation(2, "the platform's brand is the sender's name; only the text names the employer")
def relay_brand(scene: Scene) -> None:
    applied = scene.apply(scene.employer(), scene.role())
    by = senders.nameless(scene.chance)
    for _ in range(2):
        scene.wait(1, 12)
        facts = scene.facts(applied, "company", "role")
        scene.send(Note(kind=scene.chance.choice(_ANY), by=by, truth=about(applied), facts=facts))


@situation(
    1, "the person applied at the maker of a platform, and the platform carries mail of strangers", ("en",)
)
def employed_by_relay(scene: Scene) -> None:
    by = senders.nameless(scene.chance)
    relay = Employer(name=by.name, short=by.name, slug=slug(by.name))
    applied = scene.apply(relay, scene.role(), posting=False)
    scene.wait(1, 10)
    stranger = scene.employer()
    facts = Facts(company=stranger.short, role=applied.role, must=("company", "role"))
    scene.send(Note(kind="receipt", by=by, truth=nothing(), facts=facts, unrecorded=True))


@situation(1, "the title is in another language than the mail, and written as in the advertisement")
def title_in_other_language(scene: Scene) -> None:
    role = scene.naming.roles("de" if scene.language == "en" else "en", 1)[0]
    applied = scene.apply(scene.employer(), role)
    for _ in range(2):
        scene.wait(1, 12)
        facts = scene.facts(applied, "company", "role")
        scene.send(
            Note(kind=scene.chance.choice(_ANY), by=scene.desk(applied), truth=about(applied), facts=facts)
        )


def _as(scene: Scene, applied: Applied, brand: Employer, *, confirmed: bool = False) -> None:
    """The employer writes under another name."""
    facts = Facts(company=brand.short, role=applied.role, must=("company", "role"))
    by = scene.own_desk(brand)
    scene.send(
        Note(kind=scene.chance.choice(_ANY), by=by, truth=about(applied), facts=facts, confirmed=confirmed)
    )


def _group(scene: Scene) -> Employer:
    word = {"en": "{s} Group", "fr": "Groupe {s}", "de": "{s} Gruppe", "es": "Grupo {s}"}[scene.language]
    name = word.format(s=scene.naming.stem())
    return Employer(name=name, short=name, slug=slug(name))


def _rewritten(name: str, scene: Scene) -> str:
    """As it is, or with its marks spelled out, or in capitals."""
    spelled = name
    for mark, plain in (
        ("ä", "ae"),
        ("ö", "oe"),
        ("ü", "ue"),
        ("ß", "ss"),
        ("Ö", "Oe"),
        ("Ü", "Ue"),
        ("'", "\u2019"),
    ):
        spelled = spelled.replace(mark, plain)
    return scene.chance.choice((name, name, spelled, spelled, name.upper()))
