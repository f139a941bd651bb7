from pathlib import Path

from backend.processes.server_user import ServerUser, blocking_folder

STRANGER = ServerUser(name="stranger", uid=54321, gid=54321)


def test_an_open_path_is_passed(short_folder: Path):
    (short_folder / "a/b").mkdir(parents=True)
    assert blocking_folder(short_folder / "a/b", STRANGER) is None


def test_the_outermost_closed_folder_is_named(short_folder: Path):
    inner = short_folder / "closed/inner"
    inner.mkdir(parents=True)
    inner.chmod(0o700)
    inner.parent.chmod(0o700)
    assert blocking_folder(inner, STRANGER) == inner.parent


def test_a_folder_that_others_may_pass_but_not_list_is_passed(short_folder: Path):
    (short_folder / "home").mkdir()
    (short_folder / "home").chmod(0o711)
    assert blocking_folder(short_folder / "home", STRANGER) is None


def test_an_owner_is_judged_by_the_owners_bits(short_folder: Path):
    folder = short_folder / "mine"
    folder.mkdir()
    status = folder.stat()
    folder.chmod(0o700)
    owner = ServerUser(name="owner", uid=status.st_uid, gid=status.st_gid)
    assert blocking_folder(folder, owner) is None
    folder.chmod(0o077)
    assert blocking_folder(folder, owner) == folder


def test_what_is_not_there_yet_blocks_nobody(short_folder: Path):
    assert blocking_folder(short_folder / "not/yet", STRANGER) is None
