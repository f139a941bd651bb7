/**
 * Tells the boxes of a form that lie under something else, or that are drawn in the colour of what they stand on:
 * nobody sees those, so a robot is meant to. What holds for most of a form is how that form is drawn, or a veil over
 * it that will go; a bar that stays while the page scrolls, an open list, a label over its box are no covers.
 */

import { alphaOf, gradient, partsOf } from "./cut.js";
import {
  attribute, boxOf, contains, innerHeightOf, is, rootOf, scrollAtOnce, scrollHeightOf, scrollLeftOf, scrollTopOf, stackAt, textIn,
} from "./native.js";
import { ancestors, closest, parentOf } from "./walk.js";
import { plain } from "./words.js";

/** @import { Edges } from "./cut.js" */

/** @typedef {{ element: HTMLElement, label: string }} Box */

const PICTURES = "img, canvas, video, iframe, embed, object";
const POPUPS = "dialog, [popover], [role=listbox], [role=menu], [role=dialog], [role=tooltip], [role=grid], [role=tree]";
const POPUP_NAMES = /menu|dropdown|popover|popup|tooltip|listbox|calendar|picker|autocomplete|suggest|pac-container/i;
const STANDS_FOR_A_LIST = "button, [role=button], [role=combobox], [role=listbox], [tabindex='0']";
/** Colours nearer than this in each of their parts are one to the eye. */
const ALIKE = 10;

/**
 * @param {Box[]} boxes those of a form that a person types into or chooses from
 * @param {Element[]} all of the page
 * @returns {Set<Element>} the ones nobody sees
 */
export function unseenAmong(boxes, all) {
  if (boxes.length === 0) return new Set();
  const look = new Look(boxes, all);
  const most = boxes.length / 2;
  const covers = new Map(boxes.flatMap((one) => (look.isSuspect(one) ? [[one.element, coverOf(one, look)]] : [])));
  const isVeil = (/** @type {Element | null} */ cover) => [...covers.values()].filter((one) => one === cover).length > most;
  const covered = boxes.filter(({ element }) => covers.get(element) && !isVeil(covers.get(element) ?? null));
  const pale = boxes.filter(({ element }) => !look.isOverSomething(element) && isPale(element, look));
  return new Set([...covered, ...(pale.length > most ? [] : pale)].map(({ element }) => element));
}

/** What one reading found of the parts of a page. */
class Look {
  /** @type {Map<Element, Element[]>} what stands where a box stands, and neither holds it nor is part of it */
  #near = new Map();
  /** @type {Map<Element, boolean>} */
  #turned = new Map();
  /** @type {Map<Element, boolean>} */
  #painted = new Map();
  /** @type {Map<Element, boolean>} */
  #drawing = new Map();
  /** @type {Map<Element, number[] | null>} */
  #grounds = new Map();

  /**
   * @param {Box[]} boxes
   * @param {Element[]} all
   */
  constructor(boxes, all) {
    const own = boxes.map(({ element }) => ({ element, inner: innerOf(boxOf(element)) }));
    for (const element of all) {
      const { left, right, top, bottom } = boxOf(element);
      for (const one of own) {
        const { inner } = one;
        if (left > inner.left || right < inner.right || top > inner.top || bottom < inner.bottom) continue;
        if (!isPartOf(element, one.element)) this.#near.set(one.element, [...(this.#near.get(one.element) ?? []), element]);
      }
    }
  }

  /** @param {Box} box */
  isSuspect({ element }) {
    return this.isOverSomething(element) || this.#isTurned(element);
  }

  /** @param {Element} element */
  isOverSomething(element) {
    return (this.#near.get(element) ?? []).some((one) => this.paints(one));
  }

  /**
   * Something of its own, or of what it stands in, may be drawn over it.
   * @param {Element} element
   * @returns {boolean}
   */
  #isTurned(element) {
    const above = parentOf(element);
    return once(this.#turned, element, () => Number(getComputedStyle(element).zIndex) < 0 || (above !== null && (this.drawsOver(above) || this.#isTurned(above))));
  }

  /** @param {Element} element */
  paints(element) {
    return once(this.#painted, element, () => isSolid(getComputedStyle(element), is(element, PICTURES)) && isOpaque(element));
  }

  /** @param {Element} element one that draws more than itself, over what it holds */
  drawsOver(element) {
    return once(this.#drawing, element, () => ["::before", "::after"].some((part) => {
      const style = getComputedStyle(element, part);
      return style.content !== "none" && /absolute|fixed/.test(style.position) && isSolid(style, false);
    }));
  }

