import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from fixtures.mail import mail, mbox

from mailsync.archive import mbox as mbox_module
from mailsync.archive import walk as walk_module
from mailsync.archive import zips as zips_module
from mailsync.archive.mbox import stretches
from mailsync.archive.members import open_archive
from mailsync.archive.types import ArchiveTooLarge, ArchiveUnreadable, Found, NotAnArchive
from mailsync.archive.walk import messages

MESSAGES = [mail(f"Message {n}.", message_id=f"<{n}@x>") for n in range(7)]


def read(path: Path, resume: str | None = None) -> list[Found]:
    return list(messages(open_archive(path), resume))


def raws(found: list[Found]) -> list[bytes]:
    return [each.raw.rstrip() for each in found]


EXPECTED = [message.rstrip() for message in MESSAGES]


def as_mbox(folder: Path) -> Path:
    path = folder / "mail.mbox"
    path.write_bytes(mbox(MESSAGES))
    return path


def as_folder(folder: Path) -> Path:
    for number, message in enumerate(MESSAGES):
        place = folder / "mails" / ("a" if number < 3 else "b/deep")
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number}.EML").write_bytes(message)
    (folder / "mails" / "notes.txt").write_text("not mail")
    return folder / "mails"


def as_maildir(folder: Path) -> Path:
    for number, message in enumerate(MESSAGES):
        place = folder / "Maildir" / ("cur" if number < 4 else "new")
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number}.M1.host:2,S").write_bytes(message)
    return folder / "Maildir"


def as_takeout_zip(folder: Path) -> Path:
    path = folder / "takeout.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Takeout/archive_browser.html", "<html>")
        archive.writestr("Takeout/Mail/All mail.mbox", mbox(MESSAGES[:4]))
        archive.writestr("Takeout/Mail/more.mbox", mbox(MESSAGES[4:6]))
        archive.writestr("../../etc/single.eml", MESSAGES[6])
    return path


SHAPES = [as_mbox, as_folder, as_maildir, as_takeout_zip]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_message_comes_once_in_the_same_order(tmp_path: Path, shape: Callable[[Path], Path]):
    path = shape(tmp_path)
    found = read(path)
    assert sorted(raws(found)) == EXPECTED
    assert found == read(path)
    assert found[-1].done_bytes == open_archive(path).total_bytes
    assert [each.done_bytes for each in found] == sorted(each.done_bytes for each in found)
    assert len({each.position for each in found}) == len(found)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_walk_goes_on_behind_any_message(tmp_path: Path, shape: Callable[[Path], Path]):
    path = shape(tmp_path)
    found = read(path)
    for place, each in enumerate(found):
        assert read(path, each.resume) == found[place + 1 :]


def test_crlf_and_a_byte_order_mark_are_read(tmp_path: Path):
    path = tmp_path / "mail.mbox"
    path.write_bytes(b"\xef\xbb\xbf" + mbox(MESSAGES, line_end=b"\r\n"))
    assert [raw.replace(b"\r\n", b"\n") for raw in raws(read(path))] == EXPECTED


def test_quoting_of_from_lines_is_undone_and_prose_cuts_nothing(tmp_path: Path):
    message = mail("From now on.\n>From then.\nFrom me at 10:30 today\nand so on\n")
    path = tmp_path / "mail.mbox"
    path.write_bytes(mbox([message, message]))
    assert raws(read(path)) == [message.rstrip()] * 2
    unquoted = b"From 1@x Tue Feb 03 10:30:00 2026\nSubject: a\n\nFrom me at 10:30 today\nand so on\n"
    path.write_bytes(unquoted)
    assert len(read(path)) == 1


def test_gmail_headers_before_the_message_are_part_of_it(tmp_path: Path):
    path = tmp_path / "mail.mbox"
    path.write_bytes(mbox([b"X-GM-THRID: 1\nX-Gmail-Labels: Inbox\n" + MESSAGES[0]]))
    assert raws(read(path))[0].startswith(b"X-GM-THRID")


