"""What a command is: a name, a sentence, a struct of arguments, and what to run.

The parser and `docs/commands.md` are both made from this, so they cannot disagree. In the struct a field
without a default is a positional argument, one with a default an option, a boolean a switch; its `Meta`
description is its help, and an empty one keeps it out of every help.
"""

from collections.abc import Callable
from types import NoneType
from typing import Generic, TypeVar, get_args

import msgspec
import msgspec.structs

ArgumentsT = TypeVar("ArgumentsT", bound=msgspec.Struct)


class NoArguments(msgspec.Struct, frozen=True, kw_only=True):
    """For a command that takes none."""


class Command(msgspec.Struct, Generic[ArgumentsT], frozen=True, kw_only=True):
    """`name` is one word or two, as typed; `run` returns the exit code."""

    name: str
    summary: str
    arguments: type[ArgumentsT]
    run: Callable[[ArgumentsT], int]
    details: str = ""


class Argument(msgspec.Struct, frozen=True, kw_only=True):
    """One argument as it is typed and explained."""

    field: str
    typed: str
    kind: type[str] | type[int] | type[bool]
    help: str
    required: bool
    hidden: bool

    @property
    def value_name(self) -> str:
        """What stands for the value in a usage line; a switch has none."""
        return "" if self.kind is bool else self.field.upper().replace("_", "-")

    @property
    def shown(self) -> str:
        return self.value_name if self.required else f"{self.typed} {self.value_name}".strip()


def arguments_of(struct: type[msgspec.Struct]) -> list[Argument]:
    return [_argument(field) for field in msgspec.structs.fields(struct)]


def _argument(field: msgspec.structs.FieldInfo) -> Argument:
    annotated, meta = get_args(field.type)[:2]
    return Argument(
        field=field.name,
        typed="--" + field.name.replace("_", "-"),
        kind=next(kind for kind in (get_args(annotated) or (annotated,)) if kind is not NoneType),
        help=meta.description or "",
        required=field.required,
        hidden=not meta.description,
    )


def usage_of(arguments: list[Argument]) -> str:
    shown = [argument for argument in arguments if not argument.hidden]
    return " ".join(each.shown if each.required else f"[{each.shown}]" for each in shown)
