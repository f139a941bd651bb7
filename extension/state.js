/**
 * What is known of each tab while the browser runs: the plan, the outcomes, what went wrong. The worker may be
 * ended at any moment, so nothing of this lives in its memory; the panel draws what stands here. Values of a plan
 * stay in memory-backed session storage, out of reach of pages, and never on disk.
 */

import { Turns } from "./turns.js";

/** @import { TabState, Trouble } from "./types.d.ts" */

/** @type {TabState} */
export const EMPTY = {
  phase: "idle",
  url: "",
  page_title: "",
  frames: [],
  closed_frames: [],
  fill_id: null,
  context: null,
  fields: [],
  beyond: 0,
  drafts: {},
  changed: [],
  remembered: [],
  fresh: {},
  read_at: 0,
  is_paused: false,
  trouble: null,
  is_reported: true,
};

/** Changes of one tab follow one another. @type {Map<number, Turns>} */
const changes = new Map();

/** @param {number} tab */
export function keyOf(tab) {
  return `tab.${tab}`;
}

/**
 * @param {number} tab
 * @returns {Promise<TabState>}
 */
export async function stateOf(tab) {
  const stored = await chrome.storage.session.get(keyOf(tab));
  return /** @type {TabState} */ (stored[keyOf(tab)] ?? EMPTY);
}

/**
 * @param {number} tab
 * @param {(state: TabState) => Partial<TabState>} next
 * @returns {Promise<TabState>}
 */
export function change(tab, next) {
  const own = changes.get(tab) ?? new Turns();
  changes.set(tab, own);
  return own.take(async () => {
    const state = await stateOf(tab);
    const made = next(state);
    const changed = { ...state, ...made };
    if (Object.keys(made).length > 0) await chrome.storage.session.set({ [keyOf(tab)]: changed });
    return changed;
  });
}

/**
 * @param {TabState} state
 * @returns {number} fields that appeared since the page was read
 */
export function freshIn({ fresh }) {
  return Object.values(fresh).reduce((sum, one) => sum + one, 0);
}

/**
 * @param {number} tab
 * @param {Trouble | null} trouble
 */
export async function setTrouble(tab, trouble) {
  await change(tab, () => ({ trouble }));
}

/** @param {number} tab */
export async function forgetTab(tab) {
  changes.delete(tab);
  await chrome.storage.session.remove(keyOf(tab));
}
