/**
 * The mark on the toolbar button for a tab whose page was read: applied, saved, known. The browser takes it away
 * when the tab shows another page; nothing is looked up before the person's press, so no page is marked before.
 */

import { say } from "./words.js";

/** @import { PageContext } from "./types.d.ts" */

/**
 * @param {number} tab
 * @param {PageContext} known
 */
export async function mark(tab, { application, is_saved, posting }) {
  if (application) await show(tab, "✓", say("badge_applied"));
  else if (is_saved) await show(tab, "★", say("badge_saved"));
  else if (posting) await show(tab, "•", say("badge_known"));
  else await show(tab, "", say("action_title"));
}

/**
 * @param {number} tab
 * @param {string} sentence
 */
export async function markTrouble(tab, sentence) {
  await show(tab, "!", sentence);
}

/**
 * @param {number} tab
 * @param {string} text
 * @param {string} title what a screen reader says of the button
 */
async function show(tab, text, title) {
  try {
    await chrome.action.setBadgeBackgroundColor({ tabId: tab, color: "#1f5e75" });
    await chrome.action.setBadgeText({ tabId: tab, text });
    await chrome.action.setTitle({ tabId: tab, title });
  } catch {
    // the tab was closed meanwhile
  }
}
