from pathlib import Path

from backend.cli.commands import COMMANDS
from backend.cli.reference import markdown

REFERENCE = Path(__file__).parents[3] / "docs/commands.md"


def test_the_reference_is_what_the_commands_say():
    assert REFERENCE.read_text() == markdown(), "run: python -m backend.cli.reference > docs/commands.md"


def test_the_reference_shows_no_hidden_argument():
    assert "--supervised" not in markdown()


def test_the_reference_has_a_heading_for_each_command():
    assert [line for line in markdown().splitlines() if line.startswith("## ")] == [
        f"## jobtrail {command.name}" for command in COMMANDS
    ]
