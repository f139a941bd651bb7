"""A title as people read it: entities decoded, spaces settled, every word and bracket kept. Pure."""

import html
import re

from schema.text import clean

_SPACES = re.compile(r"[\s\u00a0\u200b-\u200f\u2028-\u202f\u2060\ufeff]+")
#: An honest title is escaped once; some boards escape what was escaped.
_ESCAPED_AT_MOST = 2


def titled(text: str) -> str:
    """`text` trimmed, on one line. Brackets stay: "(Agentforce)" and "(Data Cloud)" are two jobs."""
    for _ in range(_ESCAPED_AT_MOST):
        text = html.unescape(text)
    return _SPACES.sub(" ", clean(text)).strip()
