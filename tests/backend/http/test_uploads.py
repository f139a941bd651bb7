"""Files that come with a form: whole, private, bounded in memory, and gone unless kept."""

import hashlib
import os
import time
import tracemalloc
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path

import httpx2
import pytest
from litestar import Litestar, Request, Response, post

from backend.http.problems import problem_of
from backend.http.requests import Req
from backend.http.uploads import file_name, forget_unfinished, received

LIMIT = 96 * 1024 * 1024
MEGABYTE = 1024 * 1024
FRAME = "XframeX"


def app_storing_in(folder: Path) -> Litestar:
    @post("/", request_max_body_size=None, status_code=200)
    async def take(request: Req) -> dict[str, object]:
        async with received(request, folder, field="file", limit_bytes=LIMIT) as sent:
            file = sent.file
            mode = oct(file.path.stat().st_mode & 0o777) if file else None
            if sent.form.value("keep"):
                sent.keep()
            if sent.form.value("fail"):
                raise RuntimeError("the handler fails")
            return {
                "fields": sent.form.fields,
                "name": file.name if file else None,
                "sha256": file.sha256 if file else None,
                "size_bytes": file.size_bytes if file else None,
                "mode": mode,
            }

    def told(_: Request, error: Exception) -> Response:
        problem = problem_of(error)
        return Response(problem, status_code=problem.status)

    return Litestar([take], exception_handlers={Exception: told}, openapi_config=None)


@pytest.fixture
def spool(tmp_path: Path) -> Path:
    return tmp_path / "spool"


@pytest.fixture
async def client(spool: Path) -> AsyncGenerator[httpx2.AsyncClient, None]:
    transport = httpx2.ASGITransport(app=app_storing_in(spool))
    async with httpx2.AsyncClient(transport=transport, base_url="http://test") as opened:
        yield opened


def left(spool: Path) -> list[Path]:
    return list(spool.iterdir()) if spool.is_dir() else []


async def send_raw(client: httpx2.AsyncClient, body: bytes | AsyncIterator[bytes], **headers: str):
    headers = {"content-type": f"multipart/form-data; boundary={FRAME}"} | headers
    return await client.post("/", content=body, headers=headers)


def framed(content: bytes, *, name: str = "file") -> bytes:
    head = f'--{FRAME}\r\nContent-Disposition: form-data; name="{name}"; filename="a.mbox"\r\n\r\n'
    return head.encode() + content + f"\r\n--{FRAME}--\r\n".encode()


async def test_a_file_arrives_whole_and_private_between_its_fields(client: httpx2.AsyncClient):
    content = bytes(range(256)) * 9000
    form = {"kind": "resume", "note": "a\r\nb\x00c"}
    answer = await client.post("/", data=form, files={"file": ("../in/box.mbox", content)})
    assert answer.status_code == 200
    assert answer.json() == {
        "fields": {"kind": ["resume"], "note": ["a\nbc"]},
        "name": "box.mbox",
        "sha256": hashlib.sha256(content).hexdigest(),
        "size_bytes": len(content),
        "mode": "0o600",
    }


async def test_a_file_is_gone_unless_it_is_kept(client: httpx2.AsyncClient, spool: Path):
    await client.post("/", files={"file": ("a.mbox", b"one")})
    assert not left(spool)
    await client.post("/", data={"keep": "1"}, files={"file": ("a.mbox", b"two")})
    assert [(path.read_bytes(), path.suffix) for path in left(spool)] == [(b"two", "")]


async def test_a_file_is_gone_when_the_handler_fails(client: httpx2.AsyncClient, spool: Path):
    for form in ({"fail": "1"}, {"fail": "1", "keep": "1"}):
        answer = await client.post("/", data=form, files={"file": ("a.mbox", b"one")})
        assert answer.status_code == 500
        assert not left(spool)


def test_only_what_nobody_can_be_sending_any_more_is_forgotten(tmp_path: Path):
    ages = {
        "upload-a.part": 2 * 86_400,
        "upload-b.part": 60,
        "upload-c": 2 * 86_400,
        "other.part": 2 * 86_400,
    }
    for name, seconds in ages.items():
        path = tmp_path / name
        path.touch()
        os.utime(path, (time.time() - seconds,) * 2)
    (tmp_path / "upload-gone.part").symlink_to(tmp_path / "nowhere")  # as when another process was faster
    assert forget_unfinished(tmp_path) == 1
    (tmp_path / "upload-gone.part").unlink()
    assert {path.name for path in tmp_path.iterdir()} == {"upload-b.part", "upload-c", "other.part"}
    assert forget_unfinished(tmp_path / "not there") == 0


