"""What `jobtrail match fit` does: mailboxes are generated, matched for real, and the numbers fitted to them.

Needs the development environment: numpy and scipy are no part of an installation.
"""

from collections.abc import Iterator
from pathlib import Path

from backend.cli.match_eval import Progress, on_throwaway
from matcher.evaluation.mailbox import Mailbox
from matcher.evaluation.reading import read_truth
from matcher.evaluation.run import NewAccount, prepared, run
from matcher.evidence import weights as table_of_weights
from matcher.evidence.weights import Weights, on_trial
from matcher.fitting import table
from matcher.fitting.cases import Case, cases
from matcher.fitting.choosing import Tried, better, tried
from matcher.fitting.judging import Tally
from matcher.training.generate import generate
from matcher.training.truth_file import lines
from schema.clock import SystemClock
from schema.db import Database

TABLE = Path(table_of_weights.__file__).with_name("weights.toml")


def fit(*, mailboxes: int, messages: int, write: bool) -> Iterator[str]:
    """Lines to tell, as they come."""
    text = TABLE.read_text(encoding="utf-8")
    start = table.read(text)
    found = _cases(mailboxes, messages, start)
    told = tried(found, start)
    kept = better(told)
    yield f"{len(found):,} messages of {mailboxes} mailboxes, each left out once"
    yield from (_line(each, is_kept=each is kept) for each in told.values())
    changed = table.rewritten(text, kept.weights)
    yield f"kept: {kept.way}; {'the table changes' if changed != text else 'the table stays as it is'}"
    if write:
        TABLE.write_text(changed, encoding="utf-8")
    else:
        yield from changed.splitlines()


def _line(each: Tried, *, is_kept: bool) -> str:
    limits = each.weights.decision
    return (
        f"{'*' if is_kept else ' '} {each.way:8} attach {limits.attach:.2f} margin {limits.margin:.2f} "
        f"contradiction {limits.contradiction:.2f}; here {_tally(each.here)}; left out "
        f"{_tally(each.elsewhere)}; worst mailbox {_tally(each.worst)}"
    )


def _tally(found: Tally) -> str:
    return f"{found.right} right {found.wrong} wrong recall {found.recall:.4f}"


def _cases(mailboxes: int, messages: int, start: Weights) -> list[Case]:
    progress = Progress()
    mail = prepared(read_truth(_generated(mailboxes, messages), Path()), progress)

    async def measure(database: Database, new_account: NewAccount) -> list[Case]:
        found: list[Case] = []
        with on_trial(start):
            for person in mail.truth.people:
                box = Mailbox(
                    database, SystemClock(), await new_account(f"{person.name}@fit.invalid"), progress
                )
                await run(box, mail, person)
                found += await cases(database, box.settled, mail.measured[person.name], start)
        return found

    try:
        return on_throwaway(measure)
    finally:
        progress.end()


def _generated(mailboxes: int, messages: int) -> bytes:
    boxes = (generate(seed, messages=messages, split="fit") for seed in range(1, mailboxes + 1))
    return b"".join(line for box in boxes for line in lines(box))
