"""What came of filling each rebuilt form, once for all the tests that ask."""

from pathlib import Path

from fixtures.npm import node_program
from playwright.async_api import Browser, BrowserContext, Page

from benchmarks.forms.pages import Filled
from benchmarks.forms.rebuilt import Judged, bundle, filled, judge, looked_at

_KNOWN: dict[str, tuple[Judged, Filled, str]] = {}
_OPENED: dict[Browser, BrowserContext] = {}


async def result(browser: Browser, name: str, query: str = "") -> tuple[Judged, Filled, str]:
    """The judgement, what was described, planned and told, and the platform the engine took the page for."""
    if name + query not in _KNOWN:
        page, done, truth = await opened(browser, name, query)
        platform = await page.evaluate(
            "async () => (await import('/form/knowledge/index.js')).knownOf(document).platform"
        )
        _KNOWN[name + query] = (judge(name, await looked_at(page), done, truth), done, platform)
        await page.close()
    return _KNOWN[name + query]


async def opened(browser: Browser, name: str, query: str = "") -> tuple[Page, Filled, dict[str, object]]:
    """The form in a page of its own, filled; the caller closes it."""
    context = _OPENED.get(browser) or await browser.new_context()
    _OPENED[browser] = context
    built = bundle(node_program()) if name == "greenhouse" else Path()
    return await filled(context, name, built, query)