async def test_an_empty_file_is_a_file_and_no_choice_is_none(client: httpx2.AsyncClient):
    assert (await client.post("/", files={"file": ("a.mbox", b"")})).json()["size_bytes"] == 0
    nothing = framed(b"").replace(b'filename="a.mbox"', b'filename=""')
    assert (await send_raw(client, nothing)).json()["name"] is None


async def test_what_came_without_a_name_is_no_part_of_the_file(client: httpx2.AsyncClient):
    nameless = framed(b"stray").replace(b'filename="a.mbox"', b'filename=""')
    both = nameless[: -len(f"--{FRAME}--\r\n")] + framed(b"whole")
    assert (await send_raw(client, both)).json()["size_bytes"] == len(b"whole")


async def test_a_file_in_another_field_is_not_taken(client: httpx2.AsyncClient, spool: Path):
    assert (await send_raw(client, framed(b"x" * 3000, name="other"))).json()["name"] is None
    assert not left(spool)


async def test_an_announced_size_is_refused_before_anything_is_read(client: httpx2.AsyncClient, spool: Path):
    async def never() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    answer = await send_raw(client, never(), **{"content-length": str(LIMIT + 2 * MEGABYTE)})
    assert answer.status_code == 413
    assert not left(spool)


async def test_a_size_that_was_not_announced_is_refused_when_it_is_reached(
    client: httpx2.AsyncClient, spool: Path
):
    async def endless() -> AsyncIterator[bytes]:
        yield framed(b"")[: -len(FRAME) - 8]
        while True:
            yield b"x" * MEGABYTE

    answer = await send_raw(client, endless())
    assert answer.status_code == 413
    assert answer.json()["code"] == "too_large"
    assert not left(spool)


async def test_a_large_field_is_refused(client: httpx2.AsyncClient):
    answer = await client.post("/", data={"note": "x" * MEGABYTE}, files={"file": ("a", b"")})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "body",
    [framed(b"abc")[:-20], b"", b"no form at all"],
    ids=["cut", "empty", "text"],
)
async def test_a_broken_form_is_answered_and_leaves_nothing(
    client: httpx2.AsyncClient, spool: Path, body: bytes
):
    answer = await send_raw(client, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert not left(spool)


@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data", "text/plain; boundary=x"])
async def test_another_media_type_is_refused(client: httpx2.AsyncClient, kind: str):
    answer = await client.post("/", content=b"{}", headers={"content-type": kind})
    assert answer.status_code == 415


async def test_two_files_are_refused(client: httpx2.AsyncClient, spool: Path):
    two = [("file", ("a.mbox", b"one")), ("file", ("b.mbox", b"two"))]
    assert (await client.post("/", files=two)).status_code == 400
    assert not left(spool)


@pytest.mark.parametrize("step", [1, 7, 64, 1000])
async def test_where_the_chunks_are_cut_does_not_matter(client: httpx2.AsyncClient, step: int):
    content = b"\r\n--XframX\r\n-\r\n" * 50
    body = framed(content)

    async def cut() -> AsyncIterator[bytes]:
        for start in range(0, len(body), step):
            yield body[start : start + step]

    assert (await send_raw(client, cut())).json()["sha256"] == hashlib.sha256(content).hexdigest()


async def test_memory_does_not_grow_with_the_file(client: httpx2.AsyncClient):
    head, _, tail = framed(b"|").rpartition(b"|")
    chunk = b"x" * 64 * 1024

    async def large() -> AsyncIterator[bytes]:
        yield head
        for _ in range(64 * 16):
            yield chunk
        yield tail

    tracemalloc.start()
    answer = await send_raw(client, large())
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert answer.json()["size_bytes"] == 64 * MEGABYTE
    assert peak_bytes < 8 * MEGABYTE


async def test_a_full_disk_is_said_plainly(
    client: httpx2.AsyncClient, spool: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(_descriptor: int, _part: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("backend.http.uploads.os.write", full)
    answer = await client.post("/", files={"file": ("a.mbox", b"one")})
    assert (answer.status_code, answer.json()["code"]) == (503, "no_room")
    assert not left(spool)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("box.mbox", "box.mbox"),
        ("C:\\Users\\ada\\box.mbox", "box.mbox"),
        ("/etc/passwd", "passwd"),
        ("a\x00\nb\u202e.pdf", "ab.pdf"),
        ("x" * 300, "x" * 199 + "…"),
    ],
)
def test_a_file_is_called_by_its_last_part(sent: str, kept: str):
    assert file_name(sent) == kept
