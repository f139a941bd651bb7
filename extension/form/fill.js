/**
 * Writes what the plan asks for, one field after the other, and ends with a verified outcome for each. Files go
 * first, because pages read them and write into other fields. It never presses what sends a form.
 */

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
  const made = steps.filter((step) => !failed.some((one) => one.key === step.key));
  const proven = await verify(made, scene);
  for (const outcome of proven) scene.tell(outcome);
  letScroll();
  return [...failed, ...proven];
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
  const isBusy = () => [...page.querySelectorAll(BUSY)].some((one) => one.checkVisibility());
  await until(() => !isBusy(), pace.busy_ms, pace);
  await settled(pace);
}
