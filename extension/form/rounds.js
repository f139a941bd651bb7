/**
 * Fills a form that grows: answers reveal questions, and sections take further rows. After each round the page is
 * read again and a plan asked for what is new, until nothing is.
 */

import { fill } from "./fill.js";
import { layOut, PAGE_REFUSES } from "./plan.js";
import { addRow } from "./sections.js";

/** @import { Field, Outcome, PlanLine, PlanMore, Scene, Step } from "./types.d.ts" */

const MOST_ROUNDS = 14;

/**
 * @param {PlanLine[]} lines
 * @param {Map<number, File>} documents
 * @param {Scene} scene
 * @param {PlanMore | null} more
 * @returns {Promise<{ steps: Step[], outcomes: Outcome[] }>} what was written and proven, and every outcome
 */
export async function fillInRounds(lines, documents, scene, more) {
  const seen = new Seen();
  /** @type {Set<Element>} */
  const tried = new Set();
  /** @type {Map<string, Outcome>} */
  const outcomes = new Map();
  /** @type {Step[]} */
  const made = [];
  let fields = scene.collect();
  for (let round = 0, asked = lines; round < MOST_ROUNDS; round += 1) {
    seen.note(fields);
    const { steps, outcomes: told } = layOut(fields, asked, documents, scene.written);
    for (const outcome of told) scene.tell(outcome);
    for (const step of steps) scene.hands.forget(step.field.widget);
    for (const one of [...told, ...(await fill(steps, scene))]) outcomes.set(one.key, one);
    made.push(...steps.filter(({ key }) => isMade(outcomes.get(key))));
    if (!more || scene.pace.signal.aborted) break;
    fields = scene.collect();
    if (seen.fresh(fields).length === 0) {
      if (!(await addRow(scene, more, tried))) break;
      fields = scene.collect();
    }
    const fresh = new Set(seen.fresh(fields).map(({ description }) => description.key));
    asked = (await more(fields.map(({ description }) => description))).filter((line) => fresh.has(line.key));
  }
  return { steps: made, outcomes: [...outcomes.values()] };
}

/** @param {Outcome | undefined} outcome */
function isMade(outcome) {
  return outcome?.outcome === "filled" || outcome?.detail === PAGE_REFUSES;
}

/** What was on the page before: the same element, or the same field drawn anew. */
class Seen {
  /** @type {Map<string, Element>} */
  #elements = new Map();
  /** @type {WeakSet<Element>} */
  #all = new WeakSet();

  /** @param {Field[]} fields */
  note(fields) {
    for (const { description, widget } of fields) {
      this.#elements.set(description.key, widget.element);
      this.#all.add(widget.element);
    }
  }

  /**
   * A key is counted along the page, so a new field may carry the key of one that still stands further down.
   * @param {Field[]} fields
   */
  fresh(fields) {
    return fields.filter(({ description, widget }) => {
      if (this.#all.has(widget.element)) return false;
      return this.#elements.get(description.key)?.isConnected ?? true;
    });
  }
}
