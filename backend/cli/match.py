"""`jobtrail match`: measure how right messages find their applications."""

from typing import Annotated

from msgspec import Meta, Struct

from backend.cli.command import Command


class Eval(Struct, frozen=True, kw_only=True):
    file: Annotated[
        str, Meta(description="A truth file: applications, messages, and which belongs to which.")
    ]
    json: Annotated[bool, Meta(description="One JSON object a line.")] = False
    shuffle: Annotated[
        int | None, Meta(description="Bring the messages in another order, the one of this seed.")
    ] = None
    strict: Annotated[bool, Meta(description="End with 1 also when a bar does not hold.")] = False


def _eval(arguments: Eval) -> int:
    from pathlib import Path

    from backend.cli.match_eval import evaluate
    from matcher.evaluation.figures import figures
    from matcher.evaluation.report import json_lines, lines

    outcome = evaluate(Path(arguments.file).expanduser(), shuffle=arguments.shuffle)
    for line in json_lines(outcome) if arguments.json else lines(outcome):
        print(line)
    if not outcome.judged:
        return 1
    return int(arguments.strict and any(bar.holds is False for bar in figures(outcome).bars))


COMMANDS = (
    Command(
        name="match eval",
        summary="Tell how right mail finds its applications, on a mailbox whose answers are known.",
        details=(
            "Runs the real thing: a throw-away PostgreSQL, stages 1 to 3, the matcher; nothing is sent "
            "anywhere and no installation is touched. Prints how many links are right with their interval, "
            "what was missed, left alone or asked, the same for every family and language, and a line for "
            "each wrong link. Ends with 1 when nothing could be judged. The file: match-truth.md."
        ),
        arguments=Eval,
        run=_eval,
    ),
)
