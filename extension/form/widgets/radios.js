/** Native radios and boxes, alone or as the group that shares a name. */

import { accessibleName } from "../label.js";
import { isReachable } from "../visible.js";
import { findAll } from "../native.js";
import { oneLine } from "../words.js";
import { choiceGroup, tickBox } from "./choice.js";

/** @import { Widget } from "../types.d.ts" */
/** @import { Choice } from "./choice.js" */

/**
 * @param {Element} element the first of its group on the page
 * @returns {Widget | null}
 */
export function nativeChoices(element) {
  if (!(element instanceof HTMLInputElement) || !["radio", "checkbox"].includes(element.type)) return null;
  const choices = alike(element).filter((one) => isReachable(one) && !one.disabled).map(choiceOf);
  const [first] = choices;
  if (!first) return null;
  if (element.type === "radio") return choiceGroup("radio", choices);
  const labels = new Set(choices.map((one) => one.label));
  if (labels.size < choices.length) return tickBox(choiceOf(element)); // the same question in several rows
  return choices.length > 1 ? choiceGroup("checkboxes", choices) : tickBox(first);
}

/**
 * @param {HTMLInputElement} input
 * @returns {Choice}
 */
function choiceOf(input) {
  return { element: input, words: input.labels?.[0] ?? input, label: labelOf(input), taken: () => input.checked };
}

/** @param {HTMLInputElement} input */
function labelOf(input) {
  const next = input.nextSibling instanceof Text ? oneLine(input.nextSibling.data) : "";
  return accessibleName(input, []) || next || input.value;
}

/**
 * @param {HTMLInputElement} input
 * @returns {HTMLInputElement[]}
 */
function alike(input) {
  const scope = input.form ?? input.getRootNode();
  if (input.name === "" || !(scope instanceof Element || scope instanceof Document || scope instanceof DocumentFragment)) return [input];
  const all = findAll(scope, `input[type=${input.type}]`);
  return all.filter((one) => one instanceof HTMLInputElement).filter(
    (one) => one.name === input.name && one.form === input.form,
  );
}
