/**
 * One of several, or several of several, each with its own words on the page. Native radios, drawn ones and
 * pressed buttons differ only in how one choice shows that it is taken; what they share stands here.
 */

import { press } from "../events.js";
import { knownOf } from "../knowledge/index.js";
import { commonAncestor } from "../walk.js";
import { pickOption, plain, reads } from "../words.js";

/** @import { Kind, Widget, WriteProblem } from "../types.d.ts" */

/**
 * @typedef {object} Choice
 * @property {HTMLElement} element what is pressed
 * @property {HTMLElement} words what carries the words
 * @property {string} label
 * @property {() => boolean} taken
 */

/** How several chosen answers are written as one text. */
export const AND = "\n";

/**
 * @param {Kind} kind
 * @param {Choice[]} choices at least two, or radios at least one
 * @returns {Widget}
 */
export function choiceGroup(kind, choices) {
  const several = kind === "checkboxes";
  const read = () => choices.filter((one) => one.taken()).map((one) => one.label).join(AND);
  return {
    kind,
    type: kind,
    element: /** @type {HTMLElement} */ (commonAncestor(choices.flatMap((one) => [one.element, one.words]))),
    parts: choices.flatMap((one) => [one.element, one.words]),
    answers: choices.map((one) => one.words),
    options: () => choices.map((one) => one.label),
    read,
    holds: (want) => typeof want === "string" && read() !== "" && sameSet(read(), want),
    write: async (want) => (typeof want === "string" ? take(choices, want, several) : "not_accepted"),
    restore: async (before) => restore(choices, before, several, read),
  };
}

/**
 * One box alone: its words are the question, and the answer is whether it is ticked.
 * @param {Choice} one
 * @returns {Widget}
 */
export function tickBox(one) {
  const tick = (/** @type {boolean} */ ticked) => {
    if (one.taken() !== ticked) set(one.element, ticked);
    return one.taken() === ticked ? null : "not_accepted";
  };
  return {
    kind: "checkbox",
    type: "checkbox",
    element: one.element,
    label: one.label,
    parts: [one.element, one.words],
    answers: [],
    options: () => [],
    read: () => (one.taken() ? "Yes" : ""),
    holds: (want) => typeof want === "string" && one.taken() === meansYes(want),
    write: async (want) => (typeof want === "string" ? tick(meansYes(want)) : "not_accepted"),
    restore: async (before) => tick(before !== "") === null,
  };
}

/** @param {string} want */
function meansYes(want) {
  return /^(?:yes|true|ja|1)$/.test(plain(want));
}

/**
 * @param {Choice[]} choices
 * @param {string} want
 * @param {boolean} several
 * @returns {WriteProblem}
 */
function take(choices, want, several) {
  const labels = choices.map((one) => one.label);
  const found = (several ? want.split(AND) : [want]).map((one) => pickOption(labels, one));
  for (const one of found) if (typeof one === "string") return one;
  for (const [at, one] of choices.entries()) {
    const wanted = found.includes(at);
    if (wanted !== one.taken() && (several || wanted)) set(one.element, wanted);
  }
  return null;
}

/**
 * Radios cannot be untaken by pressing; setting them back is tried and then looked at.
 * @param {Choice[]} choices
 * @param {string} before
 * @param {boolean} several
 * @param {() => string} read
 */
function restore(choices, before, several, read) {
  if (before !== "" && !several) return take(choices, before, false) === null;
  const kept = before.split(AND);
  for (const one of choices.filter((each) => each.taken() && !kept.includes(each.label))) {
    if (one.element instanceof HTMLInputElement && one.element.type === "radio") untake(one.element);
    else set(one.element, false);
  }
  return read() === before;
}

/**
 * Some pages take a scripted press on a choice for a robot's; there the choice is set and announced.
 * @param {HTMLElement} element
 * @param {boolean} taken
 */
function set(element, taken) {
  if (!(element instanceof HTMLInputElement) || !knownOf(element.ownerDocument).sets_choices) return press(element);
  element.checked = taken;
  announce(element);
}

/** @param {HTMLInputElement} radio */
function untake(radio) {
  radio.checked = false;
  announce(radio);
}

/** @param {HTMLInputElement} radio */
function announce(radio) {
  radio.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  radio.dispatchEvent(new Event("change", { bubbles: true, composed: true }));
}

/**
 * @param {string} has
 * @param {string} want
 */
export function sameSet(has, want) {
  const [a, b] = [has.split(AND), want.split(AND)];
  return a.length === b.length && b.every((one) => a.some((other) => reads(other, one)));
}
