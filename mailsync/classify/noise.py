"""Mail about jobs in general: alerts, accounts, codes, courses, surveys. Pure.

Only asked when nothing that happened to an application was found. The subject counts first, the text when the
subject is silent. Alerts in languages without rules are known by the words of `alerts.toml`.
"""

import re
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from mailsync.classify.languages.language import Language, Noise
from mailsync.classify.said import Text
from mailsync.classify.senders import known_sender
from mailsync.classify.sentences import Sentence
from mailsync.classify.types import Event, NoiseReason
from mailsync.parse.types import ParsedMessage

_BULK = frozenset(("bulk", "list", "junk"))
_ALERTS = Path(__file__).with_name("alerts.toml")
_ABOUT_ACCOUNTS = frozenset[NoiseReason](("account", "one_time_code"))
_NAME = re.compile(r"[^\W\d_]{3,}")
_TABLES: tuple[tuple[Literal["subject", "text"], Callable[[Language], Sequence[Noise]]], ...] = (
    ("subject", lambda language: language.subject_noise),
    ("text", lambda language: language.text_noise),
)


class _Alert(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    language: str
    words: tuple[str, ...]
    in_subject: tuple[str, ...] = ()
    application: tuple[str, ...] = ()

    def names_itself(self, sentence: Sentence) -> bool:
        words = (*self.words, *self.in_subject) if sentence.source == "subject" else self.words
        return any(word in sentence.lower for word in words)


class _Alerts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    desks: tuple[str, ...]
    alert: tuple[_Alert, ...]


@cache
def _alerts() -> _Alerts:
    return msgspec.convert(tomllib.loads(_ALERTS.read_text(encoding="utf-8")), _Alerts)


def noise(text: Text) -> Event | None:
    personal = is_personal(text.message)
    return _by_tables(text, personal=personal) or (None if personal else _foreign_alert(text))


def _by_tables(text: Text, *, personal: bool) -> Event | None:
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


def _foreign_alert(text: Text) -> Event | None:
    """The text counts only when a board sends it: anybody may speak of new openings."""
    from_board = text.sender is not None and text.sender.kind == "board"
    alerts = [alert for alert in _alerts().alert if not any(word in text.lower for word in alert.application)]
    for sentence in text.sentences:
        if sentence.source != "subject" and not from_board:
            return None
        for alert in alerts:
            if alert.names_itself(sentence):
                rule = f"{alert.language}.{sentence.source}_job_alert"
                return Event(kind="not_job_related", rule=rule, span=sentence.span(), reason="job_alert")
    return None


def is_bulk(message: ParsedMessage) -> bool:
    """Whether its headers say that it went to many."""
    bulk = message.bulk
    return bulk.list_unsubscribe or bool(bulk.list_id) or bulk.precedence in _BULK


def is_personal(message: ParsedMessage) -> bool:
    """Whether a person seems to have written it: no bulk header, and a name that is in the address."""
    if is_bulk(message) or message.bulk.auto_submitted:
        return False
    sender = message.sender
    if known_sender(sender) is not None:
        return False
    names = set(_NAME.findall(sender.name.lower())).difference(_alerts().desks)
    return any(name in sender.local_part for name in names)
