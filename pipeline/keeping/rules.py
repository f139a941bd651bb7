"""How long the catalog keeps what it does not need for ever. Pure; docs/catalog.md has the same as a table.

What explains a posting is never let go: its events, the verdicts on its listings, why and when it closed.
"""

from datetime import timedelta

PULLS_KEPT = timedelta(days=90)
NEWEST_PULLS_KEPT = 20
"""Of each source, however old: closing looks back on them, and so does a person."""
DOUBTS_KEPT = timedelta(days=365)
"""Counted from when they were settled."""
NEWEST_DOUBTS_KEPT = 20
"""Of each source, however old: as many as its page shows."""
PREVIEWS_KEPT = timedelta(days=1)
RAW_KEPT = timedelta(days=90)
"""Rows as they were sent, counted from when a board showed them last."""
TEXTS_OF_CLOSED_KEPT = timedelta(days=180)
"""Counted from the close; never while somebody saved the posting, wrote a note on it or applied."""
UNUSED_TEXTS_KEPT = timedelta(days=30)
"""Counted from when they were stored last: earlier versions of a text, and those of pulls that broke off."""
HOSTS_KEPT = timedelta(days=30)
"""Pace and robots rules of hosts that nobody asked since."""

PORTION = 500
"""Rows one transaction lets go."""
PORTIONS = 20
"""Of each kind in one run: a run ends in good time, and the next goes on."""
