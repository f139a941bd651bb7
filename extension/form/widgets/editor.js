/**
 * A page's own text editor: an element a person writes into. Text goes in as the browser types it, because such
 * editors keep their own copy and heed nothing else.
 */

import { focusOn, leave } from "../events.js";
import { isRendered } from "../visible.js";
import { oneLine } from "../words.js";

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
    label: calledByFrame(element),
    options: () => [],
    read,
    holds: (want) => typeof want === "string" && read() !== "" && bare(read()) === bare(want),
    write: async (want) => (typeof want === "string" ? write(element, want) : "not_accepted"),
    restore: async (before) => write(element, before) === null && bare(read()) === bare(before),
  };
}

/**
 * Some editors are a page of their own in a frame; the question stands in the page around it, at the frame or at the
 * box that the editor stands for.
 * @param {HTMLElement} element
 * @returns {string}
 */
function calledByFrame(element) {
  const frame = element.localName === "body" ? (element.ownerDocument.defaultView?.frameElement ?? null) : null;
  if (!frame) return "";
  for (const id of [frame.id.replace(/_ifr$/, ""), frame.id]) {
    const label = id ? frame.ownerDocument.querySelector(`label[for="${CSS.escape(id)}"]`) : null;
    if (label) return oneLine(label.textContent ?? "");
  }
  return oneLine(frame.getAttribute("aria-label") ?? frame.getAttribute("title") ?? "");
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
