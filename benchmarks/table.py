"""How every benchmark tells its figures: one row a measure, or one JSON object a line; and its exit code.

A bar is what a figure is held to; a figure without one is only told.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Measure:
    """`bar` is the most `value` may be, or with `at_least` the least."""

    name: str
    value: float
    unit: str
    bar: float | None = None
    at_least: bool = False

    @property
    def holds(self) -> bool | None:
        """Whether the value keeps to its bar; None when there is no bar."""
        if self.bar is None:
            return None
        return self.value >= self.bar if self.at_least else self.value <= self.bar


@dataclass(frozen=True)
class Asked:
    """What the command line asked of a benchmark. `quick` must end within 60 seconds on two cores."""

    quick: bool
    json: bool
    folder: Path | None


def main(about: str, measure: Callable[[Asked], Sequence[Measure]]) -> None:
    """Run one benchmark from its command line; ends the program, with status 1 when a bar does not hold."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--quick", action="store_true", help="fewer rounds; ends within a minute")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="data to measure on")
    typed = parser.parse_args()
    asked = Asked(quick=typed.quick, json=typed.json, folder=typed.folder)
    measures = measure(asked)
    print_table(measures, as_json=asked.json)
    sys.exit(any(each.holds is False for each in measures))


def print_table(measures: Sequence[Measure], *, as_json: bool = False) -> None:
    for line in _json_lines(measures) if as_json else _rows(measures):
        print(line)


def _json_lines(measures: Sequence[Measure]) -> list[str]:
    return [
        json.dumps({"name": m.name, "value": m.value, "unit": m.unit, "bar": m.bar, "holds": m.holds})
        for m in measures
    ]


def _rows(measures: Sequence[Measure]) -> list[str]:
    width = max((len(m.name) for m in measures), default=0)
    return [f"{m.name:<{width}}  {_number(m.value):>10} {m.unit:<8} {_verdict(m)}".rstrip() for m in measures]


def _verdict(measure: Measure) -> str:
    if measure.bar is None:
        return ""
    word = "holds" if measure.holds else "DOES NOT HOLD"
    return f"bar {'>=' if measure.at_least else '<='} {_number(measure.bar)}: {word}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:,.3g}"
