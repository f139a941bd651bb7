"""What a person types: understood, or refused in one line with the exit code that says what kind of wrong."""

import subprocess
from typing import Annotated

import psycopg
import pytest
from msgspec import Meta, Struct

from backend.cli import run as runner
from backend.cli.command import Command, NoArguments
from backend.cli.commands import COMMANDS
from backend.cli.parser import WrongUse, build, parse
from schema.errors import HeldElsewhere, Missing, Refusal
from schema.settings import BadSetting


class Example(Struct, frozen=True, kw_only=True):
    path: Annotated[str, Meta(description="A file.")]
    times: Annotated[int, Meta(description="How often.")] = 1
    loud: Annotated[bool, Meta(description="Say more.")] = False
    secret: Annotated[int | None, Meta(description="")] = None


def example(result: Exception | int = 0) -> Command[Example]:
    def act(_: Example) -> int:
        if isinstance(result, Exception):
            raise result
        return result

    return Command(name="show file", summary="Show a file.", arguments=Example, run=act)


def parsed(*typed: str) -> Struct:
    return parse(build([example()], {"show": "Showing"}, "1"), typed)[1]  # pyright: ignore


def test_arguments_arrive_as_the_struct_of_the_command():
    assert parsed("show", "file", "a.txt", "--times", "3", "--loud") == Example(
        path="a.txt", times=3, loud=True
    )
    assert parsed("show", "file", "a.txt") == Example(path="a.txt")


@pytest.mark.parametrize(
    "typed",
    [
        (),
        ("show",),
        ("show", "file"),
        ("shoe",),
        ("show", "file", "a", "--times", "x"),
        ("show", "file", "a", "--x"),
    ],
)
def test_what_is_no_command_is_wrong_use(typed: tuple[str, ...]):
    with pytest.raises(WrongUse, match="--help"):
        parsed(*typed)


def outcome(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], result: Exception | int
) -> tuple[int, str]:
    monkeypatch.setattr(runner, "COMMANDS", (example(result),))
    monkeypatch.setattr(runner, "PURPOSES", {"show": "Showing"})
    code = runner.run(["show", "file", "a"])
    return code, capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (WrongUse("no such thing"), 2),
        (BadSetting("JOBTRAIL_X=1 is wrong"), 2),
        (Missing(), 1),
        (Refusal("cannot\ndo this"), 1),
        (HeldElsewhere("process 7 has it"), 75),
        (psycopg.OperationalError("connection refused\nIs it running?"), 1),
    ],
)
def test_an_error_is_one_line_and_its_own_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception, code: int
):
    got, said = outcome(monkeypatch, capsys, error)
    assert got == code
    assert said.startswith("jobtrail: ")
    assert said.count("\n") == 1


def test_a_fault_of_the_program_is_told_without_what_it_quotes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    code, said = outcome(monkeypatch, capsys, ValueError("canary-word"))
    assert code == 1
    assert "ValueError at" in said
    assert "canary-word" not in said
    assert said.count("\n") == 1


def test_a_command_gives_its_own_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    assert outcome(monkeypatch, capsys, 1) == (1, "")


def test_a_reader_that_went_away_is_no_error(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("os.dup2", lambda *_: None)
    assert outcome(monkeypatch, capfd, BrokenPipeError()) == (0, "")


def test_nobody_who_reads_is_no_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr("sys.stdout", None)
    assert outcome(monkeypatch, capsys, 0) == (0, "")


def test_command_names_are_unique_and_every_command_says_what_it_does():
    names = [command.name for command in COMMANDS]
    assert len(set(names)) == len(names)
    assert not [command.name for command in COMMANDS if not command.summary.endswith(".")]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_answers_help(command: Command[NoArguments], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        runner.run([*command.name.split(), "--help"])
    assert ended.value.code == 0
    assert command.summary.split()[0] in capsys.readouterr().out


def test_the_first_help_says_what_a_group_is_for_and_its_verbs(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        runner.run(["--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "source The boards whose postings are read: add, pull, list, name, on, off." in said
    assert "keys The keys that stored secrets are encrypted with: rotate." in said


def test_asking_for_help_loads_neither_the_web_nor_the_database():
    code = (
        "import sys; from backend.cli.commands import COMMANDS\n"
        "print(sorted({'litestar', 'psycopg', 'asyncio', 'structlog'} & set(sys.modules)))"
    )
    import sys

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
