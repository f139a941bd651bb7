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
    ablate: Annotated[
        bool, Meta(description="Tell what each kind of evidence brings: the same again without it.")
    ] = False


class Generate(Struct, frozen=True, kw_only=True):
    file: Annotated[str, Meta(description="The truth file to write.")]
    messages: Annotated[int, Meta(description="How many; 5000 when absent.")] = 5000
    seed: Annotated[int, Meta(description="Another number is another mailbox; 1 when absent.")] = 1
    split: Annotated[
        str, Meta(description="fit or test: no wording, name or role of one occurs in the other.")
    ] = "test"


class Fit(Struct, frozen=True, kw_only=True):
    mailboxes: Annotated[int, Meta(description="How many to generate; 6 when absent.")] = 6
    messages: Annotated[int, Meta(description="In each; 1500 when absent.")] = 1500
    write: Annotated[bool, Meta(description="Put the numbers into the table; else it is only shown.")] = False


def _eval(arguments: Eval) -> int:
    return _ablate(arguments) if arguments.ablate else _measure(arguments)


def _measure(arguments: Eval) -> int:
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


def _ablate(arguments: Eval) -> int:
    from pathlib import Path

    from backend.cli.match_eval import ablate
    from matcher.fitting.ablation import json_lines, lines

    found = ablate(Path(arguments.file).expanduser(), shuffle=arguments.shuffle)
    for line in json_lines(found) if arguments.json else lines(found):
        print(line)
    return 0


def _generate(arguments: Generate) -> int:
    from pathlib import Path

    from matcher.training.generate import generate
    from matcher.training.truth_file import write
    from matcher.training.types import SPLITS, Split
    from schema.errors import Invalid

    split: Split | None = next((known for known in SPLITS if known == arguments.split), None)
    if split is None or arguments.messages < 1:
        raise Invalid("a mailbox has at least one message, and its split is fit or test.")
    write(
        generate(arguments.seed, messages=arguments.messages, split=split), Path(arguments.file).expanduser()
    )
    return 0


def _fit(arguments: Fit) -> int:
    from backend.cli.match_fit import fit
    from schema.errors import Invalid

    if arguments.mailboxes < _FEWEST_MAILBOXES or arguments.messages < 1:
        raise Invalid("fitting needs at least two mailboxes, so that one can be left out.")
    for line in fit(mailboxes=arguments.mailboxes, messages=arguments.messages, write=arguments.write):
        print(line)
    return 0


_FEWEST_MAILBOXES = 2
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
    Command(
        name="match generate",
        summary="Write a mailbox with known answers, made up from the wordings of this program.",
        details="The same arguments give the same file. Families, wording and format: match-truth.md.",
        arguments=Generate,
        run=_generate,
    ),
    Command(
        name="match fit",
        summary="Fit the numbers of the evidence on generated mailboxes; for development (`make fit`).",
        details=(
            "Matches them for real on a throw-away PostgreSQL, fits strengths and thresholds, and tells what "
            "they do on mailboxes left out. Keeps what was set by hand where fitted numbers are no better."
        ),
        arguments=Fit,
        run=_fit,
    ),
)
