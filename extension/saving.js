/** Keeps the posting of the page in front, from the panel or a right click: an address, a title, an employer. */

import { Refused, savePosting } from "./api.js";
import { mark, markTrouble } from "./badge.js";
import { askPage, enter } from "./frames.js";
import { calledItself } from "./messages.js";
import { troubleOf } from "./reading.js";
import { change, setTrouble } from "./state.js";
import { say } from "./words.js";

/** @param {number} tab */
export async function save(tab) {
  try {
    const facts = await whatIsShown(tab);
    if (!facts) throw new Refused("no_access", 0);
    const saved = await savePosting(facts);
    const state = await change(tab, ({ context }) => (context ? { context: { ...context, is_saved: true } } : {}));
    const known = state.context ?? { application: null, is_saved: true, posting: null, documents: [], drafts: [], form: null };
    await mark(tab, known);
    return saved;
  } catch (error) {
    const trouble = troubleOf(error);
    await setTrouble(tab, trouble);
    await markTrouble(tab, say(`trouble_${trouble.code}`) || say("trouble_other", trouble.code));
    return null;
  }
}

/** @param {number} tab */
async function whatIsShown(tab) {
  const [top] = await enter(tab);
  const told = top === undefined ? null : await askPage(tab, top, { type: "posting" }, calledItself);
  return told && { url: told.url, title: told.title, company: told.company };
}
