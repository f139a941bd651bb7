"""Names a person typed with one slip: "Nortwhind", "Norhwind", "Northhwind". Pure.

Two letters swapped, one left out or one too many, never another letter in its place nor one more at the end:
that is how two employers differ too. What is found here only proposes, and counts beside the very title.
"""

from rapidfuzz.distance import OSA

from matcher.evidence.romanised import is_latin

SHORTEST = 7
_VOWELS = frozenset("aeiouy")


def is_mistyped(one: str, other: str) -> bool:
    """Of two comparable keys that differ."""
    if min(len(one), len(other)) < SHORTEST or one[0] != other[0] or not (one + other).isalpha():
        return False
    is_another = one.startswith(other) or other.startswith(one)
    is_another = is_another or (len(one) == len(other) and sorted(one) != sorted(other))
    return not is_another and OSA.distance(one, other, score_cutoff=1) == 1


def slips(key: str) -> frozenset[str]:
    """Under which keys a name with a slip of one vowel or of the order of letters is found."""
    if len(key) < SHORTEST - 1 or not is_latin(key):
        return frozenset()
    consonants = "".join(letter for letter in key if letter not in _VOWELS)
    return frozenset((f"letters {''.join(sorted(key))}", f"consonants {consonants}"))
