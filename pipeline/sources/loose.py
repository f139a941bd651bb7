"""JSON as platforms send it against the rules, made JSON that everything else can read. Pure.

Lone surrogates, NUL, bytes that are no UTF-8, NaN, numbers nothing can hold and nesting nothing can follow
cost the value they stand in and nothing around it.
"""

import json
import re

import msgspec

from schema.text import clean

#: No platform nests deeper; parsers and jsonb give up much later.
MAX_DEPTH = 64
_MAX_DIGITS = 18
# A text that never ends is one token too: every position is looked at once.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)


def loosened(body: bytes) -> bytes:
    """The same content as strict JSON. Raises `ValueError` when it is no JSON even so."""
    text = _shallow(body.decode("utf-8-sig", "replace"))
    return msgspec.json.encode(cleaned(json.loads(text, parse_int=_number)))


def cleaned(value: object) -> object:
    """Without what neither text nor jsonb columns can hold."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [cleaned(each) for each in msgspec.convert(value, list[object])]
    if isinstance(value, dict):
        return {clean(key): cleaned(each) for key, each in msgspec.convert(value, dict[str, object]).items()}
    return value


def _number(digits: str) -> float:
    """What is too large to be exact is a float, and null when written again if it is too large for that."""
    return int(digits) if len(digits) <= _MAX_DIGITS else float(digits)


def _shallow(text: str) -> str:
    """Null where something nests too deep."""
    kept: list[str] = []
    depth = begin = 0
    for token in _TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
            if depth == MAX_DEPTH + 1:
                kept.append(text[begin : token.start()] + "null")
        elif token[0] in "]}":
            if depth == MAX_DEPTH + 1:
                begin = token.end()
            depth -= 1
    return "".join(kept) + (text[begin:] if depth <= MAX_DEPTH else "")
