/** What the person chose for this browser: language, what a plan ticks by itself, sites to stay away from. */

/** @import { Settings } from "./types.d.ts" */

const SETTINGS_KEY = "settings";

/** @type {Settings} */
const FIRST = {
  language: "",
  ticked: { profile: true, document: true, answer: true, draft: true },
  off: [],
};

/** @returns {Promise<Settings>} */
export async function settings() {
  const stored = await chrome.storage.local.get(SETTINGS_KEY);
  return { ...FIRST, .../** @type {Partial<Settings>} */ (stored[SETTINGS_KEY] ?? {}) };
}

/** @param {Partial<Settings>} change */
export async function choose(change) {
  await chrome.storage.local.set({ [SETTINGS_KEY]: { ...(await settings()), ...change } });
}

/** @param {string} url */
export function hostOf(url) {
  return URL.canParse(url) ? new URL(url).hostname : "";
}

/** @param {string} url */
export async function isOff(url) {
  return (await settings()).off.includes(hostOf(url));
}

/**
 * @param {string} host
 * @param {boolean} isOn
 */
export async function setSite(host, isOn) {
  const others = (await settings()).off.filter((one) => one !== host);
  await choose({ off: isOn ? others : [...others, host].sort() });
}
