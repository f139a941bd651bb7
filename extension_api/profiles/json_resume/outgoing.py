"""From a profile to a JSON Resume file. Pure.

Only what the format has a place for leaves. Equal-opportunity choices, work authorisation and pay never do.
"""

import msgspec

from extension_api.profiles.types import Address, Education, Language, Profile, Work

SCHEMA_URL = "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json"


class _Out(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What is empty is left out."""


class OutLocation(_Out, frozen=True, kw_only=True):
    address: str = ""
    postal_code: str = ""
    city: str = ""
    country_code: str = ""
    region: str = ""


class OutNetwork(_Out, frozen=True, kw_only=True):
    network: str
    url: str


class OutBasics(_Out, frozen=True, kw_only=True):
    name: str = ""
    label: str = ""
    email: str = ""
    phone: str = ""
    url: str = ""
    summary: str = ""
    location: OutLocation | None = None
    profiles: list[OutNetwork] = []


class OutWork(_Out, frozen=True, kw_only=True):
    name: str = ""
    position: str = ""
    location: str = ""
    start_date: str = ""
    end_date: str = ""
    summary: str = ""


class OutEducation(_Out, frozen=True, kw_only=True):
    institution: str = ""
    area: str = ""
    study_type: str = ""
    start_date: str = ""
    end_date: str = ""
    score: str = ""


class OutLanguage(_Out, frozen=True, kw_only=True):
    language: str
    fluency: str = ""


class OutSkill(_Out, frozen=True, kw_only=True):
    name: str


class JsonResume(_Out, frozen=True, kw_only=True):
    schema: str = msgspec.field(name="$schema")
    basics: OutBasics
    work: list[OutWork] = []
    education: list[OutEducation] = []
    skills: list[OutSkill] = []
    languages: list[OutLanguage] = []


def exported(profile: Profile) -> bytes:
    """The file, readable by a person."""
    resume = JsonResume(
        schema=SCHEMA_URL,
        basics=_basics(profile),
        work=[_work(work) for work in profile.work],
        education=[_education(education) for education in profile.education],
        skills=[OutSkill(name=skill) for skill in profile.skills],
        languages=[_language(language) for language in profile.languages],
    )
    return msgspec.json.format(msgspec.json.encode(resume), indent=2)


def _basics(profile: Profile) -> OutBasics:
    address, links = profile.address, profile.links
    networks = {"LinkedIn": links.linkedin, "GitHub": links.github, "Twitter": links.twitter}
    parts = (profile.first_name, profile.middle_name, profile.last_name)
    return OutBasics(
        name=" ".join(part for part in parts if part),
        label=profile.headline,
        email=profile.email,
        phone=profile.phone.number,
        url=links.website or links.portfolio,
        summary=profile.summary,
        location=_location(address) if address != Address() else None,
        profiles=[OutNetwork(network=name, url=url) for name, url in networks.items() if url],
    )


def _location(address: Address) -> OutLocation:
    return OutLocation(
        address=", ".join(line for line in (address.street, address.street_2) if line),
        postal_code=address.postal_code,
        city=address.city,
        country_code=address.country,
        region=address.region,
    )


def _work(work: Work) -> OutWork:
    return OutWork(
        name=work.company,
        position=work.title,
        location=work.location,
        start_date=work.start,
        end_date=work.end,
        summary=work.summary,
    )


def _education(education: Education) -> OutEducation:
    return OutEducation(
        institution=education.school,
        area=education.field_of_study,
        study_type=education.degree,
        start_date=education.start,
        end_date=education.end,
        score=education.grade,
    )


def _language(language: Language) -> OutLanguage:
    return OutLanguage(language=language.name, fluency=(language.fluency or "").capitalize())
