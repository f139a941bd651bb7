from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from backend.processes.rules import (
    claim_complaint,
    clock_complaint,
    clock_difference_complaint,
    deaths_in_a_row,
    fits_a_socket,
    space_complaint,
    wait_before_restart,
)

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
MEGABYTE = 1024 * 1024


@given(st.integers(min_value=0, max_value=10_000))
def test_the_wait_grows_and_stays_within_half_a_minute(deaths: int):
    assert 0.25 <= wait_before_restart(deaths) <= wait_before_restart(deaths + 1) <= 30


def test_a_process_that_ran_steadily_is_forgiven_its_earlier_deaths():
    assert deaths_in_a_row(5, ran_seconds=61) == 1
    assert deaths_in_a_row(5, ran_seconds=3) == 6


def test_a_worker_may_miss_two_looks_and_have_one_slow_one():
    assert claim_complaint(7.9, poll_seconds=1.0) is None
    assert claim_complaint(8.1, poll_seconds=1.0)
    assert claim_complaint(8.1, poll_seconds=2.0) is None


def test_a_socket_path_counts_bytes_not_letters():
    assert fits_a_socket("/" + "a" * 80)
    assert not fits_a_socket("/" + "ä" * 80)


def test_a_socket_folder_may_not_hold_what_the_servers_setting_splits_on():
    assert not fits_a_socket("/home/a,b")


def test_a_new_database_needs_more_space_than_a_running_one():
    assert space_complaint(100 * MEGABYTE, "/data", new=False) is None
    complaint = space_complaint(100 * MEGABYTE, "/data", new=True)
    assert complaint is not None
    assert "100 MB" in complaint
    assert "256 MB" in complaint


def test_a_full_disk_is_named():
    assert "/data" in (space_complaint(0, "/data", new=False) or "")


def test_a_clock_before_this_program_existed_is_wrong():
    assert "1970" in (clock_complaint(datetime(1970, 1, 1, tzinfo=UTC), None) or "")


def test_a_clock_behind_our_own_last_write_is_wrong():
    assert clock_complaint(NOW, NOW + timedelta(hours=1)) is not None
    assert clock_complaint(NOW, NOW + timedelta(minutes=1)) is None
    assert clock_complaint(NOW, NOW - timedelta(days=300)) is None


def test_two_machines_may_differ_by_minutes_not_by_hours():
    assert clock_difference_complaint(NOW, NOW + timedelta(minutes=4)) is None
    assert "7200 s" in (clock_difference_complaint(NOW, NOW - timedelta(hours=2)) or "")
