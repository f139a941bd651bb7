"""The one question of a batch is answered by indexes, however large the mailbox is."""

import pytest
from fixtures.plans import explained
from fixtures.samples import Samples

from mailsync.conversations.store import LENDERS, MOST_OF_ONE
from schema.ids import AccountId

MESSAGES = 20_000
TIES = {
    "answers": "7@mail.example",
    "thread": "7",
    "calendar": "call-7",
    "writer": "ada7@brimvale.example",
}


@pytest.mark.parametrize("generic", [False, True])
def test_lenders_are_found_by_index(owner_url: str, account: AccountId, samples: Samples, generic: bool):
    samples.rows(
        "INSERT INTO messages (account_id, mailbox_id, message_key, rfc_message_id, content_sha256,"
        " sent_at_source, sender_address, provider_thread, body, kept, size_bytes, first_seen_at)"
        " SELECT %s, %s, n::text, n || '@mail.example', repeat('a', 64), 'unknown',"
        " 'ada' || n || '@brimvale.example', n::text, 'b', 'whole', 1, now() FROM generate_series(1, %s) n",
        account,
        samples.mailbox(),
        MESSAGES,
    )
    samples.rows(
        "INSERT INTO readings (account_id, message_id, stage, version, state, created_at)"
        " SELECT account_id, id, 'rules', 3, 'open', now() FROM messages"
    )
    samples.rows(
        "INSERT INTO facts (account_id, reading_id, message_id, name, value, comparable, span_source,"
        " span_start, span_end) SELECT account_id, id, message_id, 'meeting', 'x', 'call-' || message_id,"
        " 'calendar', 0, 1 FROM readings"
    )
    samples.rows("ANALYZE messages, readings, facts")
    found = explained(
        owner_url,
        LENDERS,
        generic=generic,
        account=account,
        ways=list(TIES),
        keys=list(TIES.values()),
        most=MOST_OF_ONE,
    )
    for table in ("messages", "readings", "facts", "events"):
        assert found.whole_reads.get(table, 0) == 0, found
    assert found.read("messages") <= 40, found
    assert found.read("readings") <= 40, found
    assert found.read("facts") <= 40, found
