/**
 * Reads the questions a page carries with it for its own scripts: names, words and options that show on the page
 * only once a list is opened. It reads the text of the page's script elements and runs none of them.
 */

import { oneLine } from "./words.js";

/** @typedef {{ label: string, options: string[], required: boolean }} Known */

const MARK = "__remixContext";
const MOST_CHARS = 3_000_000;
const MOST_NODES = 30_000;
/** @type {WeakMap<Document, Map<string, Known>>} */
const read = new WeakMap();

/**
 * @param {Document} page
 * @returns {Map<string, Known>} by the name or id of the control
 */
export function schemaOf(page) {
  const before = read.get(page);
  if (before) return before;
  const script = [...page.scripts].find((one) => !one.src && one.text.includes(MARK));
  const found = new Map();
  if (script && script.text.length <= MOST_CHARS) gather(parsed(script.text), found);
  if (page.readyState !== "loading") read.set(page, found);
  return found;
}

/** @param {string} text */
function parsed(text) {
  const start = text.indexOf("{", text.indexOf(MARK));
  const end = text.lastIndexOf("}");
  for (const source of [text.slice(start, end + 1), text.slice(start, text.indexOf("};", start) + 1)]) {
    try {
      return JSON.parse(source);
    } catch {
      continue; // another statement follows on the same script; the shorter cut may be whole
    }
  }
  return null;
}

/**
 * @param {unknown} root
 * @param {Map<string, Known>} found
 */
function gather(root, found) {
  const waiting = [root];
  for (let seen = 0; waiting.length > 0 && seen < MOST_NODES; seen += 1) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    note(/** @type {Record<string, unknown>} */ (node), found);
    waiting.push(...Object.values(node));
  }
}

/**
 * @param {Record<string, unknown>} node
 * @param {Map<string, Known>} found
 */
function note({ label, required, fields }, found) {
  if (typeof label !== "string" || !Array.isArray(fields)) return;
  for (const field of fields) {
    if (typeof field?.name !== "string") continue;
    const values = Array.isArray(field.values) ? field.values : [];
    const options = values.flatMap((/** @type {{ label?: unknown }} */ one) => (typeof one?.label === "string" ? [oneLine(one.label)] : []));
    found.set(field.name.replace(/\[\]$/, ""), { label: oneLine(label.replace(/<[^>]*>/g, " ")), options, required: required === true });
  }
}
