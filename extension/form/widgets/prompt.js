/**
 * Workday's picker: a search box over a list that may be a tree, with what was picked shown as small tags. The
 * tags are the value; what stands in the box is only a search.
 */

import { focusOn, key, leave, press, setText } from "../events.js";
import { passed, until } from "../pace.js";
import { isRendered } from "../visible.js";
import { oneLine, pickOption } from "../words.js";
import { AND, sameSet } from "./choice.js";

/** @import { Pace, Widget, WriteProblem } from "../types.d.ts" */

const BOX = 'input[data-uxi-widget-type="selectinput"], [data-automation-id="multiselectInputContainer"] input';
const HOLDER = '[data-automation-id="multiSelectContainer"]';
const TAGS = '[data-automation-id="selectedItem"]';
const REMOVE = '[data-automation-id="DELETE_charm"], [data-automation-id="delete-selected-item"]';
const LIST = '[data-automation-id="activeListContainer"], [data-automation-id="promptSearchResults"], [data-automation-widget="wd-popup"] [role="listbox"]';
const OPTION = '[role="option"], [data-automation-id="promptLeafNode"], [data-automation-id="menuItem"]';
const BACK = '[data-automation-id="promptBack"], [aria-label="Back"], [data-automation-id="backButton"]';
const MOST_BRANCHES = 12;

/**
 * @param {Element} element
 * @returns {Widget | null}
 */
export function promptPicker(element) {
  if (!(element instanceof HTMLInputElement) || element.disabled || !element.matches(BOX)) return null;
  const holder = element.closest(HOLDER);
  if (!(holder instanceof HTMLElement) || !isRendered(holder)) return null;
  const tags = () => [...holder.querySelectorAll(TAGS)];
  const read = () => tags().map((tag) => oneLine(/** @type {HTMLElement} */ (tag).title || (tag.textContent ?? ""))).join(AND);
  return {
    kind: "combobox",
    type: "prompt",
    element,
    parts: [element, holder],
    answers: tags(),
    options: () => [],
    read,
    holds: (want) => typeof want === "string" && read() !== "" && sameSet(read(), want) && element.value === "" && !list(element),
    write: async (want, pace) => (typeof want === "string" ? write(element, want, read, pace) : "not_accepted"),
    restore: async (before) => {
      for (const tag of tags()) {
        const button = tag.querySelector(REMOVE);
        if (button instanceof HTMLElement) press(button);
      }
      return read() === before;
    },
  };
}

/**
 * @param {HTMLInputElement} box
 * @param {string} want
 * @param {() => string} read
 * @param {Pace} pace
 * @returns {Promise<WriteProblem>}
 */
async function write(box, want, read, pace) {
  for (const one of want.split(AND)) {
    if (read().split(AND).some((has) => pickOption([has], one) === 0)) continue;
    const problem = await pick(box, one, read, pace);
    shut(box);
    if (problem) return pace.signal.aborted ? "stopped" : problem;
  }
  return null;
}

/**
 * @param {HTMLInputElement} box
 * @param {string} want
 * @param {() => string} read
 * @param {Pace} pace
 * @returns {Promise<WriteProblem>}
 */
async function pick(box, want, read, pace) {
  focusOn(box);
  press(box);
  if (!(await until(() => list(box), pace.open_ms, pace))) return "list_did_not_open";
  const before = read();
  const took = () => until(() => read() !== before, pace.open_ms, pace);
  const now = (await chooseNow(box, want, pace.quiet_ms, pace)) || (await chooseBelow(box, want, pace));
  if (now && (await took())) return null;
  setText(box, want);
  key(box, "Enter"); // asks the search; a key press by script sends no form
  const found = await chooseNow(box, want, pace.options_ms, pace);
  return found && (read() !== before || (await took())) ? null : "option_absent";
}

/**
 * @param {HTMLInputElement} box
 * @param {string} want
 * @param {number} limit_ms
 * @param {Pace} pace
 * @returns {Promise<boolean>} it was there and was pressed
 */
async function chooseNow(box, want, limit_ms, pace) {
  const found = await until(() => optionNamed(box, want), limit_ms, pace);
  if (!found) return false;
  press(found);
  await passed(0, pace);
  return true;
}

/**
 * A tree: look into each branch and come back.
 * @param {HTMLInputElement} box
 * @param {string} want
 * @param {Pace} pace
 */
async function chooseBelow(box, want, pace) {
  const branches = options(box).filter(isBranch).map(wordsOf).slice(0, MOST_BRANCHES);
  for (const branch of branches) {
    const into = options(box).find((one) => wordsOf(one) === branch);
    if (!into) return false;
    press(into);
    await until(() => !options(box).some((one) => wordsOf(one) === branch), pace.open_ms, pace);
    if (await chooseNow(box, want, pace.quiet_ms, pace)) return true;
    const back = list(box)?.querySelector(BACK);
    if (!(back instanceof HTMLElement)) return false;
    press(back);
    await until(() => options(box).some((one) => wordsOf(one) === branch), pace.open_ms, pace);
  }
  return false;
}

/**
 * @param {HTMLInputElement} box
 * @param {string} want
 */
function optionNamed(box, want) {
  const leaves = options(box).filter((one) => !isBranch(one));
  const found = pickOption(leaves.map(wordsOf), want);
  return typeof found === "number" ? leaves[found] ?? null : null;
}

/** @param {Element} option */
function isBranch(option) {
  return option.ariaHasPopup === "true" || option.ariaExpanded === "false" || option.querySelector('[data-automation-id="promptExpand"]') !== null;
}

/** @param {HTMLElement} option */
function wordsOf(option) {
  return oneLine(option.ariaLabel?.replace(/ (?:not )?checked$/i, "") || option.innerText);
}

/** @param {HTMLInputElement} box */
function options(box) {
  const all = [...(list(box)?.querySelectorAll(OPTION) ?? [])].filter((one) => one instanceof HTMLElement && isRendered(one));
  return /** @type {HTMLElement[]} */ (all.filter((one) => !one.querySelector(OPTION)));
}

/** @param {HTMLInputElement} box */
function list(box) {
  return [...box.ownerDocument.querySelectorAll(LIST)].find(isRendered) ?? null;
}

/** @param {HTMLInputElement} box */
function shut(box) {
  if (list(box)) key(box, "Escape");
  if (box.value !== "") setText(box, "");
  leave(box);
}
