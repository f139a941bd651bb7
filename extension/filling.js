/** Sends an accepted plan into the pages of a tab, keeps what became of each field, and reports it. */

import { documentContent } from "./api.js";
import { askPage } from "./frames.js";
import { post } from "./outbox.js";
import { troubleOf } from "./reading.js";
import { busy } from "./messages.js";
import { object } from "./shapes.js";
import { change, setTrouble, stateOf } from "./state.js";

/** @import { Of, toPage } from "./messages.js" */
/** @import { Outcome } from "./form/types.d.ts" */
/** @import { ShownField, TabState } from "./types.d.ts" */

/** @typedef {Extract<Of<typeof toPage>, { type: "fill" }>} FillMessage */

const taken = object({});
/** Tabs whose pages are being told to write: until they heard it, nobody writes there yet. @type {Set<number>} */
const sending = new Set();

/**
 * @param {number} tab
 * @param {string[]} skipped keys the person does not want filled
 * @param {string[]} accepted keys of suggestions the person accepted; no other suggestion leaves the worker
 */
export async function fill(tab, skipped, accepted) {
  const before = await stateOf(tab);
  if (before.phase !== "ready" && before.phase !== "filled") return;
  sending.add(tab);
  await send(tab, skipped, accepted).finally(() => sending.delete(tab));
}

/**
 * @param {number} tab
 * @param {string[]} skipped
 * @param {string[]} accepted
 */
async function send(tab, skipped, accepted) {
  const start = (/** @type {ShownField} */ field) => ({ ...field, said: null, ...atStart(field, skipped, accepted) });
  const state = await change(tab, (now) => ({ phase: "filling", is_paused: false, trouble: null, fields: now.fields.map(start) }));
  const wanted = state.fields.filter((field) => field.outcome === null);
  const documents = await fetchDocuments(tab, state, wanted);
  await inEachPage(tab, state, wanted, async (document_id, fields) => {
    const lines = fields.map(({ key, plan }) => ({ ...plan, action: /** @type {const} */ ("fill"), key: inPage(key) }));
    const own = documents.filter((one) => lines.some((line) => line.document_id === one.id));
    return askPage(tab, document_id, { type: "fill", lines, documents: own }, taken);
  });
}

/** @param {number} tab */
export async function undo(tab) {
  const state = await change(tab, (now) => (now.phase === "filled" ? { phase: "undoing", trouble: null } : {}));
  if (state.phase !== "undoing") return;
  for (const { document_id } of state.frames) await askPage(tab, document_id, { type: "undo" }, taken);
}

/**
 * @param {number} tab
 * @param {boolean} on
 */
export async function pause(tab, on) {
  const { phase, frames } = await change(tab, (now) => (now.phase === "filling" ? { is_paused: on } : {}));
  if (phase !== "filling") return;
  for (const { document_id } of frames) await askPage(tab, document_id, { type: "pause", on }, taken);
}

/** @param {number} tab */
export async function stop(tab) {
  const { frames } = await stateOf(tab);
  for (const { document_id } of frames) await askPage(tab, document_id, { type: "stop" }, taken);
}

/**
 * A worker that ended before its pages heard of the fill, or a frame that went away in the middle of it, would leave
 * the fill without an end.
 * @param {number} tab
 */
export async function endWhereNobodyWrites(tab) {
  const { phase, frames } = await stateOf(tab);
  if ((phase !== "filling" && phase !== "undoing") || sending.has(tab)) return;
  for (const { document_id } of frames) {
    const answer = await askPage(tab, document_id, { type: "busy" }, busy);
    if (!answer?.is_busy) await noteDone(tab, document_id, phase === "filling" ? "fill" : "undo");
  }
}

/**
 * @param {number} tab
 * @param {string} key
 */
export async function show(tab, key) {
  const frame = (await stateOf(tab)).frames[pageOf(key)];
  if (frame) await askPage(tab, frame.document_id, { type: "show", key: inPage(key) }, taken);
}

/**
 * @param {number} tab
 * @param {string} document_id who says so
 * @param {Outcome[]} outcomes
 */
