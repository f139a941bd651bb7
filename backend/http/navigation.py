"""The places of the navigation and how much waits in each."""

import msgspec

from backend.http.rendering import NavItem
from schema.db import Unit


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """What needs the person, counted for the layout of every page."""

    review: int = 0


async def waiting(unit: Unit) -> Waiting:
    """How much waits, in the scope of one account."""
    del unit
    return Waiting()


def nav(needs: Waiting) -> tuple[NavItem, ...]:
    return (
        NavItem(path="/", label="Today", key="t"),
        NavItem(path="/applications", label="Applications", key="a"),
        NavItem(path="/review", label="Review", key="r", waiting=needs.review),
        NavItem(path="/mail", label="Mail", key="m"),
        NavItem(path="/postings", label="Postings", key="p"),
        NavItem(path="/profile", label="Profile", key="f"),
        NavItem(path="/settings", label="Settings", key="s"),
    )
