"""Names a person typed with one slip: "Nortwhind", "Norhwind", "Northhwind". Pure.

Two letters swapped, one left out or one too many, never another letter in its place nor one more at the end:
that is how two employers differ too. What is found here only proposes, and counts beside the very title.
"""

from rapidfuzz.distance import OSA

from matcher.evidence.romanised import is_latin

SHORTEST = 7
SHORTEST_SWAPPED = 5
_VOWELS = frozenset("aeiouy")


def is_mistyped(one: str, other: str) -> bool:
    """Of two comparable keys that differ."""
    if not (one + other).isalpha() or one[:1] != other[:1] or one.startswith(other) or other.startswith(one):
        return False
    is_swapped = len(one) == len(other) and sorted(one) == sorted(other)
    if min(len(one), len(other)) < (SHORTEST_SWAPPED if is_swapped else SHORTEST):
        return False
    return (is_swapped or len(one) != len(other)) and OSA.distance(one, other, score_cutoff=1) == 1


def slips(key: str) -> frozenset[str]:
    """Under which keys a name with a slip of one vowel or of the order of letters is found."""
    if len(key) < SHORTEST_SWAPPED or not is_latin(key):
        return frozenset()
    swapped = frozenset((f"letters {''.join(sorted(key))}",))
    if len(key) < SHORTEST - 1:
        return swapped
    consonants = "".join(letter for letter in key if letter not in _VOWELS)
    return swapped | {f"consonants {consonants}"}
