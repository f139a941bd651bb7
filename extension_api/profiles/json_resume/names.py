"""A whole name into the parts forms ask for. Pure.

A whole name does not say where its parts end, so whoever uses this asks the person to look at the result.
"""

import msgspec

_WORDS = "af al bin da de del della den der di dos du el ibn la le los ten ter van vom von zu zum zur"
_PARTICLES = frozenset(_WORDS.split(" "))
_FEW = 2


class NameParts(msgspec.Struct, frozen=True, kw_only=True):
    first: str = ""
    middle: str = ""
    last: str = ""


def split_name(whole: str) -> NameParts:
    """ "Ludwig van Beethoven" has the last name "van Beethoven"; one word alone is a first name."""
    before, comma, after = whole.partition(",")
    if comma and after.strip():
        return NameParts(first=after.strip(), last=before.strip())
    words = whole.split()
    if len(words) <= _FEW:
        return NameParts(first=words[0] if words else "", last=words[1] if len(words) == _FEW else "")
    start = next((at for at, word in enumerate(words[1:], 1) if word.lower() in _PARTICLES), len(words) - 1)
    return NameParts(first=words[0], middle=" ".join(words[1:start]), last=" ".join(words[start:]))
