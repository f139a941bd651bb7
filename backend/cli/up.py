"""`jobtrail up`: everything in one go."""

from backend.cli.command import Command, NoArguments


def _up(_: NoArguments) -> int:
    from backend.processes.up import up
    from schema.settings import load

    up(load())
    return 0


COMMANDS = (
    Command(
        name="up",
        summary="Start everything: database, pages and API, worker and mail daemon; print one address.",
        details=(
            "Uses an embedded PostgreSQL in the home folder, unless JOBTRAIL_DATABASE_URL names another. "
            "Starts again what ends. Ctrl-C stops everything in order."
        ),
        arguments=NoArguments,
        run=_up,
    ),
)
