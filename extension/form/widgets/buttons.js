/**
 * A question answered by a few buttons that stay pressed, such as Yes and No. A button that sends the form or
 * opens something is never one of them.
 */

import { isRendered } from "../visible.js";
import { commonAncestor } from "../walk.js";
import { oneLine, plain } from "../words.js";
import { choiceGroup } from "./choice.js";

/** @import { Widget } from "../types.d.ts" */

const MOST = 8;
const HOLDERS = "fieldset, div, ul, span, p, [role=group], [role=radiogroup]";
const OTHER_CONTROLS = "input:not([type=checkbox], [type=radio], [type=hidden]), select, textarea";
const TAKEN = /(?:^|[-_ ])(?:active|selected|checked|pressed|chosen)(?:$|[-_ ])/i;

/**
 * @param {Element} element what holds the buttons, and nothing smaller does
 * @returns {Widget | null}
 */
export function buttonChoices(element) {
  if (!(element instanceof HTMLElement) || !element.matches(HOLDERS)) return null;
  const buttons = [...element.querySelectorAll("button, [role=button]")].filter((one) => one instanceof HTMLElement);
  if (buttons.length < 2 || buttons.length > MOST || commonAncestor(buttons) !== element) return null;
  if (buttons.some(doesMore) || element.querySelector(OTHER_CONTROLS)) return null;
  if (!buttons.every((one) => one.hasAttribute("aria-pressed")) && !isYesAndNo(buttons)) return null;
  const choices = buttons.map((one) => ({
    element: one,
    words: one,
    label: oneLine(one.innerText),
    taken: () => isTaken(one, buttons),
  }));
  const group = choiceGroup("buttons", choices);
  return { ...group, element, parts: [...group.parts, ...element.querySelectorAll("input")] };
}

/** @param {HTMLElement} button */
function doesMore(button) {
  if (button instanceof HTMLButtonElement && button.type !== "button") return true;
  return button.hasAttribute("aria-haspopup") || button.hasAttribute("aria-expanded") || !isRendered(button);
}

/** @param {HTMLElement[]} buttons */
function isYesAndNo(buttons) {
  const words = buttons.map((one) => plain(one.innerText)).sort();
  return ["no,yes", "ja,nein"].includes(words.join(","));
}

/**
 * By what the page says, or by a class only this one has.
 * @param {HTMLElement} button
 * @param {HTMLElement[]} all
 */
function isTaken(button, all) {
  for (const mark of ["aria-pressed", "aria-checked", "aria-selected"]) {
    if (button.hasAttribute(mark)) return button.getAttribute(mark) === "true";
  }
  const own = [...button.classList].filter((name) => !all.every((one) => one.classList.contains(name)));
  return own.some((name) => TAKEN.test(name));
}
