"""How right the plan of a form is on questions labelled by hand: `python -m benchmarks.questions`.

One line for each intent: how many questions, how many filled, how many of those right, answers the wrong way
round, and what is only shown. `--bad` lists what was filled or shown wrong, `--left` what could be answered.
"""

import argparse
import sys
from pathlib import Path

TESTS = Path(__file__).parent.parent / "tests"
sys.path.insert(0, str(TESTS))

from fixtures.persona import MORGAN, RESUME  # noqa: E402 -- found only beside the tests

from extension_api.answers.evaluation import ASK, answers_in, cases_in, said, scored  # noqa: E402
from extension_api.answers.memory import Memory  # noqa: E402
from extension_api.answers.rules import Known, plan  # noqa: E402
from extension_api.protocol import FieldDescription, PlannedField  # noqa: E402

LABELLED = TESTS / "extension_api" / "answers"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--bad", action="store_true", help="list what was filled or shown wrong")
    asked.add_argument("--left", action="store_true", help="list what could have been answered")
    options = asked.parse_args()
    cases = cases_in((LABELLED / "questions.toml").read_text())
    known = Known(memory=Memory(answers_in((LABELLED / "memory.toml").read_text())))

    def planned(field: FieldDescription) -> PlannedField:
        return plan([field], MORGAN, [RESUME], known)[0]

    scores, bad = scored(cases, planned)
    print("intent              asked filled right precision opposite | shown bad opposite")
    for one in scores:
        precision = f"{100 * one.right / one.filled:8.1f}%" if one.filled else "        -"
        print(
            f"{one.intent:19} {one.asked:5} {one.filled:6} {one.right:5} {precision} {one.opposite:8} |"
            f" {one.suggested:5} {one.bad_suggested:3} {one.opposite_suggested:8}"
        )
    filled, right = sum(one.filled for one in scores), sum(one.right for one in scores)
    opposite = sum(one.opposite for one in scores)
    answerable = sum(case.right != ASK for case in cases)
    print(
        f"{len(cases)} questions, {filled} filled, {right} right, {filled - right} wrong, {opposite} opposite"
        f"; {answerable} have an answer; {sum(one.suggested for one in scores)} shown"
    )
    if options.bad:
        for case, line in bad:
            print(f"{line.action:8} {case.field.label!r}: {said(line)!r}, right {case.right!r} ({line.rule})")
    if options.left:
        for case in cases:
            line = planned(case.field)
            if line.action == "leave" and case.right != ASK:
                print(f"left     {case.field.label!r}: right {case.right!r} ({line.rule}, {line.reason})")


if __name__ == "__main__":
    main()
