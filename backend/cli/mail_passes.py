"""`jobtrail mail classify`, `explain`, `unknown`, `quarantine`: stored mail read again, and looked into."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from backend.cli.command import Command
from backend.cli.parser import WrongUse

if TYPE_CHECKING:
    from mailsync.explaining.types import Explained, Group, Quarantined

_MOST = 10_000

Account = Annotated[str, Meta(description="Whose mail, by e-mail address; without it the owner's.")]
Json = Annotated[bool, Meta(description="Print JSON, one object a line.")]


class Classify(Struct, frozen=True, kw_only=True):
    max: Annotated[
        int | None, Meta(description="Read this many messages at most, the latest stored first.")
    ] = None
    no_model: Annotated[bool, Meta(description="Read by structure and rules only.")] = False
    until_done: Annotated[
        bool, Meta(description="Go on with what waits meanwhile, as long as it becomes less.")
    ] = False
    dry_run: Annotated[bool, Meta(description="Say what would come of it, and change nothing.")] = False
    recheck: Annotated[
        bool, Meta(description="Read decided messages again too, as far as an earlier version read them.")
    ] = False
    account: Account = ""
    json: Json = False


class Explain(Struct, frozen=True, kw_only=True):
    sample: Annotated[int, Meta(description="How many messages; 10 when not given.")] = 10
    seed: Annotated[int, Meta(description="The same seed gives the same messages; 1 when not given.")] = 1
    account: Account = ""
    json: Json = False


class Unknown(Struct, frozen=True, kw_only=True):
    by: Annotated[str, Meta(description="The order: occurrences, the groups with most messages first.")] = (
        "occurrences"
    )
    limit: Annotated[int, Meta(description="How many groups at most; 50 when not given.")] = 50
    account: Account = ""
    json: Json = False


class Quarantine(Struct, frozen=True, kw_only=True):
    before: Annotated[int | None, Meta(description="Go on below this id.")] = None
    limit: Annotated[int, Meta(description="How many at most; 50 when not given.")] = 50
    account: Account = ""
    json: Json = False


def _classify(arguments: Classify) -> int:
    import msgspec

    from backend.cli.database import on_database
    from backend.cli.mail_words import passed
    from mailsync.passes.rules import Wanted

    if arguments.max is not None:
        _require(arguments.max, "--max", "classify")
    wanted = Wanted(
        with_model=not arguments.no_model,
        until_done=arguments.until_done,
        is_dry=arguments.dry_run,
        recheck=arguments.recheck,
        most=arguments.max,
    )
    done = on_database(
        "jobtrail mail classify", lambda database, _: passed(database, arguments.account, wanted)
    )
    print(msgspec.json.encode(done).decode() if arguments.json else done.told(is_dry=arguments.dry_run))
    return 0


def _explain(arguments: Explain) -> int:
    from backend.cli.database import on_database
    from backend.cli.mail_words import explained
    from backend.cli.store import account_named
    from backend.cli.task_words import print_each
    from mailsync.explaining.sampling import explain
    from schema.db import Database
    from schema.settings import Settings

    _require(arguments.sample, "--sample", "explain")

    async def found(database: Database, _: Settings) -> "list[Explained]":
        account_id = await account_named(database, arguments.account)
        return await explain(database, account_id, number=arguments.sample, seed=arguments.seed)

    shown = on_database("jobtrail mail explain", found)
    print_each(shown, explained, as_json=arguments.json, nothing="No mail is kept yet.")
    return 0


def _unknown(arguments: Unknown) -> int:
    from backend.cli.database import on_database
    from backend.cli.mail_words import grouped
    from backend.cli.store import account_named
    from backend.cli.task_words import print_each
    from mailsync.explaining.rules import groups
    from mailsync.explaining.store import left_open, only_read
    from schema.db import Database
    from schema.settings import Settings

    if arguments.by != "occurrences":
        raise WrongUse("--by: allowed is occurrences; see: jobtrail mail unknown --help")
    _require(arguments.limit, "--limit", "unknown")

    async def found(database: Database, _: Settings) -> "list[Group]":
        account_id = await account_named(database, arguments.account)
        async with database.as_account(account_id) as unit:
            await only_read(unit)
            return groups(await left_open(unit))

    shown = on_database("jobtrail mail unknown", found)[: arguments.limit]
    print_each(shown, grouped, as_json=arguments.json, nothing="Nothing was left open.")
    return 0


def _quarantine(arguments: Quarantine) -> int:
    from backend.cli.database import on_database
    from backend.cli.mail_words import unreadable
    from backend.cli.store import account_named
    from backend.cli.task_words import print_each
    from mailsync.explaining.store import only_read, quarantined
    from schema.db import Database
    from schema.settings import Settings

    _require(arguments.limit, "--limit", "quarantine")

    async def found(database: Database, _: Settings) -> "list[Quarantined]":
        account_id = await account_named(database, arguments.account)
        async with database.as_account(account_id) as unit:
            await only_read(unit)
            return await quarantined(unit, before=arguments.before, limit=arguments.limit)

    shown = on_database("jobtrail mail quarantine", found)
    print_each(shown, unreadable, as_json=arguments.json, nothing="No mail was unreadable.")
    return 0


def _require(number: int, option: str, verb: str) -> None:
    if not 1 <= number <= _MOST:
        raise WrongUse(f"{option}: allowed is 1 to {_MOST}; see: jobtrail mail {verb} --help")


COMMANDS = (
    Command(
        name="mail classify",
        summary="Read again what is stored and open, as far as an earlier version of the stages read it.",
        details=(
            "A second run reads nothing. What a person or a language model said stays. Killed half way, a "
            "second run ends in the same state. One pass at a time: a second one exits with 75 and says who "
            "is at it. Workers do the same by themselves after an upgrade."
        ),
        arguments=Classify,
        run=_classify,
    ),
    Command(
        name="mail explain",
        summary="Show of some messages what was made of them: stage, rule, and the sentence that says it.",
        details="Changes nothing. Prints text of messages.",
        arguments=Explain,
        run=_explain,
    ),
    Command(
        name="mail unknown",
        summary="Rank what the rules and the local model left open, by how many messages it is.",
        details=(
            "Groups by sending domain and by the subject with numbers, names and addresses masked; prints "
            "number, share, cumulative share, an example's id, domain, and what they have in common."
        ),
        arguments=Unknown,
        run=_unknown,
    ),
    Command(
        name="mail quarantine",
        summary="List what could not be read, the latest first: id, when (UTC), code, size, door, place.",
        arguments=Quarantine,
        run=_quarantine,
    ),
)
