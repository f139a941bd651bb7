"""The row by which a running mail daemon is known. Times are the database's own."""

from uuid import UUID

from schema.db import Unit
from schema.query import Statement

BEAT = Statement(
    "presence.beat",
    """INSERT INTO mail_daemons (id, name, gmail_accounts) VALUES (%(id)s, %(name)s, %(gmail_accounts)s)
       ON CONFLICT (id) DO UPDATE SET last_seen_at = clock_timestamp(),
         gmail_accounts = excluded.gmail_accounts""",
)
STOP = Statement(
    "presence.stop",
    """UPDATE mail_daemons SET last_seen_at = clock_timestamp(), stopped_at = clock_timestamp()
       WHERE id = %(id)s""",
)
FORGET = Statement(
    "presence.forget",
    "DELETE FROM mail_daemons WHERE last_seen_at < clock_timestamp() - interval '7 days'",
)


async def beat(unit: Unit, daemon_id: UUID, *, name: str, gmail_accounts: int) -> None:
    """I am here. The first beat makes the row."""
    await unit.run(BEAT, id=daemon_id, name=name, gmail_accounts=gmail_accounts)


async def stopped(unit: Unit, daemon_id: UUID) -> None:
    """I stopped in order."""
    await unit.run(STOP, id=daemon_id)


async def forget_old(unit: Unit) -> None:
    """Rows of daemons nobody has seen for a week."""
    await unit.run(FORGET)
