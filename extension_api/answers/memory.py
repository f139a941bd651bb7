"""Remembered answers in the order a form asks for them: an index by rare words, and what it finds. Pure.

Built once for a state of an account's answers and asked for every field of every form. A question is looked
up by its exact words, and by the rarest of its subject words; only what shares one is compared.
"""

from collections import defaultdict
from collections.abc import Sequence

import msgspec
from rapidfuzz import fuzz, process

from extension_api.answers.agreement import Agreement, agreement, same_legal_question
from extension_api.answers.options import is_yes_or_no
from extension_api.answers.wording import Wording, question_key, wording
from extension_api.remembered.types import Remembered

SUGGEST = 78.0
"""Likeness of the subject words (0 to 100) from which an answer is worth showing. Filling asks for `same`."""
MARGIN = 5.0
"""Two answers that differ have to be this far apart for the better one to be shown."""
_ENOUGH = 48
"""Answers compared for one question; from the rarest word on, as many as share it."""
_TOO_COMMON = 200
"""A word that so many answers share finds nothing in particular."""
_COMPARED = 8


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """An answer to this question or to one much like it. `likeness` is from 0 to 100."""

    answer: Remembered
    wording: Wording
    agreement: Agreement
    likeness: float
    is_exact: bool


class Memory:
    """What an account has remembered; never changed once it is built."""

    def __init__(self, answers: Sequence[Remembered]) -> None:
        self.answers = list(answers)
        self.wordings = [wording(one.question, is_yes_no=is_yes_or_no(one.options)) for one in answers]
        self._canons = [one.canon for one in self.wordings]
        self._by_key: dict[str, list[int]] = defaultdict(list)
        self._by_canon: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for at, (one, said) in enumerate(zip(self.answers, self.wordings, strict=True)):
            self._by_key[one.question_key].append(at)
            self._by_canon[" ".join(sorted(said.subject))].append(at)
            for word in said.subject:
                self._by_word[word].append(at)

    def like(self, label: str, asked: Wording) -> list[Found]:
        """Answers to the same question, then those to one much like it, the likest first; at most a few."""
        if not self.answers:
            return []
        key = question_key(label)
        exact = self._by_key.get(key, [])
        same = self._by_canon.get(" ".join(sorted(asked.subject)), [])[:_ENOUGH]
        near = [at for at in self._near(asked) if at not in exact]
        candidates = list(dict.fromkeys([*exact, *same, *near]))
        found = [self._compared(at, label, asked, is_exact=at in exact) for at in candidates]
        return sorted(
            (one for one in found if one.agreement != "other"),
            key=lambda one: (one.agreement == "same", one.is_exact, one.likeness),
            reverse=True,
        )

    def _near(self, asked: Wording) -> list[int]:
        """The few whose subject words read most alike, among those that share the rarest words."""
        shared: dict[int, str] = {}
        for word in sorted(asked.subject, key=lambda word: len(self._by_word.get(word, ()))):
            those = self._by_word.get(word, [])
            if len(those) > (_ENOUGH if shared else _TOO_COMMON) or len(shared) >= _ENOUGH:
                break
            shared.update((at, self._canons[at]) for at in those)
        ranked = process.extract(
            asked.canon,
            shared,
            scorer=fuzz.token_sort_ratio,
            processor=None,
            score_cutoff=SUGGEST,
            limit=_COMPARED,
        )
        return [at for _, _, at in ranked]

    def _compared(self, at: int, label: str, asked: Wording, *, is_exact: bool) -> Found:
        answer, said = self.answers[at], self.wordings[at]
        found = agreement(asked, said)
        if found == "unsure" and asked.is_legal and same_legal_question(label, answer.question):
            found = "same"
        likeness = 100.0 if is_exact else fuzz.token_sort_ratio(asked.canon, said.canon)
        return Found(answer=answer, wording=said, agreement=found, likeness=likeness, is_exact=is_exact)


NOTHING = Memory([])
