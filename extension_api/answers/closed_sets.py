"""Closed sets that forms offer in many wordings: equal-opportunity answers, degrees, states. Pure.

Each reading gives the member a text names, or None. A wording that could be two members is none.
"""

import re

from extension_api.answers.options import without_aside, yes_or_no
from extension_api.answers.words import plain, word_set, words
from extension_api.countries import country_named

_DECLINED = re.compile(
    r"\b(?:decline|prefer not|rather not|choose not|not (?:wish|want|willing)|dont (?:wish|want)|no answer"
    r"|not (?:to )?(?:disclose|say|answer|specify|declare|identify|state)|keine angabe)\b"
)
_GENDER = {
    "female": ("female", "woman", "frau", "weiblich", "femme", "mujer"),
    "male": ("male", "man", "mann", "mannlich", "homme", "hombre"),
    "non_binary": ("non binary", "nonbinary", "non binary person"),
}
_RACE = {
    "american_indian_or_alaska_native": (
        "american indian or alaska native",
        "american indian or alaskan native",
        "native american or alaska native",
    ),
    "asian": ("asian",),
    "black_or_african_american": ("black or african american", "black", "african american"),
    "native_hawaiian_or_pacific_islander": (
        "native hawaiian or other pacific islander",
        "native hawaiian or pacific islander",
    ),
    "white": ("white", "white or caucasian", "caucasian"),
    "two_or_more": ("two or more races", "two or more", "multiracial"),
}
_NOT_A_VETERAN = re.compile(r"^(?:no )?i am not a (?:protected )?veteran\b|^not a (?:protected )?veteran\b")
_PROTECTED = re.compile(
    r"^(?:yes )?i (?:am|identify as) (?:a |one or more of the classifications of (?:a )?)protected veteran"
    r"|^protected veteran$"
)
_OTHER_VETERAN = re.compile(
    r"^i am a veteran but (?:i am )?not a protected veteran\b|^veteran but not protected\b"
)
_DISABLED = re.compile(r"^(?:yes )?i (?:do )?have a disability\b")
_NOT_DISABLED = re.compile(r"^(?:no )?i (?:do not|dont) have a disability\b")
_DEGREES = (
    ("doctorate", re.compile(r"\b(?:ph ?d|doctora\w*|dr|promotion|dphil)\b")),
    ("master", re.compile(r"\b(?:masters?|msc|m ?sc|mba|meng|magister|ma|ms)\b")),
    ("bachelor", re.compile(r"\b(?:bachelors?|bsc|b ?sc|ba|bs|beng|btech|licenciatura|licence)\b")),
    ("associate", re.compile(r"\bassociates?\b")),
    ("high_school", re.compile(r"\b(?:high school|ged|abitur|baccalaureat|bachillerato|secondary school)\b")),
)
_FLUENCY = {
    "native": word_set("native bilingual mother tongue muttersprache muttersprachler langue maternelle c2"),
    "fluent": word_set("fluent full advanced verhandlungssicher fliessend courant avanzado c1"),
    "conversational": word_set("conversational intermediate limited working intermedio b1 b2"),
    "basic": word_set("basic beginner elementary grundkenntnisse debutant basico a1 a2"),
}
_FLUENCY_ALSO = word_set(
    "or level speaker proficiency professional language in english german french spanish"
)
_VISAS = (
    ("citizen", re.compile(r"\bcitizens?\b")),
    ("permanent_resident", re.compile(r"\b(?:green card|permanent residen\w+|gc holder|lpr)\b")),
    ("h1b", re.compile(r"\bh1b\b")),
    ("opt", re.compile(r"\b(?:f1 )?(?:stem )?opt\b")),
    ("cpt", re.compile(r"\bcpt\b")),
    ("tn", re.compile(r"\btn\b")),
    ("ead", re.compile(r"\bead\b")),
)
_NOT_A_KIND = re.compile(r"\b(?:not|non|no|neither|other|without|or|never)\b")
_STATES = """
AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|FL Florida
GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine
MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska
NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio
OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas
UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming|DC District of Columbia
AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia
ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|NT Northwest Territories|NU Nunavut|YT Yukon
"""
_STATE_OF: dict[str, str] = {}
for _entry in _STATES.strip().replace("\n", "|").split("|"):
    _code, _, _name = _entry.partition(" ")
    _STATE_OF[_code] = _STATE_OF[" ".join(words(_name))] = _name


def gender(option: str) -> str | None:
    return _member(option, _GENDER)


def race(option: str) -> str | None:
    return _member(option, _RACE)


def _member(option: str, members: dict[str, tuple[str, ...]]) -> str | None:
    if _DECLINED.search(plain(option)):
        return "declined"
    said = " ".join(words(without_aside(option)))
    return next((member for member, wordings in members.items() if said in wordings), None)


def yes_no_declined(option: str) -> str | None:
    return "declined" if _DECLINED.search(plain(option)) else yes_or_no(option)


def veteran(option: str) -> str | None:
    said = " ".join(words(option))
    for member, pattern in (
        ("declined", _DECLINED),
        ("not_a_veteran", _NOT_A_VETERAN),
        ("protected_veteran", _PROTECTED),
        ("veteran", _OTHER_VETERAN),
    ):
        if pattern.search(said):
            return member
    return None


def disability(option: str) -> str | None:
    said = " ".join(words(option))
    if _DECLINED.search(said):
        return "declined"
    if _DISABLED.search(said):
        return "yes"
    return "no" if _NOT_DISABLED.search(said) else yes_or_no(option)


def degree(text: str) -> str | None:
    """The level a degree has; the highest a text names would be a guess, so only one may be named."""
    said = " ".join(words(text))
    found = [level for level, pattern in _DEGREES if pattern.search(said)]
    return found[0] if len(found) == 1 else None


def state(text: str) -> str | None:
    """A state or province of the United States or Canada, by name or by its code in capitals."""
    tidy = text.strip()
    return _STATE_OF.get(tidy) or _STATE_OF.get(" ".join(words(tidy)))


def decline(text: str) -> str | None:
    """ "declined" for every wording of not wanting to say."""
    return "declined" if _DECLINED.search(plain(text)) else None


def fluency(text: str) -> str | None:
    """How well a language is spoken, by the words or levels forms use; two levels in one option are none."""
    said = frozenset(words(without_aside(text)))
    found = [
        level
        for level, wordings in _FLUENCY.items()
        if said and said <= wordings | _FLUENCY_ALSO and said & wordings
    ]
    return found[0] if len(found) == 1 else None


def visa(text: str) -> str | None:
    """The kind of permission to work a text names, when it names one and nothing else."""
    said = " ".join(words(without_aside(text))).replace("h 1b", "h1b").replace("f 1", "f1")
    found = {kind for kind, pattern in _VISAS if pattern.search(said)}
    return found.pop() if len(found) == 1 and not _NOT_A_KIND.search(said) else None


def country(text: str) -> str | None:
    found = country_named(text)
    return found.alpha_2 if found else None
