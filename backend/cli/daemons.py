"""`jobtrail api`, `worker` and `mailsync`: the processes that `up` starts, each also startable by itself."""

from typing import Annotated

from msgspec import Meta, Struct

from backend.cli.command import Command

# Open descriptors, handed over by `jobtrail up` and by nobody else.
Descriptor = Annotated[int | None, Meta(description="")]


class Supervised(Struct, frozen=True, kw_only=True):
    supervised: Descriptor = None


class Api(Struct, frozen=True, kw_only=True):
    supervised: Descriptor = None
    listener: Descriptor = None


def _api(arguments: Api) -> int:
    from backend.processes.api import run_api

    run_api(arguments.supervised, arguments.listener)
    return 0


def _worker(arguments: Supervised) -> int:
    from backend.processes.worker import run_worker

    run_worker(arguments.supervised)
    return 0


def _mailsync(arguments: Supervised) -> int:
    from backend.processes.mailsync import run_mailsync

    run_mailsync(arguments.supervised)
    return 0


COMMANDS = (
    Command(
        name="api",
        summary="Serve the pages and the API.",
        details="The database must be up to date: see `jobtrail migrate`.",
        arguments=Api,
        run=_api,
    ),
    Command(
        name="worker",
        summary="Run queued tasks.",
        details="Any number of workers, on any machines, share one database.",
        arguments=Supervised,
        run=_worker,
    ),
    Command(
        name="mailsync",
        summary="Keep the connected mailboxes in step.",
        details="Any number may run; each mailbox is read by one at a time.",
        arguments=Supervised,
        run=_mailsync,
    ),
)
