"""Turns what was typed into the struct of one command's arguments, with argparse underneath."""

import argparse
from collections.abc import Mapping, Sequence
from typing import NoReturn

import msgspec

from backend.cli.command import Argument, Command, arguments_of

AnyCommand = Command[msgspec.Struct]


class WrongUse(Exception):
    """What was typed is not a command; the message says what is."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise WrongUse(f"{message}; see: {self.prog} --help")


def build(
    commands: Sequence[AnyCommand], purposes: Mapping[str, str], version: str
) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="jobtrail", description="Keeps a job search honest.", epilog="Settings: docs/settings.md."
    )
    parser.add_argument("--version", action="version", version=f"jobtrail {version}")
    groups = {"": parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)}
    for command in commands:
        group, _, word = command.name.rpartition(" ")
        if group not in groups:
            above = groups[""].add_parser(group, help=_group_help(group, purposes[group], commands))
            groups[group] = above.add_subparsers(metavar="WHAT", required=True, parser_class=_Parser)
        described = f"{command.summary} {command.details}".strip()
        below = groups[group].add_parser(word, help=command.summary, description=described)
        below.set_defaults(command=command)
        for argument in arguments_of(command.arguments):
            _add(below, argument)
    return parser


def _group_help(group: str, purpose: str, commands: Sequence[AnyCommand]) -> str:
    """What the group is for, and its verbs: `The boards whose postings are read: add, pull, list.`"""
    verbs = [
        command.name.removeprefix(f"{group} ") for command in commands if command.name.startswith(f"{group} ")
    ]
    return f"{purpose}: {', '.join(verbs)}."


def parse(parser: argparse.ArgumentParser, typed: Sequence[str]) -> tuple[AnyCommand, msgspec.Struct]:
    """The command and its arguments. Raises `WrongUse`; `--help` and `--version` end the program."""
    values = vars(parser.parse_args(typed))
    command: AnyCommand = values.pop("command")
    return command, msgspec.convert(values, command.arguments)


def _add(parser: argparse.ArgumentParser, argument: Argument) -> None:
    explained = argparse.SUPPRESS if argument.hidden else argument.help
    if argument.required:
        parser.add_argument(argument.field, metavar=argument.value_name, type=argument.kind, help=explained)
    elif argument.kind is bool:
        parser.add_argument(
            argument.typed,
            dest=argument.field,
            action="store_true",
            default=argparse.SUPPRESS,
            help=explained,
        )
    else:
        parser.add_argument(
            argument.typed,
            dest=argument.field,
            metavar=argument.value_name,
            type=argument.kind,
            default=argparse.SUPPRESS,
            help=explained,
        )
