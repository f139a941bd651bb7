/** Reaches the pages of a tab: brings the content script in after a click, and asks each of its documents. */

import { Misshapen } from "./shapes.js";

/** @import { Of, toPage } from "./messages.js" */
/** @import { Shape } from "./shapes.js" */

/** The browser has not opened this page to the extension: no click, or a page no extension may enter; its words. */
export class NoAccess extends Error {}

/** Names a frame where the browser does not name its documents; a navigation then shows only by its silence. */
const FRAME = "frame:";

/**
 * @param {number} tab
 * @returns {Promise<string[]>} the documents that were reached, the top one first
 */
export async function enter(tab) {
  const target = { tabId: tab, allFrames: true };
  const reached = await chrome.scripting.executeScript({ target, files: ["content/start.js"] }).catch((error) => {
    throw new NoAccess(String(error));
  });
  const ready = reached.filter((one) => one.result === true).sort((a, b) => a.frameId - b.frameId);
  const problem = reached.find((one) => typeof one.result === "string");
  if (ready.length === 0) throw problem ? new Error(String(problem.result)) : new NoAccess("no document ran the script");
  return ready.map((one) => nameOf(one.documentId, one.frameId));
}

/**
 * @param {chrome.runtime.MessageSender} sender
 * @returns {string | null} the document that speaks, as `enter` named it
 */
export function documentOf(sender) {
  return sender.frameId === undefined ? null : nameOf(sender.documentId, sender.frameId);
}

/**
 * @template T
 * @param {number} tab
 * @param {string} document_id
 * @param {Of<typeof toPage>} message
 * @param {Shape<T>} shape of the answer
 * @returns {Promise<T | null>} null when the document is gone or answers something else
 */
export async function askPage(tab, document_id, message, shape) {
  const frame = document_id.startsWith(FRAME) ? Number(document_id.slice(FRAME.length)) : null;
  const to = frame === null ? { documentId: document_id } : { frameId: frame };
  try {
    return shape(await chrome.tabs.sendMessage(tab, message, to), "answer");
  } catch (error) {
    if (error instanceof Misshapen) console.warn("A page answered in another shape:", error.message);
    return null;
  }
}

/**
 * @param {string | undefined} document_id
 * @param {number} frame
 */
function nameOf(document_id, frame) {
  return document_id ?? `${FRAME}${frame}`;
}
