/**
 * A page's own text editor: an element a person writes into. Text goes in as the browser types it, because such
 * editors keep their own copy and heed nothing else.
 */

import { focusOn, leave } from "../events.js";
import { isRendered } from "../visible.js";

/** @import { Widget, WriteProblem } from "../types.d.ts" */

/**
 * @param {Element} element
 * @returns {Widget | null}
 */
export function editor(element) {
  if (!(element instanceof HTMLElement) || !/^(?:true|plaintext-only)?$/.test(element.getAttribute("contenteditable") ?? "false")) return null;
  if (!element.isContentEditable || element.parentElement?.isContentEditable || !isRendered(element)) return null;
  if (element.role !== null && element.role !== "textbox") return null;
  const read = () => lines(element.innerText);
  return {
    kind: "textarea",
    type: "editor",
    element,
    parts: [element],
    answers: [],
    options: () => [],
    read,
    holds: (want) => typeof want === "string" && read() !== "" && bare(read()) === bare(want),
    write: async (want) => (typeof want === "string" ? write(element, want) : "not_accepted"),
    restore: async (before) => write(element, before) === null && bare(read()) === bare(before),
  };
}

/**
 * @param {HTMLElement} element
 * @param {string} text
 * @returns {WriteProblem}
 */
function write(element, text) {
  focusOn(element);
  const page = element.ownerDocument;
  page.getSelection()?.selectAllChildren(element);
  const took = text === "" ? page.execCommand("delete") : page.execCommand("insertText", false, text);
  leave(element);
  return took ? null : "not_accepted";
}

/** @param {string} text */
function lines(text) {
  return text.replace(/[\u200B\uFEFF]/g, "").replace(/\u00A0/g, " ").trim();
}

/** @param {string} text without what an editor makes of line ends */
function bare(text) {
  return lines(text).replace(/\s+/g, " ");
}
