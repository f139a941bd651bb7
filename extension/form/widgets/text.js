/**
 * Boxes a person types into: native inputs and textareas. Values that do not fit are refused whole; nothing is
 * ever cut to length.
 */

import { asIfFocused, changed, setText } from "../events.js";
import { oneLine } from "../words.js";
import { inPattern, patternOf } from "./dates.js";

/** @import { Widget } from "../types.d.ts" */

const TYPES = new Set(["text", "email", "tel", "url", "number", "date", "month", "week", "time", "password", ""]);

/**
 * @param {Element} element
 * @returns {Widget | null}
 */
export function textBox(element) {
  if (element instanceof HTMLTextAreaElement) return box(element, "textarea");
  if (!(element instanceof HTMLInputElement) || !TYPES.has(element.getAttribute("type") ?? "")) return null;
  return box(element, "text");
}

/**
 * @param {HTMLInputElement | HTMLTextAreaElement} element
 * @param {"text" | "textarea"} kind
 * @returns {Widget | null}
 */
function box(element, kind) {
  if (element.readOnly || element.matches(":disabled")) return null;
  const pattern = element.type === "text" ? patternOf(element.placeholder) : null;
  const inOwn = (/** @type {string} */ want) => (pattern && inPattern(want, pattern)) ?? want;
  return {
    kind,
    type: pattern ? dateType(pattern) : element.type,
    element,
    parts: [element],
    answers: [],
    options: () => [],
    read: () => element.value,
    holds: (want) => typeof want === "string" && holds(element, inOwn(want)),
    write: async (want) => (typeof want === "string" ? write(element, inOwn(want)) : "not_accepted"),
    restore: async (before) => write(element, before) === null,
  };
}

/** @param {string} pattern */
function dateType(pattern) {
  return pattern.includes("d") ? "date" : pattern.includes("m") ? "month" : "year";
}

/**
 * @param {HTMLInputElement | HTMLTextAreaElement} element
 * @param {string} value
 */
function write(element, value) {
  if (element.maxLength >= 0 && value.length > element.maxLength) return "too_long";
  asIfFocused(element, () => {
    setText(element, value);
    changed(element);
  });
  return value === "" || element.value !== "" ? null : "not_accepted";
}

/**
 * The page may set a value in its own form (a telephone number grouped, a link completed) without losing it.
 * @param {HTMLInputElement | HTMLTextAreaElement} element
 * @param {string} want
 */
function holds(element, want) {
  const [has, wanted] = [oneLine(element.value), oneLine(want)];
  if (has === wanted) return true;
  if (element.type === "tel") return sameNumber(has, wanted);
  return element.type === "url" && withoutScheme(has) === withoutScheme(wanted);
}

/**
 * @param {string} has
 * @param {string} wanted
 */
function sameNumber(has, wanted) {
  const [a, b] = [has.replace(/\D+/g, "").replace(/^0+/, ""), wanted.replace(/\D+/g, "").replace(/^0+/, "")];
  return Math.min(a.length, b.length) >= 7 && (a.endsWith(b) || b.endsWith(a));
}

/** @param {string} link */
function withoutScheme(link) {
  return link.replace(/^https?:\/\//i, "").replace(/\/$/, "");
}
