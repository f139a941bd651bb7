/** One write into one field, with the person's hands off it, remembering what stood there before. */

import { until } from "./pace.js";
import { rememberPlace } from "./place.js";

/** @import { Scene, Step, WriteProblem, Writing } from "./types.d.ts" */

/**
 * @param {Step} step
 * @param {Scene} scene
 * @returns {Promise<WriteProblem>}
 */
export async function write(step, scene) {
  const { widget } = step.field;
  const { pace, hands } = scene;
  if (pace.signal.aborted) return "stopped";
  if (hands.touched(widget)) return "not_accepted";
  const act = () => record(step, scene.written, () => widget.write(step.want, pace));
  if (widget.kind !== "combobox") return act();
  await until(() => !hands.areTyping(), pace.busy_ms, pace);
  const goBack = rememberPlace(scene.page);
  const problem = await act();
  goBack();
  return problem;
}

/**
 * What stood in the field before the first write is what undo gives back.
 * @param {Step} step
 * @param {Map<string, Writing>} written
 * @param {() => Promise<WriteProblem>} act
 */
async function record(step, written, act) {
  const { key, want, field: { widget } } = step;
  const before = written.get(key)?.before ?? widget.read();
  const problem = await act();
  if (!problem) written.set(key, { key, widget, before, want });
  return problem;
}
