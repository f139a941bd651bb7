/**
 * Keeps the person's place on the page while a fill moves about: focus and selection are given back after each
 * write that needs them, and what the page scrolls by itself meanwhile is scrolled back. It lets go as soon as
 * the person does anything.
 */

import { findAll } from "./native.js";

/** @import { Hands } from "./hands.js" */

/** Lists scroll on for a moment after they were closed. */
const AFTERWARDS_MS = 1000;

/**
 * @param {Document} page
 * @param {Hands} hands
 * @returns {() => void} puts focus and selection back, unless the person has moved on meanwhile
 */
export function rememberFocus(page, hands) {
  const start = performance.now();
  const active = deepActive(page);
  const selection = selectionOf(active);
  return () => {
    if (!hands.actedSince(start) && deepActive(page) !== active) focusAgain(page, active, selection);
  };
}

/**
 * @param {Document} page
 * @param {Hands} hands
 * @returns {() => void} ends the holding, a moment after the page is in sight
 */
export function holdScroll(page, hands) {
  const start = performance.now();
  const held = scrollers(page).map((one) => ({ one, top: one.scrollTop, left: one.scrollLeft }));
  const over = new AbortController();
  const putBack = () => {
    if (hands.actedSince(start)) return over.abort();
    for (const { one, top, left } of held) {
      if (one.scrollTop !== top || one.scrollLeft !== left) one.scrollTo({ top, left, behavior: "instant" });
    }
  };
  page.addEventListener("scroll", putBack, { capture: true, passive: true, signal: over.signal });
  return () => {
    putBack();
    const end = () => setTimeout(() => over.abort(), AFTERWARDS_MS);
    if (page.visibilityState === "visible") end();
    else page.addEventListener("visibilitychange", end, { once: true }); // what was to move moves then
  };
}

/**
 * @param {Document} page
 * @param {Element | null} active
 * @param {[number, number] | null} selection
 */
function focusAgain(page, active, selection) {
  if (!(active instanceof HTMLElement) || active === page.body || !active.isConnected) {
    const now = deepActive(page);
    if (now instanceof HTMLElement) now.blur();
    return;
  }
  active.focus({ preventScroll: true });
  const isText = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement;
  if (selection && isText) active.setSelectionRange(...selection);
}

/** @param {Document} page */
function deepActive(page) {
  let at = page.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

/**
 * @param {Element | null} element
 * @returns {[number, number] | null}
 */
function selectionOf(element) {
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return null;
  const { selectionStart, selectionEnd } = element;
  return selectionStart === null || selectionEnd === null ? null : [selectionStart, selectionEnd];
}

/** @param {Document} page */
function scrollers(page) {
  const found = [...findAll(page, "main, div, section, form, dialog")].filter((one) => one.scrollTop > 0);
  return [page.scrollingElement ?? page.documentElement, ...found];
}
