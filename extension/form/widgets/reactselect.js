/**
 * The react-select drop-down, by far the most common one in hiring forms. What is typed into it is only a
 * filter: the value is what its control shows once an option was chosen.
 */

import { focusOn, heard, key, leave, press } from "../events.js";
import { attribute } from "../native.js";
import { isRendered } from "../visible.js";
import { ancestors } from "../walk.js";
import { passed } from "../pace.js";
import { oneLine, pickOption } from "../words.js";
import { AND, sameSet } from "./choice.js";
import { choose, listOf } from "./popup.js";

/** @import { Pace, Widget, WriteProblem } from "../types.d.ts" */
/** @import { Popup } from "./popup.js" */

/** `select__control` where the page names its classes, `css-1abc-control` where it does not. */
const CONTROL = /__control$|css-[a-z0-9]+-control$/;
const VALUES = '[class*="single-value"], [class*="singleValue"], [class*="multi-value__label"], [class*="multiValueLabel"]';
const SEVERAL = '[class*="value-container--is-multi"], [class*="ValueContainer--is-multi"], [class*="multi-value"], [class*="multiValue"]';
const CLEAR = '[class*="clear-indicator"], [class*="clearIndicator"], button[aria-label*="clear" i]';

/**
 * @param {Element} element
 * @returns {Widget | null}
 */
export function reactSelect(element) {
  if (!(element instanceof HTMLInputElement) || element.disabled || element.role !== "combobox") return null;
  for (const above of ancestors(element, 5)) {
    if (!(above instanceof HTMLElement) || !attribute(above, "class").split(/\s+/).some((name) => CONTROL.test(name))) continue;
    return isRendered(above) ? widget(element, above) : null;
  }
  return null;
}

/**
 * @param {HTMLInputElement} input
 * @param {HTMLElement} control
 * @returns {Widget}
 */
function widget(input, control) {
  const above = control.parentElement?.closest('[class*="-container"]');
  const around = above instanceof HTMLElement ? above : control;
  const popup = { control: input, around, open: () => open(popup, control), typing: true };
  const read = () => [...around.querySelectorAll(VALUES)].map((one) => oneLine(one.textContent ?? "")).join(AND);
  const several = control.querySelector(SEVERAL) !== null || isMarkedSeveral(control);
  const has = (/** @type {string} */ want) => (several ? sameSet(read(), want) : pickOption([read()], want) === 0);
  return {
    kind: "combobox",
    type: several ? "react-select-multi" : "react-select",
    element: input,
    parts: [around, input],
    answers: [],
    options: () => [],
    read,
    holds: (want) => typeof want === "string" && read() !== "" && has(want) && input.value === "",
    write: async (want, pace) => (typeof want === "string" ? chooseAll(popup, want, read, pace) : "not_accepted"),
    restore: async (before, pace) => (before ? (await choose(popup, before, pace)) === null : clear(input, around, read)),
  };
}

/**
 * @param {Popup} popup
 * @param {string} want
 * @param {() => string} read
 * @param {Pace} pace
 * @returns {Promise<WriteProblem>}
 */
async function chooseAll(popup, want, read, pace) {
  for (const one of want.split(AND)) {
    if (want.includes(AND) && read().split(AND).includes(one)) continue;
    const problem = await choose(popup, one, pace);
    if (problem) return problem;
    await passed(0, pace);
  }
  return null;
}

/** @param {HTMLElement} control */
function isMarkedSeveral(control) {
  return [...control.querySelectorAll("div")].some((one) => /is-multi|isMulti/.test(one.className));
}

/**
 * It opens on the press and, when it was not focused, on the focus that follows.
 * @param {Popup} popup
 * @param {HTMLElement} control
 */
function open(popup, control) {
  if (listOf(popup)) return;
  heard(popup.control, "focus", "focusin", () => press(control, { click: false }));
  if (listOf(popup)) return;
  focusOn(popup.control);
  if (!listOf(popup)) key(popup.control, "ArrowDown");
}

/**
 * @param {HTMLInputElement} input
 * @param {HTMLElement} around
 * @param {() => string} read
 */
function clear(input, around, read) {
  const button = around.querySelector(CLEAR);
  if (button instanceof HTMLElement) press(button);
  if (read() !== "") {
    focusOn(input);
    key(input, "Backspace");
  }
  key(input, "Escape");
  leave(input);
  return read() === "";
}
