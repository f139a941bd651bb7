"""Who a generated letter comes from: hiring platforms, boards, people, and senders nobody knows."""

import random
import re
from typing import Literal

from mailsync.training.slots import Filling

SenderGroup = Literal["hiring", "board", "person", "anybody"]

_PLAIN = re.compile(r"[^a-z0-9]+")
_PLATFORMS = (
    ("{c}", "no-reply@us.greenhouse-mail.io"),
    ("{c} Hiring Team", "no-reply@ashbyhq.com"),
    ("{c}", "no-reply@hire.lever.co"),
    ("{c} Workday", "{slug}@myworkday.com"),
    ("{c} @ icims", "{slug}+autoreply@talent.icims.com"),
    ("{p} from {c}", "notifications@smartrecruiters.com"),
    ("{c} via SmartRecruiters", "notification@smartrecruiters.com"),
    ("Workable", "noreply@candidates.workablemail.com"),
    ("{p} - {c}", "{first}@{slug}.teamtailor-mail.com"),
    ("{c}", "notifications@app.bamboohr.com"),
    ("{c}", "no-reply@jobvite.com"),
    ("{c} Recruiting", "{slug}@successfactors.eu"),
    ("{c}", "noreply@applytojob.com"),
    ("{c}", "{slug}-jobs@m.personio.de"),
    ("{c}", "{slug}-ab12@candidates.welcomekit.co"),
    ("{c}", "{slug}@{slug}.comeet-notifications.com"),
    ("{c}", "careers@{slug}.avature.net"),
    ("{c} Careers", "no-reply@{slug}.recruitee.com"),
    ("", "{slug}@msg.jobylon.com"),
    ("LinkedIn", "jobs-noreply@linkedin.com"),
    ("Indeed Apply", "indeedapply@indeed.com"),
    ("HackerRank Team", "support@hackerrankforwork.com"),
    ("Codility", "no-reply@codility.com"),
)
_EMPLOYERS = (
    ("{c} Careers", "careers@{slug}.example"),
    ("{c} HR", "hr@{slug}.example"),
    ("{p}", "{first}@{slug}.example"),
    ("{c}", "no-reply@{slug}.example"),
    ("Recruitment", "jobs@{slug}.example"),
    ("{p} ({c})", "{first}.l@{slug}.example"),
)
_PEOPLE = (
    ("{p}", "{first}@{slug}.example"),
    ("{p}", "{first}.recruiting@staffing.example"),
    ("{p} via LinkedIn", "inmail-hit-reply@linkedin.com"),
    ("{p}", "{first}84@gmail.com"),
)
_BOARDS = (
    ("{b}", "noreply@{board}.example"),
    ("{b} Jobs", "alerts@mail.{board}.example"),
    ("{c} Careers", "no-reply@{slug}.example"),
    ("{c}", "talent@{slug}.example"),
    ("", "news@{slug}.example"),
)
_ANYBODY = (
    ("{p}", "{first}@mail.example"),
    ("{f}", "{first}22@gmail.com"),
    ("{c}", "service@{slug}.example"),
    ("", "no-reply@{slug}.example"),
    ("{p}", "{first}@{slug}.example"),
)


def sender(group: SenderGroup, filling: Filling, chance: random.Random) -> str:
    """`Name <address>`, or nothing: many an export names no sender."""
    if chance.random() < 0.12:
        return ""
    name, address = chance.choice(_group(group, chance))
    return f'"{filling.filled(name)}" <{_address(address, filling)}>'


def _group(group: SenderGroup, chance: random.Random) -> tuple[tuple[str, str], ...]:
    if group == "hiring":
        return _PLATFORMS if chance.random() < 0.5 else _EMPLOYERS
    return {"person": _PEOPLE, "board": _BOARDS, "anybody": _ANYBODY}[group]


def _address(address: str, filling: Filling) -> str:
    words = {
        "slug": _slug(filling.value("c")),
        "board": _slug(filling.value("b")),
        "first": _slug(filling.value("p").split()[0]),
    }
    return address.format(**words)


def _slug(name: str) -> str:
    return _PLAIN.sub("", name.lower()) or "mail"
