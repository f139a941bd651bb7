"""Of an archive that is broken somewhere, everything that can be read is read."""

import random
import zipfile
from pathlib import Path

import pytest
from fixtures.mail import mail, mbox

from mailsync.archive.members import open_archive
from mailsync.archive.types import Found
from mailsync.archive.walk import messages

COUNT = 400


def letter(number: int) -> bytes:
    """Some 3 KB that hardly pack, so that damage is a matter of place."""
    words = random.Random(number)
    text = "\n".join(" ".join(f"{words.getrandbits(40):x}" for _ in range(6)) for _ in range(50))
    return mail(f"Letter {number}.\n{text}", message_id=f"<{number}@x>")


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("zip") / "takeout.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Takeout/Mail/All mail.mbox", mbox([letter(number) for number in range(COUNT)]))
        archive.writestr("Takeout/Mail/Other.mbox", mbox([letter(COUNT)]))
    return path.read_bytes()


def damaged(packed: bytes, folder: Path, share: float) -> Path:
    """A stretch in the first member overwritten."""
    at = int(packed.find(b"PK\x03\x04", 4) * share)
    path = folder / "takeout.zip"
    path.write_bytes(packed[:at] + b"\xff" * 64 + packed[at + 64 :])
    return path


def read(path: Path, resume: str | None = None) -> list[Found]:
    return list(messages(open_archive(path), resume))


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.98])
def test_of_a_damaged_mbox_in_a_zip_everything_before_the_damage_is_read(
    packed: bytes, tmp_path: Path, share: float
):
    found = read(damaged(packed, tmp_path, share))
    whole = [each for each in found if each.code is None]
    assert [each.code for each in found].count("member_damaged") == 1
    # Sixteen kilobytes are unpacked at once: what is lost of a good stretch is five letters and a bit.
    assert COUNT * share - 12 <= len(whole) - 1 < COUNT
    assert whole[-1].raw.rstrip() == letter(COUNT).rstrip()
    assert all(
        each.raw.rstrip() == letter(n).rstrip() for n, each in enumerate(whole[: int(COUNT * share) - 12])
    )


def test_the_quarantined_rest_begins_behind_the_last_letter_that_was_read(packed: bytes, tmp_path: Path):
    path = damaged(packed, tmp_path, 0.5)
    found = read(path)
    place = next(n for n, each in enumerate(found) if each.code)
    assert found[place].position == found[place - 1].resume
    assert found[place].size_bytes == open_archive(path).members[0].size_bytes - int(
        found[place].position.partition(":")[0]
    )
    for each in found[place - 3 : place + 1]:
        assert read(path, each.resume) == found[found.index(each) + 1 :]


def test_a_wrong_checksum_costs_at_most_the_last_letters(packed: bytes, tmp_path: Path):
    raw = bytearray(packed)
    for mark, offset in ((b"PK\x03\x04", 14), (b"PK\x01\x02", 16)):
        raw[raw.find(mark) + offset] ^= 0xFF
    path = tmp_path / "takeout.zip"
    path.write_bytes(raw)
    found = read(path)
    assert [each.code for each in found if each.code] == ["member_damaged"]
    assert len(found) - 2 >= COUNT - 12
