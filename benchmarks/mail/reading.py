"""How right stages 1 to 3 are on labelled mail, and how fast one core parses and reads a message."""

import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.table import Measure
from mailsync.classify.stages import read
from mailsync.evaluation.figures import Figures, Share, figures
from mailsync.evaluation.run import Judged, evaluated
from mailsync.parse.message import parse_message

SPEED_BAR = 80.0
SLOWEST_BAR_MS = 100.0


def quality(folder: Path) -> list[Measure]:
    """Bars of a labelled folder. Shares of nothing are not told."""
    outcome = evaluated(folder)
    told = figures(outcome.judged)
    return [
        Measure("labelled messages", told.count, ""),
        Measure("lines not judged", len(outcome.unread), ""),
        *share("decided", told.decided, 0.8),
        *share("right of decided", told.right_of_decided, 0.98),
        Measure("macro-F1 of the answers that occur", told.macro_f1, "", 0.85, at_least=True),
        *of_classes(told),
        *in_french(outcome.judged),
        Measure("refusals read as good news", told.refusals_as_good_news, "", 0),
        Measure("letters read as refusals", told.letters_as_refusals, ""),
        *share("employer right", told.employer, 0.9),
        *share("role right", told.role, 0.8),
        *false_alarms(told),
    ]


def share(name: str, value: Share, bar: float | None = None) -> list[Measure]:
    return [] if value.value is None else [Measure(name, value.value, "", bar, at_least=True)]


def false_alarms(told: Figures) -> list[Measure]:
    value = told.false_alarms.value
    return [] if value is None else [Measure("false alarms", value, "", 0.003)]


def of_classes(told: Figures) -> list[Measure]:
    found: list[Measure] = []
    for each in told.classes:
        for name, value in (("precision", each.precision), ("recall", each.recall), ("F1", each.f1)):
            if each.count:
                found += share(f"{each.answer}, {name}", value)
    return found


def in_french(judged: Sequence[Judged]) -> list[Measure]:
    told = figures([each for each in judged if each.language == "fr"])
    found: list[Measure] = []
    for each in told.classes:
        if each.answer in ("rejection", "acknowledgement"):
            found += share(f"{each.answer} in French, recall", each.recall, 0.8)
    return found


def speed(letters: list[bytes], *, quick: bool) -> list[Measure]:
    """Every message alone, warm; by processor time, so that neighbours do not count."""
    for letter in letters[:50]:
        read(parse_message(letter))
    times = sorted(seconds(letter) for letter in (letters * rounds(letters, 500 if quick else 3000)))
    return [
        Measure("parse and read, one core", len(times) / sum(times), "msg/s", SPEED_BAR, at_least=True),
        Measure("parse and read, p50", 1000 * times[len(times) // 2], "ms"),
        Measure("parse and read, p99", 1000 * times[int(len(times) * 0.99)], "ms", SLOWEST_BAR_MS),
    ]


def rounds(letters: list[bytes], wanted: int) -> int:
    return max(1, wanted // len(letters))


def seconds(letter: bytes) -> float:
    began = time.process_time()
    read(parse_message(letter))
    return time.process_time() - began
