"""What a person wants as a text-search query: each filter is a word of `postings.search` nobody can type.

Pure. The words a person typed are read by the server (`websearch_to_tsquery`), which never refuses them.
"""

import math

from pipeline.catalog.types import Count, Wanted
from schema.text import clean

MOST_COUNTED = 1_000
MOST_WORD_CHARS = 200
#: Of `pay_step` in the migrations: steps a natural unit of pay has, and the step of the largest amount.
_STEPS = 5
_LAST_STEP = 138


def typed(text: str) -> str:
    """What was typed; empty when nothing in it can be a word."""
    words = clean(text).strip()[:MOST_WORD_CHARS]
    return words if any(letter.isalnum() for letter in words) else ""


def row_filters(wanted: Wanted) -> str:
    """For comparing with one posting: short, and exact about everything but the amount of pay."""
    return _all(wanted, [f"{_word(f'=pay:{wanted.pay_currency}:')}:*"] if _asks_pay(wanted) else [])


def index_filters(wanted: Wanted) -> str:
    """For the index: only those steps of pay that reach the amount, each a list of its own."""
    steps = [_word(f"=pay:{wanted.pay_currency}:{step}") for step in _steps(wanted)]
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
    first = _word("=open") if is_open else f"{_word('=platform:')}:*"
    words = [_word(each) for each in _chosen(wanted)]
    return " & ".join([first, *words, *([_word("=pay")] if wanted.with_pay else []), *pay])


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


def _word(text: str) -> str:
    escaped = clean(text).replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