  /**
   * @param {Element} element
   * @returns {number[] | null} the colour of it, or of what it stands on; null where that cannot be told
   */
  groundOf(element) {
    return once(this.#grounds, element, () => {
      const { backgroundColor, backgroundImage } = getComputedStyle(element);
      const alpha = alphaOf(backgroundColor);
      if (backgroundImage !== "none" || this.drawsOver(element) || (alpha > 0.05 && alpha <= 0.95)) return null;
      if (alpha > 0.95) return partsOf(backgroundColor);
      const above = parentOf(element);
      return above ? this.groundOf(above) : paper(element);
    });
  }
}

/**
 * @param {DOMRect} box
 * @returns {Edges} of nearly all of it; in numbers of its own, which are quicker to read
 */
function innerOf({ left, right, top, bottom }) {
  const [x, y] = [(right - left) * 0.15, (bottom - top) * 0.15];
  return { left: left + x, right: right - x, top: top + y, bottom: bottom - y };
}

/**
 * @param {Element} element
 * @param {Element} box
 */
function isPartOf(element, box) {
  if (element === box || contains(element, box) || contains(box, element)) return true;
  for (const above of ancestors(box)) if (above === element) return true;
  return false;
}

/**
 * @param {CSSStyleDeclaration} style
 * @param {boolean} isPicture
 */
