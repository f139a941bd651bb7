"""Which offered option says what the profile says: the same words, or the same member of a closed set. Pure.

Never by how an option begins, and never by likeness: "United States" is not its Minor Outlying Islands. When
two options fit, none is chosen.
"""

import re
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from extension_api.answers.words import plain, same, words

Unmatched = Literal["no_option_matches", "several_options_match"]

_ASIDE = re.compile(r"\([^()]{0,200}\)")
_PLACEHOLDER = re.compile(
    r"^(?:-+|select|choose|please (?:select|choose|make|enter)|pick|bitte|auswahlen|selectionne|seleccion)"
)

_YES_NO_OPTIONS = 3


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """`option` as offered; `exact` when it reads just so."""

    option: str
    exact: bool


def choose(
    options: Sequence[str], wanted: str, canonical: Callable[[str], str | None] | None = None
) -> Choice | Unmatched:
    """The one option that is `wanted`; with options unknown, `wanted` itself, for the page to look for."""
    real = offered(options)
    if not real:
        return "no_option_matches" if options else Choice(option=wanted, exact=False)
    exact = [option for option in real if same(option, wanted)]
    if exact:
        return Choice(option=exact[0], exact=True)
    meant = canonical(wanted) if canonical else None
    if canonical is None or meant is None:
        return "no_option_matches"
    return _only([option for option in real if canonical(option) == meant])


def offered(options: Sequence[str]) -> list[str]:
    """The options without the line that only asks to choose one."""
    return [option for option in options if option.strip() and not _PLACEHOLDER.match(plain(option).strip())]


def is_yes_or_no(options: Sequence[str]) -> bool:
    """One yes, one no, and at most one way round both: whoever is asked this is asked for yes or no."""
    said = [yes_or_no(option) for option in offered(options)]
    return said.count("yes") == 1 and said.count("no") == 1 and len(said) <= _YES_NO_OPTIONS


def choose_member(
    options: Sequence[str], member: str, canonical: Callable[[str], str | None]
) -> Choice | Unmatched:
    """The one option that is this member of a closed set; unknown options hold none for certain."""
    return _only([option for option in options if canonical(option) == member])


def _only(found: list[str]) -> Choice | Unmatched:
    if len(found) > 1:
        return "several_options_match"
    return Choice(option=found[0], exact=False) if found else "no_option_matches"


def yes_or_no(option: str) -> str | None:
    """ "yes" or "no" when the option is one, alone or with its sentence after a mark: "No, I do not"."""
    said = words(re.split(r"[,.:;!\u2013-]", plain(option).strip(), maxsplit=1)[0])
    if said in {("yes",), ("ja",), ("oui",), ("si",)}:
        return "yes"
    if said in {("no",), ("nein",), ("non",)}:
        return "no"
    return None


def choose_yes_or_no(options: Sequence[str], yes: bool) -> Choice | Unmatched:  # noqa: FBT001 -- the answer itself
    """The option that says so, when both answers are offered once; options unknown are taken to be both."""
    if not options:
        return Choice(option="Yes" if yes else "No", exact=False)
    if len([option for option in options if yes_or_no(option) == ("no" if yes else "yes")]) != 1:
        return "no_option_matches"
    return choose_member(options, "yes" if yes else "no", yes_or_no)


def without_aside(option: str) -> str:
    """The option without what stands in brackets: "Asian (Not Hispanic or Latino)" is "Asian"."""
    return _ASIDE.sub(" ", option)
