"""What a model may write from: pieces of the profile, the résumé's text, the posting. Pure.

Left out are who and where the person is, what they earn or want, their right to work and every
equal-opportunity choice. Addresses of mail and web and telephone numbers are masked in free text.
"""

import re
from collections.abc import Iterator

from extension_api.drafts.types import Fact
from extension_api.profiles.types import Education, Profile, Work
from schema.text import shorten

MOST_RESUME_CHARS = 12_000
MOST_POSTING_CHARS = 8_000
_MOST_ENTRY_CHARS = 2_000
_MASKED = re.compile(
    r"(?P<link>(?:https?://|www\.)[^\s<>\"]{1,2000})"
    r"|(?P<address>[^\s<>\"@]{1,64}@[^\s<>\"@]{1,255})"
    r"|(?P<number>(?:\+|\(0|\b00)[\d(][\d ()./-]{6,20}\d)"
)


def facts_of(
    profile: Profile, *, resume: tuple[str, str] | None, posting: tuple[str, str] | None
) -> list[Fact]:
    """`resume` is its file's name and text, `posting` its title and text."""
    facts = [
        Fact(id=f"P{number}", label=label, text=masked(text), is_persons=True)
        for number, (label, text) in enumerate(_of_profile(profile), 1)
    ]
    if resume and resume[1].strip():
        text = masked(shorten(resume[1], MOST_RESUME_CHARS))
        facts.append(Fact(id="R1", label=f"Résumé: {resume[0]}", text=text, is_persons=True))
    if posting and posting[1].strip():
        text = masked(shorten(posting[1], MOST_POSTING_CHARS))
        facts.append(Fact(id="J1", label=f"Posting: {posting[0]}", text=text, is_persons=False))
    return facts


def masked(text: str) -> str:
    return _MASKED.sub(lambda found: f"[{found.lastgroup}]", text)


def _of_profile(profile: Profile) -> Iterator[tuple[str, str]]:
    if profile.headline:
        yield "Headline", profile.headline
    if profile.summary:
        yield "Summary", shorten(profile.summary, _MOST_ENTRY_CHARS)
    for work in profile.work:
        yield f"Work: {_joined(' at ', work.title, work.company)}", _work(work)
    for school in profile.education:
        yield f"Education: {_joined(', ', school.degree, school.school)}", _education(school)
    if profile.skills:
        yield "Skills", shorten(", ".join(profile.skills), _MOST_ENTRY_CHARS)
    if profile.languages:
        spoken = (_joined(" ", each.name, each.fluency or "") for each in profile.languages)
        yield "Languages", ", ".join(spoken)
    if profile.notice_period:
        yield "Notice period", profile.notice_period


def _work(work: Work) -> str:
    end = "today" if work.is_current else work.end
    head = _joined(", ", work.title, work.company, work.location, _joined(" to ", work.start, end))
    return _joined("\n", head, shorten(work.summary, _MOST_ENTRY_CHARS))


def _education(school: Education) -> str:
    when = _joined(" to ", school.start, school.end)
    return _joined(", ", school.degree, school.field_of_study, school.school, when, school.grade)


def _joined(between: str, *parts: str) -> str:
    return between.join(part for part in parts if part)
