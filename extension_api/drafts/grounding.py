"""What a text states that stands in none of its sources, as far as words alone can tell. Pure.

A simple check beside the prompt's demand, not a proof. It looks for names, degrees, numbers and durations;
what it finds is shown to the person, who may know better. Degrees and durations count only when the profile
or the résumé has them: what the job asks for is not what the person has.
"""

import re
from collections.abc import Iterator

from extension_api.drafts.grounding_words import (
    DEGREES,
    DURATIONS,
    EMPLOYED_GERMAN,
    GERMAN,
    NO_NAMES,
    NUMBER_WORDS,
)
from extension_api.drafts.types import Task

MOST_TOLD = 10
_WORD = re.compile(r"[^\W_]+(?:[-'.&/][^\W_]+)*[+#]*")
_SENTENCE = re.compile(r"[^.!?:;\n]+(?:\.(?=[^\s])[^.!?:;\n]+)*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_PARTS = re.compile(r"[-'.&/]")
_POSSESSIVE = re.compile(r"'s?$")
_NEAR_WORDS = 2
_GERMAN_SHARE = 0.08
_AT_GERMAN = {"bei", "beim"}
_ARTICLES_GERMAN = {"der", "dem", "den", "einem", "einer"}


def not_in_sources(text: str, task: Task) -> list[str]:
    """At most ten, each once, as they stand in the text."""
    text = _plain(text)
    own = _plain("\n".join(f"{fact.label}\n{fact.text}" for fact in task.facts if fact.is_persons))
    job = "\n".join(f"{fact.label}\n{fact.text}" for fact in task.facts if not fact.is_persons)
    every = _plain("\n".join((own, job, task.question, task.company or "", task.role or "")))
    found = [*_degrees(text, own), *_numbers(text, own, every), *_names(text, every)]
    return list(dict.fromkeys(found))[:MOST_TOLD]


def _plain(text: str) -> str:
    return text.replace("\u2019", "'")


def _degrees(text: str, own: str) -> Iterator[str]:
    for claimed, held in DEGREES:
        if (stated := claimed.search(text)) and not held.search(own):
            yield stated[0]


def _numbers(text: str, own: str, every: str) -> Iterator[str]:
    """A number with a unit of time after it must be the person's; any other may be the job's too."""
    numbers_own, numbers = _numbers_in(own), _numbers_in(every)
    words = _WORD.findall(text)
    for place, word in enumerate(words):
        after = [each.casefold() for each in words[place + 1 : place + 1 + _NEAR_WORDS]]
        unit = next((each for each in after if each in DURATIONS), None)
        told = {NUMBER_WORDS[word.casefold()]} if word.casefold() in NUMBER_WORDS else _numbers_in(word)
        if not told or (unit is None and word.casefold() in NUMBER_WORDS):
            continue
        if not told <= (numbers_own if unit else numbers):
            yield f"{word} {unit}" if unit else word


def _numbers_in(text: str) -> set[str]:
    """Digits alone, so that 1,000 and 1.000 are the same; and the small ones written as words."""
    digits = {found.replace(",", "").replace(".", "") for found in _NUMBER.findall(text)}
    return digits | {NUMBER_WORDS[word] for word in text.casefold().split() if word in NUMBER_WORDS}


def _names(text: str, every: str) -> Iterator[str]:
    known = {part for word in _WORD.findall(every) for part in _spelled(word)}
    german = _is_german(text)
    for sentence in _SENTENCE.findall(text):
        words = _WORD.findall(sentence)
        for run in _german_runs(words) if german else _runs(words):
            if any(not _is_known(word, known) for word in run):
                yield " ".join(run)


def _runs(words: list[str]) -> Iterator[list[str]]:
    """Capitalised words that follow each other. The first of a sentence is one anyway and tells nothing,
    unless it is written like a name."""
    run: list[str] = []
    for place, word in enumerate(words):
        if _is_marked(word) or (word[0].isupper() and place > 0):
            run.append(word)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _german_runs(words: list[str]) -> Iterator[list[str]]:
    """German writes every noun with a capital: names are what is written like one, and where one worked."""
    yield from ([word] for word in words if _is_marked(word))
    if not EMPLOYED_GERMAN & {word.casefold() for word in words}:
        return
    for place, word in enumerate(words):
        if word.casefold() in _AT_GERMAN:
            rest = words[place + 1 :]
            rest = rest[1:] if rest and rest[0].casefold() in _ARTICLES_GERMAN else rest
            yield from ([each] for each in rest[:1] if each[0].isupper())


def _is_marked(word: str) -> bool:
    """Written like a name wherever it stands: IBM, GitHub."""
    letters = [letter for letter in word if letter.isalpha()]
    return sum(letter.isupper() for letter in letters) > 1 and not word.casefold().startswith("i'")


def _is_known(word: str, known: set[str]) -> bool:
    if not any(letter.isalpha() for letter in word) or word[0].isdigit():
        return True
    whole, *parts = _spelled(word)
    if whole in known or whole in NO_NAMES or whole.removesuffix("s") in known or f"{whole}s" in known:
        return True
    return bool(parts) and all(part in known or part in NO_NAMES for part in parts)


def _spelled(word: str) -> list[str]:
    """The word in one spelling, and its parts where it has some."""
    whole = _POSSESSIVE.sub("", word.casefold())
    parts = [part for part in _PARTS.split(whole) if part]
    return [whole, *parts] if len(parts) > 1 else [whole]


def _is_german(text: str) -> bool:
    words = [word.casefold() for word in _WORD.findall(text)]
    return sum(word in GERMAN for word in words) > len(words) * _GERMAN_SHARE
