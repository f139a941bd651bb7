/**
 * From the person's own submit to an application on the server. A submit is kept from the moment it is seen; what
 * the page then shows decides whether it is recorded at once, asked about, or forgotten because nothing was sent.
 */

import { askPage, enter } from "./frames.js";
import { arrived } from "./messages.js";
import { post } from "./outbox.js";
import { isStillThere } from "./reading.js";
import { stateOf } from "./state.js";
import { Turns } from "./turns.js";

/** @import { Of, fromPage } from "./messages.js" */
/** @import { EvidenceKind } from "./protocol.d.ts" */
/** @import { Submission } from "./types.d.ts" */

/** @typedef {Of<typeof fromPage>} FromPage */

const KEY = "submissions";
const KEPT_MS = 24 * 60 * 60 * 1000;
const CONFIRMS_WITHIN_MS = 60_000;
const MOVED_ON = "The browser sent the form and the page moved on.";

const changes = new Turns();

/** @returns {Promise<Submission[]>} */
export async function submissions() {
  const stored = await chrome.storage.local.get(KEY);
  return /** @type {Submission[]} */ (stored[KEY] ?? []);
}

/**
 * @param {number} tab
 * @param {Extract<FromPage, { type: "submit_seen" }>} seen
 */
export async function noteSeen(tab, { url, submitted_at, company, title, requisition_id }) {
  const { fill_id } = await stateOf(tab);
  if (fill_id === null) return;
  /** @type {Submission} */
  const fresh = { fill_id, tab, url, submitted_at, company, title, requisition_id, step: "seen", evidence: "" };
  const known = (await submissions()).find((one) => one.fill_id === fill_id);
  if (known?.step !== "sent" && known?.step !== "recorded") await keep(fresh);
}

/**
 * @param {number} tab
 * @param {Extract<FromPage, { type: "submit_verdict" }>} judged
 */
export async function noteVerdict(tab, { verdict, text }) {
  const { fill_id } = await stateOf(tab);
  const own = (await submissions()).find((one) => one.tab === tab && one.fill_id === fill_id);
  if (!own) return;
  if (verdict === "confirmation_page" || verdict === "trusted_submit") await record(own, verdict, text);
  else if (own.step === "seen" && verdict === "unclear") await keep({ ...own, step: "asked" });
  else if (own.step === "seen") await drop(own);
}

/**
 * The person answers whether it was sent.
 * @param {number} fill_id
 * @param {boolean} yes
 */
export async function noteAnswer(fill_id, yes) {
  const own = (await submissions()).find((one) => one.fill_id === fill_id && one.step === "asked");
  if (own && yes) await record(own, "person_said", "");
  else if (own) await drop(own);
}

/**
 * The tab shows another page: see what the submit led to.
 * @param {number} tab
 */
export async function noteArrival(tab) {
  const recent = (/** @type {Submission} */ one) => Date.now() - Date.parse(one.submitted_at) < CONFIRMS_WITHIN_MS;
  const own = (await submissions()).find((one) => one.tab === tab && recent(one) && one.evidence !== "confirmation_page");
  const { frames } = await stateOf(tab);
  if (!own || (await isStillThere(tab, frames.map((frame) => frame.document_id)))) return;
  const shown = await whatIsShown(tab);
  if (shown?.confirmation) await record(own, "confirmation_page", shown.confirmation);
  else if (own.step !== "seen") return;
  else if (!shown || !shown.has_form) await record(own, "trusted_submit", MOVED_ON);
  else if (shown.has_errors) await drop(own);
  else await keep({ ...own, step: "asked" });
}

/**
 * A tab closed before the page answered leaves a question.
 * @param {number} tab
 */
export async function noteClosed(tab) {
  for (const one of await submissions()) if (one.tab === tab && one.step === "seen") await keep({ ...one, step: "asked" });
}

/** A browser that ended before a page answered leaves the same question. */
export async function noteStartup() {
  for (const one of await submissions()) if (one.step === "seen") await keep({ ...one, step: "asked" });
}

/** @param {number} fill_id */
export async function noteRecorded(fill_id) {
  const own = (await submissions()).find((one) => one.fill_id === fill_id);
  if (own) await keep({ ...own, step: "recorded" });
}

/**
 * @param {Submission} own
 * @param {EvidenceKind} kind
 * @param {string} text
 */
async function record(own, kind, text) {
  if (own.evidence === kind || own.evidence === "confirmation_page") return;
  const { fill_id, tab, url, submitted_at, company, title, requisition_id } = own;
  const body = { url, submitted_at, evidence: { kind, text }, company, title, requisition_id };
  await post({ kind: "submitted", fill_id, tab, body }); // first: a worker that ends in between must not lose it
  await rewrite((all) => all.map((one) => (one.fill_id === fill_id ? { ...one, step: one.step === "recorded" ? "recorded" : "sent", evidence: kind } : one)));
}

/**
 * @param {number} tab
 * @returns {Promise<Of<typeof arrived> | null>} null when the new page is closed to us
 */
async function whatIsShown(tab) {
  const documents = await enter(tab).catch(() => []);
  const answers = [];
  for (const one of documents) answers.push(await askPage(tab, one, { type: "arrived" }, arrived));
  const shown = answers.flatMap((one) => one ?? []);
  return shown.find((one) => one.confirmation) ?? shown.find((one) => one.has_form) ?? shown[0] ?? null;
}

/** @param {Submission} one */
function keep(one) {
  return rewrite((others) => [...others.filter((other) => other.fill_id !== one.fill_id), one]);
}

/** Those of another server: its numbers mean other fills at the next one. */
export function forgetSubmissions() {
  return rewrite(() => []);
}

/** @param {Submission} one */
function drop(one) {
  return rewrite((others) => others.filter((other) => other.fill_id !== one.fill_id));
}

/** @param {(all: Submission[]) => Submission[]} next */
function rewrite(next) {
  const isCurrent = (/** @type {Submission} */ one) =>
    one.step !== "recorded" || Date.now() - Date.parse(one.submitted_at) < KEPT_MS;
  return changes.take(async () => {
    await chrome.storage.local.set({ [KEY]: next(await submissions()).filter(isCurrent) });
  });
}
