/** What a page marks as wrong, where a person sees it: of the page as a whole, and of one field. It changes nothing. */

import { attribute, boxesIn, contains, findAll, is, isDrawn, textIn } from "./native.js";
import { ancestors, byIds } from "./walk.js";
import { oneLine } from "./words.js";

/** @import { Marks, Widget } from "./types.d.ts" */

const MESSAGES = '[role="alert"], [class*="error" i], [class*="invalid-feedback" i]';
/** An alert beside a field may as well say that all is well: it counts with a mark only. */
const ERRORS = '[class*="error" i], [class*="invalid-feedback" i]';
const ALERTS = '[role="alert"]';
const LONGEST = 300;
/** What makes the browser itself keep a form from being sent, save that something is missing. */
const FAILINGS = /** @type {const} */ ([
  "customError", "badInput", "patternMismatch", "rangeOverflow", "rangeUnderflow", "stepMismatch", "typeMismatch",
  "tooLong", "tooShort",
]);

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

/**
 * @param {Widget} widget
 * @returns {Marks} what the page says of one field now; taken before a write, it tells old marks from new ones
 */
export function marksOf(widget) {
  const parts = [widget.element, ...widget.parts];
  const all = [...parts, ...findAll(widget.element, "[aria-invalid]")];
  const around = aroundOf(widget);
  const errors = [
    ...parts.flatMap((one) => byIds(one, attribute(one, "aria-errormessage"))),
    ...(around ? findAll(around, ERRORS) : []),
  ].filter((one) => isDrawn(one) && !contains(one, widget.element));
  const described = [
    ...(around ? findAll(around, ALERTS) : []),
    ...parts.flatMap((one) => byIds(one, attribute(one, "aria-describedby"))),
  ].filter((one) => isDrawn(one));
  return {
    is_marked: all.some((one) => is(one, '[aria-invalid="true"]')),
    errors: wordsOf(errors),
    described: wordsOf(described),
  };
}

/**
 * Whether the page takes what stands in a field: by the browser's own check, which would keep the form from being
 * sent, or by a mark or a message of the page that was not there before the write.
 * @param {Widget} widget
 * @param {Marks | null} before null for a field that was not written: then its marks may be about anything
 * @returns {string | null} the page's or the browser's words, "" where it has none; null when nothing is wrong
 */
export function complaintOf(widget, before) {
  const checked = [widget.element, ...widget.parts].map(failing).find((words) => words !== null);
  if (checked !== undefined && checked !== null) return checked;
  if (!before) return null;
  const now = marksOf(widget);
  const errors = now.errors.filter((one) => !before.errors.includes(one));
  if (errors[0] !== undefined) return errors[0];
  if (!now.is_marked) return null;
  const described = now.described.filter((one) => !before.described.includes(one));
  return before.is_marked ? (described[0] ?? null) : (described[0] ?? "");
}

/**
 * @param {Element} element
 * @returns {string | null} what the browser says against its value
 */
function failing(element) {
  const isBox = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;
  if (!isBox || !element.willValidate || !element.form || is(element.form, "[novalidate]")) return null;
  const { validity, value } = element;
  const isBeyond = "minLength" in element && value !== "" && (value.length < element.minLength || (element.maxLength >= 0 && value.length > element.maxLength));
  if (!isBeyond && !FAILINGS.some((name) => validity[name])) return null;
  return oneLine(element.validationMessage).slice(0, LONGEST);
}

/**
 * The part of the page that is about this field alone.
 * @param {Widget} widget
 * @returns {Element | null}
 */
function aroundOf({ element, parts }) {
  let around = null;
  for (const above of ancestors(element, 4)) {
    if (is(above, "form, body, html, main")) break;
    if (boxesIn(above).some((one) => !parts.includes(one) && !contains(element, one))) break;
    around = above;
  }
  return around;
}

/** @param {Element[]} elements */
function wordsOf(elements) {
  return [...new Set(elements.map((one) => oneLine(textIn(one)).slice(0, LONGEST)))].filter(Boolean);
}
