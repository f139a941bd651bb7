/**
 * Watches for the person's own acts in fields, so that an edit of theirs always wins. Only events the browser
 * vouches for count; what the engine and the page's scripts dispatch does not.
 */

/** @import { Widget } from "./types.d.ts" */

const TYPED = new Set(["text", "textarea"]);
const MOVES = new Set(["Tab", "Shift", "Control", "Alt", "Meta", "Escape", "CapsLock"]);
const TYPING_PAUSE_MS = 1200;

export class Hands {
  /** @type {Set<EventTarget>} */
  #typed = new Set();
  /** @type {Set<EventTarget>} */
  #pressed = new Set();
  /** @type {WeakSet<ShadowRoot>} */
  #joined = new WeakSet();
  #lastKey = -Infinity;
  #lastAct = -Infinity;

  /**
   * @param {Document} page
   * @param {AbortSignal} signal ends the watching
   */
  constructor(page, signal) {
    const how = { capture: true, passive: true, signal };
    for (const type of ["beforeinput", "paste", "cut", "drop"]) {
      page.addEventListener(type, (event) => this.#note(event, this.#typed), how);
    }
    page.addEventListener("pointerdown", (event) => this.#note(event, this.#pressed), how);
    page.addEventListener("keydown", (event) => this.#key(event), how);
    page.addEventListener("change", (event) => this.#changed(event), how);
    for (const type of ["pointerdown", "keydown", "wheel", "touchmove"]) {
      page.addEventListener(type, (event) => {
        if (event.isTrusted) this.#lastAct = performance.now();
      }, how);
    }
  }

  /**
   * @param {Widget} widget
   * @returns {boolean} the person changed this field since the watching began, or since it was forgotten
   */
  touched(widget) {
    const isTyped = TYPED.has(widget.kind) && !widget.parts.some((part) => part instanceof HTMLSelectElement);
    const acts = isTyped ? this.#typed : this.#pressed;
    return [widget.element, ...widget.parts].some((part) => acts.has(part) || this.#typed.has(part));
  }

  /**
   * A closed shadow root hides from the page what happens in it; there it is listened to on the spot.
   * @param {ShadowRoot} root
   * @param {AbortSignal} signal
   */
  join(root, signal) {
    if (root.mode !== "closed" || this.#joined.has(root)) return;
    this.#joined.add(root);
    const how = { capture: true, passive: true, signal };
    for (const type of ["beforeinput", "paste", "cut", "drop"]) {
      root.addEventListener(type, (event) => this.#note(event, this.#typed), how);
    }
    for (const type of ["pointerdown", "keydown"]) root.addEventListener(type, (event) => this.#note(event, this.#pressed), how);
  }

  /** @param {Widget} widget */
  forget(widget) {
    for (const part of [widget.element, ...widget.parts]) {
      this.#typed.delete(part);
      this.#pressed.delete(part);
    }
  }

  /** @returns {boolean} the person is typing right now */
  areTyping() {
    return performance.now() - this.#lastKey < TYPING_PAUSE_MS;
  }

  /**
   * @param {number} start by the page's own clock
   * @returns {boolean} the person has done anything on the page since
   */
  actedSince(start) {
    return this.#lastAct >= start;
  }

  /**
   * @param {Event} event
   * @param {Set<EventTarget>} acts
   */
  #note(event, acts) {
    if (!event.isTrusted) return;
    for (const target of event.composedPath()) acts.add(target);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!event.isTrusted || MOVES.has(event.key)) return;
    this.#lastKey = performance.now();
    this.#note(event, this.#pressed);
  }

  /**
   * Picking from a native list or a file dialogue shows only as a change. A press by the engine on a radio makes
   * the browser report one as well, so for those the press itself is what counts.
   * @param {Event} event
   */
  #changed(event) {
    const target = event.composedPath()[0];
    if (target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === "file")) {
      this.#note(event, this.#pressed);
    }
  }
}
