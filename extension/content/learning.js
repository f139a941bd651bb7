/**
 * Which fields the person typed into or changed, and which appeared since the form was read. It tells keys and
 * numbers; a value leaves the page only for a field the person asks to be remembered, and never of a guarded one.
 */

import { collect } from "../form/collect.js";
import { Hands } from "../form/hands.js";
import { AND } from "../form/widgets/choice.js";

/** @import { Field, PlanLine } from "../form/types.d.ts" */

/**
 * @typedef {object} Teller
 * @property {(keys: string[]) => void} changed
 * @property {(fresh: number) => void} grown
 */

const QUIET_MS = 500;
const LOOKED_AT = ["input", "change", "click", "focusout"];

export class Learning {
  #page;
  #hands;
  #tell;
  /** @type {Set<string> | null} keys that were described; null before the page was asked */
  #described = null;
  /** @type {Map<string, string>} what the engine was asked to write */
  #planned = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** what was told last, so that nothing is told twice */
  #told = "";

  /**
   * @param {Document} page
   * @param {Teller} tell
   * @param {AbortSignal} signal
   */
  constructor(page, tell, signal) {
    this.#page = page;
    this.#tell = tell;
    this.#hands = new Hands(page, signal);
    const later = () => this.lookSoon();
    for (const type of LOOKED_AT) page.addEventListener(type, later, { capture: true, passive: true, signal });
    const watcher = new MutationObserver(later);
    watcher.observe(page, { childList: true, subtree: true });
    signal.addEventListener("abort", () => watcher.disconnect());
  }

  /** @param {{ key: string }[]} fields the page was just described by */
  described(fields) {
    this.#described = new Set(fields.map(({ key }) => key));
    this.#told = "";
    this.lookSoon();
  }

  /** @param {PlanLine[]} lines */
  planned(lines) {
    for (const { key, option, value } of lines) this.#planned.set(key, option ?? value ?? "");
  }

  /**
   * @param {string[]} keys
   * @returns {{ key: string, given: string[] }[]} what the person entered there
   */
  entered(keys) {
    const fields = this.#changed().filter(({ description }) => keys.includes(description.key));
    return fields.map(({ description: { key }, widget }) => ({
      key,
      given: widget.kind === "checkboxes" ? widget.read().split(AND) : [widget.read()],
    }));
  }

  /** @returns {Field[]} */
  #changed() {
    return collect(this.#page).filter(({ description: { key, kind }, widget, guard }) => {
      if (guard !== null || kind === "file" || !this.#hands.touched(widget)) return false;
      const value = widget.read();
      return value !== "" && value !== this.#planned.get(key);
    });
  }

  /** Look when the page has come to rest. */
  lookSoon() {
    if (this.#described === null) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), QUIET_MS);
  }

  #look() {
    const keys = this.#changed().map(({ description }) => description.key);
    const fresh = collect(this.#page).filter(({ description: { key } }) => !this.#described?.has(key)).length;
    const told = JSON.stringify([keys, fresh]);
    if (told === this.#told) return;
    this.#told = told;
    this.#tell.changed(keys);
    this.#tell.grown(fresh);
  }
}
