"""What waits is found by indexes: up to date, a pass costs what is open, and no more."""

import pytest
from fixtures.plans import Plan, explained
from fixtures.samples import Samples

from mailsync.passes import store
from schema.ids import AccountId

MESSAGES, OPEN = 20_000, 100


@pytest.fixture
def mailbox(samples: Samples) -> Samples:
    """A large mailbox that an earlier release read, nearly all of it decided."""
    mailbox = samples.mailbox()
    samples.rows(
        "INSERT INTO messages (account_id, mailbox_id, message_key, content_sha256, sent_at_source, body,"
        " kept, size_bytes, first_seen_at, examined_version) SELECT %s, %s, n::text, repeat('a', 64),"
        " 'unknown', 'b', 'whole', 1, now(), 3 FROM generate_series(1, %s) n",
        samples.account,
        mailbox,
        MESSAGES,
    )
    samples.rows(
        "INSERT INTO readings (account_id, message_id, stage, version, state, created_at) SELECT account_id,"
        " id, 'rules', 3, CASE WHEN message_key::int <= %s THEN 'open' ELSE 'decided' END, now()"
        " FROM messages",
        OPEN,
    )
    samples.rows("ANALYZE messages, readings")
    return samples


def plan(
    url: str, account: AccountId, query: object, version: int, *, generic: bool = False, **more: object
) -> Plan:
    return explained(url, query, generic=generic, account=account, version=version, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("version", [3, 4], ids=["up to date", "after an upgrade"])
@pytest.mark.parametrize("generic", [False, True])
def test_open_messages_are_found_without_reading_the_decided(
    owner_url: str, account: AccountId, mailbox: Samples, version: int, generic: bool
):
    found = plan(owner_url, account, store.WAITING, version, generic=generic, before=None, limit=20_000)
    assert found.whole_reads.get("messages", 0) == 0, found
    assert found.whole_reads.get("readings", 0) == 0, found
    assert "readings_open" in found.indexes()
    assert found.read("messages") <= 2 * OPEN, found
    assert found.read("readings") <= 4 * OPEN, found


def test_a_recheck_of_a_mailbox_that_is_up_to_date_reads_no_message(
    owner_url: str, account: AccountId, mailbox: Samples
):
    found = plan(owner_url, account, store.OUTDATED, 3, before=None, limit=20_000)
    assert "messages_examined" in found.indexes(), found
    assert found.read("messages") == 0, found
