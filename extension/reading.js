/**
 * Reads the form of a tab after the person's click and asks the server for a plan. What leaves the page is its
 * address, its title, and of each field the words around it; never a value and never the page itself.
 */

import { context, Refused, resolve } from "./api.js";
import { askPage, enter, NoAccess } from "./frames.js";
import { arrived, described } from "./messages.js";
import { change, EMPTY, stateOf } from "./state.js";

/** @import { Of } from "./messages.js" */
/** @import { ShownField, TabState, Trouble } from "./types.d.ts" */

/** @typedef {Of<typeof described> & { document_id: string }} Page */

const MOST_FIELDS = 300;

/** Troubles that end by themselves or by pairing; what they interrupted goes on then. */
export const COMES_BACK = new Set(["server_gone", "not_paired", "device_revoked", "device_unknown"]);

/**
 * A click on the toolbar button: read the form, unless this page was read already.
 * @param {number} tab
 */
export async function look(tab) {
  const { phase, frames } = await stateOf(tab);
  if (phase !== "idle" && (await isStillThere(tab, frames.map((frame) => frame.document_id)))) return;
  await read(tab);
}

/** @param {number} tab */
export async function read(tab) {
  await change(tab, (state) => ({ ...EMPTY, is_waiting: state.is_waiting, phase: "reading" }));
  try {
    const pages = await describe(tab);
    const main = pages.reduce((a, b) => (b.fields.length > a.fields.length ? b : a));
    const facts = {
      url: main.url,
      page_title: main.page_title,
      frames: pages.map((page) => ({ document_id: page.document_id, url: page.url })),
      closed_frames: pages.flatMap((page) => page.closed_frames),
    };
    await change(tab, () => facts);
    await plan(tab, main, pages);
  } catch (error) {
    const trouble = troubleOf(error);
    await change(tab, () => ({ phase: COMES_BACK.has(trouble.code) ? "reading" : "idle", trouble }));
  }
}

/**
 * @param {unknown} error
 * @returns {Trouble}
 */
export function troubleOf(error) {
  if (error instanceof Refused) return { code: error.code, detail: error.detail };
  if (error instanceof NoAccess) return { code: "no_access", detail: "" };
  console.error(error);
  return { code: "internal", detail: "" };
}

/**
 * A page that was left has no plan any more.
 * @param {number} tab
 */
export async function dropWhenLeft(tab) {
  const { phase, frames, trouble } = await stateOf(tab);
  if (phase === "idle" && !trouble) return;
  if (await isStillThere(tab, frames.map((frame) => frame.document_id))) return;
  const isBusy = (/** @type {TabState} */ state) => state.phase === "reading" && !state.trouble;
  await change(tab, (state) => (isBusy(state) ? {} : { ...EMPTY, is_waiting: state.is_waiting }));
}

/**
 * @param {number} tab
 * @param {string[]} documents
 */
export async function isStillThere(tab, documents) {
  const [top] = documents;
  return top !== undefined && (await askPage(tab, top, { type: "arrived" }, arrived)) !== null;
}

/**
 * @param {number} tab
 * @returns {Promise<[Page, ...Page[]]>}
 */
async function describe(tab) {
  /** @type {Page[]} */
  const pages = [];
  for (const document_id of await enter(tab)) {
    const answer = await askPage(tab, document_id, { type: "describe" }, described);
    if (answer) pages.push({ ...answer, document_id });
  }
  const [first, ...others] = pages;
  if (!first) throw new NoAccess();
  return [first, ...others];
}

/**
 * @param {number} tab
 * @param {Page} main
 * @param {Page[]} pages
 */
async function plan(tab, main, pages) {
  const fields = pages.flatMap((page, n) => page.fields.map((field) => ({ ...field, key: `${n}/${field.key}` })));
  if (fields.length === 0) {
    await change(tab, () => ({ phase: "idle", trouble: { code: "no_form", detail: "" } }));
    return;
  }
  const asked = { url: main.url, page_title: main.page_title, fields: fields.slice(0, MOST_FIELDS) };
  const [known, planned] = await Promise.all([context(main.url), resolve(asked)]);
  const lines = new Map(planned.fields.map((line) => [line.key, line]));
  /** @type {ShownField[]} */
  const shown = fields.flatMap(({ key, label, kind, required }) => {
    const line = lines.get(key);
    return line ? [{ key, label, kind, required, plan: line, outcome: null, detail: "" }] : [];
  });
  /** @type {Partial<TabState>} */
  const ready = { phase: "ready", fill_id: planned.fill_id, context: known, fields: shown, trouble: null };
  await change(tab, () => ready);
}
