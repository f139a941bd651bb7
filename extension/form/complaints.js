/** What a page marks as wrong, where a person sees it. */

import { oneLine } from "./words.js";

const MESSAGES = '[role="alert"], [class*="error" i], [class*="invalid-feedback" i]';

/**
 * @param {ParentNode} where
 * @returns {boolean} a field says of itself that it is wrong
 */
export function hasInvalidField(where) {
  return [...where.querySelectorAll('[aria-invalid="true"]')].some((one) => one.checkVisibility());
}

/**
 * @param {ParentNode} where
 * @returns {string[]} the words of each visible error message
 */
export function messagesIn(where) {
  const seen = [...where.querySelectorAll(MESSAGES)].filter((one) => one.checkVisibility());
  return seen.map((one) => oneLine(one.textContent ?? "")).filter(Boolean);
}
