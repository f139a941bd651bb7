"""What the engine costs a page: script time for 300 fields, and on a page without a form."""

from typing import Any

from playwright.async_api import BrowserContext, CDPSession

from benchmarks.forms.pages import opened

LABELS = ("First name", "Email", "Phone", "City", "LinkedIn profile", "Question of our own")
ROWS = "".join(
    f'<p><label for="q{n}">{LABELS[n % len(LABELS)]}</label><input id="q{n}" name="q{n}"></p>'
    for n in range(300)
)
WORDS = (
    "<section><h2>News</h2><p>Something was said about work.</p><ul><li>One</li><li>Two</li></ul></section>"
)
LOOK = """async (times) => {
  const start = performance.now();
  for (let at = 0; at < times; at += 1) engine.describe();
  return (performance.now() - start) / times;
}"""


async def three_hundred_fields(context: BrowserContext) -> float:
    """Seconds of the page's main thread for reading, laying out, writing and proving."""
    page = await opened(
        context, "/many", {}, texts={"/many": f"<!doctype html><title>Many</title><form>{ROWS}</form>"}
    )
    session = await context.new_cdp_session(page)
    await session.send("Performance.enable")
    before = await _script_seconds(session)
    await page.evaluate(
        """async () => {
          const line = { action: "fill", value: "An answer", option: null, document_id: null, reason: null };
          const lines = engine.describe().map(({ key }) => ({ key, ...line }));
          const { outcomes } = await engine.fill(lines, new Map(), () => undefined);
          if (outcomes.some((one) => one.outcome !== "filled")) throw new Error("not all were filled");
        }"""
    )
    spent = await _script_seconds(session) - before
    await page.close()
    return spent


async def without_a_form(context: BrowserContext) -> float:
    """Milliseconds of one reading of a long page without a form."""
    page = await opened(
        context, "/none", {}, texts={"/none": f"<!doctype html><title>None</title>{WORDS * 200}"}
    )
    reading = await page.evaluate(LOOK, 20)
    await page.close()
    return reading


async def _script_seconds(session: CDPSession) -> float:
    metrics: list[dict[str, Any]] = (await session.send("Performance.getMetrics"))["metrics"]
    return next(one["value"] for one in metrics if one["name"] == "TaskDuration")
