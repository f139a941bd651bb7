"""`jobtrail account`: a new password, take everything of an account along, and delete an account."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from backend.cli.command import Command

if TYPE_CHECKING:
    from backend.leaving.deletion import Left, Lost


class Export(Struct, frozen=True, kw_only=True):
    path: Annotated[str, Meta(description="The zip to write; it must not exist yet.")]
    account: Annotated[str, Meta(description="Whose data, by e-mail address; without it the owner's.")] = ""


class Password(Struct, frozen=True, kw_only=True):
    email: Annotated[str, Meta(description="The address of the account.")]
    stdin: Annotated[
        bool, Meta(description="Read the new password from the first line of standard input.")
    ] = False


class Delete(Struct, frozen=True, kw_only=True):
    email: Annotated[str, Meta(description="The address of the account.")]
    yes: Annotated[bool, Meta(description="Do it. Without this only what is lost is said.")] = False


def _export(arguments: Export) -> int:
    from pathlib import Path

    from backend.cli.account_acts import export_to
    from backend.cli.database import on_database

    path = Path(arguments.path).expanduser()
    size_bytes = on_database(
        "jobtrail account export", lambda database, _: export_to(database, arguments.account, path)
    )
    print(f"{path}: {size_bytes} bytes")
    return 0


def _password(arguments: Password) -> int:
    from backend.accounts.doors import replace_password
    from backend.cli.account_password import new_password, person_named, require_somebody_to_ask
    from backend.cli.database import on_database

    doing = "jobtrail account password"
    require_somebody_to_ask(stdin=arguments.stdin)
    person = on_database(doing, lambda database, _: person_named(database, arguments.email))
    # Asked for while no database is held open: a person takes their time.
    new = new_password(person, stdin=arguments.stdin)
    ended = on_database(doing, lambda database, _: replace_password(database, person, new))
    print(f"{person.email} has a new password; browsers that were signed out: {ended}")
    return 0


def _delete(arguments: Delete) -> int:
    from backend.cli.account_acts import delete_account, would_lose
    from backend.cli.database import on_database

    if not arguments.yes:
        lost: list[Lost] = on_database(
            "jobtrail account delete", lambda database, _: would_lose(database, arguments.email)
        )
        for each in lost:
            print(f"{each.rows:>8}  {each.what}")
        print("Nothing was deleted. Say --yes to delete all of it; that cannot be undone.")
        return 0
    left: Left = on_database(
        "jobtrail account delete",
        lambda database, settings: delete_account(database, settings, arguments.email),
    )
    for address in left.unconfirmed:
        print(f"Google did not confirm that it took back the access to {address}; remove it at Google, too.")
    print(f"{arguments.email} is deleted")
    return 0


COMMANDS = (
    Command(
        name="account password",
        summary="Set a new password for somebody who forgot theirs.",
        details=(
            "Asks for it twice, without showing it. Every browser of the account is signed out; "
            "paired extensions stay paired."
        ),
        arguments=Password,
        run=_password,
    ),
    Command(
        name="account export",
        summary="Write everything that is kept of an account into a zip.",
        details="Messages, decisions, applications, profile, documents, settings; see docs/data.md.",
        arguments=Export,
        run=_export,
    ),
    Command(
        name="account delete",
        summary="Delete an account with everything that is kept of it.",
        details="Access to Gmail is given back first. The owner's account can only be the last.",
        arguments=Delete,
        run=_delete,
    ),
)
