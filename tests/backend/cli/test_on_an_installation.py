"""Commands against a real installation: while it runs, and when nothing does."""

import json
import stat
from pathlib import Path

import pytest
from fixtures.installation import Installation, become_owner, wait_until

pytestmark = [pytest.mark.process, pytest.mark.timeout(120)]


def test_migrate_makes_a_database_once(installation: Installation):
    first = installation.command("migrate")
    assert first.returncode == 0
    assert "applied 0001_scope.sql" in first.stdout
    second = installation.command("migrate")
    assert (second.returncode, second.stdout) == (0, "the database is up to date\n")
    assert not (installation.home / "postgres/data/postmaster.pid").exists()


def test_commands_use_the_database_of_the_running_installation(running: Installation):
    server = running.family()["postgres"]
    assert running.command("migrate").stdout == "the database is up to date\n"
    assert running.command("tasks", "list").returncode == 0
    assert running.pid("postgres") == server


def test_tasks_are_listed_newest_first_and_by_status(running: Installation):
    with running.connect() as connection:
        connection.execute(
            "INSERT INTO tasks (account_id, kind, payload, max_attempts, not_before, created_at)"
            " SELECT NULL, 'test.echo.v1', '{}', 3, 'infinity', '2026-11-29 12:00:00Z'"
            " FROM generate_series(1, 3)"
        )
    listed = ("tasks", "list", "--kind", "test.echo.v1", "--status")
    lines = running.command(*listed, "pending", "--limit", "2").stdout.splitlines()
    assert len(lines) == 2
    assert lines[0].split()[1:] == ["pending", "0/3", "2026-11-29", "12:00:00", "test.echo.v1"]
    assert int(lines[0].split()[0]) > int(lines[1].split()[0])
    assert running.command(*listed, "failed").stdout == ""


def test_a_failed_task_is_replayed_by_the_running_worker_and_its_chain_is_told(running: Installation):
    with running.connect() as connection:
        row = connection.execute(
            "INSERT INTO tasks (account_id, kind, payload, max_attempts, attempts, status, failure_code,"
            " finished_at) VALUES (NULL, 'source.pull.v1', '{\"source_id\": 999999}', 5, 5, 'failed',"
            " 'attempts_exhausted', now()) RETURNING id"
        ).fetchone()
    assert row
    signed = ("--actor", "ada", "--reason", "the board is back")
    done = running.command("tasks", "replay", "--id", str(row[0]), *signed)
    assert (done.returncode, done.stderr) == (0, "")
    again = done.stdout.split()[0]
    wait_until(
        lambda: "(source_missing)" in running.command("tasks", "show", again).stdout, "the replay to end"
    )
    chain = running.command("tasks", "show", again).stdout.partition("lineage, oldest to newest\n")[2]
    assert [line.split()[2] for line in chain.splitlines()[:2]] == [str(row[0]), again]
    refused = running.command("tasks", "replay", "--id", str(row[0]), *signed)
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert f"replay {again}" in refused.stderr
    assert "alive" in running.command("workers").stdout


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        (("tasks", "list", "--status", "gone"), "--status: allowed are pending"),
        (("tasks", "list", "--limit", "0"), "--limit: allowed is 1 to"),
        (("tasks",), "required"),
        (("nonsense",), "invalid choice"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_two(
    installation: Installation, typed: tuple[str, ...], named: str
):
    done = installation.command(*typed)
    assert done.returncode == 2
    assert named in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_key_file_is_made_closed_and_rotated(installation: Installation):
    assert installation.command("migrate").returncode == 0
    first = installation.command("keys", "rotate")
    assert first.returncode == 0
    file = installation.home / "keys.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = json.loads(file.read_text())["current"]
    assert installation.command("keys", "rotate").returncode == 0
    after = json.loads(file.read_text())
    assert after["current"] != before
    assert before in after["keys"]


def test_a_board_is_added_once_listed_and_asked_for(running: Installation):
    assert running.command("source", "list").stdout == "No board yet; jobtrail source add URL adds one.\n"
    added = running.command("source", "add", "https://jobs.ashbyhq.com/jobtrail-example-board")
    assert added.returncode == 0, added.stderr
    assert "the host could not be reached" in added.stdout
    last = added.stdout.splitlines()[-1]
    number = last.split()[0]
    assert last == f"{number}  Ashby jobtrail-example-board: added; a worker reads it next"
    again = running.command("source", "add", "https://jobs.ashbyhq.com/jobtrail-example-board")
    assert "known already" in again.stdout
    listed = running.command("source", "list").stdout.split()
    assert listed[:2] == [number, "on"]
    assert listed[-1] == "jobtrail-example-board" or "failures" in listed
    assert running.command("source", "pull", "--source", number).returncode == 0


def test_a_source_that_is_not_there_is_named(running: Installation):
    done = running.command("source", "pull", "--source", "999999")
    assert done.returncode == 1
    assert "there is no source 999999" in done.stderr


def test_an_address_of_no_board_is_refused_in_one_line(running: Installation):
    for address in ("not an address", "https://careers.northwind.example/jobs"):
        done = running.command("source", "add", address)
        assert done.returncode in {1, 2}
        assert done.stderr.count("\n") == 1
    # A company's own page may show its board, and is asked.
    assert "its page could not be read: its host could not be reached" in done.stderr


def test_mail_for_nobody_is_refused_in_one_line(running: Installation, tmp_path: Path):
    (tmp_path / "a.eml").write_bytes(MESSAGE)
    done = running.command("mail", "import", str(tmp_path), "--account", "nobody@example.org")
    assert done.returncode == 1
    assert "nobody here has the address nobody@example.org" in done.stderr


MESSAGE = (
    b"From: Recruiting <jobs@initech.example>\r\nTo: ada@example.org\r\nSubject: Thank you for applying\r\n"
    b"Date: Mon, 2 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@initech.example>\r\n\r\n"
    b"Thank you for applying to Initech. We received your application for Engineer.\r\n"
)


def test_mail_is_imported_by_the_running_worker_or_by_the_command_itself_with_one_result(
    installation: Installation, tmp_path: Path
):
    folder = tmp_path / "mail"
    folder.mkdir()
    (folder / "a.eml").write_bytes(MESSAGE)
    become_owner(installation.start())
    first = installation.command("mail", "import", str(folder))
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.startswith("1 read: 1 new and kept, 0 known already")
    assert installation.stop() == 0
    second = installation.command("mail", "import", str(folder))
    assert (second.returncode, second.stderr) == (0, "")
    assert second.stdout.startswith("1 read: 0 new and kept, 1 known already")


def test_a_file_that_is_no_archive_is_refused_in_one_line(running: Installation, tmp_path: Path):
    become_owner(running.url)
    (tmp_path / "photo.mbox").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(1000))
    done = running.command("mail", "import", str(tmp_path / "photo.mbox"))
    assert done.returncode == 1
    assert "found a picture" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_command_where_no_jobtrail_is_makes_none(installation: Installation):
    done = installation.command("mail", "import", "/etc/hosts")
    assert done.returncode == 1
    assert f"no Jobtrail in {installation.home} yet; start it with make run" in done.stderr
    assert not installation.home.exists()


def test_a_second_api_is_told_that_jobtrail_has_the_port(running: Installation):
    address = running.url.rstrip("/")
    running.settings["JOBTRAIL_HTTP_PORT"] = address.rpartition(":")[2]
    done = running.command("api")
    assert done.returncode == 1
    assert f"with its pages at {address}." in done.stderr
