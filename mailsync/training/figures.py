"""Figures of the model on the families kept for testing: per label and language, without rules or brakes."""

from collections import Counter
from collections.abc import Iterable, Sequence

from mailsync.classify.model.decide import likely
from mailsync.classify.model.labels import LABELS, NEGATIVE, POSITIVE, Label
from mailsync.classify.model.weights import Weights
from mailsync.training.examples import Example

Answer = tuple[Example, Label, Label | None]


def answers(told: Weights, found: Sequence[Example]) -> list[Answer]:
    """Each example with its likeliest label and the one decided by, if any."""
    said: list[Answer] = []
    for example in found:
        probabilities = told.probabilities(example.features)
        best = max(probabilities, key=lambda each: probabilities[each])
        said.append((example, best, likely(probabilities)))
    return said


def table(said: Sequence[Answer]) -> Iterable[str]:
    yield f"{'':24}{'n':>6}{'recall':>8}{'decided':>9}{'right of decided':>18}"
    for language in sorted({example.language for example, _, _ in said}):
        yield _row(language, [each for each in said if each[0].language == language])
    for label in LABELS:
        yield _row(label, [each for each in said if each[0].label == label])
    dangerous = Counter(
        (example.label, decided)
        for example, _, decided in said
        if example.label in NEGATIVE and decided in POSITIVE
    )
    yield f"refusals read as good news: {sum(dangerous.values())} {dict(dangerous) or ''}".rstrip()


def _row(name: str, said: Sequence[Answer]) -> str:
    if not said:
        return f"{name:24}{0:>6}"
    right = sum(best == example.label for example, best, _ in said)
    decided = [(example.label, label) for example, _, label in said if label is not None]
    sure = sum(truth == label for truth, label in decided)
    precision = f"{sure / len(decided):.3f}" if decided else "-"
    return f"{name:24}{len(said):>6}{right / len(said):>8.2f}{len(decided) / len(said):>9.2f}{precision:>18}"
