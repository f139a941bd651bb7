/**
 * Tells what a person can see and reach from what only a robot would find. A box nobody sees is a trap, and
 * a fill that touches it can cost the person the application.
 */

import { gradient, isOutOf, leftBy } from "./cut.js";
import { attribute, boxOf, innerHeightOf, innerWidthOf, is, isDrawn, textIn } from "./native.js";
import { ancestors, byIds, parentOf } from "./walk.js";

const TRAP_WORDS =
  /honey ?pot|leave (?:this |the )?(?:field |box )?(?:blank|empty)|(?:do not|don['’]t|never) fill|(?:nicht|leer) (?:ausfüllen|lassen)|bots? only|if you are (?:a )?human|ne (?:pas|rien) (?:remplir|compléter)|laisse[rz] (?:ce champ )?vide|no (?:rellen|complet)|dej(?:ar|e) (?:este campo )?(?:vacío|en blanco)/i;
const TRAP_NAMES = /\bhp\b|honey|bot ?(?:trap|field|check)|spam ?(?:trap|check)|anti ?spam/i;
/** Further off than anybody scrolls sideways. */
const FAR = 2000;
const FAINT = 0.1;
/** What is drawn at less than this of its size is read by nobody. */
const SHRUNK = 0.25;

/** @import { Edges } from "./cut.js" */

const DRAWN_LISTS = ".select2-container, .select2, .chosen-container, .selectize-control, .ts-wrapper, .choices, .nice-select, .bootstrap-select, .selectric-wrapper";

/**
 * @param {Element} element
 * @returns {boolean} the page draws it, whatever its size
 */
export function isRendered(element) {
  return isDrawn(element, { visibilityProperty: true });
}

/**
 * Tells the boxes no person would type into or choose from: not drawn, transparent, clipped away, off the page, or
 * said to be so.
 * @returns {Traps} remembers what it found of each part of the page, so make one per reading
 */
export function traps() {
  /** @type {Map<Element, Seen>} */
  const known = new Map();
  /** @type {(element: Element) => Seen} */
  const seen = (element) => {
    const before = known.get(element);
    if (before) return before;
    const above = parentOf(element);
    const found = seenIn(element, above && seen(above));
    known.set(element, found);
    return found;
  };
  /** @param {Element} element */
  const isGone = (element) => {
    if (!isDrawn(element, { visibilityProperty: true, opacityProperty: true }) || isOffPage(element)) return true;
    const { isAway, opacity, cuts } = seen(element);
    return isAway || opacity < FAINT || cuts.some((one) => isOutOf(boxOf(element), one));
  };
  return {
    isTrap: (element, label) => {
      if (isSaidToBeOne(element, label) || isHiddenFromAll(element) || isPassedBy(element)) return true;
      if (isGone(element) || isTiny(element) || isShrunk(element)) return true;
      return attribute(element, "tabindex") === "-1" && seen(element).frames.some((one) => isOutOf(boxOf(element), one));
    },
    isAllGone: (parts) => parts.every((one) => isGone(one) && (!is(one, "input") || isGone(parentOf(one) ?? one))),
  };
}

/**
 * @typedef {object} Traps
 * @property {(element: HTMLElement, label: string) => boolean} isTrap a box that a person types into or chooses from
 * @property {(parts: Element[]) => boolean} isAllGone no part of a control can be seen, nor what holds an input of
 *   it: that may draw another in its place
 */

/**
 * What the parts of a page that hold an element let be seen of it.
 * @typedef {{ isAway: boolean, opacity: number, cuts: Edges[], frames: Edges[] }} Seen `cuts` are what clips leave of
 *   them, `frames` the bounds of those that show nothing outside themselves
 */

/**
 * @param {Element} element
 * @param {Seen | null} above
 * @returns {Seen}
 */
function seenIn(element, above) {
  const style = getComputedStyle(element);
  const cut = style.clipPath === "none" ? null : leftBy(style.clipPath, boxOf(element));
  const isFrame = /hidden|clip/.test(`${style.overflowX} ${style.overflowY}`) && !is(element, "body, html");
  return {
    isAway: hidesAll(element, style) || (above?.isAway ?? false),
    opacity: Number(style.opacity) * (above?.opacity ?? 1),
    cuts: [...(above?.cuts ?? []), ...(cut ? [cut] : [])],
    frames: [...(above?.frames ?? []), ...(isFrame ? [boxOf(element)] : [])],
  };
}

/**
 * @param {HTMLElement} element
 * @param {string} label
 * @returns {boolean}
 */
export function isSaidToBeOne(element, label) {
  const help = byIds(element, element.getAttribute("aria-describedby")).map((one) => textIn(one).slice(0, 300)).join(" ");
  const names = `${element.getAttribute("name") ?? ""} ${element.id}`.replace(/[_-]+/g, " ");
  return TRAP_WORDS.test(`${label} ${names} ${help}`) || TRAP_NAMES.test(names);
}

/**
 * A form in a frame that nobody sees is seen by nobody. Of a frame from elsewhere only its size can be known.
 * @param {Document} page
 * @returns {boolean}
 */
export function isUnseenFrame(page) {
  const view = page.defaultView;
  if (!view || view === view.parent) return false;
  if (view.innerWidth <= 2 || view.innerHeight <= 2) return true;
  const frame = /** @type {HTMLElement | null} */ (view.frameElement);
  if (!frame) return false;
  const isDrawnNow = isDrawn(frame, { visibilityProperty: true, opacityProperty: true });
  const above = [frame, ...ancestors(frame)];
  return !isDrawnNow || isOffPage(frame) || above.some((one) => hidesAll(one, getComputedStyle(one))) || isUnseenFrame(frame.ownerDocument);
}

/**
 * Native radios, boxes and file inputs are often replaced by drawn ones: they count as seen when something
 * that stands for them is.
 * @param {HTMLElement} element
 * @returns {boolean}
 */
export function isReachable(element) {
  if (isRendered(element) && !isOffPage(element)) return true;
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
  if (labels.some((label) => isRendered(label) && !isOffPage(label))) return true;
  return isFile(element) && standsInSight(element);
}

/**
 * A list hidden behind a drawn one, as older pages have it: told of a change, the drawn one follows.
 * @param {HTMLElement} element
 * @returns {boolean}
 */
export function isStoodInFor(element) {
  const beside = [element.previousElementSibling, element.nextElementSibling, element.parentElement?.matches(DRAWN_LISTS) ? element.parentElement : null];
  return beside.some((one) => one?.matches(DRAWN_LISTS) && isRendered(one) && !isOffPage(one));
}

/** @param {HTMLElement} element */
function isFile(element) {
  return element instanceof HTMLInputElement && element.type === "file";
}

/**
 * A file input may be hidden altogether behind a button that opens it.
 * @param {HTMLElement} element
 */
function standsInSight(element) {
  for (const above of ancestors(element, 3)) {
    if (isRendered(above) && !isOffPage(above) && !is(above, '[aria-hidden="true"]')) return true;
  }
  return false;
}

/** @param {HTMLElement} element */
function isHiddenFromAll(element) {
  return element.tabIndex === -1 && element.closest('[aria-hidden="true"]') !== null;
}

/**
 * A plain box that the Tab key passes by and that asks not to be completed was not made for a person.
 * @param {HTMLElement} element
 */
function isPassedBy(element) {
  return element.getAttribute("tabindex") === "-1" && element.getAttribute("autocomplete") === "off" && !element.role;
}

/** @param {Element} element */
function isOffPage(element) {
  const box = boxOf(element);
  const { documentElement: page, defaultView: view } = element.ownerDocument;
  const [x, y] = [view?.scrollX ?? 0, view?.scrollY ?? 0];
  const { start, end } = reach(page, element.ownerDocument.body);
  return box.bottom + y <= 0 || box.right + x <= start || box.left + x >= end;
}

/**
 * From where to where a page can be scrolled sideways: to the right of its beginning, or in Arabic and Hebrew to the
 * left of it.
 * @param {HTMLElement} page
 * @param {HTMLElement | null} body
 */
function reach(page, body) {
  const seen = Math.max(page.clientWidth, 1);
  const isHeld = [page, body].some((one) => one !== null && /hidden|clip/.test(getComputedStyle(one).overflowX));
  const more = isHeld ? 0 : Math.min(Math.max(page.scrollWidth - seen, 0), FAR);
  return getComputedStyle(page).direction === "rtl" ? { start: -more, end: seen } : { start: 0, end: seen + more };
}

/** @param {Element} element */
function isTiny(element) {
  const box = boxOf(element);
  return box.width <= 2 || box.height <= 2;
}

/** @param {HTMLElement} element */
function isShrunk(element) {
  const box = boxOf(element);
  return box.width < element.offsetWidth * SHRUNK || box.height < element.offsetHeight * SHRUNK;
}

/**
 * @param {Element} element
 * @param {CSSStyleDeclaration} style
 * @returns {boolean} of it, and of what stands in it, nothing can be seen or reached
 */
function hidesAll(element, style) {
  if (is(element, "[inert]")) return true;
  if (Number(style.opacity) < FAINT || /opacity\(0(?:\.0\d*)?%?\)/.test(style.filter)) return true;
  if (/^rect\((?:0|1)(?:px)?, (?:0|1)(?:px)?, (?:0|1)(?:px)?, (?:0|1)(?:px)?\)$/.test(style.clip)) return true;
  if (isCutAway(element, style.clipPath) || gradient(style.maskImage).isClear) return true;
  return isFoldedAway(element, style) || (style.position === "fixed" && isOutOfWindow(element));
}

/**
 * @param {Element} element
 * @param {string} path
 */
function isCutAway(element, path) {
  const box = path === "none" ? null : boxOf(element);
  const left = box && leftBy(path, box);
  return left !== null && (isOutOf(left, left) || (box !== null && box.width * box.height > 0 && isOutOf(left, box)));
}

/** @param {Element} element what is fixed to the window does not scroll into it */
function isOutOfWindow(element) {
  const box = boxOf(element);
  if (box.width === 0 && box.height === 0) return false; // what stands in it is placed by itself
  return box.bottom <= 0 || box.right <= 0 || box.top >= innerHeight || box.left >= innerWidth;
}

/**
 * @param {Element} element one that shows nothing of what stands in it
 * @param {CSSStyleDeclaration} style
 */
function isFoldedAway(element, { overflow, display }) {
  if (innerHeightOf(element) > 2 && innerWidthOf(element) > 2) return false;
  return display !== "contents" && display !== "inline" && /hidden|clip/.test(overflow) && !is(element, "input, select, textarea, body, html");
}
