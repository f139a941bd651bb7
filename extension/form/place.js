/** Remembers where the person was on the page, and takes them back there when a fill has moved about. */

/**
 * @param {Document} page
 * @returns {() => void} puts focus, selection and scroll back, unless the person has moved on
 */
export function rememberPlace(page) {
  const active = deepActive(page);
  const selection = selectionOf(active);
  const scrolled = scrollers(page).map((one) => ({ one, top: one.scrollTop, left: one.scrollLeft }));
  return () => {
    for (const { one, top, left } of scrolled) {
      if (one.scrollTop !== top || one.scrollLeft !== left) one.scrollTo({ top, left, behavior: "instant" });
    }
    const now = deepActive(page);
    if (now === active) return;
    if (active instanceof HTMLElement && active !== page.body && active.isConnected) {
      active.focus({ preventScroll: true });
      if (selection && "setSelectionRange" in active) {
        /** @type {HTMLInputElement} */ (active).setSelectionRange(...selection);
      }
    } else if (now instanceof HTMLElement) now.blur();
  };
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
  const found = [...page.querySelectorAll("main, div, section, form, dialog")].filter((one) => one.scrollTop > 0);
  return [page.scrollingElement ?? page.documentElement, ...found];
}
