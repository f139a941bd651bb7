"""Whether a message speaks to its reader of an application of theirs: "your application". Pure.

Wanted where nobody could tell what a message says: news to everybody and offers speak of jobs, not of that. A
footer that says why it was sent ("because you applied") is in those as well, and counts for nothing here.
"""

import re

from matcher.evidence.go_between import speaks_of_a_client
from matcher.evidence.types import Letter

MOST_TEXT_CHARS = 4_000
_YOURS = re.compile(
    r"\b(?:your\s(?:\w{1,14}\s)?(?:application|candidacy|submission)"
    r"|(?:ihre|deine|eure)[rnm]?\s(?:\w{1,14}\s)?bewerbung(?:sunterlagen)?"
    r"|(?:votre|ta)\s(?:\w{1,14}\s)?candidature"
    r"|(?:tu|su|vuestra)\s(?:\w{1,14}\s)?(?:candidatura|solicitud|inscripci\u00f3n|postulaci\u00f3n))\b",
    re.IGNORECASE,
)


def speaks_of_own_application(letter: Letter) -> bool:
    """A go-between has many clients, and more of one's applications than the one found."""
    texts = (letter.subject, letter.body[:MOST_TEXT_CHARS])
    return any(_YOURS.search(text) for text in texts) and not speaks_of_a_client(letter)
