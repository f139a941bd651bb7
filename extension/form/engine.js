/**
 * The form of one page, from reading it to taking a fill back: discover, describe, plan, fill, verify. It knows
 * the page only, so the same engine runs in the extension and in a plain page.
 */

import { collect } from "./collect.js";
import { fill } from "./fill.js";
import { Hands } from "./hands.js";
import { pace } from "./pace.js";
import { layOut } from "./plan.js";
import { undo } from "./undo.js";
import { watch } from "./verify.js";

/** @import { Description, Field, Outcome, Pace, PlanLine, Scene, Step, Writing } from "./types.d.ts" */

export class Engine {
  #page;
  #life = new AbortController();
  #run = new AbortController();
  #hands;
  /** @type {Map<string, Writing>} */
  #written = new Map();
  /** @type {Partial<Pace>} */
  #waits;

  /**
   * @param {Document} page
   * @param {Partial<Pace>} [waits] other waiting times than real pages need
   */
  constructor(page, waits = {}) {
    this.#page = page;
    this.#waits = waits;
    this.#hands = new Hands(page, this.#life.signal);
  }

  /** @returns {Description[]} the fields of the page, without any value */
  describe() {
    return this.#collect().map((field) => field.description);
  }

  /**
   * @param {PlanLine[]} lines
   * @param {Map<number, File>} documents
   * @param {(outcome: Outcome) => void} tell
   * @returns {Promise<{ outcomes: Outcome[], later: Promise<void> }>} the verified outcomes, and when the
   *   watching for values taken away is over
   */
  async fill(lines, documents, tell) {
    this.stop();
    this.#run = new AbortController();
    const scene = this.#scene(tell);
    const ends = abortOnMove(this.#page, this.#run);
    const { steps, outcomes } = layOut(this.#collect(), lines, documents, this.#written);
    for (const outcome of outcomes) tell(outcome);
    for (const step of steps) this.#hands.forget(step.field.widget);
    const done = await fill(steps, scene);
    const proven = (/** @type {Step} */ step) => done.some((one) => one.key === step.key && one.outcome === "filled");
    const later = watch(steps.filter(proven), scene).finally(ends);
    return { outcomes: [...outcomes, ...done], later };
  }

  /**
   * @param {(outcome: Outcome) => void} tell
   * @returns {Promise<Outcome[]>}
   */
  async undo(tell) {
    this.stop();
    this.#run = new AbortController();
    return undo(this.#scene(tell));
  }

  /**
   * Take the person to a field.
   * @param {string} key
   */
  show(key) {
    const element = this.#collect().find((field) => field.description.key === key)?.widget.element;
    element?.scrollIntoView({ block: "center", behavior: "instant" });
    element?.focus({ preventScroll: true });
  }

  /** End a running fill where it stands. */
  stop() {
    this.#run.abort();
  }

  /** Let go of the page. */
  close() {
    this.stop();
    this.#life.abort();
  }

  /** @returns {Field[]} */
  #collect() {
    return collect(this.#page);
  }

  /**
   * @param {(outcome: Outcome) => void} tell
   * @returns {Scene}
   */
  #scene(tell) {
    return {
      page: this.#page,
      collect: () => this.#collect(),
      hands: this.#hands,
      pace: { ...pace(this.#run.signal), ...this.#waits },
      written: this.#written,
      tell,
    };
  }
}

/**
 * A page that moves to another address is another page.
 * @param {Document} page
 * @param {AbortController} run
 * @returns {() => void} ends the watching
 */
function abortOnMove(page, run) {
  const address = () => page.location.href.replace(/#.*$/, "");
  const start = address();
  const timer = setInterval(() => {
    if (address() !== start) run.abort();
  }, 100);
  return () => clearInterval(timer);
}
