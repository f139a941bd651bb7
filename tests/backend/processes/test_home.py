import os
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from backend.processes.home import held, holder, make_home
from backend.processes.refusals import CannotStart
from schema.errors import HeldElsewhere

HOLD_UNTIL_KILLED = (
    "import sys; from pathlib import Path; from backend.processes.home import held\n"
    "with held(Path(sys.argv[1]), 'a test'): print('held', flush=True); sys.stdin.read()"
)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_home_is_made_with_the_folders_above_it(short_folder: Path):
    make_home(short_folder / "a/b/home")
    assert (short_folder / "a/b/home").is_dir()


def test_a_new_home_cannot_be_looked_into_by_others(short_folder: Path):
    make_home(short_folder / "home")
    assert not mode(short_folder / "home") & 0o066


def test_a_folder_that_holds_something_keeps_its_mode(short_folder: Path):
    home = short_folder / "home"
    home.mkdir()
    home.chmod(0o750)
    (home / "something").touch()
    make_home(home)
    assert mode(home) == 0o750


def test_folders_above_an_existing_home_keep_their_modes(short_folder: Path):
    home = short_folder / "closed/home"
    home.parent.mkdir(mode=0o700)
    make_home(home)
    assert mode(home.parent) == 0o700


def test_a_home_that_is_a_file_is_refused_by_its_name(short_folder: Path):
    (short_folder / "home").touch()
    with pytest.raises(CannotStart, match=f"{short_folder}/home.*JOBTRAIL_HOME"):
        make_home(short_folder / "home")


def test_a_second_holder_hears_who_holds_it_since_when(short_folder: Path):
    with (
        held(short_folder, "jobtrail up"),
        pytest.raises(
            HeldElsewhere,
            match=f"process {os.getpid()} \\(make run, or jobtrail up, since {datetime.now(UTC):%Y}",
        ),
        held(short_folder, "jobtrail migrate"),
    ):
        pytest.fail("two processes held one home")


def test_a_hold_that_ended_in_order_leaves_no_predecessor(short_folder: Path):
    for _ in range(2):
        with held(short_folder, "jobtrail up") as hold:
            assert hold.predecessor is None
    assert holder(short_folder) is None


def test_the_lock_of_a_killed_holder_is_free_and_its_name_is_told(short_folder: Path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD_UNTIL_KILLED, short_folder], stdout=subprocess.PIPE, stdin=subprocess.PIPE
    )
    with process:
        assert process.stdout
        assert process.stdout.readline() == b"held\n"
        who = holder(short_folder)
        assert who is not None
        assert who.pid == process.pid
        process.kill()
    assert holder(short_folder) is None
    with held(short_folder, "jobtrail up") as hold:
        assert hold.predecessor is not None
        assert hold.predecessor.pid == process.pid


def test_a_spoiled_lock_file_does_not_stop_anybody(short_folder: Path):
    (short_folder / "lock").write_bytes(b"\0\xffnot json")
    with held(short_folder, "jobtrail up") as hold:
        assert hold.predecessor is None


def test_a_folder_that_everybody_may_write_to_is_no_home(short_folder: Path):
    home = short_folder / "shared"
    home.mkdir()
    home.chmod(0o1777)
    with pytest.raises(CannotStart, match="everybody may write"):
        make_home(home)
    assert mode(home) == 0o1777


def test_an_empty_folder_of_ones_own_gains_at_most_the_right_to_pass(short_folder: Path):
    home = short_folder / "own"
    home.mkdir(mode=0o700)
    make_home(home)
    assert mode(home) == (0o701 if os.geteuid() == 0 else 0o700)


def test_who_finds_it_held_is_told_where_the_pages_are(short_folder: Path):
    with held(short_folder, "jobtrail up") as hold:
        hold.say_where("http://127.0.0.1:8377")
        with (
            pytest.raises(HeldElsewhere, match=r"it is at http://127\.0\.0\.1:8377\. Stop it"),
            held(short_folder, "jobtrail up"),
        ):
            pass
        who = holder(short_folder)
        assert who
        assert who.address == "http://127.0.0.1:8377"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a folder nothing can be made in, on Linux only")
def test_a_home_where_nothing_can_be_made_is_named():
    with pytest.raises(CannotStart, match="cannot make the folder /proc/nope: /proc takes no new folders"):
        make_home(Path("/proc/nope"))
