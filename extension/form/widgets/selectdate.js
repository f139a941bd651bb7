/** A date asked for in two or three lists side by side: day, month and year. */

import { asIfFocused, changed } from "../events.js";
import { find, findAll } from "../native.js";
import { isRendered } from "../visible.js";
import { ancestors } from "../walk.js";
import { oneLine } from "../words.js";
import { partOffered, partsOf, written } from "./dates.js";

/** @import { Widget, WriteProblem } from "../types.d.ts" */
/** @import { Part } from "./dates.js" */

/** @typedef {{ select: HTMLSelectElement, index: Map<number, number> }} List the option of each number */

const OTHER = "input:not([type=hidden]), textarea";

/**
 * @param {Element} element the first of its lists
 * @returns {Widget | null}
 */
export function selectDate(element) {
  if (!(element instanceof HTMLSelectElement) || element.disabled || element.multiple || !listOf(element)) return null;
  for (const above of ancestors(element, 4)) {
    const selects = /** @type {HTMLSelectElement[]} */ (findAll(above, "select"));
    if (selects.length > 3 || find(above, OTHER)) return null;
    if (selects.length > 1) return above instanceof HTMLElement && selects[0] === element ? composed(above, selects) : null;
  }
  return null;
}

/**
 * @param {HTMLElement} holder
 * @param {HTMLSelectElement[]} selects
 * @returns {Widget | null}
 */
function composed(holder, selects) {
  /** @type {Map<Part, List>} */
  const lists = new Map();
  for (const select of selects) {
    const list = listOf(select);
    if (!list || lists.has(list.part) || !isRendered(select)) return null;
    lists.set(list.part, list);
  }
  return lists.has("year") ? widget(holder, lists) : null;
}

/**
 * @param {HTMLSelectElement} select
 * @returns {(List & { part: Part }) | null}
 */
function listOf(select) {
  const options = [...select.options].filter((one) => one.value !== "" && /\d|\p{L}{3}/u.test(one.label) && !/^(?:month|monat|year|jahr|day|tag|select)/i.test(one.label));
  const offered = partOffered(options.map((one) => oneLine(one.label)));
  if (!offered) return null;
  const index = new Map(offered.values.map((value, at) => [value, options[at]?.index ?? -1]));
  return { select, part: offered.part, index };
}

/**
 * @param {HTMLElement} holder
 * @param {Map<Part, List>} lists
 * @returns {Widget}
 */
function widget(holder, lists) {
  const asked = [...lists.keys()];
  const read = () => {
    const has = new Map([...lists].flatMap(([part, list]) => (chosen(list) ? [[part, chosen(list)]] : [])));
    return has.size === lists.size ? written(/** @type {Map<Part, number>} */ (has)) : "";
  };
  const selects = [...lists.values()].map((list) => list.select);
  return {
    kind: "text",
    type: lists.has("day") ? "date" : lists.has("month") ? "month" : "year",
    element: holder,
    parts: selects,
    answers: selects,
    options: () => [],
    read,
    holds: (want) => typeof want === "string" && read() !== "" && read() === written(partsOf(want, asked) ?? new Map()),
    write: async (want) => (typeof want === "string" ? write(lists, want) : "not_accepted"),
    restore: async (before) => {
      if (before !== "") return write(lists, before) === null;
      for (const { select } of lists.values()) pick(select, 0);
      return read() === "";
    },
  };
}

/** @param {List} list */
function chosen({ select, index }) {
  return [...index].find(([, at]) => at === select.selectedIndex)?.[0] ?? 0;
}

/**
 * @param {Map<Part, List>} lists
 * @param {string} want
 * @returns {WriteProblem}
 */
function write(lists, want) {
  const wanted = partsOf(want, [...lists.keys()]);
  if (!wanted) return "not_accepted";
  const found = [...lists].map(([part, { select, index }]) => ({ select, at: index.get(wanted.get(part) ?? 0) }));
  if (found.some(({ at }) => at === undefined)) return "option_absent";
  for (const { select, at } of found) pick(select, at ?? 0);
  return null;
}

/**
 * @param {HTMLSelectElement} select
 * @param {number} at
 */
function pick(select, at) {
  asIfFocused(select, () => {
    select.selectedIndex = at;
    select.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    changed(select);
  });
}
