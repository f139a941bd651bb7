"""What a person wants as a text-search query: each filter is a word of `postings.search` nobody can type.

Pure. What a person typed is read by `words.py`.
"""

import math

from pipeline.catalog.search.words import place_query, quoted, words_query
from pipeline.catalog.types import Count, Wanted

MOST_COUNTED = 1_000
#: Of `pay_step` in the migrations: steps a natural unit of pay has, and the step of the largest amount.
_STEPS = 5
_LAST_STEP = 138


def typed(wanted: Wanted) -> str:
    """The words and the place, which is among the words of a posting; empty when neither says anything."""
    asked = (words_query(wanted.words), place_query(wanted.place))
    return " & ".join(f"({each})" for each in asked if each)


def row_filters(wanted: Wanted) -> str:
    """For comparing with one posting: short, and exact about everything but the amount of pay."""
    return _all(wanted, [f"{quoted(f'=pay:{wanted.pay_currency}:')}:*"] if _asks_pay(wanted) else [])


def index_filters(wanted: Wanted) -> str:
    """For the index: only those steps of pay that reach the amount, each a list of its own."""
    steps = [quoted(f"=pay:{wanted.pay_currency}:{step}") for step in _steps(wanted)]
    return _all(wanted, [f"({' | '.join(steps)})"] if steps else [])


def counted(number: int) -> Count:
    """An exact number, as far as numbers are told."""
    return Count(number=min(number, MOST_COUNTED), is_more=number > MOST_COUNTED)


def at_least(number: int) -> Count:
    """More than these were not counted: a round number that is not too high."""
    step = 10 ** max(0, len(str(number)) - 1)
    return Count(number=min(number // step * step, MOST_COUNTED), is_more=True)


def is_of_words_alone(wanted: Wanted) -> bool:
    """Whether a posting of which only words are known can answer."""
    return not (_chosen(wanted) or wanted.with_pay or _asks_pay(wanted))


def _all(wanted: Wanted, pay: list[str]) -> str:
    is_open = wanted.shelf == "all" and not wanted.with_closed
    # Every posting has a platform: without a filter there is still something to compare with.
    first = quoted("=open") if is_open else f"{quoted('=platform:')}:*"
    words = [quoted(each) for each in _chosen(wanted)]
    return " & ".join([first, *words, *([quoted("=pay")] if wanted.with_pay else []), *pay])


def _chosen(wanted: Wanted) -> list[str]:
    chosen = {
        "country": wanted.country,
        "workplace": wanted.workplace,
        "employment": wanted.employment_type,
        "seniority": wanted.seniority,
        "platform": wanted.platform,
        "board": wanted.board and wanted.board.lower(),
    }
    return [f"={name}:{value}" for name, value in chosen.items() if value]


def _asks_pay(wanted: Wanted) -> bool:
    return wanted.pay_from is not None and wanted.pay_currency is not None


def _steps(wanted: Wanted) -> range:
    if wanted.pay_from is None or wanted.pay_currency is None:
        return range(0)
    # One step lower: which of two steps an amount on their border has may differ between two machines.
    lowest = max(0, math.floor(math.log(max(wanted.pay_from, 1)) * _STEPS) - 1)
    return range(min(lowest, _LAST_STEP), _LAST_STEP + 1)
