"""`jobtrail check` names what is wrong before anything is started, and changes nothing."""

import os
import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from backend.processes import check_machine
from backend.processes.check_database import database_findings
from backend.processes.check_machine import machine_findings
from backend.processes.home import held, make_home
from schema.settings import (
    DatabaseSettings,
    HomeSettings,
    HttpSettings,
    MonitorSettings,
    Settings,
    SourceSettings,
)

Check = Callable[[Settings], dict[str, tuple[str, str]]]


@pytest.fixture
def settings(short_folder: Path) -> Settings:
    return Settings(home=HomeSettings(home=str(short_folder / "home")), http=HttpSettings(port=0))


def checked(settings: Settings) -> dict[str, tuple[str, str]]:
    return {finding.subject: (finding.verdict, finding.text) for finding in machine_findings(settings)}


def test_an_empty_machine_is_well_and_stays_empty(settings: Settings, short_folder: Path):
    assert {verdict for verdict, _ in checked(settings).values()} == {"ok"}
    assert list(short_folder.iterdir()) == []


def test_a_home_that_is_a_file_is_wrong(settings: Settings, short_folder: Path):
    (short_folder / "home").touch()
    assert checked(settings)["home"][0] == "wrong"


def test_a_home_that_others_may_look_into_is_unsafe(settings: Settings, short_folder: Path):
    (short_folder / "home").mkdir()
    (short_folder / "home").chmod(0o755)
    verdict, text = checked(settings)["home"]
    assert verdict == "unsafe"
    assert "chmod go-rw" in text


def test_a_full_disk_is_wrong(settings: Settings, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(check_machine, "free_bytes", lambda _: 10**7)
    assert checked(settings)["space"][0] == "wrong"


def test_a_key_file_that_others_may_read_is_unsafe(settings: Settings, short_folder: Path):
    (short_folder / "home").mkdir(mode=0o711)
    (short_folder / "home/keys.json").write_text("{}")
    (short_folder / "home/keys.json").chmod(0o644)
    assert checked(settings)["keys"] == (
        "unsafe",
        f"others may read {short_folder}/home/keys.json; close it: chmod 600 {short_folder}/home/keys.json",
    )


def test_a_taken_port_is_wrong_unless_it_is_our_own(short_folder: Path):
    home = HomeSettings(home=str(short_folder / "home"))
    make_home(home.folder())
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = Settings(home=home, http=HttpSettings(port=taken.getsockname()[1]))
        assert checked(settings)["port"][0] == "wrong"
        with held(home.folder(), "jobtrail up"):
            assert checked(settings)["port"][0] == "ok"


@pytest.mark.parametrize(
    ("http", "verdict"),
    [
        (HttpSettings(port=0), "ok"),
        (HttpSettings(port=0, host="0.0.0.0"), "unsafe"),
        (HttpSettings(port=0, host="0.0.0.0", public_url="https://jobs.example"), "ok"),
        (HttpSettings(port=0, public_url="http://jobs.example"), "unsafe"),
    ],
)
def test_pages_open_to_the_network_without_encryption_are_unsafe(
    settings: Settings, http: HttpSettings, verdict: str
):
    assert checked(Settings(home=settings.home, http=http))["exposure"][0] == verdict


def test_a_clock_behind_the_last_write_is_wrong(settings: Settings, short_folder: Path):
    control = short_folder / "home/postgres/data/global/pg_control"
    control.parent.mkdir(parents=True)
    control.touch()
    ahead = (datetime.now(UTC) + timedelta(days=2)).timestamp()
    os.utime(control, (ahead, ahead))
    assert checked(settings)["clock"][0] == "wrong"


def test_a_data_folder_of_another_major_version_is_wrong(settings: Settings, short_folder: Path):
    data = short_folder / "home/postgres/data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("15\n")
    verdict, text = checked(settings)["server"]
    assert verdict == "wrong"
    assert "made by PostgreSQL 15" in text


def test_a_fetcher_let_into_the_private_network_is_unsafe(settings: Settings):
    for source, told in (
        (SourceSettings(allow_private_addresses=True, contact="a@b.example"), "ALLOW_PRIVATE_ADDRESSES"),
        (SourceSettings(gateway="http://127.0.0.1:1", contact="a@b.example"), "JOBTRAIL_SOURCE_GATEWAY"),
    ):
        verdict, text = checked(Settings(home=settings.home, http=settings.http, source=source))["sources"]
        assert verdict == "unsafe"
        assert told in text
    assert checked(settings)["sources"][0] == "ok"


def asked(url: str) -> dict[str, tuple[str, str]]:
    findings = database_findings(Settings(database=DatabaseSettings(url=url)))
    return {finding.subject: (finding.verdict, finding.text) for finding in findings}


def test_the_restricted_login_role_is_well(login_url: str):
    assert {verdict for verdict, _ in asked(login_url).values()} == {"ok"}


def test_a_login_role_that_row_security_does_not_bind_is_unsafe(owner_url: str):
    assert asked(owner_url)["role"][0] == "unsafe"


def test_a_database_that_does_not_answer_is_wrong(short_folder: Path):
    assert asked(f"postgresql://jobtrail@/x?host={short_folder}")["database"][0] == "wrong"


def test_an_empty_database_is_wrong_and_says_what_to_run(scratch_database: str, server_url: str):
    verdict, text = asked(server_url.replace("/postgres?", f"/{scratch_database}?"))["tables"]
    assert verdict == "wrong"
    assert "jobtrail migrate" in text


def test_an_embedded_server_that_does_not_run_is_no_fault(settings: Settings):
    assert [finding.verdict for finding in database_findings(settings)] == ["ok"]


@pytest.mark.parametrize(
    ("monitor", "verdict"),
    [
        (MonitorSettings(api_port=9101, worker_port=9102), "ok"),
        (MonitorSettings(api_port=9101, worker_port=9101), "wrong"),
        (MonitorSettings(host="0.0.0.0", worker_port=9102), "unsafe"),
    ],
)
def test_monitors_ports_are_looked_at_once_there_are_some(
    settings: Settings, monitor: MonitorSettings, verdict: str
):
    assert "monitors" not in checked(settings)
    assert checked(replace(settings, monitor=monitor))["monitors"][0] == verdict
