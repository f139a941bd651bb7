"""Whether a message that nobody could tell the kind of is, all in all, about what becomes of an application.

That is easier to tell than what exactly it says: the kinds share the probability between them. It proposes no
event and decides nothing alone; mail about an account at a career site sounds alike and is left out. Pure.
"""

import re
from functools import cache

from mailsync.classify.languages.load import languages
from mailsync.classify.model.features import features_of
from mailsync.classify.model.labels import LABELS, NEGATIVE, NOISE, Label
from mailsync.classify.model.weights import weights
from mailsync.classify.noise import is_bulk
from mailsync.classify.senders import known_sender
from mailsync.parse.types import ParsedMessage

LEAST = 0.3
"""How likely it has to be; the rest may be hiring mail that says nothing yet."""
MUCH_LIKELIER = 1.0
"""How much likelier anything else may be: who asks knows more that speaks for an application."""
PLAINLY = 0.9
"""From here on a refusal is one although it speaks of a profile: in their talent pool, say."""
_PROCESS: frozenset[Label] = frozenset(LABELS) - NOISE.keys() - {"recruiter_outreach", "unclear"}


@cache
def _of_accounts() -> re.Pattern[str]:
    """Of all languages at once: a letter of one speaks of its "newsletter" in another."""
    return re.compile("|".join(language.signs.account.pattern for language in languages()), re.IGNORECASE)


def is_about_an_account(subject: str, body: str) -> bool:
    """Whether it speaks of an account, a profile, a device or a saved search."""
    return _of_accounts().search(f"{subject}\n{body}") is not None


def is_about_an_application(message: ParsedMessage) -> bool:
    return of_an_application(message) >= LEAST


def of_an_application(message: ParsedMessage) -> float:
    """How likely it is about what becomes of one; 0 where something speaks against that."""
    sender = known_sender(message.sender)
    if is_bulk(message) and (sender is None or sender.kind != "ats"):
        return 0.0
    told = weights().probabilities(features_of(message))
    process = sum(told[label] for label in _PROCESS)
    other = told["recruiter_outreach"] + sum(told[label] for label in NOISE)
    if other > MUCH_LIKELIER * process:
        return 0.0
    refused = sum(told[label] for label in NEGATIVE)
    if refused < PLAINLY and is_about_an_account(message.subject, message.body):
        return 0.0
    return process
