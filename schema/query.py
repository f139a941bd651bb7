"""SQL constants and the struct each yields, registered by name.

One house test prepares every registered statement on a migrated server and compares the columns with the
struct: names, order, types, nullability. So a store cannot drift from the schema unseen.
"""

from dataclasses import dataclass, field
from typing import Generic, LiteralString, TypeVar

import msgspec

RowT = TypeVar("RowT", bound=msgspec.Struct)


@dataclass(frozen=True)
class Statement:
    """SQL that changes rows and returns none. `name` is `feature.act`, for errors and metrics."""

    name: str
    sql: LiteralString = field(repr=False)

    def __post_init__(self) -> None:
        _register(self)


@dataclass(frozen=True)
class Query(Generic[RowT]):
    """SQL that returns rows of `row`. `name` is `feature.question`."""

    name: str
    row: type[RowT]
    sql: LiteralString = field(repr=False)

    def __post_init__(self) -> None:
        _register(self)


REGISTRY: dict[str, "Statement | Query[msgspec.Struct]"] = {}


def _register(item: "Statement | Query[RowT]") -> None:
    if item.name in REGISTRY:
        raise ValueError(f"two statements are called {item.name}")
    REGISTRY[item.name] = item  # pyright: ignore[reportArgumentType]
