/** One write into one field, with the person's hands off it, remembering what stood there before. */

import { marksOf } from "./complaints.js";
import { until } from "./pace.js";
import { rememberFocus } from "./place.js";

/** @import { Scene, Step, WriteProblem } from "./types.d.ts" */

/**
 * @param {Step} step
 * @param {Scene} scene
 * @returns {Promise<WriteProblem>}
 */
export async function write(step, scene) {
  const { widget } = step.field;
  const { pace, hands } = scene;
  while (scene.isPaused() && !pace.signal.aborted) await until(() => !scene.isPaused(), pace.busy_ms, pace);
  if (pace.signal.aborted) return "stopped";
  if (hands.touched(widget)) return "not_accepted";
  if (widget.kind !== "combobox" && widget.type !== "editor") return record(step, scene);
  const start = performance.now();
  const problem = await writeWithFocus(step, scene);
  if (!problem || !hands.actedSince(start) || hands.touched(widget)) return problem;
  return writeWithFocus(step, scene); // the person's press elsewhere closed its list
}

/**
 * A list needs the real focus, so it waits for a pause in the person's typing and gives the focus back.
 * @param {Step} step
 * @param {Scene} scene
 */
async function writeWithFocus(step, scene) {
  const { pace, hands } = scene;
  await until(() => !hands.areTyping(), pace.busy_ms, pace);
  const goBack = rememberFocus(scene.page, hands);
  const problem = await record(step, scene);
  goBack();
  return problem;
}

/**
 * What stood in the field before the first write is what undo gives back.
 * @param {Step} step
 * @param {Scene} scene
 * @returns {Promise<WriteProblem>}
 */
async function record({ key, want, field: { widget } }, { written, pace }) {
  const earlier = written.get(key);
  const before = earlier?.before ?? widget.read();
  const marks = earlier?.marks ?? marksOf(widget);
  const problem = await widget.write(want, pace);
  if (!problem) written.set(key, { key, widget, before, want, marks });
  return problem;
}
