"""`jobtrail model`: whether a language model is asked, who lets it read, and the switch that stops it."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from backend.cli.command import Command

if TYPE_CHECKING:
    from pipeline.usage.store import Switch

Account = Annotated[str, Meta(description="Whose mail, by e-mail address; without it the owner's.")]
Actor = Annotated[str, Meta(description="Who does this, as the log keeps it; needed.")]
Reason = Annotated[str, Meta(description="Why, as the log keeps it; needed.")]


class Flip(Struct, frozen=True, kw_only=True):
    actor: Actor = ""
    reason: Reason = ""


class Status(Struct, frozen=True, kw_only=True):
    account: Account = ""


class Permit(Struct, frozen=True, kw_only=True):
    account: Account = ""


def _stop(arguments: Flip) -> int:
    _flip(arguments, "stop", allowed=False)
    print("nothing more is sent to a language model; what is under way is still collected")
    return 0


def _start(arguments: Flip) -> int:
    _flip(arguments, "start", allowed=True)
    print("language models may be asked again")
    return 0


def _flip(arguments: Flip, verb: str, *, allowed: bool) -> None:
    from backend.cli.database import on_database
    from backend.cli.parser import WrongUse
    from pipeline.usage.store import set_switch
    from schema.clock import SystemClock
    from schema.db import Database
    from schema.settings import Settings
    from schema.text import clean

    actor, reason = clean(arguments.actor).strip()[:200], clean(arguments.reason).strip()[:500]
    if not actor or not reason:
        raise WrongUse(f"jobtrail model {verb} needs --actor and --reason")

    async def flipped(database: Database, _: Settings) -> None:
        async with database.as_fleet() as unit:
            await set_switch(unit, allowed=allowed, actor=actor, reason=reason, now=SystemClock().now())

    on_database(f"jobtrail model {verb}", flipped)


def _allow(arguments: Permit) -> int:
    windows = _permit(arguments.account, "allow", allowed=True)
    print(f"a language model may read what the rules leave open; {windows} tasks were asked for")
    return 0


def _forbid(arguments: Permit) -> int:
    _permit(arguments.account, "forbid", allowed=False)
    print("no language model reads this mail any more")
    return 0


def _permit(account: str, verb: str, *, allowed: bool) -> int:
    from backend.cli.database import on_database
    from backend.cli.store import account_named
    from mailsync.classify.language_model.asking import let_model_read
    from schema.clock import SystemClock
    from schema.db import Database
    from schema.settings import Settings

    async def permitted(database: Database, _: Settings) -> int:
        account_id = await account_named(database, account)
        async with database.as_account(account_id) as unit:
            return await let_model_read(unit, allowed=allowed, now=SystemClock().now())

    return on_database(f"jobtrail model {verb}", permitted)


def _status(arguments: Status) -> int:
    from backend.cli.database import on_database
    from backend.cli.store import account_named
    from mailsync.classify.language_model.store import may_read
    from pipeline.usage.store import current_switch
    from schema.db import Database
    from schema.settings import Settings

    async def found(database: Database, settings: Settings) -> "tuple[Settings, Switch | None, bool]":
        account_id = await account_named(database, arguments.account)
        async with database.as_account(account_id) as unit:
            return settings, await current_switch(unit), await may_read(unit)

    settings, switch, allowed = on_database("jobtrail model status", found)
    model = settings.model
    print(
        f"model     {model.name} at {model.url}"
        if model.is_present()
        else "model     none: no key or no name"
    )
    print(f"switch    {_switch(switch) if model.enabled else 'off, by JOBTRAIL_MODEL_ENABLED'}")
    print(f"account   {'may be read' if allowed else 'is not read'}")
    return 0


def _switch(switch: "Switch | None") -> str:
    if switch is None:
        return "on"
    stands = "on" if switch.allowed else "off"
    return f"{stands} since {switch.at:%Y-%m-%d %H:%M}, {switch.actor}: {switch.reason}"


COMMANDS = (
    Command(
        name="model status",
        summary="Say whether there is a language model, how the switch stands, and whether it may read.",
        details="Of the machine this runs on: workers elsewhere have settings of their own.",
        arguments=Status,
        run=_status,
    ),
    Command(
        name="model stop",
        summary="Send nothing more to any language model, from now on, in every process.",
        details="What is under way is still collected; tasks wait.",
        arguments=Flip,
        run=_stop,
    ),
    Command(
        name="model start",
        summary="Let language models be asked again.",
        arguments=Flip,
        run=_start,
    ),
    Command(
        name="model allow",
        summary="Let a language model read the mail of an account, as far as the rules leave it open.",
        details=(
            "What is open already is asked about at once, newest first."
            " docs/language-model.md says what is sent."
        ),
        arguments=Permit,
        run=_allow,
    ),
    Command(
        name="model forbid",
        summary="Let no language model read the mail of an account any more.",
        details="What was told before stays.",
        arguments=Permit,
        run=_forbid,
    ),
)
