"""Stage 3: the event a message left open by the rules most likely tells, or nothing. Pure.

A label is said only above its own threshold, which was chosen by what a wrong decision costs; a refusal read
as good news costs most, so good news also needs that hardly anything speaks for a refusal and no brake holds.
"""

from collections.abc import Mapping

from mailsync.classify.model.brakes import asserts_bad_news, sounds_bad
from mailsync.classify.model.features import Features, features_of
from mailsync.classify.model.labels import NEGATIVE, NOISE, POSITIVE, Label, kind_of
from mailsync.classify.model.weights import weights
from mailsync.classify.noise import is_personal
from mailsync.classify.said import read_text
from mailsync.classify.types import Event
from mailsync.parse.types import ParsedMessage

VERSION = 3
MOST_DOUBT = 0.02
"""The most that may speak for a refusal where something positive is said."""


def decide(message: ParsedMessage) -> Event | None:
    features = features_of(message)
    probabilities = weights().probabilities(features)
    label = likely(probabilities)
    if label is None or _is_held_back(label, features, message):
        return None
    return _event(label, features)


def _is_held_back(label: Label, features: Features, message: ParsedMessage) -> bool:
    """Good news beside bad; whatever answers an application for something else than work; and what a person
    wrote and the screen kept, called noise: its text would be dropped."""
    if label in NOISE:
        return is_personal(message)
    text = read_text(message)
    if text.shows(lambda signs: signs.other_application):
        return True
    return label in POSITIVE and (asserts_bad_news(features) or sounds_bad(text))


def likely(probabilities: Mapping[Label, float]) -> Label | None:
    """The label to decide by, as far as probabilities alone allow it."""
    label = max(probabilities, key=lambda each: probabilities[each])
    least = weights().head.thresholds.get(label)
    if least is None or probabilities[label] < least:
        return None
    return None if label in POSITIVE and is_doubtful(probabilities) else label


def is_doubtful(probabilities: Mapping[Label, float]) -> bool:
    """Whether it may be a refusal."""
    return sum(probabilities[each] for each in NEGATIVE) > MOST_DOUBT


def _event(label: Label, features: Features) -> Event | None:
    """On the sentence that speaks loudest for the label, so that a page can show why."""
    if not features.pieces:
        return None
    told = weights()
    loudest = max(features.pieces, key=lambda piece: told.contribution(label, piece.indices))
    return Event(
        kind=kind_of(label),
        rule=f"model.{label}",
        span=loudest.sentence.span(),
        reason=NOISE.get(label),
    )
