import asyncio
import json
import random
import time
import zipfile
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from fixtures.importing_process import importing
from fixtures.mail import WHEN, mail, mbox

from mailsync.archive import batches as batches_module
from mailsync.archive import tasks as tasks_module
from pipeline.worker.types import Permanent, Transient
from schema.settings import DatabaseSettings

RECEIPT = "Thank you for applying. We received your application for the Baker role."
REFUSAL = "We have decided not to move forward with your application for the Baker role."
CONTENT = (
    "SELECT message_key, rfc_message_id, content_sha256, sent_at, sender_address, subject, body, quoted,"
    " kept, not_kept_reason, from_owner FROM messages ORDER BY message_key"
)
SAID = (
    "SELECT m.message_key, r.stage, r.version, r.state, e.kind, e.rule, e.span_text FROM messages m"
    " JOIN readings r ON r.message_id = m.id LEFT JOIN events e ON e.reading_id = r.id"
    " ORDER BY m.message_key, e.kind"
)


def letters(count: int, start: int = 0) -> list[bytes]:
    return [
        mail(
            RECEIPT if number % 2 else REFUSAL,
            subject=f"Your application {number}",
            message_id=f"<{number}@northwind.example>",
            date=WHEN + timedelta(hours=number),
        )
        for number in range(start, start + count)
    ]


def size(path: Path) -> int:
    return path.stat().st_size


def exists(path: Path) -> bool:
    return path.exists()


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "mail.mbox"
    path.write_bytes(mbox(letters(7)))
    return path


async def test_an_import_stores_each_message_with_what_it_says(importer, archive: Path, rows):
    row = await importer(archive)
    assert (row.state, row.seen, row.stored, row.known, row.not_kept, row.quarantined) == (
        "done",
        7,
        7,
        0,
        0,
        0,
    )
    assert row.bytes_done == row.bytes_total == size(archive)
    kinds = rows("SELECT kind, count(*) FROM events GROUP BY kind ORDER BY kind")
    assert kinds == [("acknowledgement", 3), ("rejection", 4)]
    assert rows(
        "SELECT DISTINCT name, value FROM facts WHERE name IN ('role', 'employer') ORDER BY name"
    ) == [
        ("employer", "Northwind"),
        ("role", "Baker"),
    ]
    spans = rows("SELECT span_text, substr(m.body, span_start + 1, span_end - span_start) FROM events e"
                 " JOIN messages m ON m.id = e.message_id WHERE span_source = 'text'")  # fmt: skip
    assert all(told == there for told, there in spans)


async def test_the_same_archive_twice_changes_nothing(importer, archive: Path, rows):
    await importer(archive)
    before = rows(CONTENT), rows(SAID)
    row = await importer(archive)
    assert (row.seen, row.stored, row.known) == (7, 0, 7)
    assert (rows(CONTENT), rows(SAID)) == before


async def test_the_same_mail_in_another_shape_is_the_same_mail(importer, archive: Path, tmp_path: Path, rows):
    await importer(archive)
    before = rows(CONTENT)
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, letter in enumerate(letters(7)):
        (folder / f"{number}.eml").write_bytes(letter.replace(b"\n", b"\r\n"))
    zipped = tmp_path / "takeout.zip"
    with zipfile.ZipFile(zipped, "w") as pack:
        pack.writestr(
            "Takeout/Mail/All mail.mbox", mbox([b"X-GM-THRID: 9\n" + letter for letter in letters(7)])
        )
    for path in (folder, zipped):
        row = await importer(path)
        assert (row.stored, row.known) == (0, 7)
    assert rows(CONTENT) == before


async def test_mail_without_an_id_is_known_by_its_content(importer, tmp_path: Path):
    letter = mail(RECEIPT, message_id=None)
    (tmp_path / "a.eml").write_bytes(letter)
    (tmp_path / "b.eml").write_bytes(letter.replace(b"\n", b"\r\n"))
    row = await importer(tmp_path)
    assert (row.seen, row.stored, row.known) == (2, 1, 1)


async def test_mail_that_is_not_about_jobs_leaves_no_body(importer, tmp_path: Path, rows):
    lunch = mail("Lunch? Aunt Rosa comes.", subject="Lunch with Rosa", sender="Bo <bo@friends.example>")
    (tmp_path / "a.eml").write_bytes(lunch)
    (tmp_path / "b.eml").write_bytes(
        mail("Secret of the digest. Manage your job alerts.", subject="12 new jobs in Leeds",
             message_id="<2@x>", sender="Jobs <jobalerts-noreply@linkedin.com>")
    )  # fmt: skip
    row = await importer(tmp_path)
    assert (row.stored, row.not_kept) == (0, 2)
    assert rows(
        "SELECT kept, not_kept_reason, subject, sender_address, body FROM messages ORDER BY kept"
    ) == [
        ("headers", "job_alert", "12 new jobs in Leeds", "jobalerts-noreply@linkedin.com", None),
        ("identity", "no_hiring_words", "", "", None),
    ]
    for table in ("messages", "readings", "events", "facts", "mail_imports", "tasks"):
        text = str(rows(f"SELECT to_jsonb(t)::text FROM {table} t"))
        assert "Rosa" not in text
        assert "Secret" not in text


