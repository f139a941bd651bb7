"""docs/http.md lists every address, its methods and its file; `REGENERATE_DOCS=1` writes the list anew."""

import os
from pathlib import Path

from litestar.routes import HTTPRoute

from backend.app import create_app
from schema.settings import DatabaseSettings, Settings

PAGE = Path(__file__).parents[3] / "docs" / "http.md"
BEGIN, END = "<!-- addresses, generated -->\n", "<!-- end -->\n"


def table() -> str:
    app = create_app(Settings(database=DatabaseSettings(url="postgresql://nobody@127.0.0.1:1/none")))
    lines = {"| address | methods | file |": None, "|---|---|---|": None}
    found: dict[tuple[str, str], set[str]] = {}
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                file = handler.fn.__module__.replace(".", "/") + ".py"
                if not file.startswith("litestar/"):
                    found.setdefault((route.path_format, file), set()).update(handler.http_methods)
    for (path, file), methods in sorted(found.items()):
        lines[f"| `{path}` | {', '.join(sorted(methods))} | `{file}` |"] = None
    return "\n".join(lines) + "\n"


def test_the_list_of_addresses_is_the_programs():
    text = PAGE.read_text()
    head, rest = text.split(BEGIN)
    written, tail = rest.split(END)
    if os.environ.get("REGENERATE_DOCS"):
        PAGE.write_text(head + BEGIN + table() + END + tail)
        return
    assert written == table(), "run this test with REGENERATE_DOCS=1"
