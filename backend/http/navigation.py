"""The places of the navigation and how much waits in each."""

from backend.http.rendering import NavItem
from backend.today.store import Needs


def nav(needs: Needs, *, is_operator: bool) -> tuple[NavItem, ...]:
    return (
        NavItem(path="/", label="Today", key="t"),
        NavItem(path="/applications", label="Applications", key="a"),
        NavItem(path="/review", label="Review", key="r", waiting=needs.waiting),
        NavItem(path="/mail", label="Mail", key="m"),
        NavItem(path="/postings", label="Postings", key="p"),
        NavItem(path="/profile", label="Profile", key="f"),
        NavItem(path="/settings", label="Settings", key="s"),
        *(
            (NavItem(path="/operations", label="Operations", key="o", also="/sources"),)
            if is_operator
            else ()
        ),
    )