@pytest.mark.parametrize("address", ["Ada@Example.org", "ada@private.example"])
async def test_mail_in_the_persons_own_hand_is_no_answer(
    importer, tmp_path: Path, rows, owner_url: str, address: str
):
    with psycopg.connect(owner_url, autocommit=True) as connection:
        for revision, email in enumerate(("old@private.example", "Ada@private.example"), start=1):
            connection.execute(
                "INSERT INTO profiles (account_id, revision, document, origin, created_at)"
                " VALUES (%s, %s, jsonb_build_object('email', %s::text), 'form', now())",
                (importer.account, revision, email),
            )
    letter = mail("I withdraw my application.", sender=f"Ada <{address}>")
    (tmp_path / "a.eml").write_bytes(letter)
    await importer(tmp_path)
    assert rows("SELECT from_owner FROM messages") == [(True,)]
    assert rows("SELECT stage, state FROM readings") == [("structure", "decided")]
    assert rows("SELECT count(*) FROM events") == [(0,)]


async def test_what_cannot_be_read_is_quarantined_and_the_rest_is_stored(
    importer, tmp_path: Path, rows, monkeypatch: pytest.MonkeyPatch
):
    def reading(raw: bytes, own: frozenset[str]) -> object:
        if b"break me" in raw:
            raise RuntimeError("a fault of the program")
        return whole(raw, own)

    whole = batches_module.read_message
    monkeypatch.setattr(batches_module, "read_message", reading)
    path = tmp_path / "mail.mbox"
    path.write_bytes(mbox([*letters(1), mail("break me", message_id="<b@x>"), *letters(1, start=5)]))
    row = await importer(path)
    assert (row.state, row.stored, row.quarantined) == ("done", 2, 1)
    assert rows("SELECT code, import_id FROM quarantine") == [("unparseable", row.id)]


async def test_nul_bytes_one_byte_and_no_byte_are_messages(importer, tmp_path: Path):
    (tmp_path / "nul.eml").write_bytes(
        b"Subject: Your appli\x00cation\nFrom: a\x00@b.example\nMessage-ID: <a\x00b@x>\n\n"
        b"We received your\x00 application. \x00\n"
    )
    (tmp_path / "one.eml").write_bytes(b"x")
    (tmp_path / "none.eml").write_bytes(b"")
    row = await importer(tmp_path)
    assert (row.state, row.seen, row.quarantined) == ("done", 3, 0)


async def test_the_matcher_is_asked_when_something_new_was_read(importer, archive: Path, rows):
    await importer(archive)
    asked = rows("SELECT kind, status FROM tasks WHERE kind = 'match.account.v1'")
    assert len(asked) >= 1
    assert rows("SELECT count(*) FROM tasks WHERE kind = 'mail.import.v1'") == [(1,)]


