"""What a message names, each with the span that names it. `facts_of` is the door."""

from mailsync.classify.facts.page import header_text
from mailsync.classify.facts.rules import facts_of

__all__ = ["facts_of", "header_text"]