function isSolid({ backgroundColor, backgroundImage, backgroundRepeat, backgroundSize }, isPicture) {
  if (isPicture || alphaOf(backgroundColor) > 0.9) return true;
  if (backgroundImage === "none") return false;
  return gradient(backgroundImage).isSolid || (/url\(/.test(backgroundImage) && /^repeat$|cover|100% 100%/.test(`${backgroundRepeat} ${backgroundSize}`));
}

/** @param {Element} element */
function isOpaque(element) {
  let opacity = 1;
  for (const one of [element, ...ancestors(element)]) opacity *= Number(getComputedStyle(one).opacity);
  return opacity > 0.9;
}

/**
 * @param {Box} box
 * @param {Look} look
 * @returns {Element | null} what nobody sees through, if it lies over all of the box
 */
function coverOf(box, look) {
  if (getComputedStyle(box.element).pointerEvents === "none") return null;
  const goBack = bringIntoSight(box.element);
  const { left, top, width, height } = boxOf(box.element);
  const points = [[0.5, 0.5], [0.15, 0.25], [0.85, 0.25], [0.15, 0.75], [0.85, 0.75]];
  const found = points.map(([x = 0, y = 0]) => overAt(box, left + x * width, top + y * height, look));
  goBack();
  return found.every((one) => one !== null) ? (found[0] ?? null) : null;
}

/**
 * @param {Box} box
 * @param {number} x
 * @param {number} y
 * @param {Look} look
 * @returns {Element | null}
 */
function overAt(box, x, y, look) {
  const own = hostOf(box.element);
  const stack = stackAt(box.element.ownerDocument, x, y);
  const at = stack.findIndex((one) => one === own || contains(own, one));
  const over = stack.slice(0, Math.max(at, 0));
  return over.find((one) => (look.paints(one) || (contains(one, own) && look.drawsOver(one))) && !mayLieOver(one, box)) ?? null;
}

/**
 * As the document knows it: what stands in a shadow is its host there.
 * @param {Element} element
 * @returns {Element}
 */
function hostOf(element) {
  const root = rootOf(element);
  return root instanceof ShadowRoot ? hostOf(root.host) : element;
}

/**
 * @param {Element} cover
 * @param {Box} box
 */
function mayLieOver(cover, { element, label }) {
  const words = plain(textIn(cover));
  if (words !== "" && plain(label).includes(words)) return true;
  const labels = "labels" in element && element.labels instanceof NodeList ? [...element.labels] : [];
  if (labels.some((one) => contains(one, cover))) return true;
  if (is(element, "select") && closest(cover, STANDS_FOR_A_LIST)) return true;
  return [cover, ...ancestors(cover)].some((one) => !contains(one, element) && comesAndGoes(one));
}

/** @param {Element} element */
function comesAndGoes(element) {
  if (is(element, POPUPS) || /fixed|sticky/.test(getComputedStyle(element).position)) return true;
  return POPUP_NAMES.test(`${attribute(element, "class")} ${attribute(element, "id")}`);
}

/**
 * Within one turn of the page, so that nobody sees it move.
 * @param {Element} element
 * @returns {() => void} puts everything back
 */
function bringIntoSight(element) {
  /** @type {{ one: Element, top: number, left: number }[]} */
  const moved = [];
  const page = element.ownerDocument.scrollingElement;
  for (const one of ancestors(element)) {
    const isPage = one === page;
    if (!isPage && !(scrollHeightOf(one) > innerHeightOf(one) && /auto|scroll/.test(getComputedStyle(one).overflowY))) continue;
    const [box, frame] = [boxOf(element), isPage ? { top: 0, height: innerHeight } : boxOf(one)];
    if (isPage && box.top >= 0 && box.bottom <= innerHeight) continue;
    const was = { one, top: scrollTopOf(one), left: scrollLeftOf(one) };
    moved.push(was);
    scrollAtOnce(one, was.top + box.top + box.height / 2 - frame.top - frame.height / 2, was.left);
  }
  return () => {
    for (const { one, top, left } of moved) scrollAtOnce(one, top, left);
  };
}

/**
 * @param {HTMLElement} element
 * @param {Look} look
 * @returns {boolean} neither its edge nor what would stand in it differs from the ground
 */
function isPale(element, look) {
  const above = parentOf(element);
  const ground = above && look.groundOf(above);
  if (!ground) return false;
  const style = getComputedStyle(element);
  const shows = (/** @type {string} */ colour) => alphaOf(colour) > 0.05 && !isAlike(partsOf(colour), ground);
  const text = style.getPropertyValue("-webkit-text-fill-color") || style.color;
  if (shows(text) || (element instanceof HTMLTextAreaElement && alphaOf(text) < 0.05)) return false; // an editor may draw its text itself
  if (style.backgroundImage !== "none" || style.boxShadow !== "none" || shows(style.backgroundColor) || showsEdge(style, shows)) return false;
  if (element instanceof HTMLSelectElement && style.appearance !== "none") return false;
  return !attribute(element, "placeholder") || !shows(getComputedStyle(element, "::placeholder").color);
}

/**
 * @param {CSSStyleDeclaration} style
 * @param {(colour: string) => boolean} shows
 */
function showsEdge(style, shows) {
  const sides = ["top", "right", "bottom", "left"].map((side) => `border-${side}`);
  return [...sides, "outline"].some((edge) => {
    const of = (/** @type {string} */ name) => style.getPropertyValue(`${edge}-${name}`);
    return of("style") !== "none" && parseFloat(of("width")) > 0 && shows(of("color"));
  });
}

/** @param {Element} element */
function paper(element) {
  return /dark/.test(getComputedStyle(element.ownerDocument.documentElement).colorScheme) ? null : [255, 255, 255];
}

/**
 * @template T
 * @param {Map<Element, T>} known
 * @param {Element} element
 * @param {() => T} find
 * @returns {T}
 */
function once(known, element, find) {
  const before = known.get(element);
  if (before !== undefined) return before;
  const found = find();
  known.set(element, found);
  return found;
}

/**
 * @param {number[] | null} one
 * @param {number[]} other
 */
function isAlike(one, other) {
  return one !== null && one.every((part, n) => Math.abs(part - (other[n] ?? 0)) <= ALIKE);
}
