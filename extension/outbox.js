/**
 * Reports and receipts that the server must get: kept on disk until it has them, sent in order, again and again
 * while it is away. Sending one twice is harmless, the server knows each by its fill.
 */

import { Refused, report, submitted } from "./api.js";
import { Turns } from "./turns.js";

/** @import { FillReport, Submitted } from "./protocol.d.ts" */

/**
 * @typedef {{ kind: "report", fill_id: number, tab: number, body: FillReport }
 *   | { kind: "submitted", fill_id: number, tab: number, body: Submitted }} Content
 * @typedef {Content & { id: string }} Letter
 * @typedef {(letter: Letter, error: Refused | null) => Promise<void>} Heard what became of a letter
 */

const KEY = "outbox";

/** The outbox changes one step at a time, also while a delivery waits for the server. */
const changes = new Turns();
const deliveries = new Turns();

/** @returns {Promise<Letter[]>} */
export async function waiting() {
  const stored = await chrome.storage.local.get(KEY);
  return /** @type {Letter[]} */ (stored[KEY] ?? []);
}

/**
 * A newer letter about the same thing replaces one that still waits.
 * @param {Content} content
 */
export function post(content) {
  const isSame = (/** @type {Letter} */ one) => one.kind === content.kind && one.fill_id === content.fill_id;
  const letter = { ...content, id: crypto.randomUUID() };
  return rewrite((letters) => [...letters.filter((one) => !isSame(one)), letter]);
}

/**
 * @param {Heard} heard
 * @returns {Promise<void>} after every letter was sent or the server proved to be away
 */
export function deliver(heard) {
  return deliveries.take(async () => {
    for (const letter of await waiting()) {
      const error = await sendOne(letter);
      const isKept = error !== null && (error.isPassing || error.status === 401);
      if (!isKept) await rewrite((letters) => letters.filter((one) => one.id !== letter.id));
      await heard(letter, error);
      if (isKept) return;
    }
  });
}

/**
 * @param {Letter} letter
 * @returns {Promise<Refused | null>}
 */
async function sendOne(letter) {
  try {
    if (letter.kind === "report") await report(letter.fill_id, letter.body);
    else await submitted(letter.fill_id, letter.body);
    return null;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

/** What waits was written to another server: its numbers mean other fills at the next one. */
export function forgetLetters() {
  return rewrite(() => []);
}

/** @param {(letters: Letter[]) => Letter[]} next */
function rewrite(next) {
  return changes.take(async () => chrome.storage.local.set({ [KEY]: next(await waiting()) }));
}
