/**
 * What the person typed or changed may be remembered. Which fields those are is known here; what stands in them
 * stays in the page until the person ticks a field and asks for it to be remembered.
 */

import { remember as tellServer } from "./api.js";
import { inPage, pageOf } from "./filling.js";
import { askPage } from "./frames.js";
import { entered } from "./messages.js";
import { troubleOf } from "./reading.js";
import { change, setTrouble, stateOf } from "./state.js";

/** @import { Scope } from "./protocol.d.ts" */

/**
 * @param {number} tab
 * @param {string} document_id who says so
 * @param {string[]} keys
 */
export async function noteChanged(tab, document_id, keys) {
  await change(tab, (state) => {
    const page = state.frames.findIndex((frame) => frame.document_id === document_id);
    const told = new Set(keys.map((key) => `${page}/${key}`));
    const own = state.fields.filter(({ key, plan }) => told.has(key) && plan.may_be_remembered).map(({ key }) => key);
    const others = state.changed.filter((key) => pageOf(key) !== page);
    const isSame = JSON.stringify([...others, ...own]) === JSON.stringify(state.changed);
    return isSame ? {} : { changed: [...others, ...own] };
  });
}

/**
 * @param {number} tab
 * @param {string} document_id who says so
 * @param {number} fresh
 */
export async function noteGrown(tab, document_id, fresh) {
  await change(tab, (state) => {
    const isSame = (state.fresh[document_id] ?? 0) === fresh;
    return isSame ? {} : { fresh: { ...state.fresh, [document_id]: fresh } };
  });
}

/**
 * @param {number} tab
 * @param {string[]} ticked
 * @param {Scope} scope
 */
export async function remember(tab, ticked, scope) {
  const { changed, frames } = await stateOf(tab);
  const wanted = ticked.filter((key) => changed.includes(key));
  try {
    for (const [n, { document_id }] of frames.entries()) {
      const keys = wanted.filter((key) => pageOf(key) === n);
      if (keys.length > 0) await rememberIn(tab, document_id, keys, scope);
    }
  } catch (error) {
    await setTrouble(tab, troubleOf(error));
  }
}

/**
 * @param {number} tab
 * @param {string} document_id
 * @param {string[]} keys of this document's fields
 * @param {Scope} scope
 */
async function rememberIn(tab, document_id, keys, scope) {
  const told = await askPage(tab, document_id, { type: "entered", keys: keys.map(inPage) }, entered);
  const { fields, fill_id, url } = await stateOf(tab);
  for (const { key: own, given } of told?.given ?? []) {
    const field = fields.find(({ key }) => keys.includes(key) && inPage(key) === own);
    if (!field || given.length === 0) continue;
    await tellServer({ url, field: field.asked, given, scope, fill_id });
    await change(tab, ({ remembered }) => ({ remembered: [...new Set([...remembered, field.key])] }));
  }
}
