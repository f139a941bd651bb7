/** A date asked for in small number boxes side by side: month, perhaps a day, and a year. */

import { asIfFocused, changed, key, setText } from "../events.js";
import { find, findAll, is } from "../native.js";
import { isRendered } from "../visible.js";
import { ancestors } from "../walk.js";
import { partNamed, partsOf, written } from "./dates.js";

/** @import { Widget, WriteProblem } from "../types.d.ts" */
/** @import { Part } from "./dates.js" */

const BOXES = 'input[role="spinbutton"], [role="spinbutton"][contenteditable="true"]';
const OTHER = "input:not([role=spinbutton], [type=hidden]), select, textarea";
const WRAPPERS = '[data-automation-id="dateInputWrapper"], [role="group"], fieldset';
const MOST_PRESSES = 120;

/**
 * @param {Element} element the first of its boxes
 * @returns {Widget | null}
 */
export function spinDate(element) {
  if (!(element instanceof HTMLInputElement) || element.role !== "spinbutton" || element.disabled) return null;
  const holder = holderOf(element);
  const boxes = holder ? [...holder.querySelectorAll(BOXES)].filter((one) => one instanceof HTMLInputElement) : [element];
  /** @type {Map<Part, HTMLInputElement>} */
  const parts = new Map();
  for (const box of boxes) {
    const part = partNamed(`${box.ariaLabel ?? ""} ${box.id} ${box.getAttribute("data-automation-id") ?? ""}`.replace(/([a-z])([A-Z])/g, "$1 $2"));
    if (part && !parts.has(part)) parts.set(part, box);
  }
  return parts.size === boxes.length && parts.has("year") && isRendered(element) ? widget(holder ?? element, parts) : null;
}

/** @param {HTMLInputElement} element */
function holderOf(element) {
  /** @type {HTMLElement | null} */
  let found = null;
  for (const above of ancestors(element, 5)) {
    const boxes = findAll(above, BOXES).length;
    if (!(above instanceof HTMLElement) || find(above, OTHER) || boxes > 3) break;
    if (is(above, WRAPPERS)) return above;
    if (boxes > 1) found ??= above;
  }
  return found;
}

/**
 * @param {Element} holder
 * @param {Map<Part, HTMLInputElement>} parts
 * @returns {Widget}
 */
function widget(holder, parts) {
  const asked = [...parts.keys()];
  const read = () => {
    const has = new Map([...parts].flatMap(([part, box]) => (numberIn(box) ? [[part, numberIn(box)]] : [])));
    return has.size === parts.size ? written(/** @type {Map<Part, number>} */ (has)) : "";
  };
  return {
    kind: "text",
    type: parts.has("day") ? "date" : parts.has("month") ? "month" : "year",
    element: holder instanceof HTMLElement ? holder : /** @type {HTMLElement} */ (parts.get("year")),
    parts: [...parts.values()],
    answers: [...parts.values()],
    options: () => [],
    read,
    holds: (want) => typeof want === "string" && read() !== "" && read() === wantedIn(want, asked),
    write: async (want) => (typeof want === "string" ? write(parts, want) : "not_accepted"),
    restore: async (before) => {
      if (before !== "") return write(parts, before) === null;
      for (const box of parts.values()) type(box, "");
      return read() === "";
    },
  };
}

/**
 * @param {string} want
 * @param {Part[]} asked
 */
function wantedIn(want, asked) {
  const found = partsOf(want, asked);
  return found ? written(found) : null;
}

/** @param {HTMLInputElement} box */
function numberIn(box) {
  const now = Number(box.getAttribute("aria-valuenow") ?? "");
  return now || Number(/^\d+$/.test(box.value) ? box.value : 0);
}

/**
 * @param {Map<Part, HTMLInputElement>} parts
 * @param {string} want
 * @returns {WriteProblem}
 */
function write(parts, want) {
  const wanted = partsOf(want, [...parts.keys()]);
  if (!wanted) return "not_accepted";
  for (const [part, box] of parts) {
    const value = /** @type {number} */ (wanted.get(part));
    type(box, String(value).padStart(part === "year" ? 4 : 2, "0"));
    if (numberIn(box) !== value) step(box, value);
    if (numberIn(box) !== value) return "not_accepted";
  }
  return null;
}

/**
 * @param {HTMLInputElement} box
 * @param {string} text
 */
function type(box, text) {
  asIfFocused(box, () => {
    setText(box, text);
    changed(box);
  });
}

/**
 * A box that takes no text is turned by its arrows.
 * @param {HTMLInputElement} box
 * @param {number} value
 */
function step(box, value) {
  asIfFocused(box, () => {
    for (let at = 0; at < MOST_PRESSES && numberIn(box) !== value; at += 1) {
      key(box, numberIn(box) < value ? "ArrowUp" : "ArrowDown");
    }
  });
}
