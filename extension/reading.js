/**
 * Reads the form of a tab after the person's click and asks the server for a plan. What leaves the page is its
 * address, its title, and of each field the words around it; never a value and never the page itself.
 */

import { context, Refused, resolve } from "./api.js";
import { mark } from "./badge.js";
import { draftsFor } from "./drafts.js";
import { askPage, enter, NoAccess } from "./frames.js";
import { arrived, described } from "./messages.js";
import { isOff } from "./settings.js";
import { change, EMPTY, freshIn, stateOf } from "./state.js";

/** @import { Of } from "./messages.js" */
/** @import { Plan, ShownField, TabState, Trouble } from "./types.d.ts" */

/** @typedef {Of<typeof described> & { document_id: string }} Page */

const MOST_FIELDS = 300;
/** A page that was still being drawn when the person pressed is read again by itself for so long. */
const DRAWS_WITHIN_MS = 5000;
/** A page that is just being put in place, or a frame of it taken away, does not answer: it is asked again. */
const ASKED_AGAIN_AFTER_MS = [0, 150, 600];

/** Troubles that end by themselves or by pairing; what they interrupted goes on then. */
export const COMES_BACK = new Set(["server_gone", "not_paired", "device_revoked", "device_unknown"]);

/** Tabs that are being read right now: a second press changes nothing. @type {Set<number>} */
const underWay = new Set();

/**
 * A click on the toolbar button: read the form, unless this page was read already.
 * @param {number} tab
 */
export async function look(tab) {
  if (underWay.has(tab)) return;
  const { phase, frames } = await stateOf(tab);
  if (phase !== "idle" && (await isStillThere(tab, frames.map((frame) => frame.document_id)))) return;
  await read(tab);
}

/**
 * Reading again keeps what is known of fields that were filled: a step of a form that shows more of itself. It
 * waits for nothing and is not begun while the page is being read or written.
 * @param {number} tab
 */
export async function read(tab) {
  if (underWay.has(tab)) return;
  underWay.add(tab);
  try {
    const before = await stateOf(tab);
    if (before.phase !== "filling" && before.phase !== "undoing") await readNow(tab, before);
  } finally {
    underWay.delete(tab);
  }
  await readGrown(tab); // what appeared while the server was asked
}

/**
 * Fields that appear right after the press join the plan before anything is written.
 * @param {number} tab
 */
export async function readGrown(tab) {
  if (underWay.has(tab) || !isStillDrawn(await stateOf(tab)) || underWay.has(tab)) return;
  underWay.add(tab);
  try {
    const before = await stateOf(tab);
    if (isStillDrawn(before)) await readNow(tab, before, before.read_at);
  } finally {
    underWay.delete(tab);
  }
}

/** @param {TabState} state */
function isStillDrawn(state) {
  const isUntouched = state.phase === "ready" || (state.phase === "idle" && state.trouble?.code === "no_form");
  return isUntouched && freshIn(state) > 0 && Date.now() - state.read_at < DRAWS_WITHIN_MS;
}

/**
 * @param {number} tab
 * @param {TabState} before
 * @param {number} [read_at]
 */
async function readNow(tab, before, read_at = Date.now()) {
  await change(tab, () => ({ ...EMPTY, phase: "reading", read_at }));
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
    if (await isOff(facts.url)) throw new SwitchedOff();
    await plan(tab, main, pages, before);
  } catch (error) {
    const trouble = troubleOf(error);
    await change(tab, () => ({ phase: COMES_BACK.has(trouble.code) ? "reading" : "idle", trouble }));
  }
}

/** The person switched Jobtrail off for this site. */
class SwitchedOff extends Error {}

/**
 * @param {unknown} error
 * @returns {Trouble}
 */
export function troubleOf(error) {
  if (error instanceof Refused) return { code: error.code, detail: error.detail };
  if (error instanceof NoAccess) return { code: "no_access", detail: error.message };
  if (error instanceof SwitchedOff) return { code: "switched_off", detail: "" };
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
  await change(tab, (state) => (isBusy(state) ? {} : EMPTY));
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
  let silence = new NoAccess();
  for (const ms of ASKED_AGAIN_AFTER_MS) {
    await new Promise((done) => setTimeout(done, ms));
    try {
      return await describeNow(tab);
    } catch (error) {
      if (!(error instanceof NoAccess)) throw error;
      silence = error;
    }
  }
  console.warn("A tab was not reached:", silence.message);
  throw silence;
}

/**
 * @param {number} tab
 * @returns {Promise<[Page, ...Page[]]>}
 */
async function describeNow(tab) {
  /** @type {Page[]} */
  const pages = [];
  for (const document_id of await enter(tab)) {
    const answer = await askPage(tab, document_id, { type: "describe" }, described);
    if (answer) pages.push({ ...answer, document_id });
  }
  const [first, ...others] = pages;
  if (!first) throw new NoAccess("no document answered");
  return [first, ...others];
}

/**
 * @param {number} tab
 * @param {Page} main
 * @param {Page[]} pages
 * @param {TabState} before
 */
async function plan(tab, main, pages, before) {
  const fields = pages.flatMap((page, n) => page.fields.map((field) => ({ ...field, key: `${n}/${field.key}` })));
  if (fields.length === 0) {
    const known = await context(main.url);
    await change(tab, () => ({ phase: "idle", context: known, trouble: { code: "no_form", detail: "" } }));
    return mark(tab, known);
  }
  const asked = { url: main.url, page_title: main.page_title, fields: fields.slice(0, MOST_FIELDS) };
  const [known, planned] = await Promise.all([context(main.url), resolve(asked)]);
  const lines = new Map(planned.fields.map((line) => [line.key, line]));
  const shown = fields.flatMap((field) => shownAs(field, lines.get(field.key), before));
  /** @type {Partial<TabState>} */
  const ready = {
    phase: shown.some((field) => field.outcome) ? "filled" : "ready",
    fill_id: planned.fill_id,
    context: known,
    fields: shown,
    beyond: fields.length - asked.fields.length + pages.reduce((sum, page) => sum + page.beyond, 0),
    drafts: draftsFor(shown, known.drafts),
    changed: before.changed.filter((key) => lines.has(key)),
    remembered: before.remembered.filter((key) => lines.has(key)),
    trouble: null,
  };
  await change(tab, () => ready);
  await mark(tab, known);
}

/**
 * @param {ShownField["asked"]} asked
 * @param {Plan | undefined} line
 * @param {TabState} before
 * @returns {ShownField[]}
 */
function shownAs(asked, line, before) {
  if (!line) return [];
  const isMade = (/** @type {ShownField} */ { outcome, detail }) => outcome === "filled" || outcome === "already" || detail === "page_refuses";
  const earlier = before.fields.find((field) => field.key === asked.key && isMade(field));
  if (earlier && line.reason === "has_value" && earlier.asked.label === asked.label) return [{ ...earlier, asked }];
  return [{ key: asked.key, asked, plan: line, outcome: null, detail: "" }];
}
