/** A native list in which several can be chosen. */

import { asIfFocused, changed } from "../events.js";
import { oneLine, pickOption } from "../words.js";
import { AND, sameSet } from "./choice.js";

/** @import { Widget, WriteProblem } from "../types.d.ts" */

/**
 * @param {Element} element
 * @returns {Widget | null}
 */
export function severalOf(element) {
  if (!(element instanceof HTMLSelectElement) || !element.multiple || element.disabled) return null;
  const labels = () => choices(element).map((one) => oneLine(one.label));
  const read = () => choices(element).filter((one) => one.selected).map((one) => oneLine(one.label)).join(AND);
  return {
    kind: "checkboxes",
    type: "select-multiple",
    element,
    parts: [element],
    answers: [...element.options],
    options: labels,
    read,
    holds: (want) => typeof want === "string" && read() !== "" && sameSet(read(), want),
    write: async (want) => (typeof want === "string" ? write(element, want) : "not_accepted"),
    restore: async (before) => choose(element, before === "" ? [] : before.split(AND)) === null && read() === before,
  };
}

/** @param {HTMLSelectElement} element */
function choices(element) {
  return [...element.options].filter((one) => !one.disabled && one.value !== "");
}

/**
 * @param {HTMLSelectElement} element
 * @param {string} want
 */
function write(element, want) {
  return choose(element, want.split(AND));
}

/**
 * @param {HTMLSelectElement} element
 * @param {string[]} wants
 * @returns {WriteProblem}
 */
function choose(element, wants) {
  const options = choices(element);
  const found = wants.map((want) => pickOption(options.map((one) => oneLine(one.label)), want));
  for (const one of found) if (typeof one === "string") return one;
  asIfFocused(element, () => {
    for (const [at, option] of options.entries()) option.selected = found.includes(at);
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    changed(element);
  });
  return null;
}
