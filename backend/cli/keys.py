"""`jobtrail keys`: the keys that stored secrets are encrypted with."""

from backend.cli.command import Command, NoArguments


def _rotate(_: NoArguments) -> int:
    from backend.cli.database import on_database
    from schema.clock import SystemClock
    from schema.secrets.keys import ensure
    from schema.secrets.rotation import rotate_keys

    clock = SystemClock()
    done = on_database(
        "jobtrail keys rotate",
        lambda database, settings: rotate_keys(database, ensure(settings.home, clock), clock),
    )
    began = "an earlier rotation was finished" if done.resumed else "a new key was made"
    print(f"{began}: {done.resealed} secrets of {done.accounts} accounts were put under key {done.current}")
    return 0


COMMANDS = (
    Command(
        name="keys rotate",
        summary="Make a new key, and put every stored secret under it.",
        details=(
            "Running processes notice by themselves. Stopped half way, run it again. The key used before "
            "stays in the file until the next rotation: back the file up."
        ),
        arguments=NoArguments,
        run=_rotate,
    ),
)
