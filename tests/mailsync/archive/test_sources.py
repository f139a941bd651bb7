"""Exports of mail programs: the same mail twice is the same mail, and the person's own is known as theirs."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from fixtures.mail import mail, mbox

from mailsync.parse.message import parse_message

RECEIPT = "Thank you for applying. We received your application for the Baker role."
CONTENT = (
    "SELECT message_key, rfc_message_id, content_sha256, sent_at, sender_address, subject, body, quoted,"
    " kept, from_owner FROM messages ORDER BY message_key"
)
SENT_IN = {
    "english": "Sent,Opened",
    "french": "=?UTF-8?Q?Messages_envoy=C3=A9s,Important?=",
    "french, decomposed": "Envoye\u0301s",
    "german": "Gesendet,=?UTF-8?Q?Ge=C3=B6ffnet?=",
    "spanish": '"Trabajo, 2026",Enviados',
}


def letters() -> list[bytes]:
    return [mail(RECEIPT, message_id=f"<{number}@northwind.example>") for number in range(4)]


def as_maildir(folder: Path) -> Path:
    root = folder / "Maildir"
    places = ("cur/1.M1P1.host:2,S", "cur/2.M1P1.host:2,", "new/3", ".Jobs/cur/4.host:2,RS")
    for place, letter in zip(places, letters(), strict=True):
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_bytes(letter)
    (root / ".Jobs" / "new").mkdir()
    (root / "tmp").mkdir()
    (root / "tmp" / "5.host").write_bytes(letters()[0][:200])
    (root / "tmp" / "6.eml").write_bytes(mail("Half of a let", message_id="<half@x>"))
    (root / "dovecot-uidlist").write_text("3 V1 N5")
    return root


def as_seen_in_between(root: Path) -> None:
    (root / "new" / "3").rename(root / "cur" / "3:2,FS")
    (root / "cur" / "1.M1P1.host:2,S").rename(root / "cur" / "1.M1P1.host:2,RST")


def as_folder(folder: Path) -> Path:
    root = folder / "letters"
    for number, letter in enumerate(letters()):
        (root / str(number % 2)).mkdir(parents=True, exist_ok=True)
        (root / str(number % 2) / f"{number}.eml").write_bytes(letter)
    return root


def as_moved(root: Path) -> None:
    (root / "0" / "2.eml").rename(root / "letter two.EML")


@pytest.mark.parametrize(("made", "changed"), [(as_maildir, as_seen_in_between), (as_folder, as_moved)])
async def test_a_folder_read_again_with_other_flags_and_names_stores_nothing_new(
    importer, tmp_path: Path, rows, made: Callable[[Path], Path], changed: Callable[[Path], None]
):
    root = made(tmp_path)
    row = await importer(root)
    assert (row.seen, row.stored, row.quarantined) == (4, 4, 0)
    before = rows(CONTENT)
    changed(root)
    row = await importer(root)
    assert (row.seen, row.stored, row.known) == (4, 0, 4)
    assert rows(CONTENT) == before


@pytest.mark.parametrize("language", SENT_IN)
def test_sent_mail_of_a_takeout_carries_one_label_in_every_language(language: str):
    raw = f"X-Gmail-Labels: {SENT_IN[language]}\n".encode() + mail(RECEIPT)
    assert "Sent" in parse_message(raw).labels


def test_a_label_keeps_its_comma_and_other_labels_their_names():
    message = parse_message(b'X-Gmail-Labels: "Work, 2026",Unsent,Sentinel, Inbox\n\nx')
    assert message.labels == ("Work, 2026", "Unsent", "Sentinel", "Inbox")


async def test_a_takeout_of_several_mboxes_in_any_language_knows_the_persons_own_mail(
    importer, tmp_path: Path, rows
):
    path = tmp_path / "takeout.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as pack:
        for number, (language, told) in enumerate(sorted(SENT_IN.items())):
            own = mail(RECEIPT, sender=f"Ada <ada{number}@home.example>", message_id=f"<own{number}@x>")
            labelled = f"X-Gmail-Labels: {told}\n".encode() + own
            pack.writestr(f"Takeout/Mail/{language} Envoye\u0301s.mbox", mbox([labelled, letters()[0]]))
            pack.writestr(f"Takeout/Mail/{language} Tous les messages.mbox", mbox([labelled]))
    row = await importer(path)
    assert (row.seen, row.known, row.quarantined) == (15, 9, 0)
    assert rows("SELECT from_owner, count(*) FROM messages GROUP BY from_owner ORDER BY from_owner") == [
        (False, 1),
        (True, 5),
    ]
    assert rows(
        "SELECT count(*) FROM events e JOIN messages m ON m.id = e.message_id WHERE m.from_owner"
    ) == [(0,)]
