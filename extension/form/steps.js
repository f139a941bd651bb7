/**
 * Notices that a form of several steps went on to another one, by the person's own press. It reads the new step
 * and says so; it never goes on by itself.
 */

import { anyOf, knownOf } from "./knowledge/index.js";
import { find } from "./native.js";
import { oneLine } from "./words.js";

/** @import { Field } from "./types.d.ts" */

const QUIET_MS = 350;
const MARKS = '[aria-current="step"], [aria-current="page"][class*="step" i]';

/**
 * @param {Document} page
 * @returns {string} what the page calls the step it shows, or ""
 */
export function stepOf(page) {
  const mark = find(page, `${anyOf(knownOf(page).steps)}, ${MARKS}`);
  return oneLine(mark?.textContent ?? "").slice(0, 200);
}

/**
 * @param {Document} page
 * @param {() => Field[]} collect
 * @param {(fields: Field[]) => void} arrived told of each new step once
 * @param {AbortSignal} signal ends the watching
 */
export function watchSteps(page, collect, arrived, signal) {
  let [title, keys] = [stepOf(page), keysOf(collect())];
  let timer = 0;
  const look = () => {
    const fields = collect();
    const [newTitle, newKeys] = [stepOf(page), keysOf(fields)];
    if (fields.length === 0) return;
    const moved = newTitle !== title ? fields.some(isNewTo(keys)) || newKeys.size !== keys.size : isOther(newKeys, keys);
    [title, keys] = [newTitle, newKeys];
    if (moved) arrived(fields);
  };
  const observer = new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(look, QUIET_MS);
  });
  observer.observe(page, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "style", "class"] });
  signal.addEventListener("abort", () => {
    observer.disconnect();
    clearTimeout(timer);
  });
}

/** @param {Field[]} fields */
function keysOf(fields) {
  return new Set(fields.map(({ description }) => description.key));
}

/** @param {Set<string>} keys */
function isNewTo(keys) {
  return (/** @type {Field} */ { description }) => !keys.has(description.key);
}

/**
 * Most of what stood there is gone: another step. A few new fields are answers' doing, and the fill's to see.
 * @param {Set<string>} now
 * @param {Set<string>} before
 */
function isOther(now, before) {
  const kept = [...before].filter((key) => now.has(key)).length;
  return kept * 2 < before.size || (before.size === 0 && now.size > 0);
}
