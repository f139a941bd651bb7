"""Saved real forms with hand-made labels: what each field holds after a fill, against the labels' persona."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext

from benchmarks.forms.pages import Filled, fill, opened

SEEN = """(selectors) => selectors.map((selector) => {
  const one = document.querySelector(selector);
  if (!one || one.type === "file" || one.matches("[type=radio], [type=checkbox]")) return true;
  const box = one.getBoundingClientRect();
  if (one.closest('[aria-hidden="true"]') || one.getAttribute("aria-hidden") === "true") return false;
  if (box.width <= 2 || box.height <= 2) return false;
  return one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
})"""
HELD = """(selectors) => selectors.map((selector) => {
  const all = [...document.querySelectorAll(selector)];
  if (all.length === 0) return null;
  const [one] = all;
  if (one.type === "file") return one.files[0]?.name ?? "";
  if (all.some((each) => each.type === "radio" || each.type === "checkbox")) {
    return all.filter((each) => each.checked).map((each) => each.value || "on").join("\\n");
  }
  if (one instanceof HTMLSelectElement) return one.value ? one.selectedOptions[0].text : "";
  if (one.role === "combobox" && !("value" in one)) return one.title || one.innerText;
  return one.getAttribute("aria-valuenow") ?? one.value ?? one.innerText;
})"""
KEYS = """async (selectors) => {
  const { collect } = await import("/form/collect.js");
  const fields = collect(document).map(({ description, widget }) => ({
    key: description.key, parts: [...widget.parts, widget.element],
  }));
  return selectors.map((selector) => {
    const one = document.querySelector(selector);
    const own = fields.find(({ parts }) => parts.includes(one));
    return (own ?? fields.find(({ parts }) => parts.some((part) => part.contains(one))))?.key ?? null;
  });
}"""
TOUCHES = """() => {
  window.pressed = [];
  addEventListener("submit", (event) => { event.preventDefault(); pressed.push("submit"); }, true);
}"""
DOCUMENTS = {"resume": "cv.pdf"}


@dataclass(frozen=True)
class Field:
    """`group`: P profile, F file, L legal, C company's own, E equal opportunity, N consent, X trap."""

    selector: str
    control: str
    meaning: str
    group: str
    before: str | None
    after: str | None
    is_seen: bool
    key: str | None
    """What the engine calls it; None where it is no field to the engine."""


@dataclass(frozen=True)
class Scored:
    """`profile` counts the plain profile fields and files; `lists` the drop-downs, which without their page's
    scripts cannot open. `other` are writes into fields that are nobody's to fill from a profile."""

    name: str
    profile: int
    right: int
    wrong: list[str]
    missed: list[str]
    lists: int
    other: list[str]
    traps: list[str]
    untrue: list[str]
    submits: int


def forms(folder: Path) -> list[tuple[str, Path]]:
    labels = json.loads((folder / "labels.json").read_text())["labels"]
    index = json.loads((folder / "index.json").read_text())
    return [
        (one["id"], folder / one["file"])
        for one in index
        if one["id"] in labels and (folder / one["file"]).is_file()
    ]


async def scored(context: BrowserContext, folder: Path, name: str, page_file: Path) -> Scored:
    truth = json.loads((folder / "labels.json").read_text())
    rows = truth["labels"][name]
    page = await opened(context, f"/saved/{page_file.name}", {"/saved/": page_file.parent})
    selectors = [row[0] for row in rows]
    before = await page.evaluate(HELD, selectors)
    seen = await page.evaluate(SEEN, selectors)
    keys = await page.evaluate(KEYS, selectors)
    await page.evaluate(TOUCHES)
    done = await fill(page, Filled())
    after = await page.evaluate(HELD, selectors)
    submits = len(await page.evaluate("() => pressed"))
    await page.close()
    fields = [
        Field(*row, before=was, after=now, is_seen=is_seen, key=key)
        for row, was, now, is_seen, key in zip(rows, before, after, seen, keys, strict=True)
    ]
    return score(name, fields, truth["persona"], done, submits)


def score(
    name: str, fields: list[Field], persona: dict[str, list[str]], done: Filled, submits: int
) -> Scored:
    plain = [
        one
        for one in fields
        if one.group in {"P", "F"} and one.control != "combo" and one.is_seen and _known(one, persona)
    ]
    right = [one for one in plain if _is_right(one, persona)]
    wrong = [one for one in plain if one.after and not _is_right(one, persona) and one.after != one.before]
    missed = [one for one in plain if not one.after and not _is_right(one, persona)]
    others = [
        one
        for one in fields
        if one.group not in {"P", "F", "N", "X"} and one.after and one.after != one.before
    ]
    traps = [one for one in fields if one.group in {"N", "X"} and one.after != one.before]
    return Scored(
        name=name,
        profile=len(plain),
        right=len(right),
        wrong=[_shown(one) for one in wrong],
        missed=[_shown(one) for one in missed],
        lists=sum(one.control == "combo" for one in fields),
        other=[_shown(one) for one in others],
        traps=[_shown(one) for one in traps],
        untrue=_untrue(fields, done),
        submits=submits,
    )


def _untrue(fields: list[Field], done: Filled) -> list[str]:
    """Of each field: it changed without being said to be filled, or was said so and holds nothing."""
    found: list[str] = []
    for one in fields:
        outcome = done.outcomes.get(one.key or "", ("nothing", ""))[0]
        changed = one.after != one.before
        is_empty = one.after == "" and not changed
        if (changed and outcome != "filled") or (is_empty and outcome == "filled"):
            found.append(f"{one.selector}: {outcome} said, {one.after!r} held")
    return found


def _known(one: Field, persona: dict[str, list[str]]) -> bool:
    return one.meaning in DOCUMENTS or bool(persona.get(one.meaning))


def _is_right(one: Field, persona: dict[str, list[str]]) -> bool:
    if one.meaning in DOCUMENTS:
        return one.after == DOCUMENTS[one.meaning]
    values = persona[one.meaning]
    if any(value.startswith("*") for value in values):
        return bool(one.after)
    after = _loose(one.after or "")
    return any(after in {_loose(value), f"0{_loose(value)}", f"44{_loose(value)}"} for value in values)


def _loose(value: str) -> str:
    bare = re.sub(r"^https?://(www\.)?|/$", "", value.lower())
    return re.sub(r"[\s+()\-,]", "", bare)


def _shown(one: Field) -> str:
    return f"{one.selector} ({one.meaning}) = {one.after!r}"


def summed(all_forms: list[Scored]) -> dict[str, Any]:
    return {
        "profile": sum(one.profile for one in all_forms),
        "right": sum(one.right for one in all_forms),
        "wrong": sum(len(one.wrong) for one in all_forms),
    }
