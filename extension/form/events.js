/**
 * Acts on a page the way its own scripts listen. Nothing here decides what to write, and nothing here presses
 * a button that sends a form.
 *
 * A page without the window's focus (the person is in the side panel) is sent no focus events by the browser,
 * although the element becomes the active one; they are then dispatched by hand, because frameworks open
 * lists and commit values on them.
 */

const BUBBLES = { bubbles: true, composed: true };

/**
 * @param {HTMLInputElement | HTMLTextAreaElement} element
 * @param {string} value
 */
export function setText(element, value) {
  const kind = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(kind.prototype, "value")?.set?.call(element, value);
  element.dispatchEvent(new InputEvent("input", { ...BUBBLES, inputType: "insertReplacementText", data: value }));
}

/** @param {Element} element */
export function changed(element) {
  element.dispatchEvent(new Event("change", BUBBLES));
}

/**
 * Say that the caret came and went without moving the real one: the person may be typing elsewhere.
 * @param {HTMLElement} element
 * @param {() => void} act
 */
export function asIfFocused(element, act) {
  const own = element.ownerDocument.activeElement === element;
  if (!own) announce(element, "focus", "focusin");
  act();
  if (!own) announce(element, "blur", "focusout");
}

/**
 * Move the real focus, and make sure the page hears of it.
 * @param {HTMLElement} element
 */
export function focusOn(element) {
  heard(element, "focus", "focusin", () => element.focus({ preventScroll: true }));
}

/** @param {HTMLElement} element */
export function leave(element) {
  heard(element, "blur", "focusout", () => element.blur());
}

/**
 * @param {HTMLElement} element
 * @param {string} own
 * @param {string} bubbling
 * @param {() => void} act
 */
export function heard(element, own, bubbling, act) {
  let fired = false;
  const note = () => {
    fired = true;
  };
  const was = element.ownerDocument.activeElement;
  element.addEventListener(own, note, { capture: true, once: true });
  act();
  element.removeEventListener(own, note, { capture: true });
  if (!fired && was !== element.ownerDocument.activeElement) announce(element, own, bubbling);
}

/**
 * @param {HTMLElement} element
 * @param {string} own
 * @param {string} bubbling
 */
function announce(element, own, bubbling) {
  element.dispatchEvent(new FocusEvent(own, { composed: true }));
  element.dispatchEvent(new FocusEvent(bubbling, BUBBLES));
}

/**
 * The presses a click is made of; lists open on the first of them.
 * @param {HTMLElement} element
 * @param {{ click?: boolean }} [how]
 */
export function press(element, how = {}) {
  const at = { ...BUBBLES, cancelable: true, button: 0, buttons: 1, detail: 1 };
  element.dispatchEvent(new PointerEvent("pointerdown", { ...at, pointerType: "mouse", isPrimary: true }));
  element.dispatchEvent(new MouseEvent("mousedown", at));
  element.dispatchEvent(new PointerEvent("pointerup", { ...at, buttons: 0, pointerType: "mouse", isPrimary: true }));
  element.dispatchEvent(new MouseEvent("mouseup", { ...at, buttons: 0 }));
  if (how.click ?? true) element.click();
}

/**
 * @param {HTMLElement} element
 * @param {"Escape" | "ArrowDown" | "ArrowUp" | "Backspace" | "Delete" | "Enter"} key
 */
export function key(element, key) {
  const keyCode = { Escape: 27, ArrowDown: 40, ArrowUp: 38, Backspace: 8, Delete: 46, Enter: 13 }[key];
  const how = { ...BUBBLES, cancelable: true, key, code: key, keyCode, which: keyCode };
  element.dispatchEvent(new KeyboardEvent("keydown", how));
  element.dispatchEvent(new KeyboardEvent("keyup", how));
}