@pytest.mark.parametrize("chunk", [1, 7, 64, 500])
def test_where_the_chunks_end_makes_no_difference(monkeypatch: pytest.MonkeyPatch, chunk: int):
    raw = mbox(MESSAGES)
    expected = list(stretches(io.BytesIO(raw)))
    monkeypatch.setattr(mbox_module, "_CHUNK_BYTES", chunk)
    assert list(stretches(io.BytesIO(raw))) == expected
    assert len(expected) == len(MESSAGES)


def test_a_message_beyond_the_cap_is_quarantined_and_the_walk_goes_on():
    huge = mail("words " * 40_000)
    raw = mbox([MESSAGES[0], huge, MESSAGES[1]])
    found = list(stretches(io.BytesIO(raw), cap_bytes=10_000))
    assert [each.raw is None for each in found] == [False, True, False]
    assert found[1].end - found[1].start > len(huge)
    assert found[2].raw is not None
    assert found[2].raw.rstrip() == EXPECTED[1]


def test_a_huge_last_message_is_quarantined_too():
    found = list(stretches(io.BytesIO(mbox([mail("words " * 40_000)])), cap_bytes=10_000))
    assert [each.raw for each in found] == [None]


def test_a_huge_eml_is_quarantined_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(walk_module, "MOST_MESSAGE_BYTES", 100)
    (tmp_path / "a.eml").write_bytes(MESSAGES[0])
    assert [(each.code, each.raw) for each in read(tmp_path)] == [("message_too_large", b"")]


def test_a_folder_with_an_mbox_that_is_none_names_it_and_reads_the_rest(tmp_path: Path):
    (tmp_path / "a.mbox").write_bytes(b"\x00\x01 pictures")
    (tmp_path / "b.eml").write_bytes(MESSAGES[0])
    assert [each.code for each in read(tmp_path)] == ["not_an_mbox", None]


def test_an_empty_eml_is_one_message(tmp_path: Path):
    (tmp_path / "a.eml").write_bytes(b"")
    found = read(tmp_path)
    assert [each.raw for each in found] == [b""]
    assert read(tmp_path, found[0].resume) == []


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path):
    outside = tmp_path / "outside.eml"
    outside.write_bytes(MESSAGES[0])
    inside = tmp_path / "in"
    inside.mkdir()
    (inside / "link.eml").symlink_to(outside)
    (inside / "real.eml").write_bytes(MESSAGES[1])
    (inside / "loop").symlink_to(inside)
    assert raws(read(inside)) == EXPECTED[1:2]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "an empty file"),
        (b"%PDF-1.7 x", "a PDF document"),
        (b"\x1f\x8b\x08tgz", "gzip"),
        (b"!BDN....", ".pst"),
        (b"<!DOCTYPE html><p>", "a web page"),
        (b'{"a": 1}', "a JSON file"),
        (b"Dear diary,\nFrom now on I write.\n", "text that is not mail"),
        (b"\x00\x01\x02", "other content"),
    ],
)
def test_what_is_no_mail_is_refused_by_name(tmp_path: Path, content: bytes, words: str):
    path = tmp_path / "mail.mbox"
    path.write_bytes(content)
    with pytest.raises(NotAnArchive) as refusal:
        open_archive(path)
    assert words in refusal.value.detail
    assert ".mbox" in refusal.value.detail


def test_what_came_by_upload_is_called_what_the_person_calls_it_and_no_folder_is_asked_for(tmp_path: Path):
    path = tmp_path / "spooled-7"
    path.write_bytes(b"Dear diary,\n")
    with pytest.raises(NotAnArchive) as refusal:
        open_archive(path, uploaded_as="All mail.mbox")
    assert refusal.value.detail.startswith("All mail.mbox: expected an .mbox file")
    assert "folder" not in refusal.value.detail


