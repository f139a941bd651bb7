"""Who sends hiring mail: platforms for their customers, employers, people, boards, in their real shapes."""

import random
from typing import Literal

import msgspec

from matcher.training.naming import Employer, Person, slug
from matcher.training.types import Language

PlatformName = Literal[
    "greenhouse", "lever", "ashby", "workday", "icims", "smartrecruiters",
    "workable", "teamtailor", "personio", "recruitee", "bamboohr",
]  # fmt: skip


class Sender(msgspec.Struct, frozen=True, kw_only=True):
    """`person` is set where somebody writes by name."""

    name: str
    address: str
    person: Person | None = None
    automatic: bool = True


class Posting(msgspec.Struct, frozen=True, kw_only=True):
    """One opening on a platform, with the requisition number where the platform shows the employer's."""

    platform: PlatformName
    board: str
    number: str
    url: str


_RELAYS: dict[PlatformName, tuple[tuple[str, str], ...]] = {
    "greenhouse": (("", "no-reply@us.greenhouse-mail.io"), ("{c}", "no-reply@eu.greenhouse-mail.io")),
    "lever": (("{c}", "no-reply@hire.lever.co"), ("{c}", "mail@hire.eu.lever.co")),
    "ashby": (("{c} Hiring Team", "no-reply@ashbyhq.com"), ("{c}", "no-reply@ashbyhq.com")),
    "workday": (("{c} Workday", "{s}@myworkday.com"), ("", "{s}@myworkday.com")),
    "icims": (("{c} @ icims", "{s}+autoreply@talent.icims.com"),),
    "smartrecruiters": (
        ("{c}", "notification@smartrecruiters.com"), ("{p} from {c}", "notifications@smartrecruiters.com"),
    ),
    "workable": (
        ("Workable", "noreply@candidates.workablemail.com"), ("{c}", "noreply@candidates.workablemail.com"),
    ),
    "teamtailor": (("{p} - {c}", "{l}@{s}.teamtailor-mail.com"), ("{c}", "no-reply@{s}.teamtailor-mail.com")),
    "personio": (("{c}", "{s}-jobs@m.personio.de"), ("{c} HR", "jobs-{s}@m.personio.de")),
    "recruitee": (("{c}", "no-reply@{s}.recruitee.com"),),
    "bamboohr": (("{c}", "notifications@app.bamboohr.com"),),
}  # fmt: skip
_URLS: dict[PlatformName, str] = {
    "greenhouse": "https://boards.greenhouse.io/{s}/jobs/{n}",
    "lever": "https://jobs.lever.co/{s}/{u}",
    "ashby": "https://jobs.ashbyhq.com/{s}/{u}",
    "workday": "https://{s}.wd3.myworkdayjobs.com/en-US/careers/job/{t}_{r}",
    "icims": "https://careers-{s}.icims.com/jobs/{m}/job",
    "smartrecruiters": "https://jobs.smartrecruiters.com/{s}/{k}-{t}",
    "workable": "https://apply.workable.com/{s}/j/{h}/",
    "teamtailor": "https://{s}.teamtailor.com/jobs/{m}-{t}",
    "personio": "https://{s}.jobs.personio.de/job/{m}",
    "recruitee": "https://{s}.recruitee.com/o/{t}-{m}",
    "bamboohr": "https://{s}.bamboohr.com/careers/{m}",
}
PLATFORMS: tuple[PlatformName, ...] = tuple(_RELAYS)
_OWN = (
    ("{c} Careers", "careers@{d}"),
    ("{c}", "no-reply@{d}"),
    ("{c} HR", "hr@{d}"),
    ("{c} Recruiting", "jobs@{d}"),
)
_OWN_OF_LANGUAGE: dict[Language, tuple[tuple[str, str], ...]] = {
    "en": (("{c} Talent Team", "talent@{d}"), ("{c} People", "recruiting@{d}")),
    "fr": (("{c} Recrutement", "recrutement@{d}"), ("{c}", "rh@{d}")),
    "de": (("{c} Personalabteilung", "bewerbung@{d}"), ("{c}", "personal@{d}")),
    "es": (("{c} Empleo", "empleo@{d}"), ("Selección {c}", "seleccion@{d}")),
}
_BOARDS = (
    ("LinkedIn", "jobs-noreply@linkedin.com"),
    ("Indeed Apply", "indeedapply@indeed.com"),
    ("XING Jobs", "mailrobot@mail.xing.com"),
    ("StepStone", "noreply@stepstone.de"),
    ("Glassdoor", "noreply@glassdoor.com"),
    ("InfoJobs", "noreply@infojobs.net"),
    ("Hellowork", "noreply@emails.hellowork.com"),
)
_ALERTS = (
    ("LinkedIn Job Alerts", "jobalerts-noreply@linkedin.com"),
    ("Indeed", "alert@indeed.com"),
    ("StepStone", "jobagent@stepstone.de"),
    ("Glassdoor Jobs", "noreply@glassdoor.com"),
    ("Job Agent", "jobs@jobagent.example"),
)
_VENDORS = (
    ("HackerRank", "support@hackerrankforwork.com"),
    ("Codility", "no-reply@codility.com"),
    ("CodeSignal", "support@codesignal.com"),
    ("HireVue", "noreply@hirevue.com"),
    ("TestGorilla", "notifications@testgorilla.com"),
)
_BRANDS = (
    ("Workable", "noreply@candidates.workablemail.com"),
    ("Greenhouse", "no-reply@us.greenhouse-mail.io"),
    ("SmartRecruiters", "notification@smartrecruiters.com"),
    ("Personio", "no-reply@m.personio.de"),
    ("BambooHR", "notifications@app.bamboohr.com"),
)
_SHARED: dict[PlatformName, str] = {
    "greenhouse": "no-reply@us.greenhouse-mail.io",
    "lever": "no-reply@hire.lever.co",
    "ashby": "no-reply@ashbyhq.com",
    "smartrecruiters": "notification@smartrecruiters.com",
    "workable": "noreply@candidates.workablemail.com",
    "bamboohr": "notifications@app.bamboohr.com",
}
_SCHEDULERS = (("Calendly", "notifications@calendly.com"), ("Cal.com", "hello@cal.com"))
_SIGNING = (
    ("DocuSign NA3 System", "dse_NA3@docusign.net"),
    ("DocuSign EU System", "dse@eumail.docusign.net"),
)


