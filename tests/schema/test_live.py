"""Messages to open pages survive the wire, are short enough for it, and junk on it is passed over."""

import msgspec
import psycopg
import pytest

from schema.live import CHANNEL, Hint, TaskProgress, TaskState, encoded, heard, subjects_of
from schema.teller import TELL

STATE = TaskState(
    account_id=7,
    id=12,
    kind="mail.import.v1",
    status="running",
    attempts=2,
    progress=TaskProgress(done=3, total=10, note="messages"),
    subjects={"import": 5},
)


@pytest.mark.parametrize("message", [STATE, Hint(account_id=None, topic="mail", subject=4)])
def test_a_message_is_heard_as_it_was_told(message: Hint | TaskState):
    assert heard(encoded(message)) == message


def test_a_progress_reads_the_column_as_it_is_stored():
    stored = b'{"done": 3, "total": 10, "note": "messages"}'
    assert msgspec.json.decode(stored, type=TaskProgress) == STATE.progress


@pytest.mark.parametrize(
    "junk", ["", "nonsense", "[]", '{"account_id":7}', '{"type":"gossip","account_id":7}', "\ud800", "[" * 99]
)
def test_junk_is_no_message(junk: str):
    assert heard(junk) is None


def test_what_postgresql_cannot_carry_is_left_out(owner_url: str):
    note = "\x00\ud800" + "é" * 9000
    long = msgspec.structs.replace(
        STATE, progress=TaskProgress(done=1, note=note), subjects={"x" * 4000: 1, "y" * 4000: 2}
    )
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("LISTEN jobtrail_live")
        payloads = [encoded(long), encoded(STATE)]
        connection.execute(TELL, {"channels": [CHANNEL] * 2, "payloads": payloads})
        payloads = [notify.payload for notify in connection.notifies(timeout=10, stop_after=2)]
    first, second = (heard(payload) for payload in payloads)
    assert second == STATE
    assert isinstance(first, TaskState)
    assert (first.id, first.status, first.subjects) == (12, "running", {})
    assert first.progress
    assert first.progress.note == "é" * 199 + "…"


@pytest.mark.parametrize(
    ("payload", "subjects"),
    [
        (b'{"import_id": 5}', {"import": 5}),
        (b'{"source_id": 2, "board": "x", "note_id": "7", "is_id": true}', {"source": 2}),
        (b"{}", {}),
        (b"[1]", {}),
        (b"\xff", {}),
        (b'{"x": ' + b"[" * 2_000 + b"]" * 2_000 + b"}", {}),
        (b'{"source_id": 99999999999999999999999, "import_id": 5}', {"import": 5}),
    ],
)
def test_subjects_are_the_numbered_ids_of_the_payload(payload: bytes, subjects: dict[str, int]):
    assert subjects_of(payload) == subjects
