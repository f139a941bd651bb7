/** Radios, boxes and switches a page draws itself and names by role. */

import { accessibleName, wordsOf } from "../label.js";
import { isRendered } from "../visible.js";
import { walk } from "../walk.js";
import { oneLine } from "../words.js";
import { choiceGroup, tickBox } from "./choice.js";

/** @import { Widget } from "../types.d.ts" */
/** @import { Choice } from "./choice.js" */

/**
 * @param {Element} element a group, or one box alone
 * @returns {Widget | null}
 */
export function drawnChoices(element) {
  const role = element.getAttribute("role");
  if (!role || !(element instanceof HTMLElement) || !isRendered(element)) return null;
  if (role === "radiogroup") return groupOf(element, "radio");
  if (role === "group") return groupOf(element, "checkbox");
  const [alone] = role === "checkbox" || role === "switch" ? choiceOf(element) : [];
  return alone ? tickBox(alone) : null;
}

/**
 * @param {HTMLElement} element
 * @param {"radio" | "checkbox"} role
 */
function groupOf(element, role) {
  const choices = [...walk(element)].filter((one) => one.matches(`[role=${role}]`)).flatMap(choiceOf);
  if (choices.length < 2) return null;
  return { ...choiceGroup(role === "radio" ? "radio" : "checkboxes", choices), element };
}

/**
 * @param {Element} element
 * @returns {Choice[]}
 */
function choiceOf(element) {
  if (!(element instanceof HTMLElement) || element.getAttribute("aria-disabled") === "true") return [];
  const label = element.closest("label");
  const name = (label && wordsOf(label, [])) || accessibleName(element, []) || oneLine(element.innerText);
  const taken = () => element.getAttribute("aria-checked") === "true";
  return [{ element, label: name, taken, words: label ?? element }];
}
