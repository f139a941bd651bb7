"""How long a fill plan takes: 300 fields against 3,000 remembered answers, `python -m benchmarks.resolve`.

What is timed is what `/resolve` computes beside the database: reading the form, looking each question up, and
choosing. Every form asks other questions than those before, so that nothing read lately helps. Indexing the
answers anew, which a change of them costs once, is told apart.
"""

import argparse
import itertools
import random
import time
from datetime import UTC, datetime

from extension_api.answers.memory import Memory
from extension_api.answers.rules import Known, plan
from extension_api.answers.wording import question_key
from extension_api.profiles.types import Profile, WorkRight
from extension_api.protocol import FieldDescription
from extension_api.remembered.types import Remembered
from schema.ids import AnswerId

FIELDS = 300
ANSWERS = 3_000
BAR_MS = 100.0
FORMULAS = (
    "How many years of experience do you have with {}?",
    "Do you have at least {n} years of experience with {}?",
    "Do you have experience with {} in production?",
    "Are you comfortable working with {} every day?",
    "Have you ever worked with {} and {other}?",
    "Are you willing to learn {} within {n} months?",
    "Please describe your experience with {} in a team of {n} people",
    "Will you need a visa to work on {} in Germany?",
    "What do you expect of {}?",
)
SYLLABLES = (
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ka",
    "le",
    "mi",
    "no",
    "pu",
    "ra",
    "se",
    "ti",
    "vo",
    "zu",
    "xan",
    "tor",
    "pol",
)
AT = datetime(2026, 1, 1, tzinfo=UTC)


def questions(seed: int) -> "itertools.chain[str]":
    """Questions without end, no two alike."""
    chance = random.Random(seed)

    def one() -> str:
        first, other = ("".join(chance.choices(SYLLABLES, k=3)) for _ in range(2))
        return chance.choice(FORMULAS).format(first, other=other, n=chance.randint(2, 12))

    return itertools.chain(iter(one, None))


def remembered(number: int, question: str) -> Remembered:
    return Remembered(
        id=AnswerId(number),
        revision=1,
        question=question,
        question_key=question_key(question),
        kind="text",
        options=[],
        options_key="",
        company=None,
        company_key="",
        given=["Yes"],
        uses=0,
        used_at=None,
        updated_at=AT,
    )


def form(seed: int, known: list[str]) -> list[FieldDescription]:
    """Half of it was asked before, in other words; half never."""
    chance = random.Random(seed)
    asked = [f"{seed}. {question} *" for question in chance.sample(known, FIELDS // 2)]
    asked += list(itertools.islice(questions(seed + 1), FIELDS - len(asked)))
    return [
        FieldDescription(key=str(at), label=label, kind="radio", options=["Yes", "No"])
        for at, label in enumerate(asked)
    ]


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--forms", type=int, default=40)
    options = asked.parse_args()
    known = list(itertools.islice(questions(0), ANSWERS))
    answers = [remembered(at, question) for at, question in enumerate(known, 1)]
    began = time.process_time()
    memory = Memory(answers)
    print(f"index of {ANSWERS} answers, cold: {1000 * (time.process_time() - began):.0f} ms CPU")
    began = time.process_time()
    Memory(answers)
    print(f"index of {ANSWERS} answers, after a change: {1000 * (time.process_time() - began):.0f} ms CPU")
    profile = Profile(work_rights=[WorkRight(country="DE", authorised=True, needs_sponsorship=False)])
    took: list[tuple[float, float]] = []
    for seed in range(1, options.forms + 1):
        fields = form(1_000 * seed, known)
        began, wall = time.process_time(), time.perf_counter()
        plan(fields, profile, [], Known(memory=memory))
        took.append((1000 * (time.process_time() - began), 1000 * (time.perf_counter() - wall)))
    cpu, wall_ms = (sorted(one[at] for one in took) for at in (0, 1))
    place = int(0.95 * (len(took) - 1))
    print(f"{FIELDS} fields never read before: p50 {cpu[len(cpu) // 2]:.0f} ms, p95 {cpu[place]:.0f} ms CPU;"
          f" p95 {wall_ms[place]:.0f} ms on the clock; bar {BAR_MS:.0f} ms")  # fmt: skip
    began = time.process_time()
    plan(form(1_000, known), profile, [], Known(memory=memory))
    print(f"the same form again: {1000 * (time.process_time() - began):.0f} ms CPU")
    return 0 if cpu[place] <= BAR_MS else 1


if __name__ == "__main__":
    raise SystemExit(main())
