"""A form under the engine: a page on loopback, the engine imported into it, and what both say."""

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from extension.planner import PERSON, plan_line
from extension.server import TOKEN, StandIn
from fixtures.extension_browser import Extension
from fixtures.page_server import PageServer
from playwright.async_api import Browser, Error, Page, expect

EXTENSION = Path(__file__).parents[2] / "extension"
OWN_PAGES = Path(__file__).parent / "pages"

START = """async (waits) => {
  const { Engine } = await import("/form/engine.js");
  window.engine = new Engine(document, waits);
  window.told = [];
}"""

FILL = """async ({ lines, documents }) => {
  const file = (name, type) => new File(["%PDF-1.4 test"], name, { type });
  const files = new Map(documents.map(([id, name, type]) => [id, file(name, type)]));
  const { outcomes, later } = await engine.fill(lines, files, (outcome) => told.push(outcome));
  window.later = later.then(() => true);
  return outcomes;
}"""


@dataclass
class Form:
    """A page that serves many tests, each with a document of its own: a fresh one costs more than a test.

    `is_spent` says that a test left more in it than a document. `waits` are shorter than real pages need, so
    that a list that never opens costs little.
    """

    page: Page
    server: PageServer
    is_spent: bool = False

    async def open(self, path: str, **waits: int) -> "Form":
        await self.page.goto(self.server.url(path))
        await self.page.evaluate(START, {"open_ms": 200, "watch_ms": 100, "quiet_ms": 120, **waits})
        return self

    async def fields(self) -> list[dict[str, Any]]:
        return await self.page.evaluate("() => engine.describe()")

    async def field(self, label: str) -> dict[str, Any]:
        found = [one for one in await self.fields() if one["label"] == label]
        assert len(found) == 1, f"{len(found)} fields are called {label!r}"
        return found[0]

    async def labels(self) -> list[str]:
        return [one["label"] for one in await self.fields()]

    async def plan(self, **by_label: str) -> list[dict[str, Any]]:
        """A plan for every field: what `by_label` says, else what the persona says, else left."""
        return [plan_line(one, by_label) for one in await self.fields()]

    async def fill(self, lines: list[dict[str, Any]]) -> dict[str, tuple[str, str]]:
        """The outcome and its detail, by key, once the fill is verified."""
        documents = [[1, PERSON["resume"], "application/pdf"], [2, "letter.txt", "text/plain"]]
        outcomes = await self.page.evaluate(FILL, {"lines": lines, "documents": documents})
        return as_report(outcomes)

    async def watched(self) -> dict[str, tuple[str, str]]:
        """The last word on each field, after the watching is over."""
        await self.page.evaluate("() => later")
        return as_report(await self.page.evaluate("() => told"))

    async def undo(self) -> dict[str, tuple[str, str]]:
        return as_report(await self.page.evaluate("() => engine.undo(() => {})"))

    async def lose_focus(self) -> None:
        """The person stands elsewhere, as in the side panel: the browser sends the page no focus events.

        For `windowed_form`: elsewhere every page has the focus.
        """
        self.is_spent = True
        session = await self.page.context.new_cdp_session(self.page)
        await session.send("Emulation.setFocusEmulationEnabled", {"enabled": False})
        await (await self.page.context.new_page()).bring_to_front()
        assert not await self.page.evaluate("() => document.hasFocus()")

    async def value(self, selector: str) -> str:
        return await self.page.evaluate("(it) => document.querySelector(it).value", selector)


def as_report(outcomes: list[dict[str, str]]) -> dict[str, tuple[str, str]]:
    return {one["key"]: (one["outcome"], one["detail"]) for one in outcomes}


_kept: dict[Browser, Page] = {}


@pytest_asyncio.fixture(loop_scope="session")
async def form(browser: Browser, page_server: PageServer) -> AsyncGenerator[Form, None]:
    """A script error in its page fails the test."""
    async with shown(browser, page_server) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def windowed_form(windowed_browser: Browser, page_server: PageServer) -> AsyncGenerator[Form, None]:
    """The same among windows of which one has the focus."""
    async with shown(windowed_browser, page_server) as opened:
        yield opened


@asynccontextmanager
async def shown(browser: Browser, page_server: PageServer) -> AsyncGenerator[Form, None]:
    page_server.pages["/form/"] = EXTENSION / "form"
    page_server.pages["/own/"] = OWN_PAGES
    page = _kept.get(browser) or await (await browser.new_context()).new_page()
    _kept[browser] = page
    errors: list[str] = []

    def note(error: Error) -> None:
        errors.append(str(error))

    page.on("pageerror", note)
    opened = Form(page, page_server)
    yield opened
    page.remove_listener("pageerror", note)
    if opened.is_spent:
        await _kept.pop(browser).context.close()
    else:
        await page.goto("about:blank")
    assert not errors


@pytest.fixture
def server() -> Generator[StandIn, None, None]:
    running = StandIn()
    yield running
    running.go()


@pytest_asyncio.fixture(loop_scope="session")
async def paired(extension: Extension, server: StandIn) -> Extension:
    """The extension, paired with the stand-in."""
    connection = {"server": server.address, "token": TOKEN, "device_id": 7, "account_name": "Morgan"}
    await extension.worker.evaluate("(connection) => chrome.storage.local.set({ connection })", connection)
    return extension


async def pair(extension: Extension, server: StandIn) -> None:
    """As a person does, by the options page."""
    options = await extension.open("options/options.html")
    await options.get_by_label("Address of your server").fill(server.address)
    await options.get_by_label("Pairing code").fill("GOOD-CODE")
    await options.get_by_role("button", name="Pair").click()
    await expect(options.locator("#state")).to_contain_text("with Morgan")
    await options.close()
