"""Questions about the right to work and about sponsorship: what exactly is asked, if anybody can tell. Pure.

A wrong answer here costs the person the job or more, so every word of the question has to be one that cannot
turn its meaning. A negation, a condition, a second question or a country that is not named leaves it to the
person. "Without sponsorship" is a question of its own, never the reverse of another.
"""

import re
from typing import Literal

import msgspec

from extension_api.answers.words import plain, question, word_set
from extension_api.countries import COUNTRIES, Country, country_named
from extension_api.profiles.types import WorkRight

Asked = Literal["authorised", "authorised_without_limit", "needs_sponsorship"]
"""`authorised_without_limit`: for any employer, for good, or without sponsorship."""

_TOUCHES_LAW = re.compile(
    r"\bsponsor|\bvis(?:as?|ums?|ados?)\b|\bright to work\b|\bcitizen|\bgreen card\b"
    r"|\bpermanent resident\b|\bimmigration\b"
    r"|\b(?:legally|lawfully) (?:able|allowed|authori[sz]ed|eligible|permitted|entitled)\b"
    r"|\bauthori[sz](?:ed|ation) (?:to|for) (?:\w+ ){0,2}work|\b(?:in)?eligible to (?:\w+ )?work\b"
    r"|\bwork (?:permit|authori[sz]ation|visa)|\barbeitserlaubnis\b|\baufenthalts|\bnationalit"
    r"|\bpermis de travail\b|\bpermiso de trabajo\b|\bparrainage\b|\bpatrocini|\barbeitsgenehmigung"
    r"|\barbeitsberechtig|\bdroit de travailler\b|\btitre de sejour\b|\bderecho a trabajar\b"
    r"|\bunauthori[sz]ed to work\b|\b(?:permitted|allowed) to work\b"
    r"|\bautorisee? a (?:\w+ )?travailler\b|\bhabilitee? a (?:\w+ )?travailler\b"
    r"|\bautori[sz](?:ations?|aci(?:on|ones)) (?:de|para) tra|\b(?:titres?|permis) de sejour\b|\bparrain"
    r"|\bautorizad\w (?:\w+ ){0,2}(?:a|para) trabajar\b|\bpermiso de residencia\b|\bnacionalidad\b"
    r"|\bciudadan|\bcitoyen|\bdroit au travail\b|\bstaatsburger|\bstaatsangehorig|\baufenthaltstitel"
    r"|\bberechtigt\b.{0,80}\barbeiten\b|\barbeiten\b.{0,40}\b(?:berechtigt|durfen|darfst)\b"
    r"|\b(?:durfen|darfst) .{0,80}\barbeiten\b"
)
_EXAMPLE = re.compile(r"\((?:e\.?\s?g\b|i\.?\s?e\b|for example|such as)[^()]{0,200}\)")
_WORD = re.compile(r"[^\W_]+")
_WITHOUT = re.compile(
    r"\bwithout (?:the |any )?(?:need for |needing |requiring )?(?:an? )?"
    r"(?:current |future |employer |company |work |employment |visa |immigration ){0,3}sponsorship\b"
)
_MAX_CHARS = 400
_LONGEST_NAME = 5

_AUTHORISED = word_set("authorized authorised eligible permitted entitled allowed")
_NEUTRAL = word_set(
    "are you do i have a an the am is it legal legally lawful lawfully by law currently presently to "
    "work working in within for your employment employed time full fulltime part at this present on "
    "basis our company us role"
)
_NO_LIMIT = word_set(
    "any employer unlimited unrestricted indefinite indefinitely ongoing now and future permanent"
)
_RIGHT = word_set("right authorization authorisation")
_SPONSORED = word_set("sponsorship sponsor")
_NEEDED = word_set("require need required needed requiring requires needs")
_NEUTRAL_OF_SPONSORSHIP = word_set(
    "will would you do does now or in the future at any time currently is are be visa visas employment "
    "immigration work working status support company employer our us from for to a an your continue "
    "begin start commence maintain obtain remain legally kind of by and"
)


class LegalQuestion(msgspec.Struct, frozen=True, kw_only=True):
    asked: Asked
    country: str


def touches_law(label: str) -> bool:
    """The question is about the right to work, whatever exactly it asks."""
    return _TOUCHES_LAW.search(plain(label)) is not None


def legal_question(label: str) -> LegalQuestion | None:
    """What is asked and for which country; None unless both are certain."""
    if len(label) > _MAX_CHARS:
        return None
    text = question(_EXAMPLE.sub(" ", plain(label)))
    countries, asked_words = countries_taken_out(_WORD.findall(text))
    if len(countries) != 1:
        return None
    asked = _asked(" ".join(asked_words))
    return asked and LegalQuestion(asked=asked, country=countries.pop())


def _asked(text: str) -> Asked | None:
    without = _WITHOUT.search(text)
    if without is not None:
        rest = frozenset(f"{text[: without.start()]} {text[without.end() :]}".split())
        return "authorised_without_limit" if _asks_for_right(rest, _NO_LIMIT) else None
    said = frozenset(text.split())
    if _asks_for_right(said, frozenset()):
        return "authorised"
    if _asks_for_right(said, _NO_LIMIT):
        return "authorised_without_limit"
    if _SPONSORED & said and _NEEDED & said and said <= _NEUTRAL_OF_SPONSORSHIP | _SPONSORED | _NEEDED:
        return "needs_sponsorship"
    return None


def _asks_for_right(said: frozenset[str], more: frozenset[str]) -> bool:
    named = bool(_AUTHORISED & said) or bool(_RIGHT & said and "have" in said)
    works = bool({"work", "employment", "employed"} & said)
    return named and works and said <= _NEUTRAL | _AUTHORISED | _RIGHT | more


def countries_taken_out(said: list[str]) -> tuple[set[str], list[str]]:
    """The countries a question names, and its other words."""
    countries: set[str] = set()
    left: list[str] = []
    at = 0
    while at < len(said):
        country, length = _country_at(said, at)
        if country is None:
            left.append(said[at])
        else:
            countries.add(country.alpha_2)
        at += length
    return countries, left


def _country_at(said: list[str], at: int) -> tuple[Country | None, int]:
    for length in range(min(_LONGEST_NAME, len(said) - at), 0, -1):
        country = _NAMES.get(tuple(said[at : at + length]))
        if country is not None:
            return country, length
    if said[at] == "us" and at > 0 and said[at - 1] in {"in", "the", "within", "inside"}:
        return country_named("US"), 1
    return None, 1


_NAMES: dict[tuple[str, ...], Country] = {
    tuple(_WORD.findall(plain(name))): country
    for country in COUNTRIES
    for name in (*country.names, country.alpha_3 if country.alpha_3 == "USA" else country.name)
    if plain(name) not in {"us", "america", "man"}
}


def answer(asked: Asked, right: WorkRight) -> bool | None:
    """Yes or no as the person states it; None where their statements do not settle it."""
    if asked == "needs_sponsorship":
        return right.needs_sponsorship
    if asked == "authorised" or right.authorised is False:
        return right.authorised
    if right.authorised is None or right.needs_sponsorship is None:
        return None
    return not right.needs_sponsorship
