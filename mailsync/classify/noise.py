"""Mail about jobs in general: alerts, accounts, codes, courses, surveys. Pure.

Only asked when nothing that happened to an application was found. The subject counts first, the text when the
subject is silent.
"""

import re
from collections.abc import Callable, Sequence
from typing import Literal

from mailsync.classify.languages.language import Language, Noise
from mailsync.classify.said import Text
from mailsync.classify.types import Event, NoiseReason
from mailsync.parse.types import ParsedMessage

BULK = frozenset(("bulk", "list", "junk"))
_ABOUT_ACCOUNTS = frozenset[NoiseReason](("account", "one_time_code"))
_NAME = re.compile(r"[^\W\d_]{3,}")
_TABLES: tuple[tuple[Literal["subject", "text"], Callable[[Language], Sequence[Noise]]], ...] = (
    ("subject", lambda language: language.subject_noise),
    ("text", lambda language: language.text_noise),
)


def noise(text: Text) -> Event | None:
    personal = is_personal(text.message)
    for source, table in _TABLES:
        for said in text.said:
            if said.sentence.source != source:
                continue
            for kind in table(said.language):
                if kind.pattern.search(said.sentence.lower) and (
                    kind.reason in _ABOUT_ACCOUNTS or not personal
                ):
                    rule = f"{said.language.code}.{source}_{kind.reason}"
                    return Event(
                        kind="not_job_related", rule=rule, span=said.sentence.span(), reason=kind.reason
                    )
    return None


def is_personal(message: ParsedMessage) -> bool:
    """Whether a person seems to have written it: no bulk header, and a name that is in the address."""
    bulk = message.bulk
    if bulk.list_unsubscribe or bulk.list_id or bulk.auto_submitted or bulk.precedence in BULK:
        return False
    names = _NAME.findall(message.sender.name.lower())
    return any(name in message.sender.local_part for name in names)
