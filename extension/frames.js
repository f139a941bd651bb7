/** Reaches the pages of a tab: brings the content script in after a click, and asks each of its documents. */

import { Misshapen } from "./shapes.js";

/** @import { Of, toPage } from "./messages.js" */
/** @import { Shape } from "./shapes.js" */

/** The browser has not opened this page to the extension: no click, or a page no extension may enter. */
export class NoAccess extends Error {}

/**
 * @param {number} tab
 * @returns {Promise<string[]>} the documents that were reached, the top one first
 */
export async function enter(tab) {
  const target = { tabId: tab, allFrames: true };
  const reached = await chrome.scripting.executeScript({ target, files: ["content/start.js"] }).catch(() => {
    throw new NoAccess();
  });
  const ready = reached.filter((one) => one.result === true).sort((a, b) => a.frameId - b.frameId);
  if (ready.length === 0) throw new NoAccess();
  return ready.map((one) => one.documentId);
}

/**
 * @template T
 * @param {number} tab
 * @param {string} documentId
 * @param {Of<typeof toPage>} message
 * @param {Shape<T>} shape of the answer
 * @returns {Promise<T | null>} null when the document is gone or answers something else
 */
export async function askPage(tab, documentId, message, shape) {
  try {
    return shape(await chrome.tabs.sendMessage(tab, message, { documentId }), "answer");
  } catch (error) {
    if (error instanceof Misshapen) console.warn("A page answered in another shape:", error.message);
    return null;
  }
}
