/**
 * Asks elements what they are, past the names of fields: in a form a box called "children" or "title" stands in
 * for the form's own property of that name, and so do images and forms for the document's. Whatever may be a form
 * or the document is asked here. It decides nothing.
 */

/** @typedef {Document | DocumentFragment | Element} Holder */

/**
 * @template T
 * @param {object} prototype
 * @param {string} name
 * @returns {(of: Node) => T} the property as the browser has it
 */
function property(prototype, name) {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (!get) throw new Error(`no ${name}`);
  return (of) => /** @type {T} */ (get.call(of));
}

/** @param {"children" | "firstElementChild"} name */
function ofHolders(name) {
  const own = property(Element.prototype, name);
  const ofDocument = property(Document.prototype, name);
  const ofFragment = property(DocumentFragment.prototype, name);
  return (/** @type {Holder} */ of) => (of instanceof Element ? own(of) : of instanceof Document ? ofDocument(of) : ofFragment(of));
}

/** @param {Holder} of */
function selecting(of) {
  return of instanceof Element ? Element.prototype : of instanceof Document ? Document.prototype : DocumentFragment.prototype;
}

export const childrenOf = /** @type {(of: Holder) => HTMLCollection} */ (ofHolders("children"));
export const firstIn = /** @type {(of: Holder) => Element | null} */ (ofHolders("firstElementChild"));
export const parentElementOf = /** @type {(of: Node) => Element | null} */ (property(Node.prototype, "parentElement"));
export const nodesIn = /** @type {(of: Node) => NodeListOf<ChildNode>} */ (property(Node.prototype, "childNodes"));
export const before = /** @type {(of: Node) => ChildNode | null} */ (property(Node.prototype, "previousSibling"));
export const textIn = /** @type {(of: Node) => string} */ (property(Node.prototype, "textContent"));
export const slotOf = /** @type {(of: Node) => HTMLSlotElement | null} */ (property(Element.prototype, "assignedSlot"));
export const openShadowOf = /** @type {(of: Node) => ShadowRoot | null} */ (property(Element.prototype, "shadowRoot"));
export const nameOf = /** @type {(of: Node) => string} */ (property(Element.prototype, "localName"));
export const titleOf = /** @type {(of: Document) => string} */ (property(Document.prototype, "title"));
export const innerHeightOf = /** @type {(of: Node) => number} */ (property(Element.prototype, "clientHeight"));
export const scrollHeightOf = /** @type {(of: Node) => number} */ (property(Element.prototype, "scrollHeight"));
export const scrollTopOf = /** @type {(of: Node) => number} */ (property(Element.prototype, "scrollTop"));
export const scrollLeftOf = /** @type {(of: Node) => number} */ (property(Element.prototype, "scrollLeft"));
export const innerWidthOf = /** @type {(of: Node) => number} */ (property(Element.prototype, "clientWidth"));

/**
 * @param {Element} element
 * @param {string} selector
 * @returns {boolean} the selector matches it
 */
export function is(element, selector) {
  return Element.prototype.matches.call(element, selector);
}

/**
 * @param {Holder} within
 * @param {string} selector
 * @returns {Element | null}
 */
export function find(within, selector) {
  return selecting(within).querySelector.call(within, selector);
}

/**
 * @param {Holder} within
 * @param {string} selector
 * @returns {Element[]}
 */
export function findAll(within, selector) {
  return [...selecting(within).querySelectorAll.call(within, selector)];
}

/**
 * @param {Node} outer
 * @param {Node} inner
 */
export function contains(outer, inner) {
  return Node.prototype.contains.call(outer, inner);
}

/** @param {Node} node */
export function rootOf(node) {
  return Node.prototype.getRootNode.call(node);
}

/**
 * @param {Element} element
 * @param {string} name
 * @returns {string} "" when it is absent
 */
export function attribute(element, name) {
  return Element.prototype.getAttribute.call(element, name) ?? "";
}

/**
 * @param {Element} element
 * @param {CheckVisibilityOptions} [how]
 * @returns {boolean} the page draws it
 */
export function isDrawn(element, how) {
  return Element.prototype.checkVisibility.call(element, how);
}

/** @param {Holder} within */
export function boxesIn(within) {
  return findAll(within, "input:not([type=hidden]), select, textarea, [contenteditable], [role=combobox]");
}

/** @param {Element} element */
export function boxOf(element) {
  return Element.prototype.getBoundingClientRect.call(element);
}

/**
 * @param {Document} page
 * @param {number} x
 * @param {number} y
 * @returns {Element[]} what a press there could meet, the topmost first; nothing outside the window
 */
export function stackAt(page, x, y) {
  return Document.prototype.elementsFromPoint.call(page, x, y);
}

/**
 * @param {Element} element
 * @param {number} top
 * @param {number} left
 */
export function scrollAtOnce(element, top, left) {
  const scroll = /** @type {(how: ScrollToOptions) => void} */ (Element.prototype.scrollTo);
  scroll.call(element, { top, left, behavior: "instant" });
}
