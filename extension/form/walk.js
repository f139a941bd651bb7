/**
 * Walks a page in the order a person reads it, through shadow roots. It only looks; it decides nothing
 * about what it finds.
 */

import { childrenOf, contains, is, nameOf, openShadowOf, parentElementOf, rootOf, slotOf } from "./native.js";

/** @typedef {(element: Element) => ShadowRoot | null} ShadowOpener */

/** @type {ShadowOpener} */
let opened = (element) => openShadowOf(element);

/**
 * Who is allowed to can look into closed shadow roots too; a page's own scripts cannot.
 * @param {ShadowOpener} opener
 */
export function openShadowsWith(opener) {
  opened = (element) => openShadowOf(element) ?? (nameOf(element).includes("-") ? opener(element) : null);
}

/**
 * @param {Element} element
 * @returns {ShadowRoot | null} closed ones too, where the engine was given the means
 */
export function shadowOf(element) {
  return opened(element);
}

/**
 * @param {Document | DocumentFragment | Element} root
 * @returns {Generator<Element>} every element under the root, shadow content where its host stands
 */
export function* walk(root) {
  const waiting = [root];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    if (at !== root && at instanceof Element) yield at;
    const children = childrenOf(at);
    for (let n = children.length - 1; n >= 0; n -= 1) waiting.push(/** @type {Element} */ (children[n]));
    const shadow = at !== root && at instanceof Element ? opened(at) : null;
    if (shadow) waiting.push(shadow);
  }
}

/**
 * The parent as a person sees it: out of a shadow root into its host.
 * @param {Element} element
 * @returns {Element | null}
 */
export function parentOf(element) {
  const above = slotOf(element) ?? parentElementOf(element);
  if (above) return above;
  const root = rootOf(element);
  return root instanceof ShadowRoot ? root.host : null;
}

/**
 * @param {Element} element
 * @param {number} [limit] how far up to look
 * @returns {Generator<Element>} the element's ancestors, nearest first
 */
export function* ancestors(element, limit = Infinity) {
  let at = parentOf(element);
  for (let seen = 0; at && seen < limit; seen += 1, at = parentOf(at)) yield at;
}

/**
 * @param {Element} element
 * @param {string} selector
 * @returns {Element | null} the nearest match, the element itself included, through shadow roots
 */
export function closest(element, selector) {
  if (is(element, selector)) return element;
  for (const above of ancestors(element)) if (is(above, selector)) return above;
  return null;
}

/**
 * @param {Element} element
 * @param {string | null} ids space-separated ids, as in aria-labelledby
 * @returns {Element[]} the elements named, in that order
 */
export function byIds(element, ids) {
  const root = element.getRootNode();
  if (!ids || !(root instanceof Document || root instanceof ShadowRoot)) return [];
  return ids.split(/\s+/).flatMap((id) => (id && root.getElementById(id)) || []);
}

/**
 * @param {Element[]} elements at least one
 * @returns {Element} the nearest element that holds them all
 */
export function commonAncestor(elements) {
  const [first, ...rest] = elements;
  if (!first) throw new Error("no elements");
  for (const above of [first, ...ancestors(first)]) {
    if (rest.every((other) => holds(above, other))) return above;
  }
  return first;
}

/**
 * @param {Element} outer
 * @param {Element} inner
 */
function holds(outer, inner) {
  if (contains(outer, inner)) return true;
  for (const above of ancestors(inner)) if (above === outer) return true;
  return false;
}
