/** A native drop-down with one choice. Its placeholder counts as no value. */

import { asIfFocused, changed } from "../events.js";
import { oneLine, pickOption, plain } from "../words.js";

/** @import { WriteProblem, Widget } from "../types.d.ts" */

/**
 * @param {Element} element
 * @returns {Widget | null}
 */
export function nativeSelect(element) {
  if (!(element instanceof HTMLSelectElement) || element.multiple || element.matches(":disabled")) return null;
  const labels = () => choices(element).map(labelOf);
  /** @type {HTMLOptionElement | undefined} what was chosen here: some pages mark an option's words once it is taken */
  let taken;
  const isMarked = (/** @type {string} */ want) => element.selectedOptions[0] === taken && plain(chosen(element)).includes(plain(want));
  const isMeant = (/** @type {string} */ want) => pickOption(labels(), want) === at(element) || (taken !== undefined && isMarked(want));
  return {
    kind: "select",
    type: "select",
    element,
    parts: [element],
    answers: [...element.options],
    options: labels,
    read: () => chosen(element),
    holds: (want) => typeof want === "string" && chosen(element) !== "" && isMeant(want),
    write: async (want) => {
      const problem = typeof want === "string" ? write(element, want) : "not_accepted";
      taken = problem ? undefined : element.selectedOptions[0];
      return problem;
    },
    restore: async (before) => restore(element, before),
  };
}

/**
 * @param {HTMLSelectElement} element
 * @returns {HTMLOptionElement[]} what can be chosen, without the placeholder
 */
function choices(element) {
  return [...element.options].filter((option) => !option.disabled && !isPlaceholder(option));
}

/** @param {HTMLOptionElement} option */
function isPlaceholder(option) {
  return option.value === "" || (option.index === 0 && /^(?:-+|select|choose|please|bitte|auswählen)/.test(plain(option.label)));
}

/** @param {HTMLOptionElement} option */
function labelOf(option) {
  return oneLine(option.label || option.text);
}

/** @param {HTMLSelectElement} element */
function at(element) {
  return choices(element).indexOf(/** @type {HTMLOptionElement} */ (element.selectedOptions[0]));
}

/** @param {HTMLSelectElement} element */
function chosen(element) {
  const option = element.selectedOptions[0];
  return option && !isPlaceholder(option) ? labelOf(option) : "";
}

/**
 * @param {HTMLSelectElement} element
 * @param {string} want
 * @returns {WriteProblem}
 */
function write(element, want) {
  const options = choices(element);
  const found = pickOption(options.map(labelOf), want);
  if (typeof found === "string") return found;
  choose(element, options[found]?.index ?? -1);
  return null;
}

/**
 * @param {HTMLSelectElement} element
 * @param {string} before
 */
function restore(element, before) {
  if (before !== "") return write(element, before) === null;
  choose(element, [...element.options].findIndex(isPlaceholder));
  return chosen(element) === "";
}

/**
 * @param {HTMLSelectElement} element
 * @param {number} index
 */
function choose(element, index) {
  asIfFocused(element, () => {
    element.selectedIndex = index;
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    changed(element);
  });
}
