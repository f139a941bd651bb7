/**
 * Works a list that opens under a control: open it, find the wanted option (typing to narrow or to load when
 * needed), choose it, and close the list again on every way out. A list left open can take its neighbours out
 * of the page.
 */

import { isRendered } from "../visible.js";
import { byIds } from "../walk.js";
import { key, leave, press, setText } from "../events.js";
import { passed, until } from "../pace.js";
import { oneLine, pickOption } from "../words.js";

/** @import { Pace, WriteProblem } from "../types.d.ts" */

const OPTIONS = '[role="option"], [role="menuitem"], [role="menuitemradio"], [class*="__option"], [id*="-option-"]';
const LISTS = '[role="listbox"], [role="menu"], [class*="__menu"], [class*="-menu"]';
const LOADING = '[aria-busy="true"], [role="progressbar"], [class*="loading"]';

/**
 * @typedef {object} Popup
 * @property {HTMLElement} control what has the focus and is typed into
 * @property {HTMLElement} around what holds control and list, unless the list stands elsewhere
 * @property {() => void} open
 * @property {boolean} typing the control takes text that narrows the list
 * @property {string} [list] where a platform draws its list, without a role
 * @property {string} [option]
 * @property {Set<Element>} [seen] lists that stood open before: one that is new belongs to this control
 */

/**
 * @param {Popup} popup
 * @param {string} want
 * @param {Pace} pace
 * @returns {Promise<WriteProblem>}
 */
export async function choose(popup, want, pace) {
  popup.seen = new Set(openLists(popup));
  popup.open();
  const list = await until(() => listOf(popup), popup.typing ? pace.open_ms / 2 : pace.open_ms, pace);
  if (!list && !(await opensByTyping(popup, want, pace))) return shut(popup, "list_did_not_open");
  let problem = await pickNow(popup, want, popup.typing ? pace.quiet_ms : pace.options_ms, pace);
  for (const query of popup.typing && problem ? queries(want) : []) {
    setText(/** @type {HTMLInputElement} */ (popup.control), query);
    problem = await pickNow(popup, want, pace.options_ms, pace);
    if (!problem || pace.signal.aborted) break;
  }
  return shut(popup, pace.signal.aborted ? "stopped" : problem);
}

/**
 * Some lists show only once something is looked for.
 * @param {Popup} popup
 * @param {string} want
 * @param {Pace} pace
 */
async function opensByTyping(popup, want, pace) {
  if (!popup.typing) return false;
  setText(/** @type {HTMLInputElement} */ (popup.control), queries(want)[0] ?? want);
  return (await until(() => listOf(popup), Math.min(pace.options_ms, 2 * pace.open_ms), pace)) !== null;
}

/**
 * @param {Popup} popup
 * @returns {HTMLElement | null} the list, while it is open
 */
export function listOf(popup) {
  const ids = popup.control.getAttribute("aria-controls") ?? popup.control.getAttribute("aria-owns");
  const near = popup.around.querySelectorAll(popup.list ?? LISTS);
  for (const one of [...byIds(popup.control, ids), ...near]) {
    if (one instanceof HTMLElement && isRendered(one)) return one;
  }
  const { seen } = popup;
  return seen ? openLists(popup).find((one) => !seen.has(one)) ?? null : null;
}

/**
 * Lists are often drawn at the end of the page, without a word of whose they are.
 * @param {Popup} popup
 * @returns {HTMLElement[]}
 */
function openLists(popup) {
  const root = popup.control.getRootNode();
  const all = [...(root instanceof ShadowRoot ? root.querySelectorAll(LISTS) : []), ...popup.control.ownerDocument.querySelectorAll(LISTS)];
  return all.flatMap((one) => (one instanceof HTMLElement && isRendered(one) && one.querySelector(OPTIONS) ? [one] : []));
}

/**
 * @param {Popup} popup
 * @returns {HTMLElement[]}
 */
export function optionsOf(popup) {
  const list = listOf(popup);
  const found = list ? [...list.querySelectorAll(popup.option ?? OPTIONS)] : [];
  return found.flatMap((one) => (one instanceof HTMLElement && one.ariaDisabled !== "true" ? [one] : []));
}

/**
 * A place is looked up by its town: lists of places seldom know the whole line.
 * @param {string} want
 */
function queries(want) {
  const town = want.split(",")[0]?.trim() ?? "";
  return town && town !== want ? [town, want] : [want];
}

/**
 * Choose the wanted option as soon as the list shows it; give up when the list has long stopped changing.
 * @param {Popup} popup
 * @param {string} want
 * @param {number} limit_ms
 * @param {Pace} pace
 * @returns {Promise<WriteProblem>}
 */
async function pickNow(popup, want, limit_ms, pace) {
  let [shown, since] = ["", performance.now()];
  /** @returns {HTMLElement | "option_absent" | "option_ambiguous" | null} */
  const look = () => {
    const options = optionsOf(popup);
    const labels = options.map((one) => oneLine(one.innerText));
    const found = isLoading(popup) ? null : pickOption(labels, want);
    const now = `${found === null} ${labels.join(" | ")}`;
    if (now !== shown) [shown, since] = [now, performance.now()];
    if (typeof found === "number") return options[found] ?? null;
    return found !== null && performance.now() - since >= 3 * pace.quiet_ms ? found : null;
  };
  const found = await until(look, limit_ms, pace);
  if (!(found instanceof HTMLElement)) return found ?? "option_absent";
  press(found);
  await passed(0, pace);
  return null;
}

/** @param {Popup} popup */
function isLoading(popup) {
  const list = listOf(popup);
  const signs = [...(list?.querySelectorAll(LOADING) ?? []), ...popup.around.querySelectorAll('[aria-busy="true"]')];
  return signs.some(isRendered);
}

/**
 * @param {Popup} popup
 * @param {WriteProblem} problem
 * @returns {WriteProblem}
 */
function shut(popup, problem) {
  const { control } = popup;
  if (listOf(popup)) key(control, "Escape");
  if (problem && popup.typing && control instanceof HTMLInputElement && control.value !== "") setText(control, "");
  leave(control);
  return problem;
}