def posting_of(
    employer: Employer, platform: PlatformName, role: str, requisition: str, chance: random.Random
) -> Posting:
    hexed = f"{chance.getrandbits(128):032x}"
    number = str(chance.randrange(4_000_000, 7_999_999))
    uuid = f"{hexed[:8]}-{hexed[8:12]}-4{hexed[13:16]}-a{hexed[17:20]}-{hexed[20:]}"
    url = _URLS[platform].format(
        s=employer.slug, n=f"{number}003", u=uuid, m=number, k=f"74399{number}{number[:4]}",
        h=hexed[:10].upper(), t=_title_slug(role), r=requisition,
    )  # fmt: skip
    told = {"greenhouse": f"{number}003", "lever": uuid, "ashby": uuid}
    return Posting(platform=platform, board=employer.slug, number=told.get(platform, ""), url=url)


def _title_slug(role: str) -> str:
    return "-".join(slug(word) for word in role.split() if slug(word) != "office")[:60]


def relay(employer: Employer, platform: PlatformName, person: Person, chance: random.Random) -> Sender:
    name, address = chance.choice(_RELAYS[platform])
    signs = person if "{p}" in name else None
    return Sender(
        name=_written(name, employer, person), address=_written(address, employer, person), person=signs
    )


def own_desk(employer: Employer, language: Language, chance: random.Random) -> Sender:
    name, address = chance.choice((*_OWN, *_OWN_OF_LANGUAGE[language]))
    nobody = Person(first="", last="")
    return Sender(name=_written(name, employer, nobody), address=_written(address, employer, nobody))


def somebody(employer: Employer, person: Person, chance: random.Random) -> Sender:
    """A person at the employer's own domain."""
    name = chance.choice((person.name, person.name, f"{person.name} ({employer.short})"))
    return Sender(name=name, address=f"{person.local_part}@{employer.domain}", person=person, automatic=False)


def stranger(person: Person, chance: random.Random) -> Sender:
    """A person at a mail service that says nothing about who they work for."""
    host = chance.choice(("gmail.com", "outlook.com", "gmx.net", "proton.me"))
    return Sender(
        name=person.name,
        address=f"{person.local_part}{chance.randrange(10, 99)}@{host}",
        person=person,
        automatic=False,
    )


def shared_desk(platform: PlatformName) -> Sender:
    """What does not tell for whom it writes, not even by its address."""
    return Sender(name="Talent Acquisition", address=_SHARED.get(platform, "noreply@hiring-desk.example"))


def nameless(chance: random.Random) -> Sender:
    """A platform under its own brand, whose address does not tell for whom it writes."""
    return _plain(chance.choice(_BRANDS))


def board(chance: random.Random) -> Sender:
    return _plain(chance.choice(_BOARDS))


def alert(chance: random.Random) -> Sender:
    return _plain(chance.choice(_ALERTS))


def vendor(chance: random.Random) -> Sender:
    return _plain(chance.choice(_VENDORS))


def scheduler(chance: random.Random) -> Sender:
    return _plain(chance.choice(_SCHEDULERS))


def signing(chance: random.Random) -> Sender:
    return _plain(chance.choice(_SIGNING))


def _plain(pair: tuple[str, str]) -> Sender:
    return Sender(name=pair[0], address=pair[1])


def _written(shape: str, employer: Employer, person: Person) -> str:
    return shape.format(
        c=employer.short, s=employer.slug, d=employer.domain, p=person.name, l=person.local_part
    )
