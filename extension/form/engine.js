/**
 * The form of one page, from reading it to taking a fill back: discover, describe, plan, fill, verify. It knows
 * the page only, so the same engine runs in the extension and in a plain page.
 */

import { collect, collectAll } from "./collect.js";
import { Hands } from "./hands.js";
import { pace } from "./pace.js";
import { fillInRounds } from "./rounds.js";
import { stepOf, watchSteps } from "./steps.js";
import { undo } from "./undo.js";
import { watch } from "./verify.js";
import { openShadowsWith, shadowOf, walk } from "./walk.js";

/** @import { Description, Field, Means, Outcome, Pace, PlanLine, PlanMore, Scene, Writing } from "./types.d.ts" */

export class Engine {
  #page;
  #life = new AbortController();
  #run = new AbortController();
  #hands;
  /** @type {Map<string, Writing>} */
  #written = new Map();
  /** @type {Partial<Pace>} */
  #waits;
  #isSeeingClosed;
  #isPaused = false;

  /**
   * @param {Document} page
   * @param {Partial<Pace>} [waits] other waiting times than real pages need
   * @param {Means} [means]
   */
  constructor(page, waits = {}, means = {}) {
    this.#page = page;
    this.#waits = waits;
    this.#hands = new Hands(page, this.#life.signal);
    if (means.shadow_root_of) openShadowsWith(means.shadow_root_of);
    this.#isSeeingClosed = means.shadow_root_of !== undefined;
  }

  /** @returns {Description[]} the fields of the page, without any value */
  describe() {
    return this.read().fields;
  }

  /** @returns {{ fields: Description[], beyond: number }} `beyond`: how many fields stand there besides */
  read() {
    if (this.#isSeeingClosed) this.#joinClosed();
    const { fields, beyond } = collectAll(this.#page);
    return { fields: fields.map((field) => field.description), beyond };
  }

  /** @returns {string} what the page calls the step of the form it shows, or "" */
  step() {
    return stepOf(this.#page);
  }

  /**
   * Be told when the person has gone on to another step of the form; it is to be planned and filled by itself.
   * @param {(fields: Description[], title: string) => void} arrived
   */
  watchSteps(arrived) {
    const told = (/** @type {Field[]} */ fields) => {
      for (const [key, { widget }] of this.#written) if (!widget.element.isConnected) this.#written.delete(key);
      arrived(fields.map((field) => field.description), this.step());
    };
    watchSteps(this.#page, () => this.#collect(), told, this.#life.signal);
  }

  /**
   * @param {PlanLine[]} lines
   * @param {Map<number, File>} documents
   * @param {(outcome: Outcome) => void} tell
   * @param {PlanMore | null} [more] asked for the plan of fields that appear, and before a row is added
   * @returns {Promise<{ outcomes: Outcome[], later: Promise<void> }>} the verified outcomes, and when the
   *   watching for values taken away is over
   */
  async fill(lines, documents, tell, more = null) {
    this.stop();
    this.#isPaused = false;
    this.#run = new AbortController();
    const scene = this.#scene(tell);
    const ends = abortOnMove(this.#page, this.#run);
    const { steps, outcomes } = await fillInRounds(lines, documents, scene, more);
    return { outcomes, later: watch(steps, outcomes, scene).finally(ends) };
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

  /**
   * Hold a running fill where it stands, or let it go on. The person's edits meanwhile win as they always do.
   * @param {boolean} on
   */
  pause(on) {
    this.#isPaused = on;
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
    if (this.#isSeeingClosed) this.#joinClosed();
    return collect(this.#page);
  }

  #joinClosed() {
    for (const element of walk(this.#page)) {
      const shadow = element.localName.includes("-") ? shadowOf(element) : null;
      if (shadow) this.#hands.join(shadow, this.#life.signal);
    }
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
      isPaused: () => this.#isPaused,
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
