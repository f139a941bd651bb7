"""`jobtrail migrate`: bring the database up to this program."""

from backend.cli.command import Command, NoArguments


def _migrate(_: NoArguments) -> int:
    from backend.processes.database import migrated
    from schema.settings import load

    names = migrated(load())
    print("\n".join(f"applied {name}" for name in names) or "the database is up to date")
    return 0


COMMANDS = (
    Command(
        name="migrate",
        summary="Bring the database's tables up to this program.",
        details=(
            "Connects by JOBTRAIL_DATABASE_OWNER_URL, or by JOBTRAIL_DATABASE_URL when that is empty. Safe "
            "to run at any time and from several machines at once. `jobtrail up` does it by itself."
        ),
        arguments=NoArguments,
        run=_migrate,
    ),
)
