/**
 * Tells what a person can see and reach from what only a robot would find. A box nobody sees is a trap, and
 * a fill that touches it can cost the person the application.
 */

import { boxOf, innerHeightOf, innerWidthOf, is, isDrawn } from "./native.js";
import { ancestors } from "./walk.js";

const TRAP_WORDS =
  /honey ?pot|leave (?:this |the )?(?:field |box )?(?:blank|empty)|(?:do not|don['’]t|never) fill|(?:nicht|leer) (?:ausfüllen|lassen)|bots? only|if you are (?:a )?human/i;

const DRAWN_LISTS = ".select2-container, .select2, .chosen-container, .selectize-control, .ts-wrapper, .choices, .nice-select, .bootstrap-select, .selectric-wrapper";

/**
 * @param {Element} element
 * @returns {boolean} the page draws it, whatever its size
 */
export function isRendered(element) {
  return isDrawn(element, { visibilityProperty: true });
}

/**
 * A typing box no person would type into: not drawn, transparent, clipped away, off the page, or labelled so.
 * @param {HTMLElement} element
 * @param {string} label
 * @returns {boolean}
 */
export function isTrap(element, label) {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return true;
  const words = `${label} ${element.getAttribute("name") ?? ""} ${element.id}`.replace(/[_-]+/g, " ");
  return TRAP_WORDS.test(words) || isHiddenFromAll(element) || isPassedBy(element) || isOffPage(element) || isClippedAway(element);
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
  const page = element.ownerDocument.documentElement;
  return (
    box.right + scrollX <= 0 || box.bottom + scrollY <= 0 || box.left + scrollX >= Math.max(page.scrollWidth, 1)
  );
}

/** @param {HTMLElement} element */
function isClippedAway(element) {
  const box = element.getBoundingClientRect();
  if (box.width <= 2 || box.height <= 2) return true;
  for (const above of [element, ...ancestors(element, 2)]) {
    const style = getComputedStyle(above);
    if (/^rect\((?:0|1)(?:px)?, (?:0|1)(?:px)?, (?:0|1)(?:px)?, (?:0|1)(?:px)?\)$/.test(style.clip)) return true;
    if (/inset\((?:50|100)%/.test(style.clipPath)) return true;
  }
  return [...ancestors(element, 4)].some(isFoldedAway);
}

/** @param {Element} element one that shows nothing of what stands in it */
function isFoldedAway(element) {
  if (innerHeightOf(element) > 2 && innerWidthOf(element) > 2) return false;
  const { overflow, display } = getComputedStyle(element);
  return display !== "contents" && display !== "inline" && /hidden|clip/.test(overflow);
}
