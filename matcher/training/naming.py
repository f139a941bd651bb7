"""Draws employers, people and roles; within one mailbox no employer's name is drawn twice."""

import random
import re
import tomllib
import unicodedata
from functools import cache
from itertools import product
from pathlib import Path

import msgspec

from matcher.training.types import Language, Split

_FOLDER = Path(__file__).with_name("names")
_PLAIN = re.compile(r"[^a-z0-9]+")
_SHARE_OF_LEGAL = 0.35
_SHARE_OF_SECTORS = 0.5
_SHARE_OF_WHOLE_PLACES = 0.6
"""On the web many an employer leaves out what it deals in."""


class _Own(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    sectors: str
    legal: str
    cities: str
    roles: str
    leveled: str
    levels: str
    interns: str
    extensions: str
    places: str


class _Lists(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    heads: str
    middles: str
    tails: str
    words: str
    second_words: str
    surnames_umlaut: str
    surnames_french: str
    surnames_spanish: str
    surnames_english: str
    first_names: str
    last_names: str
    agencies: str
    scripts: str
    shops: str
    en: _Own
    fr: _Own
    de: _Own
    es: _Own


class Person(msgspec.Struct, frozen=True, kw_only=True):
    first: str
    last: str

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def local_part(self) -> str:
        return f"{slug(self.first)}.{slug(self.last)}"


class Employer(msgspec.Struct, frozen=True, kw_only=True):
    """`name` as the person recorded it, `short` as its mail usually calls it, `slug` its place on the web."""

    name: str
    short: str
    slug: str

    @property
    def domain(self) -> str:
        return f"{self.slug}.example"


@cache
def _lists(split: Split) -> _Lists:
    text = (_FOLDER / f"{split}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _Lists)


@cache
def listed(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split("|"))


def _native_names(scripts: str) -> tuple[list[tuple[str, str]], int]:
    """Every pair of a first and a second word of one script, in it and in Latin letters; their number."""
    found: list[tuple[str, str]] = []
    for script in scripts.split(";"):
        firsts, seconds = ([each.split("=") for each in listed(part.strip())] for part in script.split("/"))
        joint = "" if firsts[0][0] > "\u3000" else " "
        found += [
            (f"{first[0]}{joint}{second[0]}", f"{first[1]} {second[1]}")
            for first in firsts
            for second in seconds
        ]
    return found, len(found)


def slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss")).encode("ascii", "ignore").decode()
    return _PLAIN.sub("", plain.lower()) or "office"


class Naming:
    """The names of one mailbox. Everything is drawn from `chance`."""

    def __init__(self, split: Split, chance: random.Random) -> None:
        self._chance = chance
        self._lists = _lists(split)
        parts = (listed(each) for each in (self._lists.heads, self._lists.middles, self._lists.tails))
        self._stems = list(dict.fromkeys("".join(each) for each in product(*parts)))
        chance.shuffle(self._stems)
        self._used = 0
        self._taken: set[str] = set()
        seconds = ("", *(f" {each}" for each in listed(self._lists.second_words)))
        firsts = self._shuffled(self._lists.words)
        self._words = iter([f"{first}{second}" for second in seconds for first in firsts])
        self._scripts = iter(self._chance.sample(*_native_names(self._lists.scripts)))

    def stem(self) -> str:
        """A coined word; after some eight thousand of them they are told apart by a second one."""
        place, again = self._used % len(self._stems), self._used // len(self._stems)
        self._used += 1
        return self._stems[place] + (f" {self._stems[place - again]}" if again else "")

    def employer(self, language: Language) -> Employer:
        own = self.own(language)
        short = self.stem()
        if self._chance.random() < _SHARE_OF_SECTORS:
            short = f"{short} {self.one_of(own.sectors)}"
        name = f"{short} {self.one_of(own.legal)}" if self._chance.random() < _SHARE_OF_LEGAL else short
        place = slug(short if self._chance.random() < _SHARE_OF_WHOLE_PLACES else short.split()[0])
        return Employer(name=name, short=short, slug=place)

    def common_word(self) -> Employer:
        """An employer whose name is an ordinary word, or two of them."""
        name = next(self._words, None) or self.stem()
        return Employer(name=name, short=name, slug=slug(name))

    def marked_name(self, language: Language) -> Employer:
        """A name with umlauts, accents or an apostrophe, and a legal form."""
        lists = {
            "en": self._lists.surnames_english,
            "fr": self._lists.surnames_french,
            "de": self._lists.surnames_umlaut,
            "es": self._lists.surnames_spanish,
        }
        short = f"{self.one_of(lists[language])} {self.stem()}"
        return Employer(
            name=f"{short} {self.one_of(self.own(language).legal)}", short=short, slug=slug(short)
        )

    def foreign(self) -> tuple[Employer, str]:
        """An employer under its Latin name, and its name in another script."""
        native, latin = next(self._scripts, ("", ""))
        if not native:
            plain = self.stem()
            return Employer(name=plain, short=plain, slug=slug(plain)), plain
        return Employer(name=latin, short=latin, slug=slug(latin)), native

    def acronym(self, language: Language) -> tuple[Employer, str]:
        """An employer of three words, and its initials, which no other has."""
        sectors = listed(self.own(language).sectors)
        name = ""
        while not name or not self._is_new("".join(word[0] for word in name.split())):
            name = " ".join((self.stem(), *self._chance.sample(sectors, self._chance.randrange(2, 4))))
        return Employer(name=name, short=name, slug=slug(name)), "".join(word[0] for word in name.split())

    def ticker(self, employer: Employer) -> str:
        """Three or four of the name's letters in capitals, which no other has."""
        letters = [letter for letter in slug(employer.short) if letter.isalpha()]
        short = ""
        while not short or not self._is_new(short):
            more = self._chance.choices(letters, k=self._chance.randrange(2, 4))
            short = "".join((letters[0], *more)).upper()
        return short

    def _is_new(self, short: str) -> bool:
        is_new = short not in self._taken
        self._taken.add(short)
        return is_new

    def person(self) -> Person:
        return Person(first=self.one_of(self._lists.first_names), last=self.one_of(self._lists.last_names))

    def agency(self) -> Employer:
        """A coined name with what agencies call themselves."""
        name = f"{self.stem()} {self.one_of(self._lists.agencies).partition(' ')[2] or 'HR'}"
        return Employer(name=name, short=name, slug=slug(name))

    def shop(self) -> str:
        return self.one_of(self._lists.shops)

    def own(self, language: Language) -> _Own:
        return {"en": self._lists.en, "fr": self._lists.fr, "de": self._lists.de, "es": self._lists.es}[
            language
        ]

    def roles(self, language: Language, count: int) -> list[str]:
        """Different titles of which none contains another."""
        known = listed(self.own(language).roles)
        if count <= len(known):
            return self._chance.sample(known, count)
        extended = [f"{role} {number}" for number in ("II", "III") for role in known]
        return [*known, *self._chance.sample(extended, count - len(known))]

    def leveled(self, language: Language) -> str:
        return self.one_of(self.own(language).leveled)

    def levels_of(self, role: str, language: Language, count: int) -> list[str]:
        shapes = self._chance.sample(listed(self.own(language).levels), count)
        return [shape.format(role=role) for shape in shapes]

    def intern_of(self, role: str, language: Language) -> str:
        return self.one_of(self.own(language).interns).format(role=role)

    def extension_of(self, role: str, language: Language) -> str:
        return self.one_of(self.own(language).extensions).format(role=role)

    def extensions_of(self, role: str, language: Language) -> list[str]:
        """Two longer titles that begin alike."""
        shapes = self._chance.sample(listed(self.own(language).extensions), 2)
        return [shape.format(role=role) for shape in shapes]

    def places_of(self, role: str, language: Language) -> list[str]:
        """The same title in two cities."""
        shape = self.one_of(self.own(language).places)
        cities = self._chance.sample(listed(self.own(language).cities), 2)
        return [shape.format(role=role, city=city) for city in cities]

    def city(self, language: Language) -> str:
        return self.one_of(self.own(language).cities)

    def one_of(self, text: str) -> str:
        return self._chance.choice(listed(text))

    def _shuffled(self, text: str) -> list[str]:
        return self._chance.sample(listed(text), len(listed(text)))
