/**
 * The react-select drop-down, by far the most common one in hiring forms. What is typed into it is only a
 * filter: the value is what its control shows once an option was chosen.
 */

import { focusOn, heard, key, leave, press } from "../events.js";
import { isRendered } from "../visible.js";
import { ancestors } from "../walk.js";
import { oneLine, pickOption } from "../words.js";
import { choose, listOf } from "./popup.js";

/** @import { Widget } from "../types.d.ts" */
/** @import { Popup } from "./popup.js" */

/** `select__control` where the page names its classes, `css-1abc-control` where it does not. */
const CONTROL = /__control$|css-[a-z0-9]+-control$/;
const VALUES = '[class*="single-value"], [class*="singleValue"], [class*="multi-value__label"], [class*="multiValueLabel"]';
const CLEAR = '[class*="clear-indicator"], [class*="clearIndicator"], button[aria-label*="clear" i]';

/**
 * @param {Element} element
 * @returns {Widget | null}
 */
export function reactSelect(element) {
  if (!(element instanceof HTMLInputElement) || element.disabled || element.role !== "combobox") return null;
  for (const above of ancestors(element, 5)) {
    if (!(above instanceof HTMLElement) || ![...above.classList].some((name) => CONTROL.test(name))) continue;
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
  const read = () => [...around.querySelectorAll(VALUES)].map((one) => oneLine(one.textContent ?? "")).join("\n");
  return {
    kind: "combobox",
    type: "react-select",
    element: input,
    parts: [around, input],
    answers: [],
    options: () => [],
    read,
    holds: (want) => typeof want === "string" && read() !== "" && pickOption([read()], want) === 0 && input.value === "",
    write: async (want, pace) => (typeof want === "string" ? choose(popup, want, pace) : "not_accepted"),
    restore: async (before, pace) => (before ? (await choose(popup, before, pace)) === null : clear(input, around, read)),
  };
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
