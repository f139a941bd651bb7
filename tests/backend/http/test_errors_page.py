"""docs/errors.md lists every refusal there is, with its status. `REGENERATE_DOCS=1` writes the list anew."""

import os
from itertools import groupby
from pathlib import Path

from house.source_files import import_everything

from backend.http.problems import STATUS, Unexpected, WrongMethod
from schema.errors import Refusal, every_refusal

PAGE = Path(__file__).parents[3] / "docs" / "errors.md"
BEGIN, END = "<!-- refusals, generated -->\n", "<!-- end -->\n"
OUT_OF_ORDER = {Unexpected: 500, WrongMethod: 405}


def status(refusal: type[Refusal]) -> int:
    return OUT_OF_ORDER.get(refusal, STATUS[refusal.kind])


def table() -> str:
    """One table per status, codes in order. Refusals that share a code share a line."""
    import_everything()
    ours = [refusal for refusal in every_refusal() if not refusal.__module__.startswith(("test", "fixtures"))]
    lines: list[str] = []
    for number, group in groupby(sorted(ours, key=status), key=status):
        lines += [f"\n### {number}\n", "| code | says |", "|---|---|"]
        by_code = {refusal.code: refusal for refusal in sorted(group, key=lambda refusal: refusal.__name__)}
        lines += [f"| `{code}` | {refusal.title()} |" for code, refusal in sorted(by_code.items())]
    return "\n".join(lines) + "\n\n"


def test_the_list_of_refusals_is_the_programs():
    text = PAGE.read_text()
    head, rest = text.split(BEGIN)
    written, tail = rest.split(END)
    if os.environ.get("REGENERATE_DOCS"):
        PAGE.write_text(head + BEGIN + table() + END + tail)
        return
    assert written == table(), "run this test with REGENERATE_DOCS=1"
