"""A pass from the terminal, and what was made of mail in words. Decides nothing."""

import getpass
import os
import socket
import sys

from backend.cli.store import account_named
from backend.cli.task_words import at
from mailsync.explaining.types import Explained, Group, Quarantined, Said
from mailsync.passes.reading import read_again
from mailsync.passes.rules import Summary, Wanted
from schema.clock import SystemClock
from schema.db import Database
from schema.text import grouped as spaced
from schema.vocabulary import ContinuedBy

_CONTINUES: dict[ContinuedBy, str] = {
    "calendar": "is about the invitation of",
    "answers": "answers",
    "thread": "stands in one thread with",
    "writer": "was written by who wrote",
    "application": "names an application: who hires, and the title",
}


async def passed(database: Database, email: str, wanted: Wanted) -> Summary:
    """One pass; how far it is stands in one line that is written over, for a person at a terminal only."""
    account_id = await account_named(database, email)
    name = f"jobtrail mail classify, process {os.getpid()} of {_user()} on {socket.gethostname()}"
    summary = await read_again(database, SystemClock(), account_id, wanted, name, _show)
    if sys.stderr.isatty() and summary.examined:
        sys.stderr.write("\n")
    return summary


async def _show(done: int, total: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{spaced(done)} of {spaced(max(done, total))} read again    ")
        sys.stderr.flush()


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return f"user {os.getuid()}"


def explained(each: Explained) -> str:
    sent = f"{each.sent_at:%Y-%m-%d}" if each.sent_at else "no date   "
    lines = [f"{each.message_id:<9}{sent}  {each.sender}  {each.subject}".rstrip(), *_kept(each)]
    if each.stage is None:
        return "\n".join([*lines, "  not read yet"])
    by = f"{each.stage} {each.version}"
    if each.is_open:
        return "\n".join([*lines, f"  open  {by}  {each.note}".rstrip()])
    if not each.said:
        return "\n".join([*lines, f"  nothing of interest  {by}"])
    return "\n".join([*lines, *(line for said in each.said for line in _said(said, by))])


def _kept(each: Explained) -> list[str]:
    if each.kept_because is None:
        return []
    why = f"  kept because it {_CONTINUES[each.kept_because]}"
    if each.kept_because == "application":
        return [why]
    other = "a message that is gone" if each.continues_id is None else f"message {each.continues_id}"
    return [f"{why} {other}"]


def _said(said: Said, by: str) -> list[str]:
    where = f"{said.source} {said.start}-{said.end}" if said.source else "no span"
    reason = f" ({said.reason})" if said.reason else ""
    told = [f"  {said.kind}{reason}  {by}  {said.rule}  {where}"]
    return [*told, f"    {' '.join(said.text.split())}"] if said.text else told


def grouped(group: Group) -> str:
    numbers = f"{group.messages:>7}{group.share:>8.1%}{group.cumulative:>8.1%}"
    return f"{numbers}  {group.example:<9}{group.domain:<32}{group.shape}".rstrip()


def unreadable(each: Quarantined) -> str:
    size = "unknown" if each.size_bytes is None else f"{each.size_bytes} B"
    return f"{each.id:<9}{at(each.created_at)}  {each.code:<24}{size:<12}{each.door}  {each.position}"
