"""A form in a real browser under the engine: opened, read, planned by the server's rules, and filled."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, Page, Route

from benchmarks.forms.person import planned

ROOT = Path(__file__).parents[2]
SITE = "http://forms.test"
TYPES = {".html": "text/html", ".js": "text/javascript", ".json": "application/json"}

START = """async (waits) => {
  const { Engine } = await import("/form/engine.js");
  const means = window.__closed ? { shadow_root_of: window.__closed } : {};
  window.engine = new Engine(document, waits, means);
  window.told = [];
}"""
FILL = """async (lines) => {
  const files = new Map([[1, new File(["%PDF-1.4 test"], "cv.pdf", { type: "application/pdf" })]]);
  const tell = (one) => told.push(one);
  const { outcomes, later } = await engine.fill(lines, files, tell, (fields) => planForm(fields));
  window.later = later.then(() => true);
  return outcomes;
}"""
WAITS = {"open_ms": 350, "options_ms": 1500, "watch_ms": 100, "quiet_ms": 120, "reveal_ms": 500}
LATE = "?late"
"""A form at such an address is drawn anew after most of a second: it needs the waits of real pages."""


@dataclass
class Filled:
    """The fields as first described and what became of each, by key; steps of one form are put together."""

    fields: dict[str, dict[str, Any]] = field(default_factory=dict)
    lines: dict[str, dict[str, Any]] = field(default_factory=dict)
    outcomes: dict[str, tuple[str, str]] = field(default_factory=dict)


def served(folders: dict[str, Path], texts: dict[str, str]) -> Callable[[Route], Awaitable[None]]:
    """Answers from folders by the start of the path; whatever else a page asks for is not there."""

    async def answer(route: Route) -> None:
        path = route.request.url.removeprefix(SITE).split("?")[0]
        if path in texts:
            return await route.fulfill(body=texts[path], content_type="text/html")
        for start, folder in folders.items():
            file = folder / path.removeprefix(start)
            if path.startswith(start) and file.is_file():
                return await route.fulfill(
                    body=file.read_bytes(),
                    content_type=TYPES.get(file.suffix, "application/octet-stream"),
                )
        return await route.fulfill(status=404, body="not here")

    return answer


async def opened(
    context: BrowserContext, path: str, folders: dict[str, Path], texts: dict[str, str] | None = None
) -> Page:
    page = await context.new_page()
    await page.route("**/*", served({"/form/": ROOT / "extension" / "form", **folders}, texts or {}))
    await page.expose_function("planForm", planned)
    await page.goto(f"{SITE}{path}")
    await page.evaluate(START, {} if path.endswith(LATE) else WAITS)
    return page


async def fill(page: Page, into: Filled, step: str = "") -> Filled:
    """Read, plan and fill what the page shows now."""
    fields = await page.evaluate("() => engine.describe()")
    lines = planned(fields)
    outcomes = await page.evaluate(FILL, lines)
    known = {one["key"]: one for one in fields + await page.evaluate("() => engine.describe()")}
    into.fields |= {f"{step}{key}": one for key, one in known.items()}
    into.lines |= {f"{step}{one['key']}": one for one in lines}
    into.outcomes |= {f"{step}{one['key']}": (one["outcome"], one["detail"]) for one in outcomes}
    return into