async def test_progress_is_told_in_bytes_and_words(importer, archive: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(batches_module, "MOST_MESSAGES", 2)
    await importer(archive)
    assert [report.note for report in importer.reports] == [f"{n} messages read" for n in (2, 4, 6, 7)]
    assert importer.reports[-1].done == importer.reports[-1].total == size(archive)


async def test_a_file_that_is_no_archive_fails_the_import_by_name(importer, tmp_path: Path, rows):
    path = tmp_path / "mail.mbox"
    path.write_bytes(b"%PDF-1.7 not mail")
    import_id = await importer.ask(path, spooled=True)
    with pytest.raises(Permanent) as failure:
        await importer.run(import_id)
    assert failure.value.code == "archive_unreadable"
    row = await importer.row(import_id)
    assert (row.state, row.failure_code) == ("failed", "not_a_mail_archive")
    assert "PDF" in (row.failure_detail or "")
    assert not exists(path)


async def test_an_uploaded_file_is_removed_and_a_persons_file_is_not(importer, archive: Path, tmp_path: Path):
    await importer(archive)
    assert exists(archive)
    await importer(archive, spooled=True)
    assert not exists(archive)


async def test_an_import_that_was_deleted_is_a_missing_import(importer, archive: Path, other_account):
    import_id = await importer.ask(archive)
    importer.account = other_account
    with pytest.raises(Permanent) as failure:
        await importer.run(import_id)
    assert failure.value.code == "import_missing"


async def test_an_import_broken_off_goes_on_and_counts_once(
    importer, archive: Path, rows, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(batches_module, "MOST_MESSAGES", 2)
    import_id = await importer.ask(archive)
    whole = tasks_module.keep_messages
    calls = 0

    async def breaking(*arguments: object, **named: object) -> object:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise ConnectionError
        return await whole(*arguments, **named)  # pyright: ignore

    monkeypatch.setattr(tasks_module, "keep_messages", breaking)
    with pytest.raises(ConnectionError):
        await importer.run(import_id)
    row = await importer.row(import_id)
    assert (row.state, row.seen) == ("running", 4)
    await importer.run(import_id, attempt=2)
    row = await importer.row(import_id)
    assert (row.state, row.seen, row.stored, row.known) == ("done", 7, 7, 0)


async def test_a_run_that_was_overtaken_commits_nothing(
    importer, archive: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(batches_module, "MOST_MESSAGES", 2)
    import_id = await importer.ask(archive)
    whole = tasks_module._next
    overtaken = False

    def overtaking(waiting):
        nonlocal overtaken
        batch = whole(waiting)
        if not overtaken:
            overtaken = True
            with psycopg.connect(importer.database.settings.owner_url, autocommit=True) as connection:
                connection.execute("UPDATE mail_imports SET position = '99999:', seen = 2")
        return batch

    monkeypatch.setattr(tasks_module, "_next", overtaking)
    with pytest.raises(Transient):
        await importer.run(import_id)
    assert (await importer.row(import_id)).seen == 2


async def test_the_last_try_says_that_nothing_more_will_come(
    importer, archive: Path, monkeypatch: pytest.MonkeyPatch
):
    async def breaking(*_: object, **__: object) -> object:
        raise ConnectionError

    whole = tasks_module.keep_messages
    monkeypatch.setattr(tasks_module, "keep_messages", breaking)
    import_id = await importer.ask(archive)
    with pytest.raises(ConnectionError):
        await importer.run(import_id, attempt=5)
    row = await importer.row(import_id)
    assert (row.state, row.failure_code) == ("failed", "import_stopped")
    monkeypatch.setattr(tasks_module, "keep_messages", whole)
    await importer.run(import_id)
    row = await importer.row(import_id)
    assert (row.state, row.stored, row.failure_code) == ("done", 7, None)


def killed_importing(rows, database_settings: DatabaseSettings, account: int, import_id: int) -> int:
    """How often a process was killed on its way; each is killed some moments after its first new batch."""
    chance = random.Random(7)
    killed = 0
    for _ in range(3):
        seen, state = rows("SELECT seen, state FROM mail_imports")[0]
        if state == "done":
            break
        process = importing(database_settings.url, account, import_id)
        deadline = time.monotonic() + 30
        while rows("SELECT seen FROM mail_imports") == [(seen,)] and process.poll() is None:
            assert time.monotonic() < deadline
        time.sleep(chance.uniform(0, 0.05))
        killed += process.poll() is None
        process.kill()
        process.wait(20)
    return killed


@pytest.mark.process
async def test_an_importing_process_killed_at_any_point_ends_in_the_same_state(
    importer, tmp_path: Path, rows, database_settings: DatabaseSettings
):
    path = tmp_path / "mail.mbox"
    path.write_bytes(mbox(letters(900)))
    import_id = await importer.ask(path)
    assert (
        await asyncio.to_thread(killed_importing, rows, database_settings, importer.account, import_id) >= 2
    )
    process = importing(database_settings.url, importer.account, import_id)
    assert await asyncio.to_thread(process.wait, 60) == 0
    row = await importer.row(import_id)
    assert (row.state, row.seen, row.stored, row.known) == ("done", 900, 900, 0)
    content, said = rows(CONTENT), rows(SAID)
    assert len(content) == len({key for key, *_ in content}) == 900
    assert rows("SELECT count(*) FROM readings") == [(900,)]
    again = await importer(path)
    assert (again.stored, again.known) == (0, 900)
    assert (rows(CONTENT), rows(SAID)) == (content, said)


async def test_the_real_messages_and_the_hard_ones_are_imported_alike_twice(
    importer, shared_data: Path, rows
):
    for folder in (shared_data / "mail" / "findajob-eml", shared_data / "mime" / "stalwart-mail-parser"):
        first = await importer(folder)
        assert (first.state, first.quarantined) == ("done", 0)
        before = rows(CONTENT), rows(SAID)
        again = await importer(folder)
        assert (again.stored, again.known) == (0, first.seen)
        assert (rows(CONTENT), rows(SAID)) == before
    kinds = dict(rows("SELECT kind, count(DISTINCT message_id) FROM events GROUP BY kind"))
    print(json.dumps(kinds))
    assert kinds["rejection"] == 14
    assert kinds["acknowledgement"] >= 6
