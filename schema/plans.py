"""How the server plans the statements of one transaction, where its own choice costs more than it saves.

By itself it keeps a plan only when that looks no dearer than one made for the very numbers. For a few rows
found by their ids making the plan is most of the work; for a table that fills while a connection lives a kept
plan reads it whole. Everything ends with the transaction.
"""

from schema.db import Unit
from schema.query import Statement

AFRESH = Statement("plans.afresh", "SELECT set_config('plan_cache_mode', 'force_custom_plan', true)")
KEPT = Statement("plans.kept", "SELECT set_config('plan_cache_mode', 'force_generic_plan', true)")
AS_USUAL = Statement("plans.as_usual", "SELECT set_config('plan_cache_mode', 'auto', true)")


async def plan_afresh(unit: Unit) -> None:
    """Plan every statement for its numbers and for what the tables hold now.

    A first import fills empty tables within one connection; plans kept from its first batches would read
    them whole for every later one. The server's own checks of foreign keys are planned anew as well, one for
    every row that is written: `plan_as_usual` before many are.
    """
    await unit.run(AFRESH)


async def plan_kept(unit: Unit) -> None:
    """Keep the plan of every statement from its first use: for those that find few rows by their ids."""
    await unit.run(KEPT)


async def plan_as_usual(unit: Unit) -> None:
    await unit.run(AS_USUAL)
