/** The extension's words, from `_locales`: in the browser's language, or in the one the person chose. */

/** @typedef {Record<string, { message: string } | undefined>} Messages */

/** @type {Messages | null} */
let chosen = null;

/** @param {Messages} messages of the language that is spoken from now on, instead of the browser's */
export function speak(messages) {
  chosen = messages;
}

/**
 * @param {string} key
 * @param {...(string | number)} parts
 * @returns {string} "" when there is no such message
 */
export function say(key, ...parts) {
  if (!chosen) return chrome.i18n.getMessage(key, parts.map(String));
  return (chosen[key]?.message ?? "").replace(/\$(\d)/g, (_, n) => String(parts[Number(n) - 1] ?? ""));
}

/**
 * The first of these messages that exists.
 * @param {string[]} keys
 * @param {string} otherwise
 */
export function sayFirst(keys, otherwise) {
  return keys.map((key) => say(key)).find(Boolean) ?? otherwise;
}

/**
 * A day as the person's language writes it.
 * @param {string} time
 */
export function day(time) {
  return new Date(time).toLocaleDateString(say("language"), { dateStyle: "medium" });
}

/**
 * Put the words where a page's `data-words` and `data-words-label` ask for them.
 * @param {Document} page
 */
export function translate(page) {
  page.documentElement.lang = say("language");
  for (const one of page.querySelectorAll("[data-words]")) one.textContent = say(one.getAttribute("data-words") ?? "");
  for (const one of page.querySelectorAll("[data-words-label]")) {
    one.setAttribute("aria-label", say(one.getAttribute("data-words-label") ?? ""));
  }
}
