"""The rebuilt forms: each says what is right in it and keeps its committed state beside the report."""

import hashlib
import json
import os
import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, Page

from benchmarks.forms.pages import LATE, ROOT, Filled, fill, opened

LIVE = ROOT / "tests" / "extension" / "live"
BUILT = ROOT / "build" / "forms"
OPEN_LISTS = """() => [...document.querySelectorAll("[role=listbox], [role=menu]")].filter(
  (one) => one.checkVisibility() && one.querySelector("[role=option], [role=menuitem]"),
).length"""
NPM = ROOT / "tests" / "npm"
_STEP_AND_KIND = re.compile(r"^(?:\d+/)?\w+:")
_ROW = re.compile(r"-(\d+)--")


@dataclass(frozen=True)
class Judged:
    """Names by verdict; `untrue` are fields whose report and committed state disagree."""

    name: str
    right: list[str]
    wrong: list[str]
    missed: list[str]
    traps: list[str]
    dropdowns: int
    dropdowns_committed: int
    untrue: list[str]
    submits: int
    open_lists: int


def rebuilt_forms() -> list[str]:
    return sorted(path.stem for path in LIVE.glob("*.html"))


def bundle(node: str) -> Path:
    """The folder with what is written in JSX, built from the packages of `tests/npm` when it changed."""
    source = LIVE / "greenhouse.jsx"
    parts = (source, NPM / "package-lock.json")
    digest = hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()[:16]
    folder = BUILT / digest
    if not (folder / "greenhouse.js").is_file():
        fresh = folder / f"greenhouse.{os.getpid()}.js"
        modules = NPM / "node_modules"
        command = [
            node,
            str(modules / "esbuild" / "bin" / "esbuild"),
            str(source),
            "--bundle",
            "--jsx=automatic",
        ]
        subprocess.run(
            [*command, '--define:process.env.NODE_ENV="production"', f"--outfile={fresh}"],
            env={**os.environ, "NODE_PATH": str(modules)},
            check=True,
            capture_output=True,
            timeout=120,
        )
        fresh.rename(folder / "greenhouse.js")
    return folder


async def filled(
    context: BrowserContext, name: str, built: Path, query: str = ""
) -> tuple[Page, Filled, dict[str, Any]]:
    """The form, filled to its last step; the steps are gone on with as a person does, by pressing."""
    page = await opened(context, f"/live/{name}.html{query}", {"/live/": LIVE, "/built/": built})
    truth = json.loads(await page.locator("#truth").text_content() or "{}")
    done = Filled()
    for step in range(truth.get("steps", 1)):
        if step:
            await page.evaluate(
                "() => { window.arrived = new Promise((done) => engine.watchSteps(() => done(true))); }"
            )
            await page.click(truth["next"])
            await page.evaluate("() => arrived")
        await fill(page, done, f"{step}/" if step else "")
    if query == LATE:
        await page.evaluate("() => later")
        for one in await page.evaluate("() => told"):
            done.outcomes[one["key"]] = (one["outcome"], one["detail"])
    return page, done, truth


@dataclass(frozen=True)
class Looked:
    """What a page says of itself after a fill."""

    state: dict[str, str]
    touched: list[str]
    submits: int
    open_lists: int


async def judged(context: BrowserContext, name: str, built: Path, query: str = "") -> Judged:
    page, done, truth = await filled(context, name, built, query)
    looked = await looked_at(page)
    await page.close()
    return judge(name, looked, done, truth)


async def looked_at(page: Page) -> Looked:
    return Looked(
        state=await page.evaluate("() => window.__state"),
        touched=await page.evaluate("() => window.__touched"),
        submits=await page.evaluate("() => window.__submits ?? 0"),
        open_lists=await page.evaluate(OPEN_LISTS),
    )


def judge(name: str, looked: Looked, done: Filled, truth: dict[str, Any]) -> Judged:
    """Every value that the form holds is right or wrong; each field told as filled is one that it holds."""
    right: dict[str, str] = truth["right"]
    good = [key for key, value in right.items() if looked.state.get(key) == value]
    return Judged(
        name=name,
        right=good,
        wrong=[f"{key} = {value!r}" for key, value in looked.state.items() if key not in good],
        missed=[key for key in right if key not in looked.state],
        traps=looked.touched,
        dropdowns=len(truth["dropdowns"]),
        dropdowns_committed=sum(key in good for key in truth["dropdowns"]),
        untrue=_untrue(looked.state, done, truth.get("called", {})),
        submits=looked.submits,
        open_lists=looked.open_lists,
    )


def _untrue(state: dict[str, str], done: Filled, called: dict[str, str]) -> list[str]:
    """Each field that is held and was not told, or told and is not held; `called` where the names differ."""
    keys = [key for key, (outcome, _) in done.outcomes.items() if outcome in {"filled", "already"}]
    names = [_STEP_AND_KIND.sub("", key) for key in keys]
    told = Counter(called.get(name, name) for name in names)
    found: list[str] = []
    for held in state:
        name = next((one for one in (held, _in_its_row(held)) if told[one] > 0), None)
        if name is None:
            found.append(f"{held} held, not told")
        else:
            told[name] -= 1
    return found + [f"{name} told, not held" for name in told.elements()]


def _in_its_row(held: str) -> str:
    """`work-1--title` is the second `title` of the form."""
    row = _ROW.search(held)
    number = int(row[1]) + 1 if row else 1
    name = held.rsplit("--", 1)[-1]
    return name if number == 1 else f"{name}~{number}"
