/**
 * A place for a document. The file is handed over as if the person had chosen it; a page that takes the input
 * away afterwards and shows the file's name instead has accepted it.
 */

import { changed } from "../events.js";
import { is, textIn } from "../native.js";
import { ancestors } from "../walk.js";

/** @import { Widget, WriteProblem } from "../types.d.ts" */

/**
 * @param {Element} element
 * @returns {Widget | null}
 */
export function fileInput(element) {
  if (!(element instanceof HTMLInputElement) || element.type !== "file" || element.disabled) return null;
  const around = [...ancestors(element, 4)];
  return {
    kind: "file",
    type: "file",
    element,
    parts: [element],
    answers: [],
    options: () => [],
    read: () => element.files?.[0]?.name ?? "",
    holds: (want) => want instanceof File && holds(element, around, want),
    write: async (want) => (want instanceof File ? write(element, want) : "not_accepted"),
    restore: async (before) => before === "" && take(element, []),
  };
}

/**
 * @param {string} accept as in the attribute
 * @param {File} file
 * @returns {boolean}
 */
export function isAccepted(accept, file) {
  const rules = accept.toLowerCase().split(",").map((rule) => rule.trim()).filter(Boolean);
  return rules.length === 0 || rules.some((rule) => fits(rule, file));
}

/**
 * @param {string} rule
 * @param {File} file
 */
function fits(rule, file) {
  if (rule.startsWith(".")) return file.name.toLowerCase().endsWith(rule);
  if (rule.endsWith("/*")) return file.type.startsWith(rule.slice(0, -1));
  return rule === "*" || file.type === rule;
}

/**
 * @param {HTMLInputElement} element
 * @param {File} file
 * @returns {WriteProblem}
 */
function write(element, file) {
  if (!isAccepted(element.accept, file)) return "file_type";
  return take(element, [file]) ? null : "not_accepted";
}

/**
 * @param {HTMLInputElement} element
 * @param {File[]} files
 */
function take(element, files) {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  element.files = transfer.files;
  element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  changed(element);
  return (element.files?.length ?? 0) === files.length || !element.isConnected;
}

/**
 * @param {HTMLInputElement} element
 * @param {Element[]} around
 * @param {File} want
 */
function holds(element, around, want) {
  const [has] = element.files ?? [];
  if (element.isConnected && has) return has.name === want.name && has.size === want.size;
  const shown = around.find((one) => one.isConnected);
  return shown !== undefined && !is(shown, "body, html") && textIn(shown).includes(want.name);
}
