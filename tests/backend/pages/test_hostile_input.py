"""No page breaks, whatever is put into its address, its query or its forms: every route, generically."""

import re
from pathlib import Path

import httpx2
import pytest
from fixtures.app import PAGE, browsing
from fixtures.pages import filled, routes
from fixtures.people import FixedClock
from litestar import Litestar

from backend.accounts import sessions
from schema.db import Database
from schema.ids import AccountId

TEMPLATES = Path(__file__).parents[3] / "backend" / "templates"
FIELD = re.compile(r'name="([a-z_]+)"|\b(?:field|area|choose|tick|head)\(view\.\w+, "([a-z_]+)"')
NAMES = sorted(
    {a or b for path in TEMPLATES.glob("*.html") for a, b in FIELD.findall(path.read_text()) if a or b}
    - {"token", "viewport", "color-scheme"}
)
QUERIES = ["q", "after", "stage", "next", "token", "ended", "status", "page", "kind", "show", "id", "filter",
           "origin", "platform", "applied_from", "news_to", "silent", "sort", "layout", "column"]  # fmt: skip
VALUES = {
    "nothing": "",
    "nul": "a\x00b",
    "markup": "<script>alert(1)</script>\"'{{7*7}}",
    "number": "1",
    "huge number": "9" * 40,
    "negative": "-1",
    "long": "x" * 1_000_000,
    "odd letters": "\u202e\ufeff\U0001f600e\u0301",
    "breaks": "a\r\nb\tc\x0b",
    "percent": "%s%(x)s%%",
    "json": '{"a": [1]}',
}
IDS = ["1", "0", "9223372036854775807", "9223372036854775808", "9" * 40, "-1", "x", "%00", "1%2f2"]


def require_calm(answer: httpx2.Response, about: str) -> None:
    assert answer.status_code < 500, f"{about}: {answer.status_code}\n{answer.text[:500]}"
    assert "<script>alert" not in answer.text, f"{about}: what was sent came back as markup"
    assert not (answer.status_code == 400 and "text/html" not in answer.headers["content-type"]), about


@pytest.fixture
async def token(database: Database, clock: FixedClock, account: AccountId) -> str:
    return await sessions.start(database, clock, account, "a test")


@pytest.mark.parametrize("template", routes("GET"))
async def test_any_address_and_query_is_answered_calmly(app: Litestar, token: str, template: str):
    async with browsing(app, token, **PAGE) as client:
        for value in IDS if "{" in template else ["1"]:
            require_calm(await client.get(filled(template, value)), f"id {value}")
        for name, value in VALUES.items():
            if len(value) < 10_000:
                query = dict.fromkeys(QUERIES, value)
                require_calm(await client.get(filled(template, "1"), params=query), f"query of {name}")
        twice = [("q", "a"), ("q", "b"), ("after", "x"), ("after", "y")]
        require_calm(await client.get(filled(template, "1"), params=twice), "keys twice")
        require_calm(await client.get(f"{filled(template, '1')}?%00=%ff&=&&q=%ed%a0%80"), "bytes")


@pytest.mark.parametrize("template", routes("POST"))
async def test_any_form_is_answered_calmly(
    app: Litestar, database: Database, clock: FixedClock, account: AccountId, template: str
):
    token = await sessions.start(database, clock, account, "a test")

    async def post(value_id: str = "1", **sent) -> httpx2.Response:
        """Signed in, and again when the form before has ended the session."""
        nonlocal token
        async with browsing(app, token, **PAGE) as client:
            answer = await client.post(filled(template, value_id), **sent)
        if answer.headers.get("location", "").startswith("/sign-in"):
            token = await sessions.start(database, clock, account, "a test")
        return answer

    for value in IDS if "{" in template else []:
        require_calm(await post(value, data={"a": "b"}), f"id {value}")
    for name, value in VALUES.items():
        if len(value) < 10_000:
            require_calm(await post(data=dict.fromkeys(NAMES, value)), f"fields of {name}")
    long = dict.fromkeys(NAMES, "x" * (1_500_000 // len(NAMES)))
    require_calm(await post(data=long), "long fields")
    require_calm(await post(data={**dict.fromkeys(NAMES, "1"), "name": VALUES["long"]}), "a long name")
    form = {"content-type": "application/x-www-form-urlencoded"}
    for name, body in {
        "nothing": b"",
        "bytes": b"\xff\xfe=\xed\xa0\x80&=&%00=%ff",
        "names twice": b"&".join(f"{name}=1&{name}=2".encode() for name in NAMES),
        "many fields": b"&".join(b"f%d=1" % number for number in range(5000)),
        "too much": b"a=" + b"x" * 3_000_000,
    }.items():
        require_calm(await post(content=body, headers=form), name)
    for kind in (
        "application/json",
        "text/plain",
        "",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
    ):
        require_calm(await post(content=b'{"a": 1}', headers={"content-type": kind}), f"a body of {kind}")
    require_calm(await post(files={"file": ("a\x00b.mbox", b"\x00\xff" * 100)}), "a file")
