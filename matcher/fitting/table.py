"""Writes numbers into the table of weights: only the numbers change, the comments stay. Pure."""

import re
import tomllib
from collections.abc import Mapping

import msgspec
from msgspec.structs import asdict, replace

from matcher.evidence.weights import Weights

_LINE = re.compile(r"^(?P<name>\w+)(?P<is>\s*=\s*)(?P<number>-?\d+(?:\.\d+)?)(?P<rest>.*)$")


def read(text: str) -> Weights:
    return msgspec.convert(tomllib.loads(text), Weights)


def rewritten(text: str, weights: Weights) -> str:
    """The table with these numbers, as a new version; the same text when they are what stands there."""
    old = read(text)
    if (old.decision, old.strength) == (weights.decision, weights.strength):
        return text
    version = old.version + 1
    numbers = {"version": version, **asdict(weights.decision), **asdict(weights.strength)}
    told = "\n".join(_line(line, numbers) for line in text.splitlines()) + "\n"
    if read(told) != replace(weights, version=version):
        raise ValueError("the table has a line of another shape than `name = number # why`")
    return told


def _line(line: str, numbers: Mapping[str, float]) -> str:
    """A comment stays in its column as long as the number leaves room for it."""
    found = _LINE.match(line)
    if found is None or found["name"] not in numbers:
        return line
    value = numbers[found["name"]]
    number = str(value) if isinstance(value, int) else f"{value:.2f}".removesuffix("0")
    begin = f"{found['name']}{found['is']}{number}"
    comment = found["rest"].lstrip()
    if not comment:
        return begin
    column = len(line) - len(comment)
    return f"{begin.ljust(column - 1)} {comment}"
