"""Every review page and state in a real browser: axe finds nothing, it is light, and it fits a thumb."""

import pytest
from fixtures.axe import OF_LOOKS, RULES, Axe
from fixtures.matching import MatchRunner
from fixtures.review import Doubt, ask_of, open_ask, pair_of, proposed_status
from fixtures.samples import DAY_ONE, Samples
from fixtures.site import Opener, Scheme, Site
from playwright.async_api import Page

from backend.review.patterns import path_of_pattern

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

WEIGHT_LIMIT = 100_000
PHONE = 390
SMALL = """() => [...document.querySelectorAll("button, .button, summary, input:not([type=hidden])")]
  .filter((target) => target.checkVisibility())
  .map((target) => [target.outerHTML.slice(0, 90), target.getBoundingClientRect().height])
  .filter(([, height]) => height > 0 && height < 43.5)"""


@pytest.fixture
async def states(samples: Samples, match: MatchRunner) -> list[str]:
    """The addresses of everything the review can show, something on each."""
    doubt = Doubt(samples)
    other = samples.application("Contoso", "Technical Writer", applied=None, origin="derived")
    long = samples.message(
        "status_update",
        subject="An update about your application",
        body="Hello Ada, we are still reading. " + "We care about what we do, and how. " * 200,
        sender_name="Northwind",
        employer="Northwind",
        sent=20,
    )
    alone = samples.message("acknowledgement", subject="", body=None, employer="Fabrikam", sent=9)
    proposed_status(samples, doubt.third)
    ask = open_ask(samples)
    await match()
    pair = pair_of(samples, doubt.third, other)
    pattern = samples.rows("SELECT pattern FROM match_decisions WHERE message_id = %s", doubt.message)[0][0]
    return [
        doubt.path,
        f"/review/{long}",
        f"/review/{alone}",
        f"{doubt.path}/find?find=north",
        f"{doubt.path}/find?find=zebra",
        f"/review/status/{doubt.third}",
        f"/review/status/{doubt.first}",
        f"/review/ask/{ask_of(samples, ask)}",
        f"/review/pair/{pair}",
        "/review/list",
        "/review/list?rank=1",
        path_of_pattern(str(pattern)),
        path_of_pattern("weak:nothing"),
        "/review/history",
        "/review/history?show=ask",
    ]


async def is_without_fault(page: Page, seen: Site, axe: Axe, path: str) -> None:
    width = page.viewport_size["width"] if page.viewport_size else 0
    assert not await axe.faults(page, OF_LOOKS if width == PHONE else RULES), path
    wide = await page.evaluate("document.documentElement.scrollWidth") - width
    assert wide <= 0, f"{path} is {wide} px too wide"
    if width == PHONE:
        assert not await page.evaluate(SMALL), path
        assert await page.locator("main kbd:visible").count() == 0, path
    assert seen.bytes_loaded < WEIGHT_LIMIT, f"{path} weighs {seen.bytes_loaded} bytes"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (PHONE, "dark")])
async def test_every_state_is_without_fault(
    site: Opener, states: list[str], axe: Axe, width: int, scheme: Scheme
):
    async with site(width=width, scheme=scheme, touch=width == PHONE) as seen:
        await axe.into(seen.context)
        for path in states:
            await is_without_fault(await seen.open(path), seen, axe, path)
        page = await seen.open(states[0])
        seen.bytes_loaded = 0
        await page.evaluate("document.querySelector('[name=version]').value = 'old'")
        await page.click("button:has-text('Not job mail')")
        await page.wait_for_selector("#refused")
        await is_without_fault(page, seen, axe, "refused")
        page = await seen.open(states[0])
        seen.bytes_loaded = 0
        await page.click("button:has-text('Not job mail')")
        await page.wait_for_selector(".flash")
        await is_without_fault(page, seen, axe, "answered")
        await is_without_fault(await seen.open(states[0]), seen, axe, "settled")
        await is_without_fault(await seen.open("/review/history"), seen, axe, "history")
        assert not seen.foreign
        assert not [said for said in seen.complaints if "409" not in said]


@pytest.mark.parametrize("width", [1280, PHONE])
async def test_a_word_without_an_end_widens_no_page(
    site: Opener, samples: Samples, match: MatchRunner, width: int
):
    endless = "x" * 200
    one, other = samples.application(endless, endless), samples.application(endless, "Writer")
    message = samples.message(
        "status_update", subject=endless, body=endless, sender_name=endless, employer=endless, sent=12
    )
    for name in (endless[:80], *(f"Silent for {weeks} weeks" for weeks in range(2, 9))):
        samples.insert("saved_views", name=name, query="silent=14", created_at=DAY_ONE)
    await match()
    async with site(width=width) as seen:
        for path in (
            "/applications",
            "/applications?layout=board",
            f"/applications/{one}",
            f"/applications/{one}/merge?with={other}",
            f"/applications/{one}/split",
            f"/review/{message}",
            f"/review/{message}/find?find=x",
            "/review/list",
            "/review/history",
            "/mail",
        ):
            page = await seen.open(path)
            wide = await page.evaluate("document.documentElement.scrollWidth") - width
            assert wide <= 0, f"{path} is {wide} px too wide"
