/**
 * Proves a fill: a field counts as filled only while its committed state is what was planned. A value the page
 * took away is written once more; a second loss is reported. What the person changed is left and said so.
 */

import { complaintOf } from "./complaints.js";
import { passed, settled } from "./pace.js";
import { PAGE_REFUSES } from "./plan.js";
import { write } from "./write.js";

/** @import { Outcome, Scene, Step, Widget } from "./types.d.ts" */

/**
 * @param {Step[]} steps those whose write was made
 * @param {Scene} scene
 * @returns {Promise<Outcome[]>}
 */
export async function verify(steps, scene) {
  const lost = lostOf(steps, scene);
  for (const step of lost) await write(step, scene);
  if (lost.length > 0) await settled(scene.pace);
  relocate(steps, scene);
  return steps.map((step) => judge(step, scene));
}

/**
 * Watch a finished fill for values the page takes away late: hydration, a résumé read at leisure.
 * @param {Step[]} steps those that were verified
 * @param {Outcome[]} told what was told of them
 * @param {Scene} scene
 * @returns {Promise<void>} after the watching time, or when the fill's signal ends it
 */
export async function watch(steps, told, scene) {
  const { pace } = scene;
  /** @type {Set<Step>} */
  const again = new Set();
  /** @type {Set<Step>} */
  const given = new Set();
  /** @type {Map<Step, string | null>} */
  const complained = new Map(steps.map((step) => [step, told.find(({ key }) => key === step.key)?.said ?? null]));
  const end = performance.now() + pace.watch_ms;
  while (performance.now() < end && !pace.signal.aborted) {
    await passed(Math.min(pace.poll_ms, end - performance.now()), pace);
    if (pace.signal.aborted) return;
    const lost = lostOf(steps.filter((step) => !given.has(step)), scene);
    if (lost.length > 0) await settled(pace);
    for (const step of lost) {
      if (again.has(step)) given.add(step);
      else await write(step, scene);
      again.add(step);
      scene.tell(taken(step, scene));
    }
    const left = steps.filter((step) => !again.has(step) && !scene.hands.touched(step.field.widget));
    for (const step of left) tellWhenJudged(step, scene, complained);
  }
}

/**
 * Some pages judge a value late, with a server's help.
 * @param {Step} step
 * @param {Scene} scene
 * @param {Map<Step, string | null>} complained
 */
function tellWhenJudged(step, scene, complained) {
  const said = complaintNow(step, scene);
  if (said === complained.get(step)) return;
  complained.set(step, said);
  scene.tell(judge(step, scene));
}

/**
 * @param {Step} step
 * @param {Scene} scene
 */
function complaintNow({ key, field: { widget } }, scene) {
  return widget.element.isConnected ? complaintOf(widget, scene.written.get(key)?.marks ?? null) : null;
}

/**
 * @param {Step} step
 * @param {Scene} scene
 * @returns {Outcome} of a field whose value was taken away once
 */
function taken(step, scene) {
  const outcome = judge(step, scene);
  if (outcome.outcome === "filled") return { ...outcome, detail: "written_again" };
  return outcome.outcome === "failed" ? { ...outcome, outcome: "changed_by_page", detail: "taken_away" } : outcome;
}

/**
 * @param {Step} step
 * @param {Scene} scene
 * @returns {Outcome}
 */
function judge({ key, want, field: { widget } }, scene) {
  if (widget.holds(want)) {
    const said = complaintOf(widget, scene.written.get(key)?.marks ?? null);
    return said === null ? { key, outcome: "filled", detail: "" } : { key, outcome: "refused", detail: PAGE_REFUSES, said };
  }
  if (scene.hands.touched(widget)) return { key, outcome: "changed_by_person", detail: "" };
  if (widget.read() !== "") return { key, outcome: "changed_by_page", detail: "other_value" };
  return { key, outcome: "failed", detail: "not_accepted" };
}

/**
 * @param {Step[]} steps
 * @param {Scene} scene
 * @returns {Step[]} those whose value is gone and whose field the person has not taken over
 */
function lostOf(steps, scene) {
  relocate(steps, scene);
  return steps.filter(({ field, want }) => !field.widget.holds(want) && !scene.hands.touched(field.widget));
}

/**
 * A page that draws its form anew makes new elements for the same fields. A field that is nowhere any more (the
 * next step of a form, a document shown as a name) keeps what was proven of it.
 * @param {Step[]} steps
 * @param {Scene} scene
 */
function relocate(steps, scene) {
  const gone = steps.filter(({ field }) => !field.widget.element.isConnected);
  if (gone.length === 0) return;
  const now = new Map(scene.collect().map((field) => [field.description.key, field]));
  for (const step of gone) step.field = now.get(step.key) ?? step.field;
}

/**
 * Where a field stands now.
 * @param {string} key
 * @param {Widget} widget
 * @param {Scene} scene
 * @returns {Widget}
 */
export function currentWidget(key, widget, scene) {
  if (widget.element.isConnected) return widget;
  return scene.collect().find((field) => field.description.key === key)?.widget ?? widget;
}