def test_a_missing_path_and_an_empty_folder_are_refused(tmp_path: Path):
    with pytest.raises(ArchiveUnreadable, match=f"^{tmp_path}/gone: No such file or directory.$"):
        open_archive(tmp_path / "gone")
    with pytest.raises(
        NotAnArchive, match=rf"^{tmp_path.name}: found no mail inside; .*only files ending in .eml"
    ):
        open_archive(tmp_path)


def test_a_single_eml_is_recognised_by_content(tmp_path: Path):
    path = tmp_path / "message"
    path.write_bytes(MESSAGES[0])
    assert raws(read(path)) == EXPECTED[:1]


def test_a_zip_bomb_is_refused_before_anything_is_unpacked(tmp_path: Path):
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("big.mbox", "w") as member:
        for _ in range(100):
            member.write(bytes(1024 * 1024))
    assert path.stat().st_size < 1024 * 1024
    with pytest.raises(ArchiveTooLarge):
        open_archive(path)


def test_a_zip_of_very_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(30):
            archive.writestr(f"{number}.eml", b"x")
    monkeypatch.setattr(zips_module, "MOST_MEMBERS", 20)
    with pytest.raises(ArchiveTooLarge):
        open_archive(path)
    monkeypatch.setattr(zips_module, "MOST_DIRECTORY_BYTES", 100)
    with pytest.raises(ArchiveTooLarge):
        open_archive(path)


def test_a_zip_without_mail_and_a_cut_zip_are_refused(tmp_path: Path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.txt", "x" * 500)
    with pytest.raises(NotAnArchive):
        open_archive(path)
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(ArchiveUnreadable):
        open_archive(path)


def test_a_damaged_member_is_named_and_the_others_are_read(tmp_path: Path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.eml", MESSAGES[0])
        archive.writestr("b.eml", MESSAGES[1])
    path.write_bytes(path.read_bytes().replace(b"Message 0.", b"Message X.", 1))
    assert [each.code for each in read(path)] == ["member_damaged", None]


def test_an_encrypted_member_is_named(tmp_path: Path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.eml", MESSAGES[0])
    raw = bytearray(path.read_bytes())
    raw[raw.find(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(raw)
    assert [each.code for each in read(path)] == ["member_encrypted"]


def test_real_exports_are_walked_alike_from_every_third_message(shared_data: Path):
    samples = sorted((shared_data / "mime" / "got-your-back" / "samples").rglob("*.mbox"))
    assert len(samples) == 6
    for path in samples:
        found = read(path)
        assert found, path
        for place in range(0, len(found), 3):
            assert read(path, found[place].resume) == found[place + 1 :]


def test_file_names_that_are_no_text_name_their_messages_apart(tmp_path: Path):
    for name in (b"\xff.eml", b"\xfe.eml"):
        (tmp_path / os.fsdecode(name)).write_bytes(MESSAGES[0])
    found = read(tmp_path)
    assert len({each.position for each in found}) == 2
    for each in found:
        each.position.encode()
    assert read(tmp_path, found[0].resume) == found[1:]


def test_a_download_that_broke_off_is_said_to_be_cut_short(tmp_path: Path):
    whole = tmp_path / "whole.zip"
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("Takeout/Mail/All mail.mbox", mbox(MESSAGES))
    cut = tmp_path / "takeout.zip"
    cut.write_bytes(whole.read_bytes()[:800])
    with pytest.raises(ArchiveUnreadable, match=r"takeout\.zip: this zip is cut short"):
        open_archive(cut)


def test_a_folder_that_cannot_be_listed_is_not_an_empty_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "mails").mkdir()

    def closed(path: str) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", closed)  # root may list everything, so the system is made to refuse
    with pytest.raises(ArchiveUnreadable, match=f"^{tmp_path}/mails: Permission denied"):
        open_archive(tmp_path / "mails")
