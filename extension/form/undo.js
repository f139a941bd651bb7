/** Puts everything back as it stood before a fill, save what the person changed since. */

import { currentWidget } from "./verify.js";

/** @import { Outcome, Scene, Writing } from "./types.d.ts" */

/**
 * @param {Scene} scene
 * @returns {Promise<Outcome[]>}
 */
export async function undo(scene) {
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const writing of [...scene.written.values()].reverse()) {
    const outcome = await undoOne(writing, scene);
    outcomes.push(outcome);
    scene.tell(outcome);
    if (outcome.outcome !== "not_undone") scene.written.delete(writing.key);
  }
  return outcomes;
}

/**
 * @param {Writing} writing
 * @param {Scene} scene
 * @returns {Promise<Outcome>}
 */
async function undoOne({ key, widget: was, before, want }, scene) {
  const widget = currentWidget(key, was, scene);
  if (!widget.holds(want)) return { key, outcome: "changed_by_person", detail: "" };
  const back = await widget.restore(before, scene.pace);
  return back ? { key, outcome: "undone", detail: "" } : { key, outcome: "not_undone", detail: "no_way_back" };
}
