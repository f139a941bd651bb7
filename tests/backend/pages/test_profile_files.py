"""Files of the profile: a JSON Resume brought in with what was left out, and documents kept and chosen."""

import io
import zipfile
from pathlib import Path

import httpx2
import msgspec
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, follow, see, submit

from extension_api.documents.rules import MAX_BYTES
from extension_api.profiles.store import current_profile
from extension_api.profiles.types import Profile
from schema.db import Database
from schema.ids import AccountId
from schema.settings import Settings

RESUME = {
    "basics": {"name": "Ada Lovelace", "email": "ada@example.org", "image": "portrait.png"},
    "work": [{"name": "Engines", "position": "Programmer", "startDate": "1842", "endDate": "1843"}],
    "volunteer": [{"organization": "A society"}],
}


async def profile_of(database: Database, account: AccountId) -> Profile:
    async with database.as_account(account) as unit:
        return (await current_profile(unit)).profile


def left(settings: Settings) -> list[Path]:
    spool = settings.home.folder() / "spool"
    return list(spool.iterdir()) if spool.is_dir() else []


async def bring(client: httpx2.AsyncClient, content: bytes, name: str = "resume.json") -> Seen:
    return Seen(await client.post("/profile/import", files={"file": (name, content)}, headers=PAGE))


async def test_an_import_lists_what_was_not_taken_over_and_can_be_undone(
    client: httpx2.AsyncClient, database: Database, account: AccountId
):
    await bring(client, msgspec.json.encode({"basics": {"email": "old@example.org", "label": "Kept"}}))
    page = await bring(client, msgspec.json.encode(RESUME), "ada.json")
    assert page.status == 200
    assert page.title == "Profile imported"
    assert "ada.json" in page.text(".lede")
    assert {"Image", "Volunteer"} <= set(page.texts("#no-place li"))
    profile = await profile_of(database, account)
    assert (profile.first_name, profile.email, profile.headline) == ("Ada", "ada@example.org", "Kept")
    await follow(client, await submit(client, page, "/profile/undo"))
    assert (await profile_of(database, account)).email == "old@example.org"


async def test_the_same_file_again_changes_nothing(client: httpx2.AsyncClient):
    await bring(client, msgspec.json.encode(RESUME))
    page = await bring(client, msgspec.json.encode(RESUME))
    assert page.title == "Nothing new in the file"
    assert not page.has("form[action='/profile/undo']")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "cannot be read as JSON"),
        (b"\x00\xff\xfe", "cannot be read as JSON"),
        (b"[]", "none of the sections"),
        (b"[" * 100_000, "cannot be read as JSON"),
        (b'{"basics": {"name": "' + b"x" * 2_000_000 + b'"}}', "larger than 2 MB"),
    ],
    ids=["empty", "binary", "list", "deep", "large"],
)
async def test_another_file_is_refused_beside_its_field(
    client: httpx2.AsyncClient, content: bytes, said: str
):
    page = await bring(client, content)
    assert page.status in {400, 413}
    assert said in page.text("main")


async def test_no_file_is_refused(client: httpx2.AsyncClient):
    answer = await client.post("/profile/import", data={"x": "y"}, files={"other": b""}, headers=PAGE)
    page = Seen(answer)
    assert page.status == 400
    assert "Choose a file" in page.text("#faults")


async def test_an_import_leaves_no_file_behind(client: httpx2.AsyncClient, settings: Settings):
    await bring(client, msgspec.json.encode(RESUME))
    await bring(client, b"nothing")
    assert not left(settings)


# Documents

PDF = b"%PDF-1.7\nhello"


def docx() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    return made.getvalue()


async def add(client: httpx2.AsyncClient, name: str, content: bytes, kind: str = "resume") -> Seen:
    answer = await client.post(
        "/profile/documents", data={"kind": kind}, files={"file": (name, content)}, headers=PAGE
    )
    return Seen(answer)


def attached(page: Seen) -> list[str]:
    return [row.css_first("a").text() for row in page.all("main li") if row.css_first(".badge") is not None]


async def test_the_first_of_its_kind_is_attached_and_another_can_be_chosen(client: httpx2.AsyncClient):
    await add(client, "a.pdf", PDF)
    await add(client, "letter.txt", b"Dear all", "cover_letter")
    page = await follow(client, await add(client, "b.docx", docx()))
    assert "b.docx is kept." in page.text(".flash")
    assert attached(page) == ["a.pdf", "letter.txt"]
    choose = next(f for f in page.all("form") if "Attach this one" in f.text())
    page = await follow(client, await submit(client, page, str(choose.attributes["action"])))
    assert attached(page) == ["b.docx", "letter.txt"]
    undo = str(page.one(".flash form").attributes["action"])
    page = await follow(client, await submit(client, page, undo))
    assert attached(page) == ["a.pdf", "letter.txt"]


async def test_a_document_comes_back_as_it_was_and_never_opens_in_our_name(client: httpx2.AsyncClient):
    await add(client, "résumé ü.pdf", PDF)
    page = await see(client, "/profile/documents")
    answer = await client.get(str(page.one("main li a").attributes["href"]), headers=PAGE)
    assert answer.content == PDF
    assert answer.headers["content-type"].startswith("application/octet-stream")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_removing_a_document_can_be_undone(client: httpx2.AsyncClient):
    page = await follow(client, await add(client, "a.pdf", PDF))
    remove = next(f for f in page.all("form") if "Remove" in f.text())
    page = await follow(client, await submit(client, page, str(remove.attributes["action"])))
    assert not page.has("main li a[download]")
    page = await follow(client, await submit(client, page, str(page.one(".flash form").attributes["action"])))
    assert page.has("main li a[download]")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.pdf", b"", "empty"),
        ("a.exe", b"MZ\x00\x01", "no PDF"),
        ("a.pdf", docx(), "called .pdf but holds"),
    ],
)
async def test_what_is_no_document_is_refused_beside_its_field(
    client: httpx2.AsyncClient, name: str, content: bytes, said: str
):
    page = await add(client, name, content)
    assert page.status == 400
    assert said in page.text("#e-file")


async def test_a_document_that_is_too_large_is_refused(client: httpx2.AsyncClient, settings: Settings):
    page = await add(client, "a.pdf", PDF + b"x" * MAX_BYTES)
    assert page.status == 413
    assert "10 MB" in page.text("main")
    assert not left(settings)


async def test_another_accounts_document_is_as_missing_as_none(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient
):
    page = await follow(client, await add(client, "a.pdf", PDF))
    href = str(page.one("main li a").attributes["href"])
    for verb in ("default", "delete", "restore"):
        mine = href.replace("content", verb)
        answers = [
            await other_client.post(path, headers=PAGE)
            if verb != "default"
            else await other_client.post(path, data={"before": ""}, headers=PAGE)
            for path in (mine, f"/profile/documents/999999/{verb}")
        ]
        assert [answer.status_code for answer in answers] == [404, 404]
    answer = await other_client.get(href, headers=PAGE)
    none = await other_client.get("/profile/documents/999999/content", headers=PAGE)
    assert (answer.status_code, len(answer.text)) == (404, len(none.text))
