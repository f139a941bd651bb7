/** Drop-downs by the ARIA pattern: a box or a button that names the list it opens. */

import { changed, focusOn, key, leave, press, setText } from "../events.js";
import { isRendered } from "../visible.js";
import { knownOf } from "../knowledge/index.js";
import { byIds, closest, parentOf } from "../walk.js";
import { oneLine, pickOption, plain } from "../words.js";
import { choose, listOf } from "./popup.js";

/** @import { Pace, Widget, WriteProblem } from "../types.d.ts" */
/** @import { Popup } from "./popup.js" */

const CONTROLS =
  '[role="combobox"], button[aria-haspopup="listbox"], [role="button"][aria-haspopup="listbox"], button[class*="SelectToggle"]';
const PLACEHOLDER = /^(?:-+$|select\b|choose\b|please\b|search\b|type\b|start typing|bitte\b|auswahlen)/;

/**
 * @param {Element} element
 * @returns {Widget | null}
 */
export function combobox(element) {
  const drawn = element instanceof HTMLInputElement ? lookup(element) : null;
  if (drawn) return drawn;
  if (!(element instanceof HTMLElement) || !element.matches(CONTROLS) || !isRendered(element)) return null;
  if (element.matches(':disabled, [aria-disabled="true"], [aria-multiselectable="true"]')) return null;
  const input = element instanceof HTMLInputElement ? element : element.querySelector("input:not([type=hidden])");
  const typed = input instanceof HTMLInputElement && !input.readOnly ? input : null;
  const around = parentOf(element);
  /** @type {Popup} */
  const popup = {
    control: typed ?? element,
    around: around instanceof HTMLElement ? around : element,
    open: () => open(popup),
    typing: typed !== null,
  };
  return widget(element, popup, () => (typed ? typed.value : shownBy(element)));
}

/**
 * A box over a list of suggestions that nothing marks as one, but what is known of the platform.
 * @param {HTMLInputElement} element
 * @returns {Widget | null}
 */
function lookup(element) {
  const known = knownOf(element.ownerDocument).lookups?.find((one) => element.matches(one.box));
  const around = known ? closest(element, known.around) : null;
  if (!known || !(around instanceof HTMLElement) || element.disabled) return null;
  /** @type {Popup} */
  const popup = { control: element, around, open: () => focusOn(element), typing: true, list: known.list, option: known.option };
  const list = widget(element, popup, () => element.value);
  return { ...list, write: async (want, pace) => (typeof want === "string" ? chooseOrType(popup, want, pace) : "not_accepted") };
}

/**
 * Where no suggestion comes, what is typed is what the form sends.
 * @param {Popup} popup
 * @param {string} want
 * @param {Pace} pace
 * @returns {Promise<WriteProblem>}
 */
async function chooseOrType(popup, want, pace) {
  const problem = await choose(popup, want, pace);
  if (problem !== "list_did_not_open" || !(popup.control instanceof HTMLInputElement)) return problem;
  focusOn(popup.control);
  setText(popup.control, want);
  changed(popup.control);
  leave(popup.control);
  return null;
}

/**
 * @param {HTMLElement} element
 * @param {Popup} popup
 * @param {() => string} read
 * @returns {Widget}
 */
function widget(element, popup, read) {
  return {
    kind: "combobox",
    type: "listbox",
    element,
    parts: [element, popup.control],
    answers: [],
    options: () => known(popup.control),
    read,
    holds: (want) => typeof want === "string" && read() !== "" && pickOption([read()], want) === 0 && !isOpen(popup),
    write: async (want, pace) => (typeof want === "string" ? choose(popup, want, pace) : "not_accepted"),
    restore: async (before, pace) => {
      if (before !== "") return (await choose(popup, before, pace)) === null;
      return popup.control instanceof HTMLInputElement && empty(popup.control);
    },
  };
}

/** @param {Popup} popup */
function open(popup) {
  focusOn(popup.control);
  if (!isOpen(popup)) press(popup.control);
  if (!isOpen(popup)) key(popup.control, "ArrowDown");
}

/** @param {Popup} popup */
function isOpen(popup) {
  return popup.control.getAttribute("aria-expanded") !== "false" && listOf(popup) !== null;
}

/**
 * A list that stands in the page while closed can be read without opening it.
 * @param {HTMLElement} control
 */
function known(control) {
  const lists = byIds(control, control.getAttribute("aria-controls") ?? control.getAttribute("aria-owns"));
  return lists.flatMap((list) => [...list.querySelectorAll('[role="option"]')].map((one) => oneLine(one.textContent ?? "")));
}

/** @param {HTMLElement} element */
function shownBy(element) {
  const shown = oneLine(element.title || element.innerText);
  return PLACEHOLDER.test(plain(shown)) || element.querySelector('[class*="placeholder" i]') ? "" : shown;
}

/** @param {HTMLInputElement} input */
function empty(input) {
  setText(input, "");
  changed(input);
  key(input, "Escape");
  return input.value === "";
}
