/**
 * Writes what the plan asks for, one field after the other, and ends with a verified outcome for each. Files go
 * first, because pages read them and write into other fields. It never presses what sends a form.
 */

import { findAll } from "./native.js";
import { settled, until } from "./pace.js";
import { holdScroll } from "./place.js";
import { verify } from "./verify.js";
import { write } from "./write.js";

/** @import { Outcome, Scene, Step } from "./types.d.ts" */

const BUSY = '[aria-busy="true"], [class*="analyzing" i], [class*="parsing" i], [class*="uploading" i]';

/**
 * @param {Step[]} steps
 * @param {Scene} scene
 * @returns {Promise<Outcome[]>}
 */
export async function fill(steps, scene) {
  const letScroll = holdScroll(scene.page, scene.hands);
  const files = steps.filter((step) => step.want instanceof File);
  /** @type {Outcome[]} */
  const failed = [];
  for (const step of files) failed.push(...(await attempt(step, scene)));
  if (files.length > 0) await letRead(scene);
  for (const step of steps) if (!files.includes(step)) failed.push(...(await attempt(step, scene)));
  await settled(scene.pace);
  const again = await drawnAnew(steps, failed, scene);
  const still = failed.filter((one) => !again.some((step) => step.key === one.key));
  for (const step of again) still.push(...(await attempt(step, scene)));
  const latest = steps.map((step) => again.find((one) => one.key === step.key) ?? step);
  const proven = await verify(latest.filter((step) => !still.some((one) => one.key === step.key)), scene);
  for (const outcome of proven) scene.tell(outcome);
  letScroll();
  return [...still, ...proven];
}

/**
 * A list that does not open may stand on a page that is still asleep. Once such a page has drawn its controls
 * anew, what could not be written into the old ones is tried in the new ones.
 * @param {Step[]} steps
 * @param {Outcome[]} failed
 * @param {Scene} scene
 * @returns {Promise<Step[]>} what to try once more, in the fields as they are now
 */
async function drawnAnew(steps, failed, scene) {
  const missed = steps.filter((step) => failed.some((one) => one.key === step.key && one.outcome === "failed"));
  const isGone = (/** @type {Step} */ step) => !step.field.widget.element.isConnected;
  if (!failed.some((one) => one.detail === "list_did_not_open")) return [];
  if (!missed.some(isGone)) await until(() => missed.some(isGone), scene.pace.reveal_ms, scene.pace);
  const gone = missed.filter(isGone);
  if (gone.length === 0) return [];
  await settled(scene.pace);
  const fields = new Map(scene.collect().map((field) => [field.description.key, field]));
  return gone.flatMap((step) => {
    const field = fields.get(step.key);
    return field ? [{ ...step, field }] : [];
  });
}

/**
 * @param {Step} step
 * @param {Scene} scene
 * @returns {Promise<Outcome[]>} what is certain at once: a write that was not made
 */
async function attempt(step, scene) {
  const problem = await write(step, scene);
  if (!problem) return [];
  const byPerson = scene.hands.touched(step.field.widget);
  /** @type {Outcome} */
  const outcome = byPerson
    ? { key: step.key, outcome: "changed_by_person", detail: "" }
    : { key: step.key, outcome: "failed", detail: problem };
  scene.tell(outcome);
  return [outcome];
}

/**
 * Give the page time to read a résumé and to write what it found.
 * @param {Scene} scene
 */
async function letRead({ page, pace }) {
  await settled(pace);
  const isBusy = () => [...findAll(page, BUSY)].some((one) => one.checkVisibility());
  await until(() => !isBusy(), pace.busy_ms, pace);
  await settled(pace);
}