export async function noteOutcomes(tab, document_id, outcomes) {
  await change(tab, (state) => {
    const page = state.frames.findIndex((frame) => frame.document_id === document_id);
    const told = new Map(outcomes.map((one) => [`${page}/${one.key}`, one]));
    const fields = state.fields.map((field) => {
      const one = told.get(field.key);
      return one ? { ...field, outcome: one.outcome, detail: one.detail, said: one.said ?? null } : field;
    });
    return { fields, is_reported: false };
  });
}

/**
 * @param {number} tab
 * @param {string | null} document_id whose part is done; of what it said nothing, nothing became
 * @param {"fill" | "watch" | "undo"} of
 */
export async function noteDone(tab, document_id, of) {
  const state = await change(tab, (now) => {
    if (of === "watch") return {};
    const page = now.frames.findIndex((frame) => frame.document_id === document_id);
    const isUntold = (/** @type {ShownField} */ { key, outcome }) => outcome === null && pageOf(key) === page;
    const untold = { outcome: /** @type {const} */ ("failed"), detail: "field_gone" };
    const fields = now.fields.map((field) => (isUntold(field) ? { ...field, ...untold } : field));
    const isOver = fields.every((field) => field.outcome) && (now.phase === "filling" || now.phase === "undoing");
    return isOver ? { fields, phase: "filled" } : { fields };
  });
  if (state.phase === "filled") await postReport(tab);
}

/**
 * Leave the report for the server, unless it stands there already.
 * @param {number} tab
 */
export async function postReport(tab) {
  const { fill_id, fields, is_reported } = await stateOf(tab);
  if (fill_id === null || is_reported) return;
  const told = fields.flatMap(({ key, outcome, detail }) => (outcome ? [{ key, outcome, detail }] : []));
  await post({ kind: "report", fill_id, tab, body: { fields: told } });
  await change(tab, () => ({ is_reported: true }));
}

/**
 * @param {ShownField} field
 * @param {string[]} skipped
 * @param {string[]} accepted
 * @returns {Pick<ShownField, "outcome" | "detail">}
 */
function atStart({ key, plan }, skipped, accepted) {
  if (plan.action === "leave") return { outcome: "left", detail: plan.reason ?? "" };
  if (plan.action === "suggest" && !accepted.includes(key)) return { outcome: "left", detail: "not_accepted_by_person" };
  return skipped.includes(key) ? { outcome: "left", detail: "skipped" } : { outcome: null, detail: "" };
}

/**
 * @param {number} tab
 * @param {TabState} state
 * @param {ShownField[]} wanted
 * @param {(document_id: string, fields: ShownField[]) => Promise<object | null>} act null when the page is gone
 */
async function inEachPage(tab, state, wanted, act) {
  for (const [n, { document_id }] of state.frames.entries()) {
    const fields = wanted.filter((field) => pageOf(field.key) === n);
    if (fields.length === 0 || (await act(document_id, fields))) continue;
    const gone = fields.map((field) => ({ key: inPage(field.key), outcome: /** @type {const} */ ("failed"), detail: "page_gone" }));
    await noteOutcomes(tab, document_id, gone);
  }
  if (wanted.length === 0 || (await stateOf(tab)).fields.every((field) => field.outcome)) await noteDone(tab, null, "fill");
}

/**
 * @param {number} tab
 * @param {TabState} state
 * @param {ShownField[]} wanted
 * @returns {Promise<FillMessage["documents"]>} those the server gave; the others are missed by their fields
 */
export async function fetchDocuments(tab, state, wanted) {
  const documents = [];
  for (const id of new Set(wanted.flatMap((field) => field.plan.document_id ?? []))) {
    try {
      const known = state.context?.documents.find((one) => one.id === id);
      const content = await documentContent(id);
      const name = known?.file_name ?? `document-${id}`;
      documents.push({ id, name, type: known?.media_type ?? content.type, base64: await asBase64(content) });
    } catch (error) {
      await setTrouble(tab, troubleOf(error));
    }
  }
  return documents;
}

/** @param {Blob} content */
async function asBase64(content) {
  const bytes = new Uint8Array(await content.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/** @param {string} key as the server knows it: the page's number, a slash, the page's own key */
export function pageOf(key) {
  return Number(key.slice(0, key.indexOf("/")));
}

/** @param {string} key */
export function inPage(key) {
  return key.slice(key.indexOf("/") + 1);
}
