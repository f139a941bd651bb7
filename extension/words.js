/** The extension's words in the person's language, from `_locales`. */

/**
 * @param {string} key
 * @param {...(string | number)} parts
 * @returns {string} "" when there is no such message
 */
export function say(key, ...parts) {
  return chrome.i18n.getMessage(key, parts.map(String));
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
