"""What an import came to, as a sentence."""

import msgspec
import pytest

from backend.mail.rules import told


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    seen: int
    stored: int = 0
    known: int = 0
    not_kept: int = 0
    quarantined: int = 0


@pytest.mark.parametrize(
    ("tally", "sentence"),
    [
        (Tally(seen=0), "nothing read yet"),
        (Tally(seen=1, known=1), "1 message read, known already"),
        (Tally(seen=26, known=26), "26 messages read, all known already"),
        (Tally(seen=26, stored=3, known=23), "26 messages read: 3 new and kept, 23 known already"),
        (Tally(seen=2, not_kept=1, quarantined=1), "2 messages read: 1 not about jobs, 1 could not be read"),
        (Tally(seen=1500, stored=1500), "1\u202f500 messages read: 1\u202f500 new and kept"),
    ],
)
def test_every_message_that_was_read_is_accounted_for(tally: Tally, sentence: str):
    assert told(tally) == sentence
